"""Owns the proof that a match asks, tells and dismisses its players as the referee says; starts no process.

The players here follow a script. Their clock is a virtual one, which jumps ahead when all players sleep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
import trio
from trio.testing import MockClock

from harness.chance import Seeded
from harness.cli.templates.game.tiny import GAME as TINY
from harness.events import Fault, Record, Result, Stderr, Turn, Usage
from harness.games import Game
from harness.games.sevens import GAME as SEVENS
from harness.judge.referee import Referee
from harness.judge.rules import Rules, Terms
from harness.model import FAULTS, Limits, Outcome, Reply
from harness.play import match
from harness.protocol import Wants

pytestmark = pytest.mark.virtual

LIMITS = Limits(move_ms=1_000, bank_ms=3_000)
BELOW_THE_RULES = sorted(FAULTS.keys() - {"malformed", "illegal", "pondered"})


class Heard(NamedTuple):
    """What a player was asked or told, and when, in seconds since the match began."""

    what: str
    lines: list[str]
    at: float


class Player:
    """Plays the first legal move after `seconds`. At question number `fails` it answers or fails as `how`
    says."""

    def __init__(
        self,
        *,
        seconds: float = 0,
        excused_us: int = 0,
        fails: int = 0,
        how: Reply | str = "",
        last_words: str = "",
    ) -> None:
        self.heard: list[Heard] = []
        self.unasked = 0
        self._seconds = seconds
        self._excused_us = excused_us
        self._fails = fails
        self._how = how
        self._last_words = last_words
        self._asked = 0

    def begin(self) -> None:
        self._note("begin")

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        self._note("ask", block)
        lines = block.decode().splitlines()
        if lines[-1].startswith("new "):
            return Reply("ready")
        self._asked += 1
        await trio.sleep(self._seconds)
        us = round(self._seconds * 1_000_000)
        if self._asked == self._fails:
            return Reply(self._how, us) if isinstance(self._how, str) else self._how
        said = next(line.removeprefix("move ") for line in lines if line.startswith("move "))
        return Reply(said, us, excused_us=self._excused_us)

    async def tell(self, block: bytes) -> None:
        self._note("tell", block)

    async def dismiss(self) -> str:
        self._note("dismiss")
        return self._last_words

    def unasked_cpu_us(self) -> int:
        return self.unasked

    def whats(self) -> list[str]:
        return [heard.what for heard in self.heard]

    def _note(self, what: str, block: bytes = b"") -> None:
        self.heard.append(Heard(what, block.decode().splitlines(), trio.current_time()))


async def played(
    players: Sequence[Player], game: Game = SEVENS, limits: Limits = LIMITS
) -> tuple[list[Record], Outcome]:
    """Plays a match of these players. Returns all records and the outcome."""
    records: list[Record] = []
    terms = Terms(
        Rules(game, game.options(), limits), len(players), wants=(Wants(legal=True),) * len(players)
    )
    outcome = await match.play(Referee(terms, Seeded(1), records.append), players, records.append)
    return records, outcome


def faults(records: Sequence[Record]) -> list[tuple[int, str]]:
    return [(record.seat, record.name) for record in records if isinstance(record, Fault)]


# -- a match of Sevens -----------------------------------------------------------------------------


async def test_every_player_begins_is_asked_and_is_told_the_end() -> None:
    players = [Player(), Player()]
    records, outcome = await played(players)
    for player in players:
        # The first of the 26 questions is `new`; then comes one for each of the 25 cards.
        assert player.whats() == ["begin", *["ask"] * 26, "tell"]
        assert player.heard[-1].lines[-3:] == [
            *(f"result {seat} {outcome.ranks[seat - 1]} {outcome.scores[seat - 1]}" for seat in (1, 2)),
            "over",
        ]
    assert records[-1] == Result(*outcome)
    assert faults(records) == []


async def test_nobody_is_asked_before_all_have_begun() -> None:
    players = [Player(), Player(), Player()]
    for player in players:
        player.heard = players[0].heard
    await played(players)
    assert players[0].whats()[:6] == ["begin", "begin", "begin", "ask", "ask", "ask"]


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("name", BELOW_THE_RULES)
async def test_what_fails_below_the_rules_stops_the_match_with_its_evidence(name: str, seat: int) -> None:
    reply = Reply(None, 1_500_000, 7, name, "as it was seen", comments=("# oh",))
    players = [Player(), Player()]
    players[seat - 1] = Player(fails=3, how=reply, last_words="Traceback")
    records, outcome = await played(players)
    [fault] = [record for record in records if isinstance(record, Fault)]
    assert (fault.seat, fault.name, fault.reason, fault.said) == (seat, name, "as it was seen", None)
    assert fault.ask == "play 1000 3000"
    assert fault.view
    turn = next(record for record in reversed(records) if isinstance(record, Turn))
    assert (turn.seat, turn.failed, turn.us, turn.comments) == (seat, name, 1_500_000, ("# oh",))
    assert Stderr(seat, "Traceback") in records
    assert outcome.ranks[seat - 1] == 2


@pytest.mark.parametrize(
    ("said", "name"), [("pass", "malformed"), ("", "malformed"), ("play 2C 99 0", "illegal")]
)
async def test_a_wrong_answer_stops_the_match_with_what_was_said(said: str, name: str) -> None:
    records, outcome = await played([Player(), Player(fails=2, how=said)])
    [fault] = [record for record in records if isinstance(record, Fault)]
    assert (fault.seat, fault.name, fault.said) == (2, name, said)
    assert outcome.ranks == (1, 2)


async def test_the_offender_is_told_its_fault_and_dismissed_and_the_other_is_not() -> None:
    offender, other = Player(fails=2, how="pass"), Player()
    await played([offender, other])
    assert offender.whats()[-2:] == ["tell", "dismiss"]
    assert offender.heard[-2].lines[0].startswith("fault malformed ")
    assert offender.heard[-2].lines[-1] == "over"
    assert other.whats()[-1] == "tell"
    assert "dismiss" not in other.whats()
    assert [line.split()[0] for line in other.heard[-1].lines[-3:]] == ["result", "result", "over"]


async def test_who_says_nothing_on_stderr_leaves_no_record_of_it() -> None:
    records, _ = await played([Player(), Player(fails=2, how="pass")])
    assert not any(isinstance(record, Stderr) for record in records)


# -- time ------------------------------------------------------------------------------------------


async def test_who_answers_in_time_plays_to_the_end(autojump_clock: MockClock) -> None:
    records, _ = await played([Player(seconds=0.1), Player(seconds=0.1)])
    assert faults(records) == []
    # Two players play 25 cards each, and each card takes 0.1 s.
    assert trio.current_time() == pytest.approx(5)


async def test_an_answer_over_the_move_limit_is_late(autojump_clock: MockClock) -> None:
    records, outcome = await played([Player(seconds=1.001), Player()])
    assert faults(records) == [(1, "late")]
    assert outcome.ranks == (2, 1)


async def test_a_bank_runs_dry(autojump_clock: MockClock) -> None:
    """Four answers of 0.8 s need more than the bank of three seconds, so the fourth answer is late."""
    player = Player(seconds=0.8)
    records, _ = await played([player, Player()])
    asked = [heard.lines[-1] for heard in player.heard if heard.what == "ask"][1:]
    assert asked == ["play 1000 3000", "play 1000 2200", "play 1000 1400", "play 1000 600"]
    assert faults(records) == [(1, "late")]


async def test_the_time_of_one_is_not_the_time_of_the_other(autojump_clock: MockClock) -> None:
    """The slow player needs 0.1 s for each of 25 answers, which is less than its own bank of three
    seconds."""
    slow, quick = Player(seconds=0.1), Player()
    await played([slow, quick])
    assert [heard.lines[-1] for heard in quick.heard if heard.what == "ask"][-1] == "play 1000 3000"


async def test_excused_time_does_not_come_off_the_bank(autojump_clock: MockClock) -> None:
    slow = Player(seconds=0.8, excused_us=500_000)
    await played([slow, Player()])
    asked = [heard.lines[-1] for heard in slow.heard if heard.what == "ask"][1:]
    assert asked[:4] == ["play 1000 3000", "play 1000 2700", "play 1000 2400", "play 1000 2100"]


# -- a simultaneous turn ---------------------------------------------------------------------------


async def test_in_a_simultaneous_turn_all_are_asked_though_one_has_failed() -> None:
    crashed = Reply(None, failed="crash", why="ended with exit status 1")
    players = [Player(fails=2, how=crashed), Player(), Player(fails=2, how="bid 100")]
    records, outcome = await played(players, TINY)
    assert faults(records) == [(1, "crash"), (3, "illegal")]
    assert outcome.ranks == (2.5, 1, 2.5)
    assert [player.whats()[-2:] for player in players] == [
        ["tell", "dismiss"],
        ["ask", "tell"],
        ["tell", "dismiss"],
    ]


async def test_who_is_asked_last_in_a_simultaneous_turn_knows_nothing_of_the_others() -> None:
    players = [Player(), Player()]
    await played(players, TINY)
    first, second = ([public(heard.lines) for heard in player.heard] for player in players)
    assert first == second


def public(lines: Sequence[str]) -> list[str]:
    """The lines without those that differ from seat to seat."""
    return [line for line in lines if not line.startswith(("new ", "secret "))]


# -- the end ---------------------------------------------------------------------------------------


async def test_what_was_used_unasked_is_judged_at_the_end() -> None:
    players = [Player(), Player(last_words="busy")]
    players[1].unasked = 50_001
    records, outcome = await played(players)
    assert Usage((0, 50_001)) in records
    assert faults(records) == [(2, "pondered")]
    assert Stderr(2, "busy") in records
    assert outcome.ranks == (1, 2)
    assert players[1].whats()[-2:] == ["tell", "dismiss"]


async def test_a_player_that_takes_long_to_be_told_is_waited_for(autojump_clock: MockClock) -> None:
    """The match is over, but the sitting goes on only when the slow player has been told."""

    class Slow(Player):
        async def tell(self, block: bytes) -> None:
            await trio.sleep(3)
            await super().tell(block)

    await played([Slow(), Player()])
    assert trio.current_time() == pytest.approx(3)
