"""Reads `submission_metadata.yml` of a Gradescope export. This file lists the people, folders and times of
all hand-ins.

The file is YAML that Ruby writes: keys begin with a colon, and some values have Ruby's own tags. The file
also contains output of students' programs, which may look like keys. So only a real YAML reader can tell keys
from such text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from harness.errors import InputError


class Submission(NamedTuple):
    """A folder of the export, and the known facts about the people who handed it in."""

    folder: str
    ids: tuple[str, ...]
    """The numbers and mail addresses of these people."""
    names: tuple[str, ...]
    handed: str
    """The time of the hand-in, as text; "" if the file does not have it."""


def _untagged(loader: Any, _: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return node.value


_LOADER: Any = type("_Loader", (yaml.SafeLoader,), {})
"""A YAML reader for plain values only. This reader ignores Ruby's tags of values."""
_LOADER.add_multi_constructor("!", _untagged)


def submissions(metadata: Path) -> Iterator[Submission]:
    """Yields the submissions that this file of metadata lists. Raises InputError if the file cannot be
    read."""
    try:
        text = metadata.read_text(errors="replace")
        found = yaml.load(text, _LOADER)
    except (yaml.YAMLError, ValueError, RecursionError, OSError) as error:
        told = " ".join(str(error).split())[:200]
        raise InputError(f"{metadata.name} cannot be read: {told}") from None
    for name, each in _mapping(found).items():
        people = [_mapping(person) for person in _listed(_mapping(each).get(":submitters"))]
        yield Submission(
            str(name),
            tuple(_text(person[key]) for person in people for key in (":sid", ":email") if person.get(key)),
            tuple(_text(person[":name"]) for person in people if person.get(":name")),
            _text(_mapping(each).get(":created_at") or ""),
        )


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    if isinstance(value, dict):  # Ruby writes a time as two values: the time in UTC, and the zone.
        value = value.get("utc", "")
    return value.isoformat() if isinstance(value, datetime | date) else str(value)
