"""Checks the law of secrets: a seat sees nothing that depends on facts that are hidden from it.

`State.alike` returns another position that looks the same to a seat. In both positions the seat must get the
same view, text, question, list of legal moves, and reasons why other moves are not legal. From both
positions, `alike` must draw the same other positions.

Then the conformance kit plays the same turn from both positions, and compares both results: the lines that
the seat reads, and the view of the seat. In the same way the kit compares two deals that differ in one random
value. If only the lines differ, the lines say too much. If only the views differ, the view says too much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import TypeAlias

import msgspec

from harness.chance import Chance, ReadBack, Recorded, Seeded
from harness.errors import RecordError
from harness.events import Drawn
from harness.games import Events, State
from harness.testing.moves import Seen, mutated
from harness.testing.walk import Breach, Step, Untested, Walk

STEPS = 10
DEALS = 30
MOVES = 300

Sight: TypeAlias = tuple[str, Sequence[object], Sequence[object]]
"""Something that a seat sees: its name, its value in this position, and its value in the other position."""


def nothing_hidden_leaks(match: Walk, known: Seen) -> None:
    """Hidden information changes nothing that a seat sees."""
    luck = match.luck("hidden")
    blind: dict[int, int] = {}
    for step in match.some(STEPS):
        for seat in match.everyone():
            other = step.state.alike(seat, luck)
            if other is None:
                blind.setdefault(seat, step.turn)
                continue
            if step.state.alike(seat, Seeded(seat)) != other.alike(seat, Seeded(seat)):
                raise Breach(f"`alike` depends on what is hidden from seat {seat}", step.turn)
            _check_sight(step, seat, other, luck.sample("seen", known.moves, 5))
            _check_news(match, step, seat, other)
    _deals(match, luck)
    told = (*match.told, *(event for step in match.steps for event in step.told))
    silent = type(match.first).alike is State.alike
    if silent and any(event.to is not None and len(event.to) < match.seats for event in told):
        raise Breach("some events are not for all seats, but `alike` says that nothing is hidden")
    for seat, turn in blind.items():
        raise Untested(f"`alike` draws no other position for seat {seat}", turn)


def _check_sight(step: Step, seat: int, other: State, texts: tuple[str, ...]) -> None:
    """Raises Breach unless both positions look the same to the seat."""
    for what, here, there in _sights(step.state, other, seat, texts):
        if here != there:
            line = _first_difference(here, there)
            raise Breach(f"seat {seat}'s {what} depends on what is hidden from it: {line!r}", step.turn)


def _sights(state: State, other: State, seat: int, texts: tuple[str, ...]) -> Iterator[Sight]:
    yield "turn", state.to_act(), other.to_act()
    yield "view", state.view(seat), other.view(seat)
    yield "text", state.text(seat).split("\n"), other.text(seat).split("\n")
    if seat not in state.to_act():
        return
    yield "question", [state.question(seat)], [other.question(seat)]
    yield "list of legal moves", _some(state, seat), _some(other, seat)
    luck = Seeded(seat)
    for text in (*texts, *(mutated(text, luck) for text in _some(state, seat)[:5])):
        yield f"answer to {text!r}", [state.check(seat, text)], [other.check(seat, text)]


def _some(state: State, seat: int) -> list[str]:
    return list(islice(state.legal(seat), MOVES))


def _check_news(match: Walk, step: Step, seat: int, other: State) -> None:
    """Plays the turn from both positions, and compares the seat's lines and views."""
    if any(other.check(mover, move) != move for mover, move in step.moves.items()):
        return
    here = step.state.play(step.moves, Seeded(match.seed))
    there = other.play(step.moves, Seeded(match.seed))
    _together(seat, here, there, step.turn)


def _together(seat: int, here: tuple[State, Events], there: tuple[State, Events], turn: int) -> None:
    lines, other_lines = lines_of(seat, here[1]), lines_of(seat, there[1])
    view, other_view = here[0].view(seat), there[0].view(seat)
    if view == other_view and lines != other_lines:
        line = _first_difference(lines, other_lines)
        raise Breach(f"seat {seat} reads something that its view does not show: {line!r}", turn)
    if view != other_view and lines == other_lines:
        line = _first_difference(view, other_view)
        raise Breach(f"seat {seat}'s view shows something that no event told it: {line!r}", turn)


def lines_of(seat: int, told: Events) -> tuple[str, ...]:
    """Returns the lines of the events that this seat receives."""
    return tuple(event.line for event in told if event.to is None or seat in event.to)


def _first_difference(lines: Sequence[object], others: Sequence[object]) -> object:
    pairs = zip_longest(lines, others)
    return next(other if line is None else line for line, other in pairs if line != other)


def _deals(match: Walk, luck: Chance) -> None:
    """Compares the deal of this match with deals that differ from it in only one random value."""
    for _ in range(DEALS if match.drawn else 0):
        deal = _dealt(match, _changed(match.drawn, luck))
        if deal is not None:
            for seat in match.everyone():
                _together(seat, (match.first, match.told), deal, 0)


def _changed(drawn: tuple[Drawn, ...], luck: Chance) -> tuple[Drawn, ...]:
    """Returns a copy of the recorded random values with one change: either a roll is 1 higher or lower, or
    two items of a shuffle have changed their places."""
    place = luck.roll("record", len(drawn)) - 1
    value = drawn[place].value
    if isinstance(value, int):
        value += (-1, 1)[luck.roll("higher", 2) - 1]
    elif isinstance(value, tuple) and len(value) > 1:
        one, two = sorted(luck.sample("items", range(len(value)), 2))
        value = (*value[:one], value[two], *value[one + 1 : two], value[one], *value[two + 1 :])
    return (*drawn[:place], msgspec.structs.replace(drawn[place], value=value), *drawn[place + 1 :])


def _dealt(match: Walk, drawn: tuple[Drawn, ...]) -> tuple[State, Events] | None:
    """Returns the deal that follows from these recorded random values, or None if the game rejects the
    values."""
    used: list[Drawn] = []
    try:
        deal = match.game.start(match.options, match.seats, Recorded(ReadBack(drawn), used.append))
    except RecordError:
        return None
    return deal if len(used) == len(drawn) else None
