"""Tests what a disqualification does in each format and round: each row of the table in docs/formats.md.

The offender breaks a rule in one match of one round. Otherwise it would have won this encounter, so the
format must choose another bot.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.events import Brief, Disqualified, Ended, Fault, InTournament, Played, RoundBegan, RunBegan
from harness.job import Done, Job
from harness.record.history import History
from harness.results.discipline import counted, ruling
from harness.results.ordering import wish
from harness.results.standings import standings
from tests.play.scripted import AnyOrder, World, a_plan, of, played, seated
from tests.schedule.formats.test_formats import prove

pytestmark = pytest.mark.virtual


class Once(World):
    """A world in which a bot cheats in the first match of one encounter of the first run."""

    def __init__(self, bot: str, encounter: int) -> None:
        super().__init__()
        self.bot, self.encounter = bot, encounter

    def play(self, job: Job) -> Done:
        done = super().play(job)
        if (job.run, job.encounter) != (1, self.encounter):
            return done
        seat = seated(job, 1).index(self.bot) + 1
        fault = Fault(seat, "illegal", "it cheats")
        first, *others = done.matches
        return done._replace(matches=(Brief(first.ranks, first.scores, (fault,)), *others))


class Case(NamedTuple):
    """A tournament with a disqualification. `others` are the other bots of this encounter, the best first."""

    plan: FrozenPlan
    records: list[InTournament]
    out: Disqualified
    others: tuple[str, ...]

    @property
    def rounds(self) -> list[RoundBegan]:
        return of(RoundBegan, self.records)

    def next_fields(self) -> list[set[str]]:
        """The bots of each round after the disqualification, also those that rest in this round."""
        after = self.records[self.records.index(self.out) :]
        return [
            {bot for block in each.blocks for bot in block}.union(each.byes) for each in of(RoundBegan, after)
        ]

    def met(self, run: int = 0) -> set[frozenset[str]]:
        """The pairs of bots that meet in the encounters that count in the last run. With `run`: only
        encounters of this run."""
        kept = set(of(RunBegan, self.records)[-1].kept)
        last = len(of(RunBegan, self.records))
        return {
            frozenset(pair)
            for each in of(Played, self.records)
            if (each.run == last or f"{each.run}.{each.encounter}" in kept) and run in (0, each.run)
            for pair in combinations(each.bots, 2)
        }


# -- what must hold in each format -----------------------------------------------------------------


def begins_again(case: Case) -> None:
    """Asserts that the other bots play all encounters again."""
    assert not of(RunBegan, case.records)[1].kept
    first, second = ([each.round for each in of(Played, case.records) if each.run == run] for run in (1, 2))
    assert max(first) == case.out.round
    assert min(second) == 1
    assert case.met(2) == pairs_of(case)


def keeps_the_rest(case: Case) -> None:
    """Asserts that encounters without the offender are kept, and that new ones complete the schedule."""
    kept = of(RunBegan, case.records)[1].kept
    before = [each for each in of(Played, case.records) if each.run == 1]
    assert set(kept) == {f"1.{each.encounter}" for each in before if case.out.bot not in each.bots}
    assert case.met() == pairs_of(case)


def pairs_of(case: Case) -> set[frozenset[str]]:
    """The pairs that must meet: all pairs, or in a gauntlet the pairs of a bot and a house bot."""
    left = set(of(RunBegan, case.records)[1].bots)
    house = set(case.plan.house)
    return {
        frozenset(pair) for pair in combinations(left, 2) if not house or len(house.intersection(pair)) == 1
    }


def goes_on(case: Case) -> None:
    """Asserts that the rounds go on, and that no round is played again."""
    numbers = [each.round for each in case.rounds]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert len(numbers) == case.plan.rounds


def begins_with_round_one(case: Case) -> None:
    assert [each.round for each in case.rounds if each.run == 2] == [*range(1, (case.plan.rounds or 0) + 1)]


def lets_the_others_of_the_table_go_on(case: Case) -> None:
    """Asserts that the best bot that met the offender in this round plays in the next round, although it did
    not reach it by its results."""
    if case.next_fields():
        assert case.others[0] in case.next_fields()[0]
    ended = of(Ended, case.records)[0]
    assert {bot for tier in ended.order for bot in tier} == set(of(RunBegan, case.records)[1].bots)


def counts_no_loss(case: Case) -> None:
    """Asserts that the encounter with the offender is no loss for the other bot: it is out after two other
    losses, or wins."""
    lets_the_others_of_the_table_go_on(case)
    (other,) = case.others
    behind: Counter[int] = Counter()
    for each in of(Played, case.records):
        if other in each.bots and case.out.bot not in each.bots:
            bout = sum(not began.again for began in of(RoundBegan, case.records) if began.round <= each.round)
            (rival,) = set(each.bots) - {other}
            behind[bout] += int(2 * (sum_of_ranks(each, other) - sum_of_ranks(each, rival)))
    losses = sum(sums > 0 for sums in behind.values())
    earlier = sum(
        case.out.bot in each.bots and other in each.bots and each.round < case.out.round
        for each in of(Played, case.records)
    )
    (winner, *_), *_ = of(Ended, case.records)[0].order
    assert earlier or losses == 2 or (winner == other and losses <= 1)


def sum_of_ranks(sitting: Played, bot: str) -> float:
    total = 0.0
    for number, brief in enumerate(sitting.matches):
        order = sitting.bots[number % 2 :] + sitting.bots[: number % 2]
        total += brief.ranks[order.index(bot)]
    return total


def plays_the_group_to_its_end(case: Case) -> None:
    """Asserts that the other bots of the group meet as planned, that the next best bot plays in the final
    instead of the offender, and that the final comes after all matches of the groups."""
    stages = [each.stage for each in case.rounds]
    assert stages == sorted(stages)
    if case.out.round <= stages.count(1):
        final = {bot for each in case.rounds if each.stage == 2 for block in each.blocks for bot in block}
        assert len(final) == 4
        assert case.out.bot not in final
    groups = [each for each in case.rounds if each.stage == 1]
    met = {frozenset(block) for each in groups for block in each.blocks}
    for one, two in combinations(sorted(set().union(*met)), 2):
        together = any(frozenset((one, each)) in met and frozenset((two, each)) in met for each in "abcdefgh")
        if together and case.out.bot not in (one, two) and case.out.round > 3:
            assert frozenset((one, two)) in met


Check = Callable[[Case], None]
EIGHT: dict[str, Any] = {"bots": "abcdefgh", "seats": 2, "deals": 3}
ROWS: Mapping[str, tuple[dict[str, Any], Check]] = {
    "round-robin, fresh": ({**EIGHT, "meet": 1, "rerun": "fresh"}, begins_again),
    "round-robin, keep": ({**EIGHT, "meet": 1, "rerun": "keep"}, keeps_the_rest),
    "gauntlet, fresh": ({**EIGHT, "format": "gauntlet", "house": ("a", "b"), "meet": 1}, begins_again),
    "gauntlet, keep": (
        {**EIGHT, "format": "gauntlet", "house": ("a", "b"), "meet": 1, "rerun": "keep"},
        keeps_the_rest,
    ),
    "swiss": ({**EIGHT, "format": "swiss", "rounds": 4, "rerun": "keep"}, goes_on),
    "swiss at tables": ({**EIGHT, "seats": 3, "format": "swiss", "rounds": 4, "rerun": "keep"}, goes_on),
    "swiss, fresh": ({**EIGHT, "format": "swiss", "rounds": 3, "rerun": "fresh"}, begins_with_round_one),
    "knock-out": ({**EIGHT, "format": "knock-out", "rerun": "keep"}, lets_the_others_of_the_table_go_on),
    "knock-out at tables": (
        {**EIGHT, "bots": "abcdefghijkl", "seats": 3, "format": "knock-out", "rerun": "keep"},
        lets_the_others_of_the_table_go_on,
    ),
    "double elimination": ({**EIGHT, "format": "double-elimination", "rerun": "keep"}, counts_no_loss),
    "groups and a final": (
        {
            **EIGHT,
            "rerun": "keep",
            "stage": (Stage(format="groups", groups=2, through=4), Stage(format="knock-out")),
        },
        plays_the_group_to_its_end,
    ),
}
"""The ladder has tests of its own: tests/schedule/formats/test_ladder.py."""


def offence(records: list[InTournament], number: int) -> Played | None:
    """The encounter of this round in which one bot is farthest ahead, or None if there is no such round."""
    here = [each for each in of(Played, records) if each.round == number and each.run == 1]
    return max(here, key=lambda each: max(margins(each).values()), default=None)


def margins(sitting: Played) -> dict[str, float]:
    """How far each bot is ahead of the others: the mean sum of ranks minus its own sum of ranks."""
    seats = len(sitting.bots)
    totals = dict.fromkeys(sitting.bots, 0.0)
    for number, brief in enumerate(sitting.matches):
        turn = number % seats
        for bot, rank in zip(sitting.bots[turn:] + sitting.bots[:turn], brief.ranks, strict=True):
            totals[bot] += rank
    mean = sum(totals.values()) / seats
    return {bot: mean - total for bot, total in totals.items()}


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("row", ROWS)
def test_a_disqualification_does_in_each_round_what_the_table_says(
    tmp_path: Path, row: str, number: int
) -> None:
    terms, check = ROWS[row]
    terms = {"deal": "fresh", "meet": None, **terms}
    plan = a_plan(terms.pop("bots"), terms.pop("seats"), **terms)
    for name in ("calm", "wild"):
        (tmp_path / name).mkdir()
    met = offence(played(plan, tmp_path / "calm", AnyOrder(World())), number)
    if met is None:
        assert number > 3, "each of these tournaments has three rounds"
        return
    ahead = margins(met)
    bot = max(ahead, key=ahead.__getitem__)
    records = played(plan, tmp_path / "wild", AnyOrder(Once(bot, met.encounter), 3, 2))
    prove(plan, records)
    (out,) = of(Disqualified, records)
    assert (out.bot, out.round, out.run) == (bot, number, 1)
    assert not of(Ended, records)[0].unplayed
    after = records[records.index(out) :]
    assert all(bot not in each.bots for each in of(Played, after))
    others = sorted((each for each in met.bots if each != bot), key=ahead.__getitem__, reverse=True)
    case = Case(plan, records, out, tuple(others))
    assert all(bot not in field for field in case.next_fields())
    history = History.of(records)
    assert all(bot not in match.bots for match in counted(history, ruling(history, plan.policy)))
    assert bot not in {each.bot for each in standings(history, plan.policy, None, wish(plan)).rows}
    check(case)
