"""Owns the judgement of one match, asks and replies to an outcome; knows no process, no trio and no file.

`Referee.questions` is a generator. It yields an `Ask` and is sent the `Reply`; it yields a `Farewell`, the
last that a seat is told, and is sent None; it yields an `Audit` and is sent a `Usage`. So one match is driven
by live bots, by a person, or from a log, and each way ends in the same outcome by the same code.

The hot path is the loop of `Referee.questions` with `_ask`, `_heard`, `_verdict` and `_tell`: each move runs
through it once, live and again when it is verified. So it makes four values a move, each a struct, and works
out nothing that the move before has worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness import lateness, protocol
from harness.chance import Chance, Recorded
from harness.clock import Clock, clock
from harness.events import Event, Fault, Record, Result, Turn, Usage
from harness.games import Game, State
from harness.model import Limits, Malformed, Outcome, Reply, demoted
from harness.protocol import Wants

Write: TypeAlias = Callable[[Record], object]


class Ask(msgspec.Struct, frozen=True):
    """A question to a seat: the block to be written, and how long the answer may take."""

    # With each question one Ask and one Reply are made: structs take a third of a NamedTuple's time.

    seat: int
    block: bytes
    line: str
    """The last of the block, which asks."""
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
"""What an Ask, an Audit and a Farewell are answered with."""


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


class _Place:
    """What the referee keeps of a seat: its clock, what it is to be told next, what its bot asked for."""

    __slots__ = ("clock", "helped", "pending", "wants")

    def __init__(self, begun: Clock, wants: Wants) -> None:
        self.clock = begun
        self.pending: list[str] = []
        self.wants = wants
        self.helped = any(wants)


class Referee:
    """Applies rules and time to one match; what it sees and decides goes to `write`, record by record."""

    def __init__(self, terms: Terms, chance: Chance, write: Write) -> None:
        self._terms = terms
        self._chance = Recorded(chance, write)
        self._write = write
        begun, wants = clock(terms.limits), terms.wants or (Wants(),) * terms.seats
        self._places = [_Place(begun, each) for each in wants]
        self._out: set[int] = set()
        self.faults: list[Fault] = []
        """The faults so far."""
        self._asked = 0
        self.state: State | None = None
        """The position now; None until every seat has answered `new`."""

    def questions(self) -> Generator[Step, Any, Outcome]:
        """The whole match. Raises Void where a lateness was not the bot's own."""
        terms = self._terms
        state, told = terms.game.start(terms.options, terms.seats, self._chance)
        offenders = yield from self._welcome()
        self._tell(told)
        if offenders:
            state = self._stop(state, offenders)
        self.state = state
        banked = terms.limits.bank_ms > 0
        while seats := state.to_act():
            moves: dict[int, str] = {}
            faults: list[Fault] = []
            for seat in seats:
                place = self._places[seat - 1]
                ask = self._ask(state, seat, place)
                reply = yield ask
                if banked:
                    place.clock = place.clock.spent(reply.us)
                verdict = self._verdict(state, ask, reply)
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

    def _welcome(self) -> Generator[Step, Any, list[int]]:
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
            ask = Ask(seat, protocol.block(lines), lines[-1], terms.limits.start_ms * 1000)
            reply = yield ask
            if not terms.fresh or terms.fresh[seat - 1]:
                reply = lateness.starting(reply, ask.limit_us)
            heard = self._heard(None, ask, reply)
            if isinstance(heard, str) and (wrong := protocol.read_ready(heard)):
                heard = self._fault(None, ask, heard, "malformed", wrong.reason)
            if isinstance(heard, Fault):
                faults.append(heard)
        yield from self._dismiss(faults)
        return [fault.seat for fault in faults]

    def _ask(self, state: State, seat: int, place: _Place) -> Ask:
        now, pending = place.clock, place.pending
        line = protocol.question(state.question(seat), now.move_ms, now.bank_ms)
        if place.helped:
            pending.extend(self._help(state, seat, place.wants))
        pending.append(line)
        ask = Ask(seat, protocol.block(pending), line, now.limit_us)
        pending.clear()
        return ask

    def _heard(self, state: State | None, ask: Ask, reply: Reply) -> str | Fault:
        """Writes the turn down. What was said in time, or the fault that hinders it."""
        write, said, us, limit_us = self._write, reply.said, reply.us, ask.limit_us
        failed, why, excused_us = reply.failed, reply.why, reply.excused_us
        write(Turn(ask.seat, ask.line, said, us, reply.at, limit_us, excused_us, failed, why, reply.comments))
        if said is not None and us <= limit_us and not failed:
            return said
        failed, why = lateness.failure(ask.seat, reply, limit_us)
        return self._fault(state, ask, said, failed, why)

    def _verdict(self, state: State, ask: Ask, reply: Reply) -> str | Fault:
        """The canonical text of the move that was said, or the fault."""
        said = self._heard(state, ask, reply)
        if isinstance(said, Fault):
            return said
        word = ask.line.partition(" ")[0]
        if said.partition(" ")[0] != word:
            reason = f"the answer begins with `{word}`; it said {said!r}"
            return self._fault(state, ask, said, "malformed", reason)
        verdict = state.check(ask.seat, said)
        if isinstance(verdict, str):
            return verdict
        name = "malformed" if isinstance(verdict, Malformed) else "illegal"
        return self._fault(state, ask, said, name, verdict.reason)

    def _tell(self, events: Sequence[Event]) -> None:
        write, places = self._write, self._places
        for event in events:
            write(event)
            line, to = event.line, event.to
            if to is None:
                for place in places:
                    place.pending.append(line)
            else:
                for seat in to:
                    places[seat - 1].pending.append(line)

    def _audited(self, state: State, outcome: Outcome) -> Generator[Step, Any, Outcome]:
        terms = self._terms
        usage = yield Audit()
        if not isinstance(usage, Usage) or terms.ponder:
            return outcome
        self._write(usage)
        allowed_ms = terms.limits.ponder_ms
        faults = [
            self._fault(
                state,
                Ask(seat, b"", "", 0),
                None,
                "pondered",
                f"used the CPU for {lateness.ms(cpu_us)} while not asked; {allowed_ms} ms are allowed",
            )
            for seat, cpu_us in enumerate(usage.cpu_us, start=1)
            if cpu_us > allowed_ms * 1000 and seat not in self._out
        ]
        if not faults:
            return outcome
        yield from self._dismiss(faults)
        reason = f"{outcome.reason}; then a fault of seat {_listed([fault.seat for fault in faults])}"
        # Whoever stopped the match is to gain nothing by it: all who are out share the last places.
        places = demoted([-rank for rank in outcome.ranks], sorted(self._out))
        return Outcome(places, outcome.scores, reason)

    def _dismiss(self, faults: Sequence[Fault]) -> Generator[Step, Any, None]:
        for fault in faults:
            self._out.add(fault.seat)
            yield Farewell(fault.seat, protocol.block(protocol.fault(fault.name, fault.reason)), True)

    def _farewells(self, outcome: Outcome) -> Generator[Step, Any, None]:
        lines = protocol.over(outcome.ranks, outcome.scores)
        for seat in range(1, self._terms.seats + 1):
            if seat not in self._out:
                yield Farewell(seat, protocol.block([*self._places[seat - 1].pending, *lines]), False)

    # -- small steps

    def _stop(self, state: State, offenders: Sequence[int]) -> State:
        state, told = state.forfeit(tuple(offenders), self._chance)
        self._tell(told)
        return state

    def _fault(self, state: State | None, ask: Ask, said: str | None, name: str, reason: str) -> Fault:
        view = state.view(ask.seat) if state else ()
        fault = Fault(ask.seat, name, reason, ask.line, said, view)
        self.faults.append(fault)
        self._write(fault)
        return fault

    def _help(self, state: State, seat: int, wants: Wants) -> list[str]:
        seen = [f"state {part}" for part in state.view(seat)] if wants.state else []
        return seen + self._legal(state, seat) if wants.legal else seen

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


def _listed(seats: Sequence[int]) -> str:
    return " and ".join(map(str, seats))
