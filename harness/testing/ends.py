"""Checks the laws of outcomes and of values: ranks add up, and positions never change."""

from __future__ import annotations

from enum import Enum
from math import isfinite
from types import FunctionType, MappingProxyType
from typing import Any

import msgspec

from harness.chance import ReadBack, Recorded
from harness.errors import RecordError
from harness.events import Brief, Drawn
from harness.games import State, Trail
from harness.model import Outcome, ranks
from harness.testing.moves import Seen
from harness.testing.walk import Breach, Walk, onward

STEPS = 10
MOST_TURNS = 10_000


def ranks_add_up(match: Walk, _: Seen) -> None:
    """Each seat has a rank and a score; seats that tie get the average of their places."""
    outcome = match.last.outcome()
    assert outcome is not None
    _sound(outcome, match.seats, len(match.steps))
    if tuple(match.last.scores()) != tuple(outcome.scores):
        raise Breach("the outcome has other scores than the last position", len(match.steps))


def _sound(outcome: Outcome, seats: int, turn: int) -> None:
    if len(outcome.ranks) != seats or len(outcome.scores) != seats:
        raise Breach(f"{seats} seats, but ranks {outcome.ranks} and scores {outcome.scores}", turn)
    fair = ranks([-rank for rank in outcome.ranks])
    if tuple(outcome.ranks) != fair:
        raise Breach(f"ranks {outcome.ranks} do not add up: ties share the average place, {fair}", turn)
    if flaw := Brief(outcome.ranks, outcome.scores).flaw(seats):  # A record with this flaw cannot be read.
        raise Breach(f"the outcome {flaw}: {outcome.scores}", turn)
    if not outcome.reason.strip():
        raise Breach("the outcome has no reason", turn)


def faults_cost_the_offenders(match: Walk, _: Seen) -> None:
    """A seat with a fault is last, even if the fault is found only at the end of the match. If no seat has
    moved before the fault, all other seats have equal ranks."""
    everyone = tuple(match.everyone())
    some = (*((seat,) for seat in everyone), everyone[1:], everyone)
    for offenders in some:
        state = _after_fault(match, match.first, offenders, 0)
        outcome = state.outcome()
        assert outcome is not None
        rest = {rank for seat, rank in enumerate(outcome.ranks, start=1) if seat not in offenders}
        if len(rest) > 1 and state == match.first.forfeit(offenders, match.luck("fault"))[0]:
            raise Breach(f"after a fault of {offenders} before the first move the others are not level", 0)
    for step in match.some(STEPS):
        acting = tuple(step.moves)
        for offenders in {acting, acting[-1:], *((seat,) for seat in acting[:3])}:
            _after_fault(match, step.state, offenders, step.turn)
    for offenders in some:
        _after_fault(match, match.last, offenders, len(match.steps))


def _after_fault(match: Walk, state: State, offenders: tuple[int, ...], turn: int) -> State:
    """Plays on after a fault of the `offenders`. Returns the last position of the match."""
    luck = match.luck("fault")
    stopped, _ = state.forfeit(offenders, luck)
    if not state.to_act() and stopped.to_act():
        raise Breach(f"the match is over, but after a fault of {offenders} it goes on", turn)
    end = stopped
    for step in onward(stopped, match.seats, luck, luck, MOST_TURNS):
        if set(step.moves) & set(offenders):
            raise Breach(f"after a fault of {offenders} they are asked again", turn)
        end = step.after
    outcome = end.outcome()
    assert outcome is not None
    _sound(outcome, match.seats, turn)
    places = dict(enumerate(outcome.ranks, start=1))
    best = min(places[seat] for seat in offenders)
    if any(rank >= best for seat, rank in places.items() if seat not in offenders):
        raise Breach(f"after a fault of {offenders} they are not last: ranks {outcome.ranks}", turn)
    return end


def guesses_are_numbers(match: Walk, _: Seen) -> None:
    """A guess of the worth of a position is empty or has a finite number for each seat, and its unit is
    printable."""
    states = [*((step.state, step.turn) for step in match.some(STEPS)), (match.last, len(match.steps))]
    for state, turn in states:
        guess = state.worth()
        if guess and not (len(guess) == match.seats and all(map(isfinite, guess))):
            raise Breach(f"{match.seats} seats, but the guess {guess}", turn)
        if not state.unit.isprintable():
            raise Breach(f"the unit {state.unit!r} is not printable", turn)


# -- values ------------------------------------------------------------------------------------------
#
# This part checks the laws about values: positions never change, and `play` is a pure function.


# A Trail stores results that it has computed, but it always gives the same answers. So a Trail counts as
# immutable.
LEAVES = (type(None), bool, int, float, complex, str, bytes, range, type, Enum, FunctionType, Trail)


def positions_are_immutable(match: Walk, _: Seen) -> None:
    """Every part of a position is immutable."""
    known: set[int] = set()
    for turn, state in enumerate((match.first, *(step.after for step in match.steps))):
        if where := changeable(state, type(state).__name__, known):
            raise Breach(f"{where}, which can change: use tuples and frozen structs", turn)


def changeable(value: Any, name: str, known: set[int]) -> str:
    """Returns the first mutable part of the value, as "NAME is a TYPE"; "" if all parts are immutable.

    `known` contains the ids of parts that are already checked. The caller must keep references to these
    parts, because Python can give the id of a deleted object to a new object.
    """
    if isinstance(value, LEAVES) or id(value) in known:
        return ""
    parts: list[tuple[str, Any]]
    if isinstance(value, tuple | frozenset):
        parts = [(f"{name}[{place}]", part) for place, part in enumerate(value)]
    elif isinstance(value, MappingProxyType):
        parts = [(f"{name}[{key!r}]", part) for key, part in value.items()]
    elif isinstance(value, msgspec.Struct) and value.__struct_config__.frozen:
        parts = [(f"{name}.{field}", getattr(value, field)) for field in value.__struct_fields__]
    elif getattr(getattr(value, "__dataclass_params__", None), "frozen", False):
        parts = [(f"{name}.{field}", part) for field, part in vars(value).items()]
    else:
        return f"{name} is a {type(value).__name__}"
    for part_name, part in parts:
        if where := changeable(part, part_name, known):
            return where
    known.add(id(value))
    return ""


def play_is_pure(match: Walk, _: Seen) -> None:
    """If the same moves are played again with the same chance, the result is the same."""
    for step in reversed(match.steps):
        drawn: list[Drawn] = []
        try:
            chance = Recorded(ReadBack(step.drawn), drawn.append)
            after, told = step.state.play(step.moves, chance)
        except RecordError as error:
            raise Breach(f"played again, the turn draws other chance: {error}", step.turn) from error
        if after != step.after:
            raise Breach("played again, the turn leads to another position", step.turn)
        if told != step.told:
            raise Breach("played again, the turn has other events", step.turn)
        if tuple(drawn) != step.drawn:
            raise Breach("played again, the turn draws less from chance", step.turn)
