"""Tests the base of games whose positions are paths of moves, and observations as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.cli.templates.game.tiny import TinyState
from harness.games import Chance, Events, Illegal, Malformed, PathState, State, Trail, observed, plain
from harness.games._path import EVERY
from harness.testing import assert_conforms, check
from harness.testing.ends import changeable
from tests.games.planted import Planted

Paths = st.lists(st.lists(st.integers(0, 2), max_size=3 * EVERY).map(tuple), max_size=12)


def counted(copy: Callable[[list[int]], list[int]] | None) -> tuple[Trail[list[int]], list[int]]:
    """A trail whose positions are lists, and the list of all moves that were played in it."""
    played: list[int] = []

    def step(position: list[int], move: int) -> None:
        position.append(move)
        played.append(move)

    return Trail("lists", list, step, copy), played


@given(Paths, st.booleans())
def test_the_position_at_a_path_is_that_of_its_moves_in_any_order_of_questions(
    paths: list[tuple[int, ...]], with_checkpoints: bool
) -> None:
    trail, _ = counted(list if with_checkpoints else None)
    assert [tuple(trail.at(path)) for path in paths] == paths


def test_forward_each_move_is_played_once() -> None:
    trail, played = counted(list)
    path: tuple[int, ...] = ()
    for move in range(5 * EVERY):
        path = (*path, move)
        trail.at(path)
    assert played == list(range(5 * EVERY))


@pytest.mark.parametrize(("copy", "most"), [(list, EVERY), (None, 5 * EVERY)])
def test_back_only_the_moves_since_the_last_checkpoint_are_played(copy: Any, most: int) -> None:
    trail, played = counted(copy)
    whole = tuple(range(5 * EVERY))
    trail.at(whole)
    played.clear()
    trail.at(whole[:-1])
    assert len(played) == most - 1


class Tally(PathState, frozen=True):
    """A game in which two seats say numbers. It treats the list `position` like an object of another
    library."""

    def to_act(self) -> tuple[int, ...]:
        return () if len(self.path) == 4 else (1 + len(self.path) % 2,)

    def question(self, seat: int) -> str:
        return "say"

    def legal(self, seat: int) -> Iterable[str]:
        return ("say 0", "say 1")

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        return said if said in ("say 0", "say 1") else Illegal("say 0 or 1")

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        return self.after(*[int(move[-1]) for move in moves.values()]), ()

    def scores(self) -> tuple[int, ...]:
        return sum(self.here[::2]), sum(self.here[1::2])

    def view(self, seat: int) -> tuple[str, ...]:
        return observed("said", " ".join(map(str, self.here)))

    def text(self, seat: int | None = None) -> str:
        return str(self.here)


def test_a_path_is_an_immutable_value() -> None:
    start = Tally(counted(list)[0], ())
    one, other = start.after(1), start.after(1)
    assert changeable(one, "state", set()) == ""
    assert one == other != start
    assert one.scores() == (1, 0)
    assert start.scores() == (0, 0)
    assert one != Tally(Trail("another start", list, list.append), ()).after(1)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("X . O\n\n . \n", ("board X . O", "board _._")),
        ("a   b", ("board a __b",)),
        ("\u2660 8\t9", ("board \\u2660 8 9",)),
        ("\x1b[1m", ("board \\x1b[1m",)),
        ("4294967296 123456789", ("board '4294967296 123456789",)),
        ("", ()),
    ],
)
def test_a_drawn_board_becomes_lines_of_the_protocol(text: str, lines: tuple[str, ...]) -> None:
    assert observed("board", text) == lines


@given(st.text())
def test_any_text_becomes_words_of_ascii_with_one_space_between_them(text: str) -> None:
    for line in observed("board", text):
        assert line.isascii()
        assert line.isprintable()
        assert len(line) <= 206
        assert all(line.split(" "))


def test_a_long_line_is_cut_between_its_words() -> None:
    lines = observed("board", " ".join(["word"] * 200))
    assert " ".join(line.removeprefix("board ") for line in lines) == plain(" ".join(["word"] * 200))
    assert max(map(len, lines)) <= 206


# -- secrets that cannot be tested -----------------------------------------------------------------


class Blind(TinyState, frozen=True):
    def alike(self, seat: int, chance: Chance) -> Any:
        return None


class HalfBlind(TinyState, frozen=True):
    """Cannot draw secrets again for seat 1, and shows all secrets to seat 2."""

    def alike(self, seat: int, chance: Chance) -> Any:
        return None if seat == 1 else super().alike(seat, chance)

    def view(self, seat: int) -> tuple[str, ...]:
        return (*super().view(seat), self.all_secrets()) if seat == 2 else super().view(seat)


def test_the_kit_says_so_if_a_game_cannot_draw_its_secrets_again() -> None:
    [finding] = check(Planted(Blind), matches=2)
    assert finding.untested
    assert finding.law == "hidden"
    assert "`alike` draws no other position for seat 1" in finding.reason


def test_a_leak_counts_more_than_a_law_that_cannot_be_tested() -> None:
    found = check(Planted(HalfBlind), matches=2)
    assert [finding.untested for finding in found if finding.law == "hidden"] == [False]


def test_the_author_of_a_game_says_that_its_secrets_need_no_test() -> None:
    assert_conforms(Planted(Blind), matches=2, untested=["hidden"])
    with pytest.raises(AssertionError, match="`alike` draws no other position"):
        assert_conforms(Planted(Blind), matches=2)
    with pytest.raises(AssertionError, match="what is hidden from it"):
        assert_conforms(Planted(HalfBlind), matches=2, untested=["hidden"])
