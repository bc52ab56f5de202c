"""Tests that the line number of each key in a TOML text is found."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.config.lines import Key, lines_of


def ways(value: Any, way: Key = ()) -> Iterator[Key]:
    """The path of every key and element in a value from tomllib."""
    if way:
        yield way
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ways(inner, (*way, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ways(inner, (*way, place))


@pytest.mark.parametrize(
    ("text", "way", "line"),
    [
        ("a = 1", ("a",), 1),
        ("\n\n# a = 0\n  a = 1 # b = 2\nb = 3", ("b",), 5),
        ("a.b . c = 1", ("a", "b", "c"), 1),
        ("[t]\n\nx = 1", ("t",), 1),
        ("[t]\n\nx = 1", ("t", "x"), 3),
        ("[t]\nx = 1\n[ t . u ]\ny = 2", ("t", "u", "y"), 4),
        ("[t.u]\ny = 2\n[t]\nx = 1", ("t", "x"), 4),
        ('"a.b" = 1\n[\'c "d\']\nx = 2', ('c "d', "x"), 3),
        ('"\\u0061\\"b" = 1', ('a"b',), 1),
        ("[[b]]\nx = 1\n[[b]]\nx = 2", ("b", 1, "x"), 4),
        ("[[b]]\n[b.t]\nx = 1\n[[b]]\n[b.t]\nx = 2", ("b", 1, "t", "x"), 6),
        ("[[b]]\n[[b.c]]\n[[b.c]]\nx = 1", ("b", 0, "c", 1, "x"), 4),
        ("a = [\n  1,\n  2, # , 9\n\n  3\n]\nb = 1", ("a", 2), 5),
        ("a = [\n  1,\n  2, # , 9\n\n  3,\n]\nb = 1", ("b",), 7),
        ("a = [[1,\n2], [\n3]]", ("a", 1, 0), 3),
        ("a = [\n{x = 1, y = [\n0]},\n{x = 2}]", ("a", 0, "y", 0), 3),
        ("a = {b = {c.d = 1}}\nx = 1", ("a", "b", "c", "d"), 1),
        ('a = """\nb = 1\n\\""" """\nb = 2', ("b",), 4),
        ('a = """x""""\nb = 2', ("b",), 2),
        ('a = """""""\nb = 2', ("b",), 2),
        ("a = '''\n[t]\n''''\nb = 2", ("b",), 4),
        ("a = '#'\nb = ']'\nc = \"\\\\\"\nd = 2", ("d",), 4),
        ("a = 1979-05-27 07:32:00 # x\nb = 2", ("b",), 2),
        ("a = [1979-05-27 07:32:00,\n+inf, 0x_, 1e3]\nb = 2".replace("_", "f"), ("b",), 3),
        ("a = 1\r\nb = 2\r\n", ("b",), 2),
        ("1 = 2\n3.4 = 5", ("3", "4"), 2),
        ("a = []\nb = {}\nc = [\n# none\n]\nd = 1", ("d",), 6),
    ],
)
def test_a_key_is_found_on_its_line(text: str, way: Key, line: int) -> None:
    found = lines_of(text)
    assert found[way] == line
    assert set(found) == set(ways(tomllib.loads(text)))


SCALARS = ("1", "-2.5e3", "true", '"#"', "']'", '""', '"\\""', "'''\n'''", '"""a\n["""', "07:32:00")
KEYS = ("{}", '"{}.x"', "'{}'", "{}.y", " {} . y ")
GAPS = ("", " ", "\n", "# [x]\n", "\n\n  ")


class Writer:
    """Writes a random TOML text, and notes the line of each key and element."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.text = ""
        self.lines: dict[Key, int] = {}
        self.names = 0

    def one(self, *several: str) -> str:
        return str(self.draw(st.sampled_from(several)))

    def mark(self, way: Key) -> None:
        self.lines.setdefault(way, self.text.count("\n") + 1)

    def document(self) -> None:
        table: Key = ()
        for _ in range(self.draw(st.integers(0, 8))):
            self.text += self.one("", "\n", "# a = [\n")
            kind = self.one("pair", "pair", "pair", "table", "array")
            if kind == "pair":
                self.pair(table)
            else:
                table = self.header(kind == "array")
            self.text += self.one("\n", " # ]\n")

    def name(self) -> tuple[str, Key]:
        self.names += 1
        written = self.one(*KEYS).format(f"k{self.names}")
        return written, next(iter(ways_of_key(written)))

    def pair(self, table: Key) -> None:
        written, way = self.name()
        for length in range(1, len(way) + 1):
            self.mark((*table, *way[:length]))
        self.text += f"{written} = "
        self.value((*table, *way), 0)

    def header(self, array: bool) -> Key:
        written, way = self.name()
        for length in range(1, len(way) + 1):
            self.mark(way[:length])
        if not array:
            self.text += f"[{written}]"
            return way
        count = self.draw(st.integers(1, 3))
        for place in range(count):
            self.mark((*way, place))
            self.text += f"[[{written}]]" + "\n" * (place < count - 1)
        return (*way, count - 1)

    def value(self, way: Key, depth: int) -> None:
        kind = self.one("scalar", "scalar", "array", "inline") if depth < 3 else "scalar"
        if kind == "scalar":
            self.text += self.one(*SCALARS)
        elif kind == "array":
            self.text += "[" + self.one(*GAPS)
            for place in range(self.draw(st.integers(0, 3))):
                self.mark((*way, place))
                self.value((*way, place), depth + 1)
                self.text += self.one(*GAPS) + "," + self.one(*GAPS)
            self.text += "]"
        else:
            self.text += "{ "
            for place in range(self.draw(st.integers(0, 3))):
                self.text += ", " if place else ""
                self.pair(way)
            self.text += " }"


def ways_of_key(written: str) -> Iterator[Key]:
    yield max(ways(tomllib.loads(f"{written} = 0")), key=len)


@given(st.data())
def test_every_key_of_any_text_is_found_on_its_line(data: st.DataObject) -> None:
    writer = Writer(data.draw)
    writer.document()
    assert set(writer.lines) == set(ways(tomllib.loads(writer.text))), writer.text
    assert lines_of(writer.text) == writer.lines, writer.text
