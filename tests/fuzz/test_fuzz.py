"""Owns the quick search for inputs of strangers that make a reader raise an unexpected error."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import targets, tried

TARGETS = targets()
SIGNS = tuple(bytes([sign]) for sign in b"\0\n\xff\"'[]{}=,#\\*.-0")
TOKENS = (
    *SIGNS,
    *(b"\r\n", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"'''", b"[[", b"[" * 2_000),
    *(b"9" * 30, b"9" * 5_000, b"-1", b"1e999", b"nan", b"true", b"null", b"2024-01-01"),
    *(b'"is":"ended"', b'"run":0', b'"seat":-1', b'"size":9223372036854775808'),
)
EDITS = st.lists(
    st.tuples(
        st.integers(0, 5_000), st.integers(0, 40), st.one_of(st.sampled_from(TOKENS), st.binary(max_size=4))
    ),
    max_size=6,
)


def edited(text: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    """The text after these edits: each edit replaces one piece of the text."""
    for place, length, new in edits:
        at = place % (len(text) + 1)
        text = text[:at] + new + text[at + length :]
    return text


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_only_its_own_errors_come_out_of(name: str, data: st.DataObject) -> None:
    target = TARGETS[name]
    tried(target, edited(data.draw(st.sampled_from(target.seeds)), data.draw(EDITS)))


@pytest.mark.parametrize("name", TARGETS)
def test_what_a_search_begins_with_is_read(name: str) -> None:
    target = TARGETS[name]
    target.read(target.seeds[0])
