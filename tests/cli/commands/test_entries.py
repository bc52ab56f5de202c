"""Tests what `harness entries` says about the versions of teams, and which team a mistyped name means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli.main import main
from harness.errors import InputError
from harness.league.entries import Entries, Receipt
from harness.league.teams import given


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league in which the Owls handed in twice, the second time late."""
    CliRunner().invoke(main, ["init", str(tmp_path / "course"), "--game", "sevens"])
    team = Entries(tmp_path / "course").team("Owls")
    for late in (False, True):
        receipt = Receipt(
            team="Owls",
            version=0,
            digest=f"{late}",
            source="x.zip",
            collected="2026-11-22T10:00",
            late=late,
            good=True,
        )
        files = tmp_path / f"{late}"
        files.mkdir()
        team.add(receipt, files)
    return tmp_path / "course"


def entries(league: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["entries", str(league), *options])


def test_a_late_version_is_not_said_to_play_in_the_final(league: Path) -> None:
    said = entries(league).stdout
    assert "plays in the final" in said
    assert "late, plays, not in the final" in " ".join(said.split())
    assert f"harness entries {league} --pin TEAM=N" in said
    [team] = json.loads(entries(league, "--json").stdout)
    assert (team["plays"], team["plays_in_final"]) == (2, 1)


def test_a_late_version_that_is_pinned_plays_in_the_final(league: Path) -> None:
    said = entries(league, "--pin", "Owls=2").stdout
    assert "late, pinned, plays" in said
    assert "final" not in said


def test_no_version_of_a_dropped_team_is_said_to_play(league: Path) -> None:
    assert CliRunner().invoke(main, ["teams", str(league), "--drop", "Owls"]).exit_code == 0
    said = entries(league).stdout
    assert "does not take part: it was dropped" in said
    assert "plays" not in said
    [team] = json.loads(entries(league, "--json").stdout)
    assert (team["plays"], team["plays_in_final"]) == (None, None)


def test_a_mistyped_team_gets_the_nearest_name(league: Path) -> None:
    wrong = entries(league, "--pin", "Owsl=1")
    assert (wrong.exit_code, "did you mean Owls?" in wrong.stderr) == (2, True)


def test_a_team_that_is_almost_one_of_the_roster_is_no_new_team() -> None:
    with pytest.raises(InputError, match="the roster has no team 'Owl'; did you mean Owls"):
        given(["bot.zip=Owl"], ["Owls", "Bees"])
    assert given(["a=Owls", "b=Moles"], ["Owls", "Bees", "Foxes"]) == {"a": "Owls", "b": "Moles"}


def test_the_table_is_not_wider_than_a_screen(league: Path) -> None:
    team = Entries(league).team("Sieben auf einen Streich und das Schneid")
    trouble = "main.c:1: error: no semicolon"
    source = "submissions.zip: bakerbob_102_9007_a-name-that-is-long-as-names-are.zip"
    receipt = Receipt(
        team=team.name, version=0, digest="x", source=source, collected="2026-11-22T10:00", trouble=trouble
    )
    team.add(receipt, None)
    said = entries(league, "--withdraw", f"{team.name}=1").stdout
    table, _, _ = said.partition("\n\n")
    assert max(map(len, table.splitlines())) <= 80
    assert source in said
    assert trouble in said
