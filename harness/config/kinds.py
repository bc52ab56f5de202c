"""Explains in plain words why a value does not fit its type.

`msgspec` checks the value. This file turns the error of msgspec into a sentence. The sentence names the key,
the expected kind of value and the value found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from types import EllipsisType
from typing import Any, TypeAlias, TypeVar

import msgspec
import msgspec.inspect as kinds

from harness.config.document import Document, one_of, quoted
from harness.config.lines import Key
from harness.config.nearest import nearest

T = TypeVar("T")
_Place: TypeAlias = tuple[str | int | EllipsisType, ...]

_AT = re.compile(r" - at (`key` in )?`\$([\w.\[\]]*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


def fitted(document: Document, value: Any, kind: type[T], under: Key = (), home: Collection[str] = ()) -> T:
    """Converts a value of the document to this type; `under` is the key of the value.

    `home` has the keys that belong above all tables. The most common mistake in TOML files is to write such a
    key inside a table. So this mistake has its own error message. Raises InputError with file, line, key and
    the allowed values.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        key, message = _trouble(value, kind, str(error), home)
        raise document.complaint((*under, *key), message) from None


def unknown(name: str, known: Collection[str], home: Collection[str] = ()) -> str:
    """Returns the error message for an unknown key. The message suggests the most similar known key, or lists
    all known keys."""
    if name in home and name not in known:
        return "this key belongs above the first [table] of the file"
    if near := nearest(name, known):
        return f"there is no such key; did you mean {near}?"
    return f"there is no such key; there are {', '.join(known)}" if known else "there is no such key"


def _trouble(value: Any, kind: Any, verdict: str, home: Collection[str]) -> tuple[Key, str]:
    """Returns the key that caused msgspec's error, and the error in plain words."""
    at = _AT.search(verdict)
    said = verdict[: at.start()] if at else verdict
    place = _place(at[2]) if at else ()
    if at and at[1]:
        *table, name = _exact(value, kind, verdict, (*place, ...))
        keys = _keys(_kind_at(kinds.type_info(kind), tuple(table)))
        return (*table, name), f"there is no such key; expected {keys}"
    key = _exact(value, kind, verdict, place)
    info = _kind_at(kinds.type_info(kind), key)
    if said.startswith("Object missing required field `"):
        name = said.split("`")[1]
        return (*key, name), f"this key is missing; expected {expected(_kind_at(info, (name,)))}"
    if said.startswith("Object contains unknown field `"):
        known = _names(info)
        name = next(name for name in _reach(value, key) if name not in known)
        return (*key, name), unknown(name, known, home)
    if said.startswith(("Expected ", "Invalid ")) and info is not None:
        return key, f"expected {expected(info)}, not {quoted(_reach(value, key))}"
    return key, said  # `said` is a message from the type's own code.


# -- places ----------------------------------------------------------------------------------------


def _place(path: str) -> _Place:
    """Splits the path of a value in msgspec's notation (`.bots[2].name`, `.options[...]`) into steps."""
    steps = ((name, index) for name, index in _STEP.findall(path))
    return tuple(name or (... if index == "..." else int(index)) for name, index in steps)


def _exact(value: Any, kind: Any, verdict: str, place: _Place) -> Key:
    """Returns the place of a value, with every key on the way to this value. msgspec writes some keys as
    `...`; to find such a key, the function checks the table again with only one
    of its keys, for each key."""
    if ... not in place:
        return tuple(step for step in place if not isinstance(step, EllipsisType))
    before = place.index(...)
    head = tuple(step for step in place[:before] if not isinstance(step, EllipsisType))
    table = _reach(value, head)
    for name in table:
        alone = _with(value, head, {name: table[name]})
        try:
            msgspec.convert(alone, kind)
        except msgspec.ValidationError as error:
            if str(error) == verdict:
                return _exact(alone, kind, verdict, (*head, name, *place[before + 1 :]))
    return head


def _reach(value: Any, key: Key) -> Any:
    for step in key:
        value = value[step]
    return value


def _with(value: Any, key: Key, inner: Any) -> Any:
    """Returns a copy of the value in which `inner` is at the place `key`."""
    if not key:
        return inner
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[key[0]] = _with(copy[key[0]], key[1:], inner)
    return copy


def _kind_at(info: kinds.Type | None, key: Key) -> kinds.Type | None:
    for step in key:
        info = next((inner for inner in _inside(info, step) if inner is not None), None)
    return info


def _inside(info: kinds.Type | None, step: str | int) -> Iterator[kinds.Type | None]:
    match info:
        case kinds.Metadata():
            yield from _inside(info.type, step)
        case kinds.UnionType():
            for one in info.types:
                yield from _inside(one, step)
        case kinds.StructType():
            yield from (field.type for field in info.fields if field.encode_name == step)
        case kinds.DictType() if isinstance(step, str):
            yield info.value_type
        case kinds.TupleType() if isinstance(step, int):
            yield from info.item_types[step : step + 1]
        case kinds.ListType() | kinds.VarTupleType() if isinstance(step, int):
            yield info.item_type


def _names(info: kinds.Type | None) -> list[str]:
    match info:
        case kinds.Metadata():
            return _names(info.type)
        case kinds.UnionType():
            return [name for one in info.types for name in _names(one)]
        case kinds.StructType():
            return [field.encode_name for field in info.fields]
    return []


def allows(kind: type, key: str, *several: type[kinds.Type]) -> bool:
    """Tells whether this key of a table of this kind may have a value of one of these types."""
    return _one_in(_kind_at(kinds.type_info(kind), (key,)), several)


def _one_in(info: kinds.Type | None, several: tuple[type[kinds.Type], ...]) -> bool:
    match info:
        case kinds.Metadata():
            return _one_in(info.type, several)
        case kinds.UnionType():
            return any(_one_in(one, several) for one in info.types)
    return isinstance(info, several)


# -- what is expected, in words --------------------------------------------------------------------


def expected(info: kinds.Type | None) -> str:
    """Describes a type in plain words, with its bounds."""
    match info:
        case kinds.Metadata():
            return expected(info.type)
        case kinds.UnionType():
            return " or ".join(expected(one) for one in info.types if not isinstance(one, kinds.NoneType))
        case kinds.BoolType():
            return "true or false"
        case kinds.IntType():
            return "a whole number" + _bounds(info)
        case kinds.FloatType():
            return "a number" + _bounds(info)
        case kinds.StrType():
            return "text" + _count(info, " character")
        case kinds.LiteralType():
            return one_of(info.values)
        case kinds.EnumType():
            return one_of(member.value for member in info.cls)
        case kinds.TupleType():
            either = " or ".join(dict.fromkeys(map(expected, info.item_types)))
            return f"a list of {len(info.item_types)} (each {either})"
        case kinds.ListType() | kinds.VarTupleType():
            return f"a list{_count(info)} (each {expected(info.item_type)})"
        case kinds.StructType() | kinds.DictType():
            return "a table"
    return "another kind of value"


def _keys(info: kinds.Type | None) -> str:
    """Describes the allowed keys of a table in words."""
    match info:
        case kinds.Metadata():
            return _keys(info.type)
        case kinds.UnionType():
            return " or ".join(filter(None, map(_keys, info.types)))
        case kinds.DictType():
            return expected(info.key_type)
    return ""


def _bounds(info: kinds.IntType | kinds.FloatType) -> str:
    if info.gt is None and info.lt is None and info.ge is not None and info.le is not None:
        return f" from {info.ge} to {info.le}"
    bounds = (("above", info.gt), ("of at least", info.ge), ("below", info.lt), ("of at most", info.le))
    written = [f"{word} {bound}" for word, bound in bounds if bound is not None]
    return f" {' and '.join(written)}" if written else ""


def _count(info: kinds.StrType | kinds.ListType | kinds.VarTupleType, unit: str = "") -> str:
    least, most = info.min_length or 0, info.max_length
    plural = "s" if unit and (most or least) != 1 else ""
    if least == most:
        return f" of {most}{unit}{plural}"
    if most is None:
        return f" of at least {least}{unit}{plural}" if least else ""
    return f" of {least} to {most}{unit}{plural}" if least else f" of at most {most}{unit}{plural}"
