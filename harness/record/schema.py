"""Makes the JSON Schema of a log's lines from the types in `harness.events`.

Other programs find the schema in `tournament.schema.json` and `encounter.schema.json` beside this file. This
command writes both files again:

    python -m harness.record.schema
"""

from __future__ import annotations

from inspect import cleandoc
from types import MappingProxyType
from typing import Any

import msgspec

from harness.events import InEncounter, InTournament

FILES = MappingProxyType(
    {
        "tournament.schema.json": (InTournament, "A line of tournament.jsonl of harness"),
        "encounter.schema.json": (InEncounter, "A line of an encounter's file of harness"),
    }
)
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(file: str) -> bytes:
    """Makes the content of the schema file with this name. `FILES` has the two names."""
    return content(*FILES[file])


def content(kind: Any, title: str) -> bytes:
    """Makes the content of a schema file for values of this type."""
    found = {"$schema": DIALECT, "title": title, **_dedented(msgspec.json.schema(kind))}
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def _dedented(value: Any) -> Any:
    """Returns the schema, with no indents in descriptions. Descriptions come from docstrings. Only Python
    3.13 and later versions leave out the indents of a docstring."""
    if isinstance(value, str):
        return cleandoc(value)
    if isinstance(value, list):
        return [_dedented(each) for each in value]
    if isinstance(value, dict):
        return {key: _dedented(each) for key, each in value.items()}
    return value


if __name__ == "__main__":
    from pathlib import Path

    for name in FILES:
        Path(__file__).with_name(name).write_bytes(schema(name))
