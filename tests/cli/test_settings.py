"""Owns the tests of KEY=VALUE on the command line: what it means, and what is said of what it cannot mean."""

from typing import Annotated

import msgspec
import pytest
from msgspec import Meta

from harness.cli.settings import settings
from harness.errors import InputError


class Some(msgspec.Struct, forbid_unknown_fields=True):
    """Keys of all kinds."""

    size: Annotated[int, Meta(ge=1, le=9)] = 1
    name: str = "none"
    places: tuple[int, ...] = ()
    loud: bool = False


def test_values_are_read_as_toml_writes_them_and_text_needs_no_quotes() -> None:
    written = ("size=3", "name = T0", "places=[1, 2]", "loud=true")
    assert settings("--option", written, Some) == Some(3, "T0", (1, 2), True)


def test_what_is_not_said_keeps_its_default() -> None:
    assert settings("--option", (), Some) == Some()


def test_a_value_may_hold_an_equals_sign_and_lines() -> None:
    assert settings("--option", ("name=a=b",), Some).name == "a=b"
    assert settings("--option", ("name=1\nsize=2",), Some).name == "1\nsize=2"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("size", '--option: KEY=VALUE is wanted, not "size"'),
        ("=3", '--option: KEY=VALUE is wanted, not "=3"'),
        ("size=10", "--option: size: a whole number from 1 to 9 is wanted, not 10"),
        ("size=big", '--option: size: a whole number from 1 to 9 is wanted, not "big"'),
        ("sise=3", "--option: sise: there is no such key; did you mean size?"),
        ("loud=3", "--option: loud: true or false is wanted, not 3"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_flag_and_key(written: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        settings("--option", (written,), Some)
    assert str(caught.value) == told
