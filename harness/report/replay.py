"""Owns a match as the viewer steps through it: for each record of the log who sees what of it; knows no
game's lines and writes no file.

A step is a line of the log and, for each group of viewers that see the same of it, what they see and what it
changes in their picture. Viewer 0 is the referee. What a seat sees comes from the records that it may know
and from a scene that heard these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import msgspec

from harness.events import Event, InEncounter, Match, Record, Stderr, Turn
from harness.games import State
from harness.rejudge import Lines, Rules, rejudge
from harness.report.names import Names
from harness.report.survey import Played
from harness.scenes import Changes, Scene
from harness.seen import seen_by

Picture: TypeAlias = Callable[[int, int, Record], Changes]
"""What changes for a viewer with the record of this line, as far as the viewer may know that."""
Group: TypeAlias = tuple[list[int], dict[str, Any], Changes]
Step: TypeAlias = tuple[int, list[Group]]

_encode = msgspec.json.Encoder().encode


def viewers(played: Played) -> range:
    """The referee, and every seat."""
    return range(len(played.head.bots) + 1)


def heard(scenes: Sequence[Scene]) -> Picture:
    """The pictures of scenes, one for each viewer."""

    def picture(viewer: int, line: int, record: Record) -> Changes:
        if isinstance(record, Event):
            return scenes[viewer].hear(record.line, record.to)
        if isinstance(record, Turn) and record.said is not None and record.ask:
            return scenes[viewer].said(record.seat, record.said)
        return {}

    return picture


def drawn(played: Played, rules: Rules) -> Picture:
    """The pictures of a game that has no scene: its positions as text, by judging the match once more.

    Raises RecordError where it does not follow from the log.
    """
    states: list[State | None] = []
    rejudge(Lines(played.lines), rules, None, played.deal, look=lambda record, state: states.append(state))
    judged = [line for line, record in played.lines if not isinstance(record, Match | Stderr)]
    at = dict(zip(judged, states, strict=True))
    shown: dict[int, State] = {}

    def picture(viewer: int, line: int, record: Record) -> Changes:
        state = at.get(line)
        if state is None or shown.get(viewer) is state:
            return {}
        shown[viewer] = state
        return {"text": state.text(viewer or None)}

    return picture


def steps(played: Played, picture: Picture, names: Names) -> list[Step]:
    """All that there is to see, line by line."""
    told: list[Step] = []
    seats = viewers(played)
    for line, record in played.lines:
        if not isinstance(record, Match):
            groups = _groups(line, record, seats, picture, names)
            if groups:
                told.append((line, groups))
    return told


def _groups(
    line: int, record: InEncounter, seats: Iterable[int], picture: Picture, names: Names
) -> list[Group]:
    groups: dict[bytes, Group] = {}
    for viewer in seats:
        known = seen_by(viewer or None, record)
        if known is None:
            continue
        plain, changes = _plain(known, names), picture(viewer, line, known)
        groups.setdefault(_encode((plain, changes)), ([], plain, changes))[0].append(viewer)
    return [group for group in groups.values() if group[1]]


def _plain(record: Record, names: Names) -> dict[str, Any]:
    """The record as it may be shown; nothing of what bots wrote to stderr or in comments where names are
    masked."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    if names.masked and plain["is"] == "stderr":
        return {}
    for key in ("ask", "said", "why", "reason"):
        if plain.get(key):
            plain[key] = names.text(plain[key])
    for key in ("view", "comments"):
        if key in plain:
            plain[key] = [names.text(line) for line in plain[key]]
    if "tail" in plain:
        plain["tail"] = names.lines(plain["tail"])
    if names.masked:
        plain.pop("comments", None)
    return plain
