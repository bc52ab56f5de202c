"""Makes the steps of a match for its page: for each record of the log, the part that each viewer sees.

A step comes from one line of the log. It has the record as each group of viewers sees it, and the changes of
their pictures. Viewer 0 is the referee; the other viewers are the seats. A seat sees only records that it may
know, and its scene gets only these records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias, TypeVar

import msgspec

from harness.events import Event, Match, Record, Stderr, Turn
from harness.games import State
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.record.seen import visible_to
from harness.report.names import Names
from harness.report.scenes import Changes, Scene
from harness.report.survey import MatchLines

Picture: TypeAlias = Callable[[int, int, Record], Changes]
"""Takes a viewer, a line number, and the record as this viewer may know it; returns the changes."""
RecordView: TypeAlias = dict[str, Any] | str
"""A record as a viewer gets it; of an event that everybody receives it is only the text."""
T = TypeVar("T")
Group: TypeAlias = tuple[list[int] | None, T]
Step: TypeAlias = tuple[int, list[Group[RecordView]], list[Group[Changes]]]


def viewers(match: MatchLines) -> range:
    """The numbers of the viewers: 0 for the referee, then the seats."""
    return range(len(match.head.bots) + 1)


def heard(scenes: Sequence[Scene]) -> Picture:
    """The pictures that scenes make, one scene for each viewer."""

    def picture(viewer: int, line: int, record: Record) -> Changes:
        return change(scenes[viewer], record)

    return picture


def change(scene: Scene, record: Record) -> Changes:
    """The changes of a scene by a record as its viewer may know it."""
    if isinstance(record, Event):
        return scene.hear(record.line, record.to)
    if isinstance(record, Turn) and record.said is not None and record.ask:
        return scene.said(record.seat, record.said)
    return {}


def drawn(match: MatchLines, rules: Rules) -> Picture:
    """The pictures of a game without a scene: its positions as text. They come from a second judgement.

    Raises RecordError if the match does not follow from the rules.
    """
    states: list[State | None] = []
    rejudge(LogLines(match.lines), rules, None, match.deal, look=lambda record, state: states.append(state))
    judged = [line for line, record in match.lines if not isinstance(record, Match | Stderr)]
    at = dict(zip(judged, states, strict=True))
    shown: dict[int, State] = {}

    def picture(viewer: int, line: int, record: Record) -> Changes:
        state = at.get(line)
        if state is None or shown.get(viewer) is state:
            return {}
        shown[viewer] = state
        return {"text": state.text(viewer or None)}

    return picture


def steps(match: MatchLines, picture: Picture, names: Names) -> list[Step]:
    """All steps of a match, line by line."""
    all_steps: list[Step] = []
    seats = viewers(match)
    for line, record in match.lines:
        if isinstance(record, Match):
            continue
        if isinstance(record, Event) and record.to is None:  # Most lines: everybody sees the same record.
            changes = {viewer: picture(viewer, line, record) for viewer in seats}
            views: list[Group[RecordView]] = [(None, record.line)]
        else:
            seen = {
                viewer: known for viewer in seats if (known := visible_to(viewer or None, record)) is not None
            }
            changes = {viewer: picture(viewer, line, known) for viewer, known in seen.items()}
            views = _views(record, seen, names, len(seats))
        if views:
            all_steps.append((line, views, _grouped_by_key(changes, len(seats))))
    return all_steps


def _views(
    record: Record, seen: Mapping[int, Record], names: Names, everybody: int
) -> list[Group[RecordView]]:
    """The record as each group of viewers gets it. Only few of its versions differ, so each is made once."""
    starts = _starts(record)
    views = [(those, _plain(version, names, starts)) for those, version in _grouped(seen, everybody)]
    return [(those, view) for those, view in views if view]


def _grouped(values: Mapping[int, T], everybody: int) -> list[Group[T]]:
    """Groups of viewers that have the same value; None stands for everybody."""
    groups: list[tuple[list[int], T]] = []
    for viewer, value in values.items():
        for those, other in groups:
            if other is value or other == value:
                those.append(viewer)
                break
        else:
            groups.append(([viewer], value))
    return [(None if len(those) == everybody else those, value) for those, value in groups]


def _grouped_by_key(changes: Mapping[int, Changes], everybody: int) -> list[Group[Changes]]:
    """One group for all changes that the same viewers see. Most changes are the same for everybody."""
    of_all = list(changes.values())
    if not any(of_all):
        return []
    if len(of_all) == everybody == of_all.count(of_all[0]):
        return [(None, of_all[0])]
    groups: dict[tuple[int, ...] | None, Changes] = {}
    for key in dict.fromkeys(chain.from_iterable(of_all)):
        values = {viewer: changed[key] for viewer, changed in changes.items() if key in changed}
        for those, value in _grouped(values, everybody):
            groups.setdefault(None if those is None else tuple(those), {})[key] = value
    return [(None if those is None else list(those), changed) for those, changed in groups.items()]


def _starts(record: Record) -> bool:
    """Whether this is the question that starts a match for a seat: no secret, and its time does not count."""
    return isinstance(record, Turn) and record.ask.startswith("new ")


def _plain(record: Record, names: Names, starts: bool) -> RecordView:
    """The record as it may be published: without what bots wrote to their teams, and without
    stderr if names are masked."""
    if isinstance(record, Event) and record.to is None:
        return record.line
    plain: dict[str, Any] = msgspec.to_builtins(record)
    plain.pop("at", None)
    if starts:
        plain["starts"] = True
    if names.masked and plain["is"] == "stderr":
        return {}
    for key in ("ask", "said", "why", "reason"):
        if plain.get(key):
            plain[key] = names.text(plain[key])
    if "view" in plain:
        plain["view"] = [names.text(line) for line in plain["view"]]
    if "tail" in plain:
        plain["tail"] = names.lines(plain["tail"])
    plain.pop("comments", None)  # They are for the team of the bot alone.
    return plain
