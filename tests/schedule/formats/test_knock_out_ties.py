"""Tests that knock-outs have more encounters in later rounds, and repeat rounds after ties."""

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from harness.events import Brief, Disqualified, Ended, Fault, RoundBegan
from harness.job import Done, Job
from harness.schedule.bouts import MOST_AGAIN
from harness.schedule.formats import find
from tests.play.scripted import AnyOrder, World, but_voids, of, played, seated
from tests.schedule.formats.simulated import a_stage, by_chance, by_strength, names, number, simulated
from tests.schedule.formats.test_formats import a_format, prove, stopped_and_continued

KNOCK_OUT = [a_stage("knock-out")]
DOUBLE = [a_stage("double-elimination")]


def sizes(rounds: list[RoundBegan]) -> list[tuple[int, int, int]]:
    """For each round: how often it has been repeated, its tables, and the encounters of each table."""
    found = []
    for each in rounds:
        (times,) = set(Counter(each.blocks).values())
        found.append((each.again, len(set(each.blocks)), times))
    return found


def equal(bot: str, match: str) -> int:
    return 0


@pytest.mark.parametrize(("n", "seats"), [(2, 2), (3, 2), (16, 2), (77, 2), (9, 3), (5, 4), (50, 4)])
def test_each_round_of_a_knock_out_plays_one_encounter_more_and_as_many_as_promised(
    n: int, seats: int
) -> None:
    found = simulated(KNOCK_OUT, n, seats, by_strength)
    assert [times for _, _, times in sizes(found.rounds)] == [*range(1, len(found.rounds) + 1)]
    assert sum(len(each.blocks) for each in found.rounds) == find("knock-out").size(KNOCK_OUT[0], n, seats)
    assert found.ended.order[0] == (names(n)[-1],)
    assert not found.ended.note


@pytest.mark.parametrize("n", [2, 3, 7, 16, 40])
def test_a_double_elimination_grows_too(n: int) -> None:
    found = simulated(DOUBLE, n, 2, by_strength)
    assert [times for _, _, times in sizes(found.rounds)] == [*range(1, len(found.rounds) + 1)]
    assert sum(len(each.blocks) for each in found.rounds) == find("double-elimination").size(DOUBLE[0], n, 2)
    lost = Counter(min(block, key=number) for each in found.rounds for block in set(each.blocks))
    assert lost == Counter(dict.fromkeys(names(n)[:-1], 2))


@pytest.mark.parametrize("stages", [KNOCK_OUT, DOUBLE], ids=["knock-out", "double elimination"])
def test_equal_bots_play_eight_times_as_much_and_then_the_lot_decides(stages: list[Any]) -> None:
    found = simulated(stages, 4, 2, equal)
    assert sizes(found.rounds)[:5] == [
        (0, 2, 1),
        (1, 2, 1),
        (2, 2, 2),
        (3, 2, 4),
        (0, *sizes(found.rounds)[4][1:]),
    ]
    assert all(each.again <= MOST_AGAIN for each in found.rounds)
    assert "tie: played again, 1 of at most 3 times" in found.rounds[1].why
    firsts = [each for each in found.rounds if not each.again]
    told = [each.why.partition("; ties: ")[2] for each in firsts[1:]] + [
        found.ended.note.partition("ties: ")[2]
    ]
    assert not firsts[0].why.count("ties")
    for each, said in zip(firsts, told, strict=True):
        assert said.count(" by lot") == len(set(each.blocks)) == said.count(" before ")
    assert found.ended.note.startswith(f"ties: {found.ended.order[0][0]} before ")
    others = [simulated(stages, 4, 2, equal, seed=seed) for seed in range(9)]
    assert len({each.ended.order[0] for each in others}) > 1


def tie_then(first: int, wins: int) -> Any:
    """In the first `first` rounds, two bots tie. Then the better bot wins `wins` of every eight matches."""

    def score(bot: str, match: str) -> int:
        _, round_, _, turn, *copy = match.split(".")
        at = 2 * int(copy[0] if copy else 0) + int(turn)
        return 0 if int(round_) <= first else number(bot) * (1 if at % 8 < wins else -1)

    return score


def test_a_tie_ends_as_soon_as_bets_know_who_is_better() -> None:
    found = simulated(KNOCK_OUT, 2, 2, tie_then(1, 8))
    assert sizes(found.rounds) == [(0, 1, 1), (1, 1, 1), (2, 1, 2), (3, 1, 4)], "two and six wins are too few"
    assert found.ended.note == "ties: bot0001 before bot0000 by test"
    longer = simulated([a_stage("swiss", rounds=1, through=2), *KNOCK_OUT], 2, 2, tie_then(2, 8))
    assert longer.ended.note == found.ended.note


def test_bets_stop_a_tie_before_its_bound() -> None:
    """The final of four bots has two encounters, its first repetition has two, and the second has four."""

    def score(bot: str, match: str) -> int:
        return 0 if match.split(".")[1] == "2" else number(bot)

    found = simulated(KNOCK_OUT, 4, 2, score)
    assert sizes(found.rounds) == [(0, 2, 1), (0, 1, 2), (1, 1, 2), (2, 1, 4)]
    (final,) = set(found.rounds[-1].blocks)
    assert found.ended.note == f"ties: bot0003 before {min(final)} by test"


def test_if_bets_do_not_know_the_sum_of_all_ranks_decides() -> None:
    found = simulated(KNOCK_OUT, 2, 2, tie_then(1, 5))
    assert [each.again for each in found.rounds] == [0, 1, 2, 3]
    assert found.ended.note == "ties: bot0001 before bot0000 by sum of ranks"


def test_only_the_tables_that_are_open_play_on() -> None:
    def score(bot: str, match: str) -> int:
        return number(bot) // 2 if "bot0000" in match or "bot0001" in match else number(bot)

    found = simulated(KNOCK_OUT, 8, 2, score, seed=5)
    for before, each in zip(found.rounds, found.rounds[1:], strict=False):
        if each.again:
            assert set(each.blocks) < set(before.blocks) or set(each.blocks) == set(before.blocks)
            assert {*chain(*each.blocks)}.isdisjoint(each.byes)


@pytest.mark.parametrize("seats", [3, 4])
def test_tables_of_more_seats_say_who_went_on(seats: int) -> None:
    found = simulated(KNOCK_OUT, 4 * seats, seats, equal)
    second = next(each for each in found.rounds[1:] if not each.again)
    field = {*chain(*second.blocks), *second.byes}
    for said in second.why.partition("; ties: ")[2].split(", "):
        on, _, out = said.removesuffix(" by lot").partition(" before ")
        assert field.issuperset(on.split(" and "))
        assert field.isdisjoint(out.split(" and "))


def test_a_tie_at_the_end_of_an_earlier_stage_is_told_when_the_next_stage_begins() -> None:
    stages = [a_stage("knock-out", through=2), a_stage("round-robin")]
    found = simulated(stages, 2, 2, equal)
    begin = next(each for each in found.rounds if each.stage == 2)
    assert begin.why.count(" by lot") == 1


@pytest.mark.parametrize("again", [0, 1, 2, 3])
@pytest.mark.parametrize("stages", [KNOCK_OUT, DOUBLE], ids=["knock-out", "double elimination"])
def test_a_disqualification_in_a_tie_lets_the_other_bot_go_on(stages: list[Any], again: int) -> None:
    calm = simulated(stages, 4, 2, equal)
    gone, other = calm.rounds[0].blocks[0]
    found = simulated(stages, 4, 2, equal, out=[(again + 1, gone)])
    assert found.rounds[: again + 1] == calm.rounds[: again + 1]
    after = found.rounds[again + 1 :]
    assert gone not in chain.from_iterable((*chain(*each.blocks), *each.byes) for each in after)
    bout = next(each for each in after if not each.again)
    assert other in {*chain(*bout.blocks), *bout.byes}
    assert gone not in bout.why, "no tie of this table was decided"
    for each in after:
        if each.round < bout.round:
            assert other in each.byes, "it rests while the other table plays on"


def test_chance_decides_knock_outs_of_all_sizes() -> None:
    ties = 0
    for n, seats in ((300, 2), (61, 3), (40, 4)):
        found = simulated(KNOCK_OUT, n, seats, by_chance)
        assert sorted(chain(*found.ended.order)) == sorted(names(n))
        ties += sum(each.again > 0 for each in found.rounds)
    assert ties > MOST_AGAIN


class Drawn(World):
    """A world in which all matches before the last repetition of round 1 tie. A bot cheats in one round."""

    def __init__(self, bot: str = "", round_: int = 0) -> None:
        super().__init__()
        self.bot, self.round = bot, round_

    def play(self, job: Job) -> Done:
        done = super().play(job)
        briefs = list(done.matches)
        if job.round <= MOST_AGAIN:
            even = (1 + len(seated(job, 1))) / 2
            briefs = [Brief((even,) * len(each.ranks), (0,) * len(each.ranks)) for each in briefs]
        if job.round == self.round and self.bot in seated(job, 1):
            seat = seated(job, 1).index(self.bot) + 1
            briefs[0] = Brief(briefs[0].ranks, briefs[0].scores, (Fault(seat, "illegal", "it cheats"),))
        return done._replace(matches=tuple(briefs))


@pytest.mark.parametrize("round_", [0, 1, 2, 3, 4])
def test_a_tie_that_is_killed_at_any_moment_or_loses_a_bot_has_one_record(
    tmp_path: Path, round_: int
) -> None:
    plan = a_format("knock-out", bots="abcd")
    (tmp_path / "calm").mkdir()
    calm = played(plan, tmp_path / "calm", AnyOrder(Drawn("b", round_)))
    prove(plan, calm)
    assert [(out.bot, out.round) for out in of(Disqualified, calm)] == ([("b", round_)] if round_ else [])
    assert [each.again for each in of(RoundBegan, calm)][:4] == [0, 1, 2, 3]
    (ended,) = of(Ended, calm)
    assert {*chain(*ended.order)} == (set("acd") if round_ else set("abcd"))
    for hands in (1, 2):
        (tmp_path / str(hands)).mkdir()
        again = stopped_and_continued(plan, tmp_path / str(hands), {}, hands, Drawn("b", round_))
        assert but_voids(again) == calm
