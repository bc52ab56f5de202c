"""Makes the steps that the page of a match shows. Each step shows one record of the log, as far as a viewer
may see it.

A step comes from one line of the log. The step has the record as each group of viewers sees it, and the
changes that the record makes in their pictures. Viewer 0 is the referee, and the other viewers are the seats.
A seat sees only records that it may know, and the scene of the seat gets only these records.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, TypeAlias, TypeVar

import msgspec

from harness.escape import last_lines
from harness.events import Event, Match, Record, Stderr, Turn
from harness.games import State
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.record.masking import audience
from harness.report.names import Names
from harness.report.scenes import Changes, MatchScenes, Scene
from harness.report.survey import MatchLines

T = TypeVar("T")
Group: TypeAlias = tuple[list[int] | None, T]
"""A list of viewers, and a value for them. None instead of the list stands for all viewers."""
RecordView: TypeAlias = dict[str, Any] | str
"""A record as a viewer gets it. If the record is an event for everybody, the viewer gets only its text."""
Picture: TypeAlias = Callable[[int, Sequence[Group[Record]]], Sequence[Group[Changes]]]
"""A function that returns the changes of the viewers' pictures. Its arguments are the number of a line of the
log, and the record in this line as each group of viewers may know it."""
Meanings: TypeAlias = Mapping[int, str]
"""The canonical texts of moves that bots have written in another way. The key is the number of the answer's
line."""
Step: TypeAlias = tuple[int, Sequence[Group[RecordView]], Sequence[Group[Changes]]]


def heard(scenes: MatchScenes) -> Picture:
    """Returns a function that, for each line of the log, returns the changes of each viewer's picture."""
    shared, own = scenes.shared, scenes.viewers
    everybody = range(len(own))
    follows_answers = type(own[0]).said is not Scene.said

    def picture(line: int, groups: Sequence[Group[Record]]) -> Sequence[Group[Changes]]:
        those, record = groups[0]  # Scenes never get `groups[1]`, the shortened version of the record.
        viewers = everybody if those is None else those
        changes: dict[int, Changes] = {}
        known: Changes = {}
        if isinstance(record, Event):
            changes = {viewer: own[viewer].hear(record.line, record.to) for viewer in viewers}
            known = shared.hear(record.line, None) if shared and record.to is None else {}
        elif follows_answers and isinstance(record, Turn) and record.said is not None and record.ask:
            changes = {viewer: own[viewer].said(record.seat, record.said) for viewer in viewers}
        found = _grouped_by_key(changes, len(own)) if any(changes.values()) else []
        return [(None, known), *found] if known else found

    return picture


def change(scene: Scene, record: Record) -> Changes:
    """Returns the changes that a record makes in a scene. The record has only what the scene's viewer may
    know."""
    if isinstance(record, Event):
        return scene.hear(record.line, record.to)
    if isinstance(record, Turn) and record.said is not None and record.ask:
        return scene.said(record.seat, record.said)
    return {}


def drawn(match: MatchLines, rules: Rules) -> tuple[Picture, Meanings]:
    """Returns pictures for a match of a game without a scene, and the meanings of the answers in this match.

    The pictures are positions as text. The function judges the match a second time to get the positions and
    the meanings. Raises RecordError if the match does not follow from the rules.
    """
    states: list[State | None] = []
    rejudge(LogLines(match.lines), rules, None, match.deal, look=lambda record, state: states.append(state))
    judged = [(line, record) for line, record in match.lines if not isinstance(record, Match | Stderr)]
    at: dict[int, State | None] = {}
    after: State | None = None
    for (line, record), state in zip(reversed(judged), reversed(states), strict=True):
        # An event belongs to the position that follows it.
        after = at[line] = after if isinstance(record, Event) and after is not None else state
    meanings = {
        line: move
        for line, record in match.lines
        if isinstance(record, Turn) and record.said and not record.failed and (state := at[line])
        if isinstance(move := state.check(record.seat, record.said), str) and move != record.said
    }
    shown: dict[int, State] = {}

    seats = len(match.head.bots)

    def picture(line: int, groups: Sequence[Group[Record]]) -> Sequence[Group[Changes]]:
        if (state := at.get(line)) is None:
            return []
        seeing = [viewer for those, _ in groups for viewer in those or range(seats + 1)]
        new = sorted(viewer for viewer in seeing if shown.get(viewer) is not state)
        shown.update(dict.fromkeys(new, state))
        return _grouped_by_key({viewer: {"text": state.text(viewer or None)} for viewer in new}, seats + 1)

    return picture, meanings


def steps(match: MatchLines, picture: Picture, names: Names, meanings: Meanings) -> list[Step]:
    """Makes all steps of a match, line by line."""
    all_steps: list[Step] = []
    everybody = len(match.head.bots) + 1
    for line, record in match.lines:
        if not isinstance(record, Match):
            groups = _versions(record, everybody)
            changes = picture(line, groups)
            if views := _views(groups, names, _starts(record), meanings.get(line, "")):
                all_steps.append((line, views, changes))
    return all_steps


def seen_by(seat: int, replay: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a copy of a replay with only what this seat may know. All viewers of the copy see the same.

    The steps that the seat sees are numbered from 1, and do not keep the numbers of their lines in the log.
    The numbers of lines would tell the seat how many lines it did not see.
    """

    def own(groups: Sequence[Group[T]]) -> list[Group[T]]:
        return [(None, value) for viewers, value in groups if viewers is None or seat in viewers]

    seen = [
        (line, views, own(changes)) for line, groups, changes in replay["steps"] if (views := own(groups))
    ]
    lines = [line for line, _, _ in seen]
    moments = [(1 + bisect_left(lines, line), kind, about) for line, kind, about in replay["moments"]]
    steps = [(number, views, changes) for number, (_, views, changes) in enumerate(seen, start=1)]
    return {**replay, "seat": seat, "steps": steps, "moments": moments}


def _versions(record: Record, everybody: int) -> list[Group[Record]]:
    """Returns the record as each group of viewers may know it. There are at most two groups: viewers who may
    know the whole record, and viewers who may know a part of it."""
    to, rest = audience(record)
    if to is None or rest == record:
        return [(None, record)]
    those, others = _parted(tuple(to), everybody)
    if not others:
        return [(None, record)]
    return [(those, record)] if rest is None else [(those, record), (others, rest)]


@cache
def _parted(seats: tuple[int, ...], everybody: int) -> tuple[list[int], list[int]]:
    """Divides the viewers into two lists. The first has the referee and these seats; the second has all other
    seats."""
    those = [0, *sorted(set(seats))]
    return those, [viewer for viewer in range(everybody) if viewer not in those]


def _views(
    groups: Sequence[Group[Record]], names: Names, starts: bool, meaning: str
) -> list[Group[RecordView]]:
    """Returns the record as each group of viewers gets it on the page.

    Only viewers who know the answer get `meaning`.
    """
    views = [(those, _plain(record, names, starts)) for those, record in groups]
    for _, view in views:
        if meaning and isinstance(view, dict) and view.get("said"):
            view["means"] = names.text(meaning)
    return [(those, view) for those, view in views if view]


def _grouped_by_key(changes: Mapping[int, Changes], everybody: int) -> list[Group[Changes]]:
    """Puts all changes that the same viewers see into one group. Most changes are for everybody."""
    same = _merged([([viewer], changed) for viewer, changed in changes.items() if changed])
    if len(same) == 1:
        [(those, changed)] = same
        return [(None if len(those) == everybody else those, changed)]
    groups: dict[tuple[int, ...], Changes] = {}
    for key in dict.fromkeys(chain.from_iterable(changed for _, changed in same)):
        for those, value in _merged([(those, changed[key]) for those, changed in same if key in changed]):
            groups.setdefault(tuple(those), {})[key] = value
    return [(None if len(those) == everybody else [*those], changed) for those, changed in groups.items()]


def _merged(groups: Sequence[tuple[list[int], T]]) -> Sequence[tuple[list[int], T]]:
    """Merges groups with the same value, so that each value has one group."""
    if len(groups) < 2:
        return groups
    found: list[tuple[list[int], T]] = []
    for those, value in groups:
        for place, (others, other) in enumerate(found):
            if other is value or other == value:
                found[place] = (sorted(others + those), other)
                break
        else:
            found.append((those, value))
    return found


def _starts(record: Record) -> bool:
    """Returns whether this record is the question `new`, which starts a match for a seat. This question is
    not secret, and the time of its answer does not count."""
    return isinstance(record, Turn) and record.ask.startswith("new ")


def _plain(record: Record, names: Names, starts: bool) -> RecordView:
    """Returns the record as it may be published: without the comments of bots, and without stderr if names
    are masked."""
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
        plain["tail"] = names.lines(last_lines(plain["tail"]))
    plain.pop("comments", None)  # Comments are only for the bot's team.
    return plain
