"""Writes tables as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml(table: Mapping[str, Any]) -> str:
    """Returns the text of a TOML file with these keys. A table inside another table is written in one
    line."""
    return "".join(f"{_pair(key, value)}\n" for key, value in table.items())


def quoted(text: str) -> str:
    """Returns the text as a string of TOML. TOML and JSON have the same escapes, but TOML does not allow
    surrogate pairs."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _pair(key: str, value: Any) -> str:
    return f"{key if _BARE.fullmatch(key) else quoted(key)} = {_value(value)}"


def _value(value: Any) -> str:
    match value:
        case dict():
            return f"{{{', '.join(_pair(*each) for each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case str():
            return quoted(value)
        case bool():
            return "true" if value else "false"
        case date() | time():  # A date with a time of day is a date too.
            return value.isoformat()
    return repr(value)
