"""Tests the acts of Squadron Scramble: their form, their list, and random draws."""

from collections.abc import Iterator
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chance import Recorded, Seeded
from harness.events import Drawn
from harness.games.squadron import SquadronPosition
from harness.games.squadron.acts import drawn, listed, targets
from harness.games.squadron.cards import DECK, KIND, TYPE, WILD, in_order
from harness.model import Malformed
from tests.games.squadron.tables import after, cards, position

# -- every act, found a second time in the plainest way --------------------------------------------

BOMBERS = {
    "Do26.1": ("Do26.1", "Do26.2", "V"),
    "B17.1": ("B17.1", "K5", "K6"),
    "A20.1": ("A20.1", "A20.2", "A20.3"),
}
TABLES = {2: [" ".join(BOMBERS["Do26.1"]), "Spit.1-3"], 3: [" ".join(BOMBERS["B17.1"]), "!KI99.1-3"]}
SOME = (*(card for card in DECK if card.startswith(("P39", "ME109", "He111", "P40"))), *WILD[:4])


def is_squadron(three: tuple[str, ...]) -> bool:
    codes = {card.partition(".")[0] for card in three if "." in card}
    return len(codes) == 1


def plainly_laid(hand: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All sets of squadrons that this hand can lay. The first card stays in the hand, or is
    laid with two other cards."""
    if len(hand) < 3:
        yield ()
        return
    first, rest = hand[0], hand[1:]
    yield from plainly_laid(rest)
    for two in combinations(rest, 2):
        if is_squadron((first, *two)):
            for others in plainly_laid(tuple(card for card in rest if card not in two)):
                yield ((first, *two), *others)


def plain_acts(hand: tuple[str, ...]) -> set[str]:
    """All legal acts with this hand while the squadrons in TABLES are on the table, as texts. The code
    follows the rules of the page, one after another."""
    acts = set()
    for squadrons in plainly_laid(hand):
        for aims in plainly_aimed(squadrons, ("Do26.1", "B17.1")):
            left = [card for card in hand if not any(card in each for each in squadrons)]
            words = [
                " ".join(("lay", *three, *(("attack", aim) if aim else ())))
                for three, aim in sorted(
                    zip(squadrons, aims, strict=True), key=lambda pair: DECK.index(pair[0][0])
                )
            ]
            acts |= {" ".join(["act", *words, *(["return", card] if card else [])]) for card in left or [""]}
    return acts


def plainly_aimed(squadrons: tuple[tuple[str, ...], ...], aims: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not squadrons:
        yield ()
        return
    flown = KIND[squadrons[0][0].partition(".")[0]]
    for aim in ("", *aims):
        hunted = KIND[aim.partition(".")[0]] if aim else None
        if hunted is None or (flown.category == "fighter" and flown.alliance != hunted.alliance):
            free = tuple(other for other in aims if other != aim or not aim)
            yield from ((aim, *others) for others in plainly_aimed(squadrons[1:], free))


def hands(most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(SOME), min_size=2, max_size=most, unique=True).map(in_order)


def holding(hand: tuple[str, ...]) -> SquadronPosition:
    """A position in which seat 1 has taken the last card of this hand from the deck."""
    return position(" ".join(hand[:-1]), "F2A.1", "F2A.2", tables=TABLES, deck=hand[-1], take=0)


@given(hands(9))
def test_the_list_of_acts_is_all_that_the_rules_allow_and_each_once(hand: tuple[str, ...]) -> None:
    listed_as_allowed(hand)


def listed_as_allowed(hand: tuple[str, ...]) -> None:
    acts = list(holding(hand).legal(1))
    assert len(acts) == len(set(acts))
    assert set(acts) == plain_acts(hand)


@given(hands(9), st.randoms(use_true_random=False))
def test_the_order_of_words_in_an_act_never_matters(hand: tuple[str, ...], random: object) -> None:
    state = holding(hand)
    for act in islice(state.legal(1), 40):
        assert state.check(1, shuffled(act, random)) == act


def shuffled(act: str, random: object) -> str:
    """The same act, with its squadrons, their cards and the return in a random order."""
    shuffle = random.shuffle  # type: ignore[attr-defined]
    clauses = []
    for clause in act.removeprefix("act ").replace(" lay", "|lay").replace(" return", "|return").split("|"):
        named, _, target = clause.partition(" attack ")
        key, *some = named.split(" ")
        shuffle(some)
        clauses.append(" ".join((key, *some, *(("attack", target) if target else ()))))
    shuffle(clauses)
    return " ".join(("act", *clauses))


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("P39.1 P40.1", 2),
        ("P39.1 P39.2 P39.3 P40.1", 5),
        ("P39.1-3", 4),
        ("P39.1 K1 K2", 4),
        ("P39.1 P39.2 K1 P40.1", 5),
        ("P39.1 P39.2 P39.3 K1", 8),
        ("P39.1 P39.2 P39.3 K1 K2", 5 + 3 * 2 * 2 + 3 * 1 * 2 + 2),
        ("K1 K2 K3 K4 K5 K6 V", 7),
        ("P39.1 K1 K2 K3 K4 K5 K6 V", 8 + 21 * 5),
    ],
)
def test_the_number_of_acts(hand: str, count: int) -> None:
    assert len(list(listed(in_order(cards(hand)), ()))) == count


def test_fighters_may_attack_or_not() -> None:
    state = position("ME109.1-3 P40.1", "F2A.1", tables={2: ["B17.1-3", "A20.1-3"]}, take=None)
    acts = [act for act in after(state, "take deck").legal(1) if act.endswith("return P40.1")]
    assert acts == [
        "act return P40.1",
        "act lay ME109.1 ME109.2 ME109.3 return P40.1",
        "act lay ME109.1 ME109.2 ME109.3 attack B17.1 return P40.1",
        "act lay ME109.1 ME109.2 ME109.3 attack A20.1 return P40.1",
    ]


# -- draws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["P39.1 P39.2 P39.3 K1 ME109.2 K2", "ME109.1-3 P39.1 P39.2 K1", "P39.1-3"])
def test_each_act_can_be_drawn_and_nothing_else(hand: str) -> None:
    state = holding(in_order(cards(hand)))
    luck, aims = Seeded(1), targets(state.battle.tables, 1)
    made = {drawn(state.battle.hand(1), aims, luck).line() for _ in range(6_000)}
    assert made == set(state.legal(1))


@given(st.lists(st.sampled_from(DECK), min_size=10, max_size=60, unique=True), st.integers(0, 99))
def test_of_a_great_hand_different_legal_acts_are_drawn(drawn_cards: list[str], seed: int) -> None:
    state = position(" ".join(drawn_cards[1:]), "F2A.1", deck=drawn_cards[0], take=0)
    acts = state.some(1, 20, Seeded(seed), "legal 1")
    assert 0 < len(acts) == len(set(acts)) <= 20
    assert all(state.check(1, act) == act for act in acts)


def test_a_sample_of_acts_costs_one_number_on_record() -> None:
    records: list[Drawn] = []
    state = holding(SOME)
    first = state.some(1, 256, Recorded(Seeded(5), records.append), "legal 9")
    assert len(first) == 256
    assert [(record.stream, type(record.value)) for record in records] == [("legal 9", int)]
    assert state.some(1, 256, Seeded(5), "legal 9") == first
    assert state.some(1, 256, Seeded(6), "legal 9") != first


def test_a_sample_of_ways_to_take_is_of_all() -> None:
    state = position("P39.1", stack="P40.1 P40.2")
    assert {state.some(1, 1, Seeded(seed), "x")[0] for seed in range(30)} == {
        *("take deck", "take stack 1", "take stack 2")
    }


def test_the_list_of_a_hand_with_billions_of_acts_begins_at_once() -> None:
    state = holding((*(card for card in TYPE if card.endswith((".1", ".2"))), *WILD))
    assert state.complete(1)
    assert len(set(islice(state.legal(1), 5_000))) == 5_000


# -- the form of an answer -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "act lay P39.1 P39.2 K1 return P40.1",
        "act return P40.1 lay K1 P39.2 P39.1",
        "act LAY p39.1 P39.2 k1 Return p40.1",
    ],
)
def test_an_act_has_one_canonical_text(text: str) -> None:
    state = position("P39.1 P39.2 K1", deck="P40.1", take=0)
    assert state.check(1, text) == "act lay P39.1 P39.2 K1 return P40.1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("act ", "is due"),
        ("act P39.1", "is due"),
        ("do return P39.1", "is due"),
        ("act return", "`return` has no place there"),
        ("act return P39.1 P39.2", "`return P39.1 P39.2` has no place there"),
        ("act return P39.1 return P39.2", "`return P39.2` has no place there"),
        ("act lay return P39.1", "`lay` has no place there"),
        ("act attack B17.1 return P39.1", "`attack B17.1` has no place there"),
        ("act lay P39.1 P39.2 K1 attack return P40.1", "`attack` has no place there"),
        ("act lay P39.1 P39.2 K1 return P40.1 attack B17.1", "`attack B17.1` has no place there"),
        ("act return P39", "'P39' is no card"),
        ("act return P39.4", "'P39.4' is no card"),
        ("act return K7", "'K7' is no card"),
        ("act return  P39.1", "'' is no card"),
        ("act return \u0665", "'\u0665' is no card"),
    ],
)
def test_an_act_that_is_not_of_the_form_is_malformed(text: str, words: str) -> None:
    verdict = position("P39.1 P39.2 K1", deck="P40.1", take=0).check(1, text)
    assert isinstance(verdict, Malformed)
    assert words in verdict.reason


@pytest.mark.parametrize("text", ["take stack 2", "take Stack +2", "take STACK 002"])
def test_a_way_to_take_has_one_canonical_text(text: str) -> None:
    assert position("P39.1", stack="P40.1 P40.2").check(1, text) == "take stack 2"
    assert position("P39.1").check(1, "take DECK") == "take deck"


@pytest.mark.parametrize(
    "text",
    [
        "take",
        "take stack",
        "take deck 1",
        "take stack two",
        "take 2",
        "take stack 2 ",
        "take stack \u0662",
        "take pile 1",
    ],
)
def test_a_way_to_take_that_is_not_of_the_form_is_malformed(text: str) -> None:
    verdict = position("P39.1", stack="P40.1 P40.2").check(1, text)
    assert isinstance(verdict, Malformed)
    assert "`take deck` or `take stack COUNT` is due" in verdict.reason
