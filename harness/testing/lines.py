"""Checks the laws about lines for bots and texts for people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from harness.games import Events, State
from harness.testing.moves import NUMBER, Seen
from harness.testing.walk import Breach, Walk

LINE = re.compile(r"[!-~]+( [!-~]+)*")
COLUMNS = 80
STEPS = 25
MOVES = 300
RESERVED = frozenset(
    {*("option", "limit", "ally", "name", "new", "ready"), *("legal", "move", "state")}
    | {*("hello", "bye", "over", "result", "fault")}
)
"""The first words of lines that the protocol defines for all games."""


def lines_are_plain(match: Walk, known: Seen) -> None:
    """Each line consists of ASCII words with one space between them. Numbers fit 32 bits, and the first word
    names the kind of the line."""
    for word in known.words & RESERVED:
        raise Breach(f"the question begins with {word!r}, a word of the protocol")
    for option in match.game.announce(match.options):
        _plain(option, 0)
    views: dict[str, int] = {}
    events(match, match.told, 0, known)
    for step in match.steps:
        events(match, step.told, step.turn, known)
    for step in match.some(STEPS):
        for seat in match.everyone():
            for line in step.state.view(seat):
                views.setdefault(line, step.turn)
        stopped = step.state.forfeit(tuple(step.moves), match.luck("fault"))
        events(match, stopped[1], step.turn, known)
        for seat in step.moves:
            _plain(step.state.question(seat), step.turn)
            for move in islice(step.state.legal(seat), MOVES):
                _plain(move, step.turn)
    for line, turn in views.items():
        _plain(line, turn)


def events(match: Walk, told: Events, turn: int, known: Seen) -> None:
    """Raises Breach if an event is for a wrong seat, or if its line begins like another kind of line."""
    for event in told:
        _plain(event.line, turn)
        first = event.line.partition(" ")[0]
        if first in known.words | RESERVED:
            raise Breach(f"the event {event.line!r} begins like another kind of line", turn)
        if event.to is not None and list(event.to) != sorted({*event.to} & {*match.everyone()}):
            raise Breach(f"the event {event.line!r} is for {event.to}: not seats in order", turn)


def _plain(line: str, turn: int) -> None:
    if not LINE.fullmatch(line) or line.startswith("#"):
        raise Breach(f"the line {line!r} is not ASCII words with one space between them", turn)
    for word in line.split(" "):
        if NUMBER.fullmatch(word) and not -(2**31) <= int(word) < 2**31:
            raise Breach(f"the line {line!r} contains a number that does not fit 32 bits", turn)


def texts_are_drawn(match: Walk, _: Seen) -> None:
    """Every position has a text for each seat and a text that shows everything, with at most 80 columns."""
    for turn, state in _positions(match):
        for seat in (None, *match.everyone()):
            text = state.text(seat)
            if not text.strip():
                raise Breach(f"the text for {_reader(seat)} is empty", turn)
            for line in text.split("\n"):
                if len(line) > COLUMNS:
                    raise Breach(f"the text for {_reader(seat)} is {len(line)} columns wide: {line!r}", turn)
                if not line.isprintable():
                    raise Breach(f"the text for {_reader(seat)} has control characters: {line!r}", turn)


def _positions(match: Walk) -> Iterator[tuple[int, State]]:
    """Yields some positions, each with the number of its turn. The last position and some positions after a
    fault are among these positions."""
    for step in match.some(STEPS):
        yield step.turn, step.state
    yield len(match.steps), match.last
    for step in match.some(2):
        yield step.turn, step.state.forfeit(tuple(step.moves), match.luck("fault"))[0]


def _reader(seat: int | None) -> str:
    return "all" if seat is None else f"seat {seat}"
