"""Tests which comments of a bot are numbers, and that their size and their count are limited."""

import pytest

from harness.record.bot_numbers import LARGEST, MOST_NAMES, numbers_of


def test_a_comment_with_a_name_and_a_number_is_a_number() -> None:
    comments = ("# data money 12", "# I think", "#data net.worth -1.5e3", "# data  trees  .5 ")
    assert numbers_of(comments) == {"money": 12, "net.worth": -1500, "trees": 0.5}


def test_the_last_number_of_a_name_counts() -> None:
    assert numbers_of(("# data a 1", "# data b 2", "# data a 3")) == {"a": 3, "b": 2}


@pytest.mark.parametrize(
    "line",
    [
        "# data money nan",
        "# data money inf",
        "# data money 1e16",
        "# data money 1e99",
        "# data money 1e999",
        "# data money 1_000",
        "# data money 0x10",
        "# data money \u0661",
        "# data money 12 13",
        "# data money 12 # really",
        "# data money",
        "# data 1money 12",
        "# data <b> 12",
        f"# data {'m' * 33} 12",
        f"# data money {'9' * 4000}",
        "# Data money 12",
        "data money 12",
        "# data money 12\n",
    ],
)
def test_any_other_comment_is_no_number(line: str) -> None:
    assert numbers_of((line,)) == {}


def test_an_answer_has_a_bounded_number_of_names() -> None:
    found = numbers_of([*(f"# data n{each} {each}" for each in range(1_000)), "# data n0 7"])
    assert len(found) == MOST_NAMES
    assert found["n0"] == 7


def test_the_largest_number_is_allowed() -> None:
    assert numbers_of(("# data a 1e15", "# data b -1e15")) == {"a": LARGEST, "b": -LARGEST}
