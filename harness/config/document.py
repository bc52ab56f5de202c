"""Reads a TOML file, and remembers the line of each key for error messages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, time
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from harness.config.lines import Key, lines_of
from harness.config.nearest import name_meant, path_meant
from harness.errors import InputError
from harness.escape import shown
from harness.model import MEGABYTE

MOST_BYTES = 4 * MEGABYTE
MOST_SHOWN = 60
DATES = (date, datetime, time)
NO_DATE = "dates and times are not allowed"
NO_SUCH_DAY = (
    "there is no such day or time; months go from 01 to 12, hours from 00 to 23, "
    "as in 2026-12-01T23:59:00+01:00"
)
_DATE = re.compile(r"\s*([\w-]+)\s*=\s*\d{4}-\d\d?-\d\d?")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
MOST_PARTS = 16
"""The largest number of parts of a dotted key. A key with very many parts would need much memory, even if the
text is short."""
_DEEP = re.compile(
    r"""(?:^|[\[{,])(?:[ \t]*+(?:[\w-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')[ \t]*+\.)"""
    f"{{{MOST_PARTS}}}",
    re.MULTILINE,
)
"""A pattern for the beginning of a key with too many parts."""
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_WORDS = re.compile(r"[^\W\d][^\s,#\"'\]}]*(?: +[^\s,#\"'\]}]+)*|[.~]*/[^\s,#\"'\]}]*")


class Document(NamedTuple):
    """The content of a TOML file, and the line of each key. Some keys may come from flags on the command
    line, and not from the file. For each of these keys, `flags` has the name of the flag. For each top-level
    key that came from a table of the file, `tables` has the name of this table."""

    where: str
    text: str
    table: dict[str, Any]
    lines: Mapping[Key, int]
    flags: Mapping[str, str] = MappingProxyType({})
    tables: Mapping[str, str] = MappingProxyType({})

    def complaint(self, key: Key, message: str) -> InputError:
        """Returns an error with file, line and key. If the document lacks the key, the error has the line of
        the table in which the key belongs. If the key came from a flag, the error has the flag instead of
        file and line."""
        if key and key[0] in self.flags:
            inner = spelled(key[1:])
            return InputError(f"{inner}: {message}" if inner else message, self.flags[str(key[0])])
        if key and key[0] in self.tables:
            key = (self.tables[str(key[0])], *key)
        written = next((key[:end] for end in range(len(key), 0, -1) if key[:end] in self.lines), ())
        where = f"{self.where}:{self.lines[written]}" if written else self.where
        name = spelled(key)
        return InputError(f"{name}: {message}" if name else message, where)

    def overridden(self, flags: Mapping[str, object]) -> Document:
        """Returns a copy of the document in which the values of `flags` replace those of top-level keys. A
        flag that is None replaces nothing."""
        given = {key: value for key, value in flags.items() if value is not None}
        flags_of = {key: f"--{key}".replace("_", "-") for key in given}
        return self._replace(table=self.table | given, flags=flags_of)

    def with_keys_of(self, name: str, table: dict[str, Any]) -> Document:
        """Returns a copy of the document in which the keys of the table `name` replace top-level keys."""
        return self._replace(table=self.table | table, tables=dict.fromkeys(table, name))


def read(path: Path, dates: Collection[str] = ()) -> Document:
    """Reads the TOML document in this file. Only the keys in `dates` may have dates and times as values.

    Raises InputError if the file cannot be read or is not TOML.
    """
    return parsed(text_of(path), shown(str(path)), dates=dates)


def parsed(
    text: str, where: str, flags: Mapping[str, str] | None = None, dates: Collection[str] = ()
) -> Document:
    """Reads the TOML document in this text. Some keys of the text may come from the command line. Then
    `flags` names the flag of each of these keys, and error messages name no lines. Raises InputError if the
    text is not TOML."""
    if deep := _DEEP.search(text):
        line = text.count("\n", 0, deep.end()) + 1
        raise InputError(f"a key here has more than {MOST_PARTS} parts", f"{where}:{line}")
    try:
        table = tomllib.loads(text)
        document = Document(where, text, table, {} if flags else lines_of(text), flags or {})
        strange = tuple(_strange((), table))
    except tomllib.TOMLDecodeError as error:
        raise _syntax(str(error), text, where) from None
    except RecursionError:
        raise InputError("the tables or lists are nested too deeply", where) from None
    except ValueError:  # The text has a whole number with thousands of digits.
        raise InputError("a number here has too many digits", where) from None
    for key, message in strange:
        if not (key[0] in dates and isinstance(table[str(key[0])], DATES)):
            hint = name_meant(str(key[0]), dates) or "; put text in quotes"
            raise document.complaint(key, f"{message}{hint}" if message is NO_DATE else message)
    return document


def text_of(path: Path) -> str:
    """Returns the text in this file. Raises InputError if the file does not exist, cannot be read, is too
    long, or is not text in UTF-8."""
    where = shown(str(path))
    return _text(_bytes(path, where), where)


def _bytes(path: Path, where: str) -> bytes:
    try:
        if path.is_dir():
            raise InputError("this is a folder; expected a file", where)
        if not path.is_file():
            raise InputError(f"there is no such file{path_meant(path)}", where)
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"the file is longer than {MOST_BYTES} bytes", where)
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", where) from None


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("the file is not text in UTF-8", f"{where}:{line}") from None


def _syntax(message: str, text: str, where: str) -> InputError:
    at = _AT.search(message)
    if at is None:
        return InputError(f"this is not TOML: {shown(message)}", where)
    line = int(at[1] or text.count("\n") + (not text.endswith("\n")))
    what = shown(message[: at.start()])
    if date_like := _DATE.match(text.split("\n")[line - 1]):
        return InputError(f"{shown(date_like[1])}: {NO_SUCH_DAY}", f"{where}:{line}")
    hint = _unquoted(text.split("\n")[line - 1], int(at[2])) if at[2] and what == "Invalid value" else ""
    return InputError(f"this is not TOML: {what}{hint}", f"{where}:{line}")


def _unquoted(line: str, column: int) -> str:
    """Returns a hint for a value that looks like text or a path without quotes; "" for other values."""
    word = line[column - 1 :]
    if not (found := _WORDS.match(word)):
        return ""
    if (small := found[0].lower()) in ("true", "false"):
        return f"; write {small}"
    return f"; put text in quotes: {quoted(found[0])}"


def _strange(key: Key, value: object) -> Iterator[tuple[Key, str]]:
    """Finds values that TOML allows but that the files of harness do not allow. Yields the key of each such
    value, with an error message."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _strange((*key, name), inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _strange((*key, place), inner)
    elif isinstance(value, float) and not isfinite(value):
        yield key, f"expected a number, not {value}"
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield key, "expected a whole number that fits into 64 bits"
    elif isinstance(value, DATES):
        yield key, NO_DATE


# -- how values are quoted --------------------------------------------------------------------------


def spelled(key: Key) -> str:
    """Returns the key as TOML writes it, without the indexes in arrays. Error messages need no index, because
    they also have the line number."""
    names = [part for part in key if isinstance(part, str)]
    return ".".join(name if _BARE.fullmatch(name) else quoted(name) for name in names)


def quoted(value: object) -> str:
    """Returns a value for an error message: as TOML writes it, but shortened. A list or a table becomes a
    description of it, such as "a list of 3"."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{_short(shown(value))}"'
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    return "a table" if isinstance(value, dict) else _short(str(value))


def one_of(values: Iterable[object]) -> str:
    """Returns the values in quotes, with "or" before the last value."""
    *most, last = map(quoted, values)
    return f"{', '.join(most)} or {last}" if most else last


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
