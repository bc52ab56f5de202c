"""Keeps diagnoses of bots in the folder of their record, for the pages. Diagnoses are not part of the
record."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.errors import UNREADABLE, InputError, naming
from harness.results.habits import DiagnosedBot

FILE = "diagnoses.jsonl"
"""The file in the folder of a record. Each line is a diagnosis. The last line about a bot counts."""


def keep(found: DiagnosedBot, logs: Path) -> Path:
    """Writes a diagnosis at the end of the file, and returns the path of the file. If an earlier command was
    stopped while it wrote the last line, the new line replaces this incomplete line."""
    path = logs / FILE
    with naming(path), path.open("ab+") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        file.write(msgspec.json.encode(found) + b"\n")
    return path


def kept(logs: Path) -> dict[str, DiagnosedBot]:
    """Returns all kept diagnoses, by the name of the bot. Raises InputError at a line that is damaged."""
    path = logs / FILE
    if not path.is_file():
        return {}
    found: dict[str, DiagnosedBot] = {}
    with naming(path):
        lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"\n"):
            break  # The command was stopped while it wrote this line.
        try:
            each = msgspec.json.decode(line, type=DiagnosedBot)
        except UNREADABLE as error:
            told = f"this line is no diagnosis ({error}); delete it, and run `harness diagnose --keep` again"
            raise InputError(told, f"{path}:{number}") from None
        found[each.bot] = each
    return found
