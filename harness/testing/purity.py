"""Checks the laws about values: positions never change, and `play` is a pure function."""

from __future__ import annotations

from enum import Enum
from types import FunctionType, MappingProxyType
from typing import Any

import msgspec

from harness.chance import ReadBack, Recorded
from harness.errors import RecordError
from harness.events import Drawn
from harness.games import Trail
from harness.testing.moves import Seen
from harness.testing.walk import Breach, Walk

# A Trail changes, but only to remember what it has computed: it answers the same at all times.
LEAVES = (type(None), bool, int, float, complex, str, bytes, range, type, Enum, FunctionType, Trail)


def positions_are_immutable(match: Walk, _: Seen) -> None:
    """Every part of a position is immutable."""
    known: set[int] = set()
    for turn, state in enumerate((match.first, *(step.after for step in match.steps))):
        if where := changeable(state, type(state).__name__, known):
            raise Breach(f"{where}, which can change: use tuples and frozen structs", turn)


def changeable(value: Any, name: str, known: set[int]) -> str:
    """The first mutable part of the value, as "NAME is a TYPE"; "" if all parts are immutable.

    `known` contains the ids of parts that are already checked. The caller must keep these parts alive.
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
