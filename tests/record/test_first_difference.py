"""Tests that the first answer that differs is found, and only if all was the same before it."""

from collections.abc import Sequence

import pytest

from harness.events import InEncounter, Match, Turn
from harness.record.first_difference import FirstDifference, first_difference

HEAD = Match("1.1.1.1", ("a", "b"))
NEW = Turn(1, "new 1 2 5", "ready", us=4)


def turns(*said: str, seed: str = "7") -> Sequence[InEncounter]:
    answers = (Turn(1 + place % 2, f"move {place}", each, us=place) for place, each in enumerate(said))
    return (HEAD, Turn(1, f"new 1 2 {seed}", "ready"), *answers)


def test_the_first_other_answer_of_the_seat_is_found() -> None:
    found = first_difference("1.1.1.1", turns("x", "y", "z"), turns("x", "y", "w", "v", seed="8"), 1)
    assert found == FirstDifference("1.1.1.1", 3, 1, "move 2", "z", "w")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (turns("x", "y"), turns("x", "y")),
        (turns("x", "y"), turns("x", "w")),
        (turns("x", "y"), turns("x")),
        (turns("x"), (HEAD, NEW, Turn(1, "move 7", "y"))),
    ],
    ids=["nothing differs", "another seat differs first", "one match is shorter", "other questions"],
)
def test_there_is_none_if_the_seat_was_not_the_first_to_differ(
    one: Sequence[InEncounter], two: Sequence[InEncounter]
) -> None:
    assert first_difference("1.1.1.1", one, two, 1) is None


def test_an_answer_that_failed_differs_from_the_same_text_in_time() -> None:
    late = (HEAD, NEW, Turn(1, "move 0", "x", failed="late"))
    found = first_difference("1.1.1.1", late, turns("x"), 1)
    assert found is not None
    assert (found.turn, found.own, found.other) == (1, "x", "x")
