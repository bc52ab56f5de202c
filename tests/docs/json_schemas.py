"""Owns the schemas of the output of commands with --json. Run as a module, it writes them and their table.

python -m tests.docs.json_schemas
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.cli.command import Command
from harness.record.schema import content
from tests.docs.commands_page import commands

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "schemas"
PAGE = DOCS / "promise.md"
HEAD = "| schema | printed by |\n|---|---|\n"


def printed() -> dict[str, tuple[Any, list[str]]]:
    """The type of each schema, with the commands that print it."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for name, command in commands():
        assert isinstance(command, Command)
        for schema, kind in command.prints.items():
            known, names = found.setdefault(schema, (kind, []))
            assert known == kind, f"two types have the schema {schema}"
            names.append(name)
    return found


def schema(kind: Any, names: list[str]) -> bytes:
    """The content of a file in docs/schemas."""
    title = f"Printed by {' and '.join(f'`{name} --json`' for name in names)}"
    return content(kind, title)


def page() -> str:
    """The text of docs/promise.md with the present table of the schemas."""
    before, _, rest = PAGE.read_text().partition(HEAD)
    after = rest.partition("\n\n")[2] if rest.startswith("|") else rest.lstrip("\n")
    rows = (
        f"| [{name}](schemas/{name}.json) | {', '.join(f'`{command}`' for command in names)} |"
        for name, (_, names) in printed().items()
    )
    return before + HEAD + "\n".join(rows) + "\n\n" + after


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name, each in printed().items():
        (FOLDER / f"{name}.json").write_bytes(schema(*each))
    PAGE.write_text(page())
