"""Owns the tests of KEY=VALUE on the command line: its meaning, and the error message for wrong text."""

import re
import shlex
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from harness import games
from harness.cli.settings import limits_of, seat_counts, settings
from harness.errors import InputError


class Some(msgspec.Struct, forbid_unknown_fields=True):
    """Keys of all kinds."""

    size: Annotated[int, Meta(ge=1, le=9)] = 1
    name: str = "none"
    places: tuple[int, ...] = ()
    loud: bool = False
    quiet: Annotated[bool, Meta(description="as bots are told it")] = False
    kind: Literal["yes", "no"] | tuple[str, ...] = "no"


def test_values_are_read_as_toml_writes_them_and_text_needs_no_quotes() -> None:
    written = ("size=3", "name = T0", "places=[1, 2]", "loud=true")
    assert settings("--option", written, Some) == Some(3, "T0", (1, 2), True)


@pytest.mark.parametrize(("said", "meant"), [("yes", True), ("no", False), ("true", True), ("false", False)])
def test_a_switch_is_written_as_toml_does_or_as_bots_are_told(said: str, meant: bool) -> None:
    assert settings("--option", (f"loud={said}", f"quiet={said}"), Some) == Some(loud=meant, quiet=meant)


def test_yes_is_text_where_text_is_wanted() -> None:
    assert settings("--option", ("name=yes", "kind=yes"), Some) == Some(name="yes", kind="yes")


def test_what_is_not_said_keeps_its_default() -> None:
    assert settings("--option", (), Some) == Some()


def test_a_value_may_hold_an_equals_sign_and_lines() -> None:
    assert settings("--option", ("name=a=b",), Some).name == "a=b"
    assert settings("--option", ("name=1\nsize=2",), Some).name == "1\nsize=2"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("size", '--option: expected KEY=VALUE, not "size"'),
        ("=3", '--option: expected KEY=VALUE, not "=3"'),
        ("size=10", "--option: size: expected a whole number from 1 to 9, not 10"),
        ("size=big", '--option: size: expected a whole number from 1 to 9, not "big"'),
        ("sise=3", "--option: sise: there is no such key; did you mean size?"),
        ("loud=3", "--option: loud: expected true or false, not 3"),
        (
            "places=6,1",
            "--option: places: expected a list (each a whole number), not \"6,1\"; write 'places=[6, 1]'",
        ),
        ("places=6", "--option: places: expected a list (each a whole number), not 6; write 'places=[6]'"),
        (
            "places=[6,",
            '--option: places: expected a list (each a whole number), not "[6,"; '
            "write a list in quotes: 'places=[1, 2]'",
        ),
        (
            "kind=a, b c",
            '--option: kind: expected "no" or "yes" or a list (each text), not "a, b c"; '
            'write \'kind=["a", "b c"]\'',
        ),
        ("kind=maybe", '--option: kind: expected "no" or "yes" or a list (each text), not "maybe"'),
        ("size=6,1", '--option: size: expected a whole number from 1 to 9, not "6,1"'),
    ],
)
def test_what_cannot_be_meant_is_refused_with_flag_and_key(written: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        settings("--option", (written,), Some)
    assert str(caught.value) == told


@pytest.mark.parametrize("name", games.names())
def test_the_options_on_the_command_line_of_a_games_page_can_be_played(name: str) -> None:
    games.find(name)
    page = games.page_of(name).read_text()
    [shown] = re.findall(rf"`(harness play {name} .*?)`", page)
    words = shlex.split(shown)
    written = [value for flag, value in pairwise(words) if flag == "--option"]
    bots = [word for word in words if len(word) == 1]
    game = games.find(name)
    chosen = settings("--option", written, game.options)
    assert chosen != game.options()
    assert seat_counts(game, chosen, len(bots)) == [len(bots)]


def test_limits_are_those_of_the_game_unless_they_are_set() -> None:
    limits = limits_of(["move_ms=9"], games.find("chess"))
    assert (limits.ponder_ms, limits.move_ms) == (5_000, 9)
