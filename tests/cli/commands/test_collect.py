"""Tests what `collect` tells teams, and that a hand-in whose build does not end delays no other hand-in."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.door import harness
from tests.league.handed import BOT, a_folder, a_zip

pytestmark = pytest.mark.whole

MANIFEST = "run = ['python3', '-I', '-S', 'made.py']\nbuild = ['sh', '-c', '''{}''']\n"
MAKES = "cp main.py made.py"
SCRIPTS = {
    "Ants": "echo one; echo two; exec sleep 1000",
    "Bees": f"setsid sleep 1000 & {MAKES}",
    "Cats": MAKES,
    "Dogs": "echo main.c:1: error: no semicolon; exit 2",
}


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    return [
        a_folder(tmp_path / team, {"main.py": BOT["main.py"], "bot.toml": MANIFEST.format(script)})
        for team, script in SCRIPTS.items()
    ]


def a_league(folder: Path, keys: str) -> Path:
    folder.mkdir()
    (folder / "league.toml").write_text(f'game = "sevens"\nseats = 2\nisolation = "none"\n{keys}')
    return folder


def test_a_build_that_does_not_end_is_told_and_the_other_hand_ins_are_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sources: list[Path]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    told = harness("collect", a_league(tmp_path / "league", "build_ms = 3_000\n"), *sources, "--json")
    assert told.exit_code == 0, told.output
    rows = {row["team"]: row for row in json.loads(told.stdout)}
    assert list(rows) == list(SCRIPTS)
    troubles = {
        "Ants": f"the build `sh -c '{SCRIPTS['Ants']}'` did not end within 3 s; its last output was: two",
        "Bees": "",
        "Cats": "",
        "Dogs": f"the build `sh -c '{SCRIPTS['Dogs']}'` failed with exit status 2: "
        "main.c:1: error: no semicolon",
    }
    assert {team: row["trouble"] for team, row in rows.items()} == troubles
    assert [row["plays"] for row in rows.values()] == [None, 1, 1, None]


def test_a_limit_of_builds_that_is_none_is_refused(tmp_path: Path, sources: list[Path]) -> None:
    league = a_league(tmp_path / "league", "build_ms = 0\n")
    told = harness("collect", league, *sources)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "league.toml:4: build_ms: expected a whole number from 1 to 86400000" in told.stderr


def test_each_team_gets_a_note_about_its_own_hand_in(tmp_path: Path) -> None:
    league = a_league(tmp_path / "league", "")
    (league / "roster.csv").write_text("team,student,id\nAnts,Ann,101\nBees,Bob,102\n")
    export, notes = tmp_path / "export", tmp_path / "notes"
    a_zip(export / "ann_101_9001_bot.zip")
    a_zip(export / "bob_102_9002_bot.zip", {"report.pdf": "x"})
    told = harness("collect", league, export, "--notes", notes)
    assert told.exit_code == 0, told.output
    with zipfile.ZipFile(notes / "canvas.zip") as archive:
        found = {name: archive.read(name).decode() for name in archive.namelist()}
    assert [*found] == ["ann_101_9001_notes.txt", "bob_102_9002_notes.txt"]
    ann, bob = found.values()
    assert ann.startswith("Ants, ann_101_9001_bot.zip\nThis is version 1.\nIt can play.\n")
    assert "Version 1 plays now." in ann
    assert "It cannot play: report.pdf is a document, not a program" in bob
    assert ("Bees" in ann, "Ants" in bob) == (False, False)
    assert (notes / "Ants.txt").read_text() == ann
    assert not (notes / "moodle.zip").exists()


def test_a_note_about_a_late_hand_in_says_that_the_final_may_leave_it_out(tmp_path: Path) -> None:
    league = a_league(tmp_path / "league", "")
    (league / "roster.csv").write_text("team,student,id\nCats,Cid,103\n")
    a_zip(tmp_path / "export" / "cid_LATE_103_9003_bot.zip")
    assert harness("collect", league, tmp_path / "export", "--notes", tmp_path / "notes").exit_code == 0
    told = (tmp_path / "notes" / "Cats.txt").read_text()
    assert "Version 1 plays now.\nBecause this version is late, it may be left out of the final.\n" in told


def test_a_note_about_an_error_says_how_to_see_stderr(tmp_path: Path) -> None:
    league = a_league(tmp_path / "league", "")
    a_zip(tmp_path / "export" / "cid_103_9003_bot.zip", {**BOT, "main.py": "x = 1 / 0\n"})
    notes = tmp_path / "notes"
    harness("collect", league, tmp_path / "export", "--team", "cid_103_9003_bot.zip=Cats", "--notes", notes)
    told = (notes / "Cats.txt").read_text()
    assert (
        "The last lines of stderr say where the error happened; `harness check bot` shows these lines."
        in told
    )


def test_a_dropped_team_is_told_and_not_counted_among_those_that_can_play(tmp_path: Path) -> None:
    league = a_league(tmp_path / "league", "")
    a_zip(tmp_path / "Ants.zip")
    assert harness("collect", league, tmp_path / "Ants.zip").exit_code == 0
    assert harness("teams", league, "--drop", "Ants").exit_code == 0
    told = harness("collect", league, tmp_path / "Ants.zip").stdout
    assert "does not take part: it was dropped" in told
    assert "0 of 1 team can play" in told


def test_only_a_hand_in_of_nobody_changes_the_exit_code(tmp_path: Path) -> None:
    league = a_league(tmp_path / "league", "")
    (league / "roster.csv").write_text("team,student,id\nBees,Bob,102\n")
    a_zip(tmp_path / "known" / "bob_102_9002_bot.zip", {"report.pdf": "x"})
    told = harness("collect", league, tmp_path / "known")
    assert (told.exit_code, "0 of 1 team can play" in told.stdout) == (0, True), told.output
    a_zip(tmp_path / "unknown" / "mo_199_9003_bot.zip", {"report.pdf": "x"})
    assert harness("collect", league, tmp_path / "unknown").exit_code == 1
