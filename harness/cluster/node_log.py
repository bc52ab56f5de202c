"""Writes the file nodes.jsonl, which says which node played each sitting, and why nodes joined or left.

The file is in the folder of the record. But it does not belong to the record, because the record must not
depend on the machines that played. Each line has a message about a node, or one sitting that a node played:

    {"node":"lab3","said":"was lost"}
    {"node":"lab3","run":1,"encounter":12,"seating":1,"attempt":1}

If several lines have the same sitting, each line is for a different attempt. The record has the last attempt
that is not void.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from harness.errors import MachineError, naming
from harness.escape import shown
from harness.job import Done
from harness.record.disk import repair

FILE = "nodes.jsonl"
_encode = msgspec.json.Encoder().encode_lines


class SaidOfNode(msgspec.Struct, frozen=True):
    """A message about a node."""

    node: str
    said: str


class PlayedOnNode(msgspec.Struct, frozen=True, omit_defaults=True):
    """An attempt at a sitting on a node. If the attempt is void, `void` has the reason."""

    node: str
    run: int
    encounter: int
    sitting: int = msgspec.field(name="seating")
    attempt: int
    void: str = ""


class NodeLog:
    """The file nodes.jsonl. Use it in a `with` block, which closes the file at its end."""

    def __init__(self, folder: Path, say: Callable[[str], object]) -> None:
        """Opens the file in the folder of a tournament, or makes it. `say` shows messages to the user."""
        path = folder / FILE
        with naming(path):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
            repair(path)
        self._path = path
        self._say = say

    def __enter__(self) -> NodeLog:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def tell(self, node: str, what: str) -> None:
        """Shows the user a message about a node, and writes the message to the file."""
        self._say(shown(f"node {node} {what}"))
        self.note(node, what)

    def note(self, node: str, what: str) -> None:
        """Writes a message about a node to the file, but does not show it to the user."""
        self._write([SaidOfNode(node, what)])

    def played(self, node: str, results: Iterable[Done]) -> None:
        """Writes the attempts at sittings on a node to the file."""
        self._write(
            PlayedOnNode(
                node, each.job.run, each.job.encounter, each.job.sitting, each.job.attempt, each.void
            )
            for each in results
        )

    def _write(self, lines: Iterable[msgspec.Struct]) -> None:
        data = _encode(list(lines))
        with naming(self._path):
            if os.write(self._file, data) != len(data):
                raise MachineError(f"{self._path} cannot be written: the disk is full")
