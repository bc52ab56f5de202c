"""Owns the judgement of one match, asks and replies to an outcome; knows no process, no trio and no file.

`Referee.questions` is a generator. It yields an `Ask` and is sent the `Reply`; it yields a `Farewell`, the
last that a seat is told, and is sent None; it yields an `Audit` and is sent a `Usage`. So one match is driven
by live bots, by a person, or from a log, and each way ends in the same outcome by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness import protocol
from harness.chance import Chance, Recorded
from harness.clock import Clock, clock
from harness.errors import Void
from harness.events import Event, Fault, Record, Result, Turn, Usage
from harness.games import Game, State
from harness.model import Illegal, Limits, Malformed, Outcome, Reply, demoted
from harness.protocol import Wants

Write: TypeAlias = Callable[[Record], object]


class Ask(msgspec.Struct, frozen=True):
    """A question to a seat: the block to be written, and how long the answer may take."""

    # With each question one Ask and one Reply are made: structs take a third of a NamedTuple's time.

    seat: int
    block: bytes
    limit_us: int


class Farewell(msgspec.Struct, frozen=True):
    """The last block that a seat is told in this match; after a fault its bot is ended."""

    seat: int
    block: bytes
    faulty: bool


class Audit(msgspec.Struct, frozen=True):
    """Asks for what each seat's bot used while it was not asked."""


Step: TypeAlias = Ask | Farewell | Audit
Answer: TypeAlias = Reply | Usage | None


class Terms(NamedTuple):
    """What a match is played by."""

    game: Game
    options: Any
    seats: int
    limits: Limits
    number: int = 1
    """The match's number within its process, as bots are told it."""
    seeds: tuple[int, ...] = ()
    """A seed for each seat's bot."""
    names: tuple[str, ...] = ()
    """The names of the bots by seat, where they are to be told; else none."""
    wants: tuple[Wants, ...] = ()
    """What each seat's bot asked for in its handshake."""
    fresh: tuple[bool, ...] = ()
    """Whether each seat's process has not played a match before this one."""
    ponder: bool = False
    """Whether a bot may use the CPU while it is not asked."""


class Referee:
    """Applies rules and time to one match; what it sees and decides goes to `write`, record by record."""

    def __init__(self, terms: Terms, chance: Chance, write: Write) -> None:
        self._terms = terms
        self._chance = Recorded(chance, write)
        self._write = write
        seats = terms.seats
        self._wants = terms.wants or (Wants(),) * seats
        self._pending: list[list[str]] = [[] for _ in range(seats + 1)]
        self._clocks: list[Clock] = [clock(terms.limits)] * (seats + 1)
        self._out: set[int] = set()
        self._asked = 0
        self.state: State | None = None
        """The position now; None until every seat has answered `new`."""

    def questions(self) -> Generator[Step, Answer, Outcome]:
        """The whole match. Raises Void where a lateness was not the bot's own."""
        terms = self._terms
        state, told = terms.game.start(terms.options, terms.seats, self._chance)
        offenders = yield from self._welcome()
        self._tell(told)
        if offenders:
            state = self._stop(state, offenders)
        self.state = state
        while seats := state.to_act():
            moves: dict[int, str] = {}
            faults: list[Fault] = []
            for seat in seats:
                verdict = yield from self._turn(state, seat)
                if isinstance(verdict, str):
                    moves[seat] = verdict
                else:
                    faults.append(verdict)
            if faults:
                yield from self._dismiss(faults)
                state = self._stop(state, [fault.seat for fault in faults])
            else:
                state, told = state.play(moves, self._chance)
                self._tell(told)
            self.state = state
        outcome = state.outcome()
        assert outcome is not None, f"{terms.game.name}: nobody is to act, but there is no outcome"
        outcome = yield from self._audited(state, outcome)
        self._write(Result(outcome.ranks, outcome.scores, outcome.reason))
        yield from self._farewells(outcome)
        return outcome

    # -- the parts of a match, in their order

    def _welcome(self) -> Generator[Step, Answer, list[int]]:
        terms = self._terms
        options = terms.game.announce(terms.options)
        sides = terms.game.sides(terms.options, terms.seats)
        faults = []
        for seat in range(1, terms.seats + 1):
            allies = [ally for side in sides if seat in side for ally in side if ally != seat]
            seed = terms.seeds[seat - 1] if terms.seeds else 0
            lines = protocol.new(
                options, terms.limits, terms.number, seat, terms.seats, seed, allies, terms.names
            )
            limit_us = terms.limits.start_ms * 1000
            reply = yield Ask(seat, protocol.block(lines), limit_us)
            assert isinstance(reply, Reply)
            if not terms.fresh or terms.fresh[seat - 1]:
                reply = _starting(reply, limit_us)
            fault = self._heard(None, seat, lines[-1], limit_us, reply, protocol.read_ready)
            if isinstance(fault, Fault):
                faults.append(fault)
        yield from self._dismiss(faults)
        return [fault.seat for fault in faults]

    def _turn(self, state: State, seat: int) -> Generator[Step, Answer, str | Fault]:
        now = self._clocks[seat]
        limit_us = now.allowance()
        asked = state.question(seat)
        line = protocol.question(asked, *now.told())
        pending = self._pending[seat]
        wants = self._wants[seat - 1]
        if wants.state:
            pending.extend(f"state {part}" for part in state.view(seat))
        if wants.legal:
            pending.extend(self._legal(state, seat))
        pending.append(line)
        reply = yield Ask(seat, protocol.block(pending), limit_us)
        pending.clear()
        word = asked.partition(" ")[0]

        def check(said: str) -> str | Malformed | Illegal:
            if said.partition(" ")[0] != word:
                return Malformed(f"the answer begins with `{word}`; it said {said!r}")
            return state.check(seat, said)

        verdict = self._heard(state, seat, line, limit_us, reply, check)
        self._clocks[seat] = now.spent(reply.us) if isinstance(reply, Reply) else now
        assert verdict is not None
        return verdict

    def _heard(
        self,
        state: State | None,
        seat: int,
        line: str,
        limit_us: int,
        reply: Answer,
        check: Callable[[str], str | Malformed | Illegal | None],
    ) -> str | Fault | None:
        """Writes the turn down and judges it: what failed below the rules, then time, then the rules."""
        assert isinstance(reply, Reply)
        said, us, excused_us, failed, why = reply.said, reply.us, reply.excused_us, reply.failed, reply.why
        self._write(Turn(seat, line, said, us, reply.at, limit_us, excused_us, failed, why, reply.comments))
        if not failed and us > limit_us:
            failed, why = "late", _too_long(us, limit_us)
        if failed:
            if failed == "late" and us - excused_us <= limit_us:
                raise Void(
                    f"seat {seat} was late by no time of its own: "
                    f"{_ms(us)}, of that {_ms(excused_us)} not its own"
                )
            return self._fault(state, seat, line, said, failed, why)
        assert said is not None
        verdict = check(said)
        if isinstance(verdict, Malformed):
            return self._fault(state, seat, line, said, "malformed", verdict.reason)
        if isinstance(verdict, Illegal):
            return self._fault(state, seat, line, said, "illegal", verdict.reason)
        return verdict

    def _audited(self, state: State, outcome: Outcome) -> Generator[Step, Answer, Outcome]:
        terms = self._terms
        usage = yield Audit()
        if not isinstance(usage, Usage) or terms.ponder:
            return outcome
        self._write(usage)
        faults = [
            self._fault(
                state,
                seat,
                "",
                None,
                "pondered",
                f"used the CPU for {_ms(cpu_us)} while not asked; {terms.limits.ponder_ms} ms are allowed",
            )
            for seat, cpu_us in enumerate(usage.cpu_us, start=1)
            if cpu_us > terms.limits.ponder_ms * 1000 and seat not in self._out
        ]
        if not faults:
            return outcome
        yield from self._dismiss(faults)
        reason = f"{outcome.reason}; then a fault of seat {_listed([fault.seat for fault in faults])}"
        # Whoever stopped the match is to gain nothing by it: all who are out share the last places.
        places = demoted([-rank for rank in outcome.ranks], sorted(self._out))
        return Outcome(places, outcome.scores, reason)

    def _dismiss(self, faults: Sequence[Fault]) -> Generator[Step, Answer, None]:
        for fault in faults:
            self._out.add(fault.seat)
            yield Farewell(fault.seat, protocol.block(protocol.fault(fault.name, fault.reason)), True)

    def _farewells(self, outcome: Outcome) -> Generator[Step, Answer, None]:
        lines = protocol.over(outcome.ranks, outcome.scores)
        for seat in range(1, self._terms.seats + 1):
            if seat not in self._out:
                yield Farewell(seat, protocol.block([*self._pending[seat], *lines]), False)

    # -- small steps

    def _stop(self, state: State, offenders: Sequence[int]) -> State:
        state, told = state.forfeit(tuple(offenders), self._chance)
        self._tell(told)
        return state

    def _tell(self, events: Sequence[Event]) -> None:
        pending = self._pending
        for event in events:
            self._write(event)
            for seat in range(1, len(pending)) if event.to is None else event.to:
                pending[seat].append(event.line)

    def _fault(
        self, state: State | None, seat: int, line: str, said: str | None, name: str, reason: str
    ) -> Fault:
        fault = Fault(seat, name, reason, line, said, state.view(seat) if state else ())
        self._write(fault)
        return fault

    def _legal(self, state: State, seat: int) -> list[str]:
        """The legal moves as lines, or a sample where they are too many or cannot be listed."""
        most = self._terms.limits.max_legal
        self._asked += 1
        if state.complete(seat):
            moves = []
            for move in state.legal(seat):
                moves.append(f"move {move}")
                if len(moves) > most:
                    break
            else:
                return [f"legal all {len(moves)}", *moves]
        sample = state.some(seat, most, self._chance, f"legal {self._asked}")
        return [f"legal some {len(sample)}", *(f"move {move}" for move in sample)]


def _starting(reply: Reply, limit_us: int) -> Reply:
    """A process that fails before its first `ready` did not start, whatever it did instead."""
    failed, why = reply.failed, reply.why
    if not failed and reply.us > limit_us:
        failed, why = "late", _too_long(reply.us, limit_us)
    excused = failed == "late" and reply.us - reply.excused_us <= limit_us
    if failed in ("late", "crash", "closed") and not excused:
        return msgspec.structs.replace(reply, failed="no-start", why=why)
    return reply


def _too_long(us: int, limit_us: int) -> str:
    return f"answered after {_ms(us)}; the limit was {_ms(limit_us)}"


def _ms(us: int) -> str:
    return f"{us / 1000:.1f} ms"


def _listed(seats: Sequence[int]) -> str:
    return " and ".join(map(str, seats))
