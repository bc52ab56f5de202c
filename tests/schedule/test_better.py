"""Tests the verdict about two bots: its sentence, its numbers, and the deals that it shows."""

from collections.abc import Iterable

import pytest

from harness.schedule.better import Answer, Comparison, lost, sentence, verdict_of
from harness.schedule.twins import ALIKE
from harness.schedule.view import Past, PastRound
from tests.schedule.test_twins import a_match


def at_one_table(deals: Iterable[tuple[int, int]]) -> Past:
    """The past of the new bot n and the old bot o at a table of two. Each deal has two ranks of n: in seat 1
    and in seat 2."""
    results = []
    for number, (first, second) in enumerate(deals):
        for turn, rank in enumerate((first, second)):
            bots, ranks = ("no", (rank, 3 - rank)) if turn == 0 else ("on", (3 - rank, rank))
            results.append(a_match(f"{number}.{turn}", bots, ranks, f"{number}"))
    return Past(("n", "o"), 2, (PastRound(("n", "o"), 1, 1, (("n", "o"),), (), 0, (tuple(results),)),))


def at_two_tables(deals: Iterable[tuple[int, int]]) -> Past:
    """The past of the new bot n and the old bot o at tables with h and i. Each deal has the ranks of n and of
    o, both in seat 1."""
    ranks = {1: (1, 2, 3), 2: (2, 1, 3), 3: (3, 1, 2)}
    pairs = [*enumerate(deals)]
    new = tuple(a_match(f"n{number}", "nhi", ranks[own]) for number, (own, _) in pairs)
    old = tuple(a_match(f"o{number}", "ohi", ranks[other]) for number, (_, other) in pairs)
    bots = tuple("nohi")
    return Past(bots, 3, (PastRound(bots, 1, 1, (tuple("nhi"), tuple("ohi")), (), 0, (new, old)),))


def verdict(past: Past, among: int = 2) -> Comparison:
    found = verdict_of(past, "n", "o", among, 0.05)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("deals", "answer"),
    [
        ([(1, 1)] * 20, "better"),
        ([(2, 2)] * 20, "worse"),
        ([(1, 2), (2, 2)] * 2, "open"),
        ([(1, 2), (2, 1)] * 50, "alike"),
    ],
)
def test_the_answer_follows_from_the_deals(deals: list[tuple[int, int]], answer: Answer) -> None:
    assert verdict(at_one_table(deals)).answer == answer
    ranks = [(one, 3 - two) for one, two in deals]
    assert verdict(at_two_tables(ranks)).answer == answer


def test_bots_are_alike_only_after_many_deals() -> None:
    assert verdict(at_one_table([(1, 2)] * (ALIKE - 1))).answer == "open"
    assert verdict(at_one_table([(1, 2)] * ALIKE)).answer == "alike"


def test_with_more_comparisons_the_same_deals_settle_less() -> None:
    deals = at_one_table([(1, 1)] * 8)
    assert verdict(deals).answer == "better"
    assert verdict(deals, among=40).answer == "open"
    assert verdict(deals, among=40).sure < verdict(deals).sure


def test_a_sentence_says_how_much_better_a_bot_is() -> None:
    found = verdict(at_one_table([(1, 1)] * 30 + [(1, 2)] * 40 + [(2, 2)] * 4))
    assert sentence(found) == "n: better than o: 68 % of 148 matches, +126 ± 53 Elo, more than 99.9 % sure"


def test_a_sentence_says_how_many_matches_a_small_difference_needs() -> None:
    found = verdict(at_one_table([(1, 1)] * 6 + [(1, 2)] * 40 + [(2, 2)] * 4))
    assert sentence(found).startswith("n: cannot tell yet: 52 % of 100 matches, +14 ± 46 Elo; ")
    assert sentence(found).endswith("more matches")
    assert found.more > 50


def test_a_sentence_names_the_opponent_against_which_a_bot_is_worst() -> None:
    found = verdict(at_two_tables([(2, 1)] * 30 + [(1, 1)] * 30))
    assert sentence(found).startswith("n: worse than o, above all against h: average place 1.50, and o 1.00,")
    assert [each.name for each in found.opponents] == ["h", "i"]
    assert found.opponents[0].lead == pytest.approx(-0.5)
    assert found.opponents[1].lead == 0


def test_the_elo_of_a_bot_that_wins_76_percent_is_about_200() -> None:
    found = verdict(at_one_table([(1, 1)] * 52 + [(1, 2)] * 48))
    assert found.share == 0.76
    assert found.elo == pytest.approx(200, abs=3)
    assert 0 < found.error < 60


def test_only_deals_that_the_old_bot_won_in_both_seats_are_shown_the_worst_first() -> None:
    found = verdict(at_one_table([(1, 2), (2, 2), (1, 1), (2, 2)]))
    assert [deal[0].own.deal for deal in lost(found, 5)] == ["1", "3"]
    assert len(lost(found, 1)) == 1
    [half, whole] = verdict(at_two_tables([(2, 1), (3, 1)])).twins
    assert [deal[0] for deal in lost(verdict(at_two_tables([(2, 1), (3, 1)])), 5)] == [whole, half]


def test_bots_that_never_met_have_no_verdict() -> None:
    assert verdict_of(at_one_table([]), "n", "o", 2, 0.05) is None


def test_a_few_deals_with_the_same_result_leave_the_elo_open() -> None:
    found = verdict(at_one_table([(1, 2)] * 4))
    assert found.elo == 0
    assert found.error > 100
