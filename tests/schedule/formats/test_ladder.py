"""Tests the ladder: bots come and go, no match is played again, and a killed run makes no difference."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from harness import config
from harness.chance import derived
from harness.config import FrozenBot, FrozenPlan
from harness.errors import RecordError
from harness.events import Disqualified, Ended, Entered, InTournament, Newcomer, Played, RoundBegan, RunBegan
from harness.job import Entrant
from harness.play.tournament import Tournament
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.run_folder import opened, plan_of
from harness.results.discipline import counted, ruling
from harness.schedule.due import LadderField, Play, due, due_in_ladder
from harness.schedule.view import LadderWaits, View
from tests.play.scripted import SEVENS, AnyOrder, Killed, World, a_plan, of, on_record
from tests.schedule.formats.simulated import Luck, a_stage, meetings, number, simulated

pytestmark = pytest.mark.virtual

Lines = tuple[tuple[str, ...], ...]


def a_ladder(seats: int = 2, **terms: Any) -> FrozenPlan:
    return a_plan("", seats, format="ladder", rerun="keep", deal="fresh", meet=None, **terms)


def alone(bots: Sequence[str]) -> Lines:
    return tuple((bot,) for bot in bots)


class Session:
    """One command: it adds bots to the ladder, and plays until a number of matches is on record."""

    def __init__(self, folder: Path, plan: FrozenPlan, cheats: dict[str, int] | None = None) -> None:
        self.folder, self.plan, self.cheats = folder, plan, cheats or {}

    def __call__(
        self, lines: Lines, until: int, order: int = 0, hands: int = 1, life: int | None = None
    ) -> None:
        (self.folder / "plan.json").write_bytes(config.encoded(self.plan))
        history = History()
        journal = Journal(self.folder, history.add)
        if history.opened is None:
            journal.append(opened(self.plan))
            history.add(opened(self.plan))
        names = {bot.name for bot in history.newcomers}.union(*lines)
        bots = [FrozenBot(bot, bot, f"of {bot}", ("true",), (), "") for bot in sorted(names)]
        next_step = due_in_ladder(LadderField(lines), bots)
        entrants = {bot: Entrant(bot, ("true",), "/") for bot in names}

        def stop(record: InTournament) -> None:
            if isinstance(record, Played) and sum(run.matches for run in history.runs) >= until:
                tournament.stop()

        tournament = Tournament(self.plan, SEVENS, entrants, journal, history, stop, next_step=next_step)
        try:
            assert trio.run(tournament.conduct, AnyOrder(World(self.cheats), order, hands, life)) is None
        finally:
            journal.close()

    def records(self) -> list[InTournament]:
        return on_record(self.folder)


def prove(plan: FrozenPlan, records: list[InTournament]) -> None:
    """Asserts that each step of a ladder follows from the records before the step."""
    history = History()
    for record in records:
        if isinstance(record, RunBegan | RoundBegan | Disqualified):
            assert due(plan, SEVENS, history) == record
        elif isinstance(record, Entered):
            assert isinstance(due(plan, SEVENS, history), Play | RoundBegan | LadderWaits)
        history.add(record)


def encounters(records: list[InTournament]) -> Counter[str]:
    return Counter(bot for each in of(Played, records) for bot in each.bots)


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("cheats", [{}, {"a": 5, "d": 9, "f": 14}], ids=["none", "three"])
def test_the_record_is_the_same_however_often_it_is_killed_and_by_many_hands(
    tmp_path: Path, seats: int, cheats: dict[str, int]
) -> None:
    plan, bots = a_ladder(seats), alone("abcdefghi")
    calm = Session(tmp_path / "calm", plan, cheats)
    calm.folder.mkdir()
    calm(bots, 120)
    records = calm.records()
    prove(plan, records)
    assert not of(Ended, records)
    assert len(of(RunBegan, records)) == 1 + len({each.round for each in of(Disqualified, records)})
    for hands in (1, 2):
        wild = Session(tmp_path / str(hands), plan, cheats)
        wild.folder.mkdir()
        random = Random(hands)
        for kill in range(10):
            try:
                wild(bots, 120, kill, hands, int(random.random() * 9))
            except* Killed:
                pass
        wild(bots, 120, 5, hands)
        same = min(len(records), len(wild.records()))
        assert wild.records()[:same] == records[:same]
        assert len(of(Played, records[:same])) >= 110 // (seats * 8) * 8


@pytest.mark.parametrize("seats", [2, 3])
def test_bots_that_beat_each_other_in_a_circle_meet_more_opponents(seats: int) -> None:
    def in_a_line(bot: str, match: str) -> int:
        return number(bot) + derived(bot, match) % 20

    def in_a_circle(bot: str, match: str) -> int:
        others = match.split(".")[2].split("-")
        beaten = sum((number(bot) - number(other)) % 3 == 1 for other in others)
        return 20 * beaten + derived(bot, match) % 20

    def pairs(score: Luck) -> int:
        def going(view: View) -> bool:
            return len(view.past.rounds) < 20

        return len(meetings(simulated([a_stage("ladder")], 30, seats, score, going=going).rounds))

    assert pairs(in_a_circle) > 1.25 * pairs(in_a_line)


def test_a_new_version_comes_in_and_nothing_is_played_again(tmp_path: Path) -> None:
    ladder = Session(tmp_path, a_ladder())
    ladder(alone("abcdef"), 100)
    before = ladder.records()
    ladder((("a",), ("b@2", "b"), *alone("cdefg")), 200)
    records = ladder.records()
    prove(ladder.plan, records)
    assert records[: len(before)] == before
    _, second = of(Entered, records)
    assert [bot.name for bot in second.bots] == ["b@2", "g"]
    after = records[records.index(second) + 1 :]
    assert encounters(after)["b"] == 0
    played = encounters(after)
    others = sum(played[bot] for bot in "acdef")
    assert (played["b@2"] + played["g"]) / 2 > others / 5, "they play more, because little is known of them"
    history = History.of(records)
    found = Counter(bot for match in counted(history, ruling(history, "disqualify")) for bot in match.bots)
    assert found["b"] == 2 * encounters(records)["b"] > 0
    assert [bot.name for bot in plan_of(tmp_path).bots] == [*"abcdef", "b@2", "g"]


@pytest.mark.parametrize("sitting", [None, 1])
def test_bots_that_come_in_end_the_round_and_nothing_else(tmp_path: Path, sitting: int | None) -> None:
    ladder = Session(tmp_path, a_ladder(3, sitting=sitting))
    ladder(alone("abcde"), 20)
    before = ladder.records()
    ladder(alone("bcdef"), 60)
    records = ladder.records()
    prove(ladder.plan, records)
    assert records[: len(before)] == before
    assert isinstance(records[len(before)], Entered)
    assert isinstance(records[len(before) + 1], RoundBegan)
    assert encounters(records[len(before) :])["a"] == 0
    first, *_, last = of(Played, records)
    assert (first.encounter, last.encounter) == (1, len({each.encounter for each in of(Played, records)}))


def test_the_former_version_plays_in_place_of_one_that_is_disqualified(tmp_path: Path) -> None:
    ladder = Session(tmp_path, a_ladder(), {"b@2": 1})
    ladder(alone("abcd"), 32)
    ladder((("a",), ("b@2", "b"), ("c",), ("d",)), 100)
    ladder((("a",), ("b@2", "b"), ("c",), ("d",)), 120)
    records = ladder.records()
    prove(ladder.plan, records)
    (out,) = of(Disqualified, records)
    assert out.bot == "b@2"
    assert len(of(Entered, records)) == 2, "the lines are the same without it"
    after = encounters(records[records.index(out) :])
    assert after["b@2"] == 0
    assert after["b"] > 5
    history = History.of(records)
    left = ruling(history, "disqualify")
    assert set(left.field) == set("abcd")
    assert {bot for match in counted(history, left) for bot in match.bots} == set("abcd")
    ladder(alone("abcde"), 140)
    assert set(ruling(History.of(ladder.records()), "disqualify").field) == set("abcde")


def test_a_ladder_waits_for_bots(tmp_path: Path) -> None:
    ladder = Session(tmp_path, a_ladder(), {"b": 1})
    ladder(alone("ab"), 100)
    assert not of(Ended, ladder.records())
    assert due(ladder.plan, SEVENS, History.of(ladder.records())) == LadderWaits("1 bot for 2 seats")
    ladder(alone("ac"), 50)
    assert encounters(ladder.records())["c"] > 5


def test_a_version_that_is_disqualified_cannot_come_in_again(tmp_path: Path) -> None:
    ladder = Session(tmp_path, a_ladder(), {"b": 1})
    ladder(alone("abc"), 50)
    history = History.of(ladder.records())
    run = history.last
    assert run is not None
    with pytest.raises(RecordError, match="comes into the ladder twice"):
        history.add(Entered(run.number, (Newcomer("b", "b", "", ()),), (("b",),)))


@pytest.mark.soak
@pytest.mark.parametrize("bots", [5, 50, 500, 5_000])
def test_ladders_of_every_size_are_the_same_with_one_and_two_hands(tmp_path: Path, bots: int) -> None:
    lines = alone([f"bot{number:04}" for number in range(bots)])
    found = []
    for hands in (1, 2):
        ladder = Session(tmp_path / str(hands), a_ladder())
        ladder.folder.mkdir()
        random = Random(hands)
        for kill in range(10):
            try:
                ladder(lines, 8 * bots, kill, hands, int(random.random() * bots))
            except* Killed:
                pass
        ladder(lines, 8 * bots, 5, hands)
        found.append(ladder.records())
    same = min(map(len, found))
    assert found[0][:same] == found[1][:same]
    assert same > 2 * bots
