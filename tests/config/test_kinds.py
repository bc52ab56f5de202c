"""Tests that messages about keys explain types and wrong values in plain words."""

from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta
from msgspec.inspect import type_info

from harness.config.document import Document
from harness.config.kinds import expected, fitted
from harness.errors import InputError


class Suit(Enum):
    CLUBS = "C"
    HEARTS = "H"


class Table(msgspec.Struct, forbid_unknown_fields=True):
    inner: dict[Literal["A", "B"], list[int]] | None = None
    plain: Annotated[dict[Annotated[str, Meta(max_length=1)], int], Meta(description="told")] = {}


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (bool, "true or false"),
        (int, "a whole number"),
        (Annotated[int, Meta(ge=1, le=9)], "a whole number from 1 to 9"),
        (Annotated[int, Meta(gt=1, lt=9)], "a whole number above 1 and below 9"),
        (Annotated[float, Meta(ge=0.5)], "a number of at least 0.5"),
        (Annotated[int, Meta(le=9)] | None, "a whole number of at most 9"),
        (Annotated[int, Meta(ge=1, description="so many")], "a whole number of at least 1"),
        (str, "text"),
        (Annotated[str, Meta(min_length=1)], "text of at least 1 character"),
        (Annotated[str, Meta(max_length=3)], "text of at most 3 characters"),
        (Literal["a", "b", 3], '3, "a" or "b"'),
        (Literal["a"], '"a"'),
        (Suit, '"C" or "H"'),
        (list[str], "a list (each text)"),
        (tuple[int, ...], "a list (each a whole number)"),
        (tuple[int, str, int], "a list of 3 (each a whole number or text)"),
        (Annotated[list[int], Meta(max_length=2)], "a list of at most 2 (each a whole number)"),
        (Literal["x"] | dict[str, int], '"x" or a table'),
        (Table, "a table"),
        (bytes, "another kind of value"),
    ],
)
def test_a_type_is_told_in_plain_words(kind: Any, words: str) -> None:
    assert expected(type_info(kind)) == words


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"inner": {"C": [1]}}, 'inner.C: there is no such key; expected "A" or "B"'),
        ({"inner": {"A": [1], "B": [1, ""]}}, 'inner.B: expected a whole number, not ""'),
        ({"inner": 3}, "inner: expected a table, not 3"),
        (
            {"plain": {"a": 1, "bc": 2}},
            "plain.bc: there is no such key; expected text of at most 1 character",
        ),
        ({"plain": {"a": 1, "b": "x" * 99}}, f'plain.b: expected a whole number, not "{"x" * 57}..."'),
        ({"plane": {}}, "plane: there is no such key; did you mean plain?"),
        ({"`$.x`": 1}, '"`$.x`": there is no such key; there are inner, plain'),
        ([], "expected a table, not an empty list"),
    ],
)
def test_a_value_that_does_not_fit_is_told_by_its_key(value: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        fitted(Document("", "", {}, {}), value, Table)
    assert str(caught.value) == said
