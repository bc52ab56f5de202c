"""Tests the folders in which the versions of teams are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.league.entries import Entries, Receipt


@pytest.mark.parametrize(
    "names",
    [("فريق النجوم", "شيفرة"), ("!", "?", "team", "team-2"), ("Größe", "Groesse"), ("a b", "A-B", "a-b-2")],
)
def test_teams_that_hand_in_for_the_first_time_have_different_folders(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    entries = Entries(tmp_path)
    teams = [entries.team(name) for name in names]
    for name, team in zip(names, teams, strict=True):
        team.add(Receipt(team=name, version=0, digest="", source="", collected=""), None)
    assert len({team.folder.name.lower() for team in teams}) == len(names)
    again = Entries(tmp_path)
    assert [again.team(name).folder for name in names] == [team.folder for team in teams]
