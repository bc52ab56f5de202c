"""Tests which commands harness proposes when teams of a roster change."""

from __future__ import annotations

import pytest

from harness.grading.roster import read_roster
from harness.league.roster_change import changes

OLD = "team,student,email\nOwls,Ann,a@x\nOwls,Bob,b@x\nBats,Cat,c@x\nBats,Dan,d@x\nCats,Eve,e@x\n"


def told(new: str, handed: str = "Owls Bats Cats", old: str = OLD) -> list[tuple[str, ...]]:
    found = changes(read_roster(old, "old"), read_roster(new, "new"), handed.split())
    return [each.options for each in found]


@pytest.mark.parametrize(
    ("old", "new", "options"),
    [
        ("", "", []),
        ("Owls", "Eagles", [("--rename", "Owls", "Eagles")]),
        ("Owls", "Bats", [("--merge", "Owls", "Bats")]),
        ("Owls,Bob", "Newts,Bob", [("--split", "Owls", "Newts")]),
        ("Owls,Bob", "Bats,Bob", [("--split", "Owls", "Bats")]),
        ("Cats,Eve,e@x\n", "", [("--drop", "Cats")]),
        ("Cats,Eve,e@x\n", "Cats,Eva,e@x\n", []),
        ("Cats,Eve,e@x\n", "Cats,Eve,e@x\nRats,Zoe,z@x\n", [()]),
    ],
)
def test_a_change_of_the_roster_proposes_the_command(
    old: str, new: str, options: list[tuple[str, ...]]
) -> None:
    assert told(OLD.replace(old, new) if old else OLD) == options


def test_two_teams_that_became_one_new_team() -> None:
    new = OLD.replace("Owls", "Eagles").replace("Bats", "Eagles")
    assert told(new) == [("--rename", "Owls", "Eagles"), ("--merge", "Bats", "Eagles")]


def test_a_team_that_never_handed_in_has_nothing_to_lose() -> None:
    assert told(OLD.replace("Owls", "Eagles"), handed="Bats") == [()]


def test_a_team_that_fell_apart_goes_on_under_the_name_of_most_of_its_students() -> None:
    old = OLD + "Owls,Fay,f@x\n"
    new = old.replace("Owls,Ann", "Newts,Ann").replace("Owls", "Eagles")
    assert told(new, old=old) == [("--rename", "Owls", "Eagles"), ("--split", "Owls", "Newts")]


def test_people_without_numbers_are_known_by_their_names() -> None:
    old = "team,student\nOwls,Ann\nBats,Bob\n"
    assert told(old.replace("Owls", "Eagles"), old=old) == [("--rename", "Owls", "Eagles")]
