"""Judges one match: makes the questions, judges the replies, and computes the outcome. This code does not use
processes, files or the library trio.

`Referee.questions` is a generator. For each `Ask` that it yields, it receives a `Reply`. For each `Farewell`,
which is the last block of lines for a seat, it receives None. For each `Audit`, which asks for the CPU time
of the bots, it receives a `Usage`. The replies may come from live bots, from a person or from a log. If the
terms, the values of chance and the replies are equal, the outcome is always equal too.

The hot path is the loop of `Referee.questions` with `_ask`, `_verdict` and `_tell`. This loop runs once for
each move, both when the match is played and when it is verified, so it must be fast.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import islice
from typing import Any, TypeAlias

import msgspec

from harness import protocol
from harness.chance import Chance, Recorded
from harness.events import Event, Fault, Record, Result, Turn, Usage
from harness.games import State
from harness.judge import lateness
from harness.judge.lateness import Clock, clock
from harness.judge.luck import LuckMeter
from harness.judge.rules import Ask, Audit, Farewell, Step, Terms
from harness.model import Malformed, Outcome, Reply, ms
from harness.protocol import Wants

Write: TypeAlias = Callable[[Record], object]


class _SeatState(msgspec.Struct):
    """The state of a seat: its clock, the help that its bot wants with questions, and the lines of its next
    block (`pending`)."""

    clock: Clock
    wants: Wants
    helped: bool
    pending: list[str] = []
    known: dict[str, tuple[str, str]] = {}
    """For each question of the game, the whole line, with the times of the clock. A game asks the same few
    questions many times, so these lines are kept until the clock changes."""


class _NotBegun:
    """A replacement for the position of the match until all seats have answered `new`."""

    def check(self, seat: int, said: str) -> str | Malformed:
        return protocol.read_ready(said) or said

    def view(self, seat: int) -> tuple[str, ...]:
        return ()


_NOT_BEGUN = _NotBegun()


class Referee:
    """The referee of one match, which applies rules and time limits, and calls `write` with each record."""

    def __init__(
        self, terms: Terms, chance: Chance, write: Write, exchange: Callable[[State], State] | None = None
    ) -> None:
        """Before each turn, the referee calls `exchange` with the position, and the match goes on in the
        position that `exchange` returns. Only a fork of a match (see `harness/record/forks.py`) needs this
        function. If `exchange` is None, the match goes on in the same position."""
        self._terms = terms
        self._exchange = exchange
        self._chance = Recorded(chance, write)
        self._write = write
        self._limits = terms.rules.limits
        begun, wants = clock(self._limits), terms.wants or (Wants(),) * terms.seats
        self._seat_states = [_SeatState(begun, each, any(each)) for each in wants]
        self._out: set[int] = set()
        self._heard = [own.pending for own in self._seat_states] if terms.heard else []
        self.faults: list[Fault] = []
        """The faults of the match so far."""
        self._asked = 0
        self.state: State | None = None
        """The current position, or None until every seat has answered `new`."""
        rules = terms.rules
        self._luck = LuckMeter(rules, terms.seats, terms.seeds) if rules.luck_off else None

    @property
    def luck(self) -> tuple[float, ...]:
        """The luck of each seat so far (see `LuckMeter`), or () if luck is not measured."""
        return self._luck.luck if self._luck else ()

    def questions(self) -> Generator[Step, Any, Outcome]:
        """Judges the whole match."""
        game, options, luck = self._terms.rules.game, self._terms.rules.options, self._luck
        start = game.start if luck is None else luck.start
        state, told = start(options, self._terms.seats, self._chance)
        offenders = yield from self._welcome()
        self._tell(told)
        if offenders:
            state = self._stop(state, offenders)
        self.state = state
        seat_states, banked = self._seat_states, self._limits.bank_ms > 0
        faults: list[Fault] = []
        exchange = self._exchange
        while seats := state.to_act():
            if exchange is not None:
                self.state = state = exchange(state)
            moves: dict[int, str] = {}
            for seat in seats:
                own = seat_states[seat - 1]
                ask = self._ask(state, seat, own)
                reply = yield ask
                if banked:
                    own.clock = own.clock.spent(lateness.own_us(reply))
                    own.known.clear()
                verdict = self._verdict(state, ask, reply)
                if type(verdict) is Fault:
                    faults.append(verdict)
                else:
                    moves[seat] = verdict
            if faults:
                yield from self._dismiss(faults)
                state = self._stop(state, [fault.seat for fault in faults])
                faults = []
            else:
                if luck is None:
                    state, told = state.play(moves, self._chance)
                else:
                    state, told = luck.play(state, moves, self._chance)
                self._tell(told)
            self.state = state
        outcome = state.outcome()
        assert outcome is not None, f"{game.name}: nobody is to act, but there is no outcome"
        outcome = yield from self._audited(state, outcome)
        self._write(Result(outcome.ranks, outcome.scores, outcome.reason))
        yield from self._farewells(outcome)
        return outcome

    # -- the parts of a match, in the order in which they happen

    def _welcome(self) -> Generator[Step, Any, list[int]]:
        terms, rules = self._terms, self._terms.rules
        options = rules.game.announce(rules.options)
        sides = rules.game.sides(rules.options, terms.seats)
        allies = {seat: [ally for ally in side if ally != seat] for side in sides for seat in side}
        names = terms.names if rules.names_shown else ()
        limits, number, seats = rules.limits, terms.number, terms.seats
        faults = []
        for seat in range(1, seats + 1):
            seed = terms.seeds[seat - 1] if terms.seeds else 0
            lines = protocol.new(options, limits, number, seat, seats, seed, allies[seat], names)
            ask = Ask(seat, protocol.block(lines), lines[-1], limits.start_ms * 1000)
            reply = yield ask
            if not terms.fresh or terms.fresh[seat - 1]:
                reply = lateness.starting(reply, ask.limit_us)
            heard = self._verdict(_NOT_BEGUN, ask, reply)
            if type(heard) is Fault:
                faults.append(heard)
        yield from self._dismiss(faults)
        return [fault.seat for fault in faults]

    def _ask(self, state: State, seat: int, own: _SeatState) -> Ask:
        now, known, pending = own.clock, own.known, own.pending
        asked = state.question(seat)
        if asked not in known:
            known[asked] = protocol.question(asked, now.move_ms, now.bank_ms)
        line, begins = known[asked]
        if own.helped:
            self._help(state, seat, own)
        pending += line, ""  # The "" adds the newline at the end, as `protocol.block` does.
        ask = Ask(seat, "\n".join(pending).encode(), line, now.limit_us, begins)
        pending.clear()
        return ask

    def _verdict(self, state: State | _NotBegun, ask: Ask, reply: Reply) -> str | Fault:
        """Writes the turn to the record. Returns the canonical text of the move, or a fault if the reply
        breaks a rule.

        The function checks first whether an answer came, then the time of the answer, then the rules of the
        game.
        """
        seat, limit_us, begins = ask.seat, ask.limit_us, ask.begins
        said, us, failed, why = reply.said, reply.us, reply.failed, reply.why
        turn = Turn(seat, ask.line, said, us, reply.at, limit_us, 0, failed, why, reply.comments)
        self._write(lateness.excused(turn, reply) if reply.excused_us else turn)
        if said is None or failed or (us > limit_us and lateness.own_us(reply) > limit_us):
            failed, why = lateness.failure(reply, limit_us)
            return self._fault(state, ask, said, failed, why)
        if said[: len(begins)] != begins and f"{said} " != begins:
            reason = f"the answer begins with `{begins[:-1]}`; it said {said!r}"
            return self._fault(state, ask, said, "malformed", reason)
        verdict = state.check(seat, said)
        if isinstance(verdict, str):
            return verdict
        if isinstance(verdict, Malformed):
            return self._fault(state, ask, said, "malformed", protocol.spacing(said) or verdict.reason)
        return self._fault(state, ask, said, "illegal", verdict.reason)

    def _tell(self, events: Sequence[Event]) -> None:
        write, heard = self._write, self._heard
        for event in events:
            write(event)
            line, to = event.line, event.to
            if to is None:
                for pending in heard:
                    pending.append(line)
            elif heard:
                for seat in to:
                    heard[seat - 1].append(line)

    def _audited(self, state: State, outcome: Outcome) -> Generator[Step, Any, Outcome]:
        usage = yield Audit()
        if not isinstance(usage, Usage) or self._terms.rules.ponder:
            return outcome
        self._write(usage)
        allowed_ms = self._limits.ponder_ms
        faults = [
            self._fault(
                state,
                Ask(seat, b"", "", 0),
                None,
                "pondered",
                f"used the CPU for {ms(cpu_us)} while not asked; {allowed_ms} ms are allowed",
            )
            for seat, cpu_us in enumerate(usage.cpu_us, start=1)
            if cpu_us > allowed_ms * 1000 and seat not in self._out
        ]
        if not faults:
            return outcome
        yield from self._dismiss(faults)
        reason = f"{outcome.reason}; then a fault of seat {' and '.join(str(fault.seat) for fault in faults)}"
        self.state = state = self._stop(state, [fault.seat for fault in faults])
        after = state.outcome()
        assert after is not None, f"{self._terms.rules.game.name}: a fault at the end began the match again"
        return Outcome(after.ranks, after.scores, reason)

    def _dismiss(self, faults: Sequence[Fault]) -> Generator[Step, Any, None]:
        for fault in faults:
            self._out.add(fault.seat)
            yield Farewell(fault.seat, protocol.block(protocol.fault(fault.name, fault.reason)), True)

    def _farewells(self, outcome: Outcome) -> Generator[Step, Any, None]:
        lines = protocol.over(outcome.ranks, outcome.scores)
        for seat in range(1, self._terms.seats + 1):
            if seat not in self._out:
                yield Farewell(seat, protocol.block([*self._seat_states[seat - 1].pending, *lines]), False)

    # -- small steps

    def _stop(self, state: State, offenders: Sequence[int]) -> State:
        state, told = state.forfeit(tuple(offenders), self._chance)
        self._tell(told)
        return state

    def _fault(self, state: State | _NotBegun, ask: Ask, said: str | None, name: str, reason: str) -> Fault:
        fault = Fault(ask.seat, name, reason, ask.line, said, state.view(ask.seat))
        self.faults.append(fault)
        self._write(fault)
        return fault

    def _help(self, state: State, seat: int, own: _SeatState) -> None:
        if own.wants.state:
            own.pending.extend(f"state {part}" for part in state.view(seat))
        if own.wants.legal:
            own.pending.append(self._legal(state, seat))

    def _legal(self, state: State, seat: int) -> str:
        """Returns all legal moves as lines, or a sample of the moves if there are too many or if the game
        cannot list them."""
        most = self._limits.max_legal
        self._asked += 1
        if state.complete(seat):
            moves = legal if type(legal := state.legal(seat)) is tuple else tuple(islice(legal, most + 1))
            if len(moves) <= most:
                return protocol.legal("all", moves) if self._heard else ""
        return protocol.legal("some", state.some(seat, most, self._chance, f"legal {self._asked}"))
