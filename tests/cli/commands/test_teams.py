"""Tests what happens to versions, names and masks of a team that is renamed, merged, split or dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli.main import main
from harness.errors import InputError
from harness.league.entries import Entries, Receipt
from harness.league.ladder import ladder_plan
from harness.league.league import plan, read_league
from harness.record.history import History
from tests.league.handed import BOT, a_folder, a_zip

ROOT = Path(__file__).parents[3]
LEAGUE = f'game = "sevens"\nseats = 2\nhouse = ["{ROOT}/bots/sevens/random"]\nisolation = "none"\n'
ROSTER = (
    "team,student,email\nOwls,Ann,ann@x.org\nOwls,Bob,bob@x.org\nBats,Cat,cat@x.org\nCats,Dan,dan@x.org\n"
)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league in which the Owls handed in twice, and the Bats and the Cats once."""
    (tmp_path / "league.toml").write_text(LEAGUE)
    (tmp_path / "roster.csv").write_text(ROSTER)
    for number, team in enumerate(("Owls", "Owls", "Bats", "Cats")):
        hand_in(tmp_path, team, str(number))
    return tmp_path


def hand_in(league: Path, team: str, digest: str) -> None:
    receipt = Receipt(
        team=team, version=0, digest=digest, source="x.zip", collected=f"2026-11-0{digest}", good=True
    )
    Entries(league).team(team).add(receipt, a_folder(league / f"new-{digest}", {**BOT, "number": digest}))


def teams(league: Path, *options: str, code: int = 0) -> Result:
    done = CliRunner().invoke(main, ["teams", str(league), *options])
    assert done.exit_code == code, done.output
    return done


def playing(league: Path) -> dict[str, str]:
    """For each team in a tournament, the text of the file `number` in the version that plays."""
    bots = plan(read_league(league), "run-1").bots[1:]
    return {bot.name: (bot.folder / "number").read_text() for bot in bots}


def in_ladder(league: Path) -> list[str]:
    return [bot.name for bot in ladder_plan(read_league(league), History()).plan.bots[1:]]


def test_only_teams_of_the_roster_play(league: Path) -> None:
    assert [*playing(league)] == ["Bats", "Cats", "Owls"]
    (league / "roster.csv").write_text(ROSTER.replace("Bats,Cat,cat@x.org\n", ""))
    assert [*playing(league)] == ["Cats", "Owls"]
    assert in_ladder(league) == ["Cats@1", "Owls@2"]
    assert "no: it is not in the roster" in teams(league).stdout
    teams(league, "--restore", "Bats")
    assert [*playing(league)] == ["Bats", "Cats", "Owls"]
    teams(league, "--drop", "Bats", "--drop", "Cats")
    assert [*playing(league)] == ["Owls"]
    assert "no: it was dropped" in teams(league).stdout


def test_a_renamed_team_keeps_its_versions_and_its_place_in_the_ladder(league: Path) -> None:
    assert in_ladder(league) == ["Bats@1", "Cats@1", "Owls@2"]
    teams(league, "--rename", "Owls", "Eagles")
    # The team plays under its new name, although the roster still has the old one.
    assert playing(league) == {"Bats": "2", "Cats": "3", "Eagles": "1"}
    (league / "roster.csv").write_text(ROSTER.replace("Owls", "Eagles"))
    assert playing(league) == {"Bats": "2", "Cats": "3", "Eagles": "1"}
    assert in_ladder(league) == ["Bats@1", "Cats@1", "Owls@2"]
    hand_in(league, "Eagles", "7")
    assert [each.version for each in Entries(league).teams["Eagles"].receipts] == [1, 2, 3]
    assert in_ladder(league) == ["Bats@1", "Cats@1", "Owls@3"]
    assert "before: Owls" in teams(league).stdout


def test_a_rename_after_hand_ins_under_the_new_name_joins_both(league: Path) -> None:
    (league / "roster.csv").write_text(ROSTER.replace("Owls", "Eagles"))
    hand_in(league, "Eagles", "7")
    said = teams(league, "--rename", "Owls", "Eagles").stdout
    assert "Owls is called Eagles now; 1 version handed in as Eagles came after the versions of Owls." in said
    assert [(each.version, each.origin) for each in Entries(league).teams["Eagles"].receipts] == [
        (1, ""),
        (2, ""),
        (3, ""),
    ]
    assert playing(league)["Eagles"] == "7"


def test_a_merged_team_has_the_versions_of_both_and_plays_its_own(league: Path) -> None:
    assert (
        "write Owls into the lines of the students of Bats" in teams(league, "--merge", "Bats", "Owls").stdout
    )
    assert playing(league) == {"Cats": "3", "Owls": "1"}
    owls = Entries(league).teams["Owls"]
    assert [(each.version, each.origin) for each in owls.receipts] == [(1, ""), (2, ""), (3, "Bats@1")]
    CliRunner().invoke(main, ["entries", str(league), "--pin", "Owls=3"])
    assert playing(league) == {"Cats": "3", "Owls": "2"}


def test_a_merged_team_is_told_by_the_present_name_of_the_other_until_it_is_dropped(league: Path) -> None:
    teams(league, "--merge", "Bats", "Owls", "--rename", "Owls", "Eagles")
    assert "no: it was merged into Eagles" in teams(league).stdout
    assert "dropped" not in teams(league).stdout
    teams(league, "--drop", "Bats")
    assert "no: it was dropped" in teams(league).stdout
    (league / "roster.csv").write_text(ROSTER.replace("Bats", "Owls"))
    assert "write Eagles into" not in teams(league, "--merge", "Bats", "Eagles").stdout
    (league / "roster.csv").write_text(ROSTER)
    teams(league, "--restore", "Bats")
    assert "no:" not in teams(league).stdout


def test_a_team_that_split_off_keeps_what_was_theirs(league: Path) -> None:
    (league / "roster.csv").write_text(ROSTER.replace("Owls,Bob", "Newts,Bob"))
    teams(league, "--split", "Owls", "Newts")
    assert playing(league) == {"Bats": "2", "Cats": "3", "Newts": "1", "Owls": "1"}
    hand_in(league, "Newts", "9")
    assert playing(league)["Newts"] == "9"
    assert in_ladder(league) == ["Bats@1", "Cats@1", "Newts@3", "Owls@2"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--rename", "Owsl", "Eagles"), "--rename: this league has no team 'Owsl'; did you mean Owls?"),
        (("--rename", "Owls", "random"), "--rename: 'random' is the name of a house bot"),
        (("--rename", "Owls", "OWLS2\n"), "--rename: expected a name of 1 to 40 printable characters"),
        (("--rename", "Owls", "Bat5", "--rename", "Cats", "BAT5"), "'BAT5' and 'Bat5' look alike"),
        (("--rename", "Cats", "Owls"), "--rename: there is a team 'Owls' already"),
        (("--merge", "Owls", "Owls"), "--merge: Owls is one team, and two are needed"),
        (("--split", "Rats", "Newts"), "--split: this league has no team 'Rats'"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(league: Path, options: tuple[str, ...], told: str) -> None:
    assert told in teams(league, *options, code=2).stderr


def test_a_former_name_belongs_to_its_team_for_ever(league: Path) -> None:
    teams(league, "--rename", "Owls", "Eagles")
    (league / "roster.csv").write_text(ROSTER.replace("Owls,Ann", "Eagles,Ann"))
    with pytest.raises(InputError, match="'Owls' is a former name of the team 'Eagles'"):
        read_league(league)
    (league / "roster.csv").write_text(ROSTER)
    teams(league, "--rename", "Eagles", "Owls")
    rows = json.loads(teams(league, "--json").stdout)
    assert (rows[0]["team"], rows[0]["former"]) == ("Owls", ["Owls", "Eagles"])


def test_collect_says_what_has_changed_in_the_roster_until_somebody_decides(
    league: Path, tmp_path: Path
) -> None:
    a_zip(tmp_path / "Cats.zip")

    def news() -> list[str]:
        done = CliRunner().invoke(main, ["collect", str(league), str(tmp_path / "Cats.zip")])
        assert done.exit_code == 0, done.output
        return [line for line in done.stderr.splitlines() if "roster" in line or "harness teams" in line]

    assert news() == []
    new = ROSTER.replace("Owls", "Eagles").replace("Bats,Cat,cat", "Rats,Rob,rob")
    (league / "roster.csv").write_text(new)
    rename = f"Owls seems to be Eagles now: harness teams {league} --rename Owls Eagles"
    said = news()
    assert said[0] == rename
    assert "Bats is not in the roster any more, so it does not play and gets no grade" in said[1]
    assert said[2] == "Rats is new in the roster."
    assert news()[0] == rename
    teams(league, "--rename", "Owls", "Eagles", "--drop", "Bats")
    assert news() == []


def test_a_change_before_a_wrong_one_is_told(league: Path) -> None:
    done = teams(league, "--drop", "Owls", "--drop", "Rats", code=2)
    assert "Owls does not play any more and gets no grade; its versions stay." in done.output
    assert "--drop: this league has no team 'Rats'; did you mean" in done.output


def test_a_league_without_teams_says_so(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    done = teams(tmp_path, "--drop", "Owls", code=2)
    assert "--drop: this league has no team 'Owls'; it has no teams yet" in done.output
