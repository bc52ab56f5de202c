"""Tests that hand-ins in the exports of four platforms are found, each for the right team."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.league.exports import HandIn, hand_ins
from harness.league.teams import Teams, Untold, read_teams
from tests.league.course import ROSTER, canvas, classroom, moodle
from tests.league.handed import BOT, a_folder, a_tar, a_zip


@pytest.fixture
def teams(tmp_path: Path) -> Teams:
    (tmp_path / "roster.csv").write_text(ROSTER)
    return read_teams(tmp_path / "roster.csv")


def whose(teams: Teams, source: Path, room: Path) -> list[str]:
    """The teams of all hand-ins of a source, in order; "?" if the team of a hand-in is unknown."""
    found = []
    for each in hand_ins(source, room):
        try:
            found.append(teams.of(each))
        except Untold:
            found.append("?")
    return found


def test_an_export_of_canvas(tmp_path: Path, teams: Teams) -> None:
    source = canvas(tmp_path / "submissions.zip")
    assert whose(teams, source, tmp_path / "1") == ["Ants", "Bees", "Bees", "Cats", "Dogs"]
    assert whose(teams, tmp_path / "canvas", tmp_path / "2") == ["Ants", "Bees", "Bees", "Cats", "Dogs"]
    assert [each.late for each in hand_ins(source, tmp_path / "3")] == [False, False, False, False, True]


def test_files_that_one_person_handed_in_alone_are_one_bot(tmp_path: Path) -> None:
    for name, text in BOT.items():
        number = 9 if name == "bot.toml" else 8
        stem, dot, ending = name.partition(".")
        (tmp_path / "canvas").mkdir(exist_ok=True)
        (tmp_path / "canvas" / f"adamsann_101_900{number}_{stem}-2{dot}{ending}").write_text(text)
    [one] = hand_ins(tmp_path / "canvas", tmp_path / "room")
    assert (one.ids, one.names) == (("101",), ("adamsann",))
    assert {path.name: path.read_text() for path in one.path.iterdir()} == BOT


def test_an_export_of_moodle(tmp_path: Path, teams: Teams) -> None:
    source = moodle(tmp_path / "moodle.zip")
    assert sorted(whose(teams, source, tmp_path / "room")) == ["?", "?", "Elks", "Foxes", "Hens"]


def test_an_export_of_moodle_without_folders(tmp_path: Path, teams: Teams) -> None:
    a_zip(tmp_path / "x" / "Eva Evans_7001_assignsubmission_file_bot.zip")
    (tmp_path / "x" / "Eva Evans_7001_assignsubmission_onlinetext_onlinetext.html").write_text("")
    assert whose(teams, tmp_path / "x", tmp_path / "room") == ["Elks"]


def test_an_export_of_gradescope(tmp_path: Path, teams: Teams) -> None:
    home = tmp_path / "assignment_1_export"
    a_folder(home / "submission_5")
    a_folder(home / "submission_6")
    (home / "submission_metadata.yml").write_text(
        "submission_5:\n  :submitters:\n  - :name: Ann Adams\n    :sid: '101'\n"
        "    :email: ann@example.org\n  :created_at: 2026-01-02 03:04:05.123456 Z\n"
        "submission_6:\n  :submitters:\n  - :name: Lea Lee\n    :sid:\n  :created_at: 2026-01-02 03:04:06 Z\n"
    )
    assert whose(teams, home, tmp_path / "room") == ["Ants", "Lynxes"]
    assert hand_ins(home, tmp_path / "2")[0].handed == "2026-01-02T03:04:05.123456+00:00"


def test_a_folder_of_classroom(tmp_path: Path, teams: Teams) -> None:
    assert whose(teams, classroom(tmp_path), tmp_path / "room") == ["Ibises", "Jays", "?"]


def test_a_folder_with_an_archive_for_each_team(tmp_path: Path, teams: Teams) -> None:
    a_zip(tmp_path / "all" / "Ants.zip")
    a_tar(tmp_path / "all" / "kiwis.tar.gz")
    a_folder(tmp_path / "all" / "Jay Jones")
    assert whose(teams, tmp_path / "all", tmp_path / "room") == ["Ants", "Jays", "Kiwis"]


@pytest.mark.parametrize("make", [a_zip, a_folder])
def test_one_hand_in_is_one(tmp_path: Path, teams: Teams, make: Callable[..., Path]) -> None:
    source = make(tmp_path / "Ants", {**BOT, "src/a.py": "", "lib/b.py": ""})
    assert whose(teams, source, tmp_path / "room") == ["Ants"]


@pytest.mark.parametrize(
    ("names", "team"),
    [
        ("Ann Adams", "Ants"),
        ("adamsann", "Ants"),
        ("Adams, Ann", "Ants"),
        ("ANTS", "Ants"),
        ("hal hill", "Hens"),
    ],
)
def test_a_name_may_be_written_in_any_way(teams: Teams, names: str, team: str) -> None:
    assert teams.of(HandIn("x", Path("x"), names=(names,))) == team


def test_a_number_counts_more_than_a_name(teams: Teams) -> None:
    assert teams.of(HandIn("x", Path("x"), ("111",), ("Jane Doe",))) == "Kiwis"
    with pytest.raises(Untold, match="the hand-in of Goats or Kiwis; say whose it is: --team 'x=TEAM'"):
        teams.of(HandIn("x", Path("x"), ("7003",), ("Jane Doe",)))


def test_without_a_roster_the_name_is_the_team() -> None:
    assert Teams(None).of(HandIn("x.zip", Path("x.zip"), names=("Owls",))) == "Owls"
    with pytest.raises(Untold, match="expected a name of 1 to 40"):
        Teams(None).of(HandIn("x.zip", Path("x.zip"), names=("o" * 50,)))


def test_teams_with_names_that_look_alike_are_refused(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("team,student\nOwls,Ann\n0wls,Bob\n")
    with pytest.raises(InputError, match="'Owls' and '0wls' look alike"):
        read_teams(tmp_path / "roster.csv")
