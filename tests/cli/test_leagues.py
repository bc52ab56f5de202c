"""Tests which tournament commands check, and which record they read, if they are given a league."""

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.door import STARTER, TINY, harness
from tests.cli.logs import write
from tests.league.handed import BOT, a_folder, a_zip

LEAGUE = f"""
game = "{TINY}"
seats = 2
isolation = "none"
house = [{{ path = "{STARTER}", name = "random" }}]
scheme = "scheme.toml"
"""
TEAMS = ("Ants", "Bees", "Cats")


@pytest.fixture
def league(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "league.toml").write_text(LEAGUE)
    (folder / "scheme.toml").write_text("")
    (folder / "roster.csv").write_text("team,student\n" + "".join(f"{team},Ann\n" for team in TEAMS))
    return folder


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write(tmp_path / "elsewhere")


@pytest.mark.parametrize("named", ["", "league.toml"])
def test_before_hand_ins_house_bots_stand_in_for_the_teams_of_the_roster(league: Path, named: str) -> None:
    told = harness("check", "plan", league / named, "--final", "--no-trial")
    assert told.exit_code == 0, told.output
    assert "a house bot plays in place of each of the 3 teams of the roster" in told.stderr
    assert told.stdout.startswith("final: Tiny, 4 bots, 2 seats\n")
    assert not (league / "logs").exists(), "a check leaves nothing behind"


def test_a_check_of_a_league_is_one_of_the_versions_that_play(league: Path, tmp_path: Path) -> None:
    files = {name: text.replace("python3", "no-such-python") for name, text in BOT.items()}
    harness("collect", league, a_zip(tmp_path / "Bees.zip", files))
    refused = harness("check", "plan", league, "--no-trial")
    assert refused.exit_code == 2
    assert refused.stderr.endswith("no team has a version that plays; `harness entries` says why\n")


def test_several_teams_that_do_not_play_for_one_reason_share_a_sentence(league: Path, tmp_path: Path) -> None:
    harness("collect", league, a_zip(tmp_path / "Ants.zip", BOT))
    for dropped, told in (
        ("Bees", "Bees does not play: it was dropped"),
        ("Cats", "Bees, Cats do not play: they were dropped"),
    ):
        assert harness("teams", league, "--drop", dropped).exit_code == 0
        assert told in harness("check", "plan", league, "--no-trial").stderr.splitlines()


@pytest.mark.parametrize(("lost", "word"), [("roster.csv", "roster"), ("house", "house bot")])
def test_without_a_roster_or_house_bots_there_is_nothing_to_check(league: Path, lost: str, word: str) -> None:
    if lost == "house":
        text = LEAGUE.replace("house", "# house")
        (league / "league.toml").write_text(text)
    else:
        (league / lost).unlink()
    refused = harness("check", "plan", league, "--no-trial")
    assert refused.exit_code == 2
    assert f"nobody has handed in yet, and there is no {word};" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_only_a_league_has_a_final_to_check(league: Path) -> None:
    assert "only a league has a final" in harness("check", "plan", league / "scheme.toml", "--final").stderr


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (("ladder",), "ladder"),
        (("ladder", "run-2"), "run-2"),
        (("run-2", "run-10", "ladder"), "run-10"),
        (("run-10", "final", "ladder", "run-x"), "final"),
    ],
)
def test_a_league_stands_for_its_final_or_its_last_record(
    league: Path, record: Path, names: tuple[str, ...], read: str
) -> None:
    for name in names:
        shutil.copytree(record, league / "logs" / name)
    told = harness("standings", league)
    assert told.exit_code == 0, told.output
    assert told.stdout == harness("standings", record).stdout
    assert f"reading {league / 'logs' / read}" in told.stderr
    others = {*names} - {read, "run-x"}
    mentioned = told.stderr.strip().partition("other records of this league: ")[2]
    assert {*mentioned.split(", ")} == (others or {""})


@pytest.mark.parametrize("command", ["status", "show", "verify", "report", "export", "pgn", "replay"])
def test_every_command_that_reads_a_record_takes_a_league(league: Path, record: Path, command: str) -> None:
    wanted = {"export": (str(league / "data"), "--csv"), "replay": ("1.1.1.1", "--bot", STARTER)}
    more = wanted.get(command, ())
    refused = harness(command, league, *more)
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"Error: {league}: nothing was played in this league yet; `harness run` plays a tournament\n",
    )
    shutil.copytree(record, league / "logs" / "run-1")
    assert f"reading {league / 'logs' / 'run-1'}\n" in harness(command, league / "league.toml", *more).stderr


@pytest.mark.parametrize("final", [(), ("--final",)])
def test_a_league_may_have_the_deadline_of_its_manual(league: Path, final: tuple[str, ...]) -> None:
    text = (league / "league.toml").read_text()
    (league / "league.toml").write_text("deadline = 2030-12-01T23:59:00+01:00\n" + text)
    told = harness("check", "plan", league, "--no-trial", *final)
    assert told.exit_code == 0, told.output


def test_versions_that_may_be_late_are_told_at_collect_and_at_the_final(league: Path, tmp_path: Path) -> None:
    text = (league / "league.toml").read_text()
    (league / "league.toml").write_text("deadline = 2020-12-01T23:59:00+01:00\n" + text)
    (league / "roster.csv").write_text("team,student,id\nAnts,Ann,101\nBees,Bob,102\nCats,Cid,103\n")
    a_zip(tmp_path / "export" / "bob_102_9002_bot.zip")  # Canvas writes LATE into the names of late files.
    a_folder(tmp_path / "Ants")
    told = (
        "Collected after the deadline, with no known time of hand-in: Ants=1. Such a version counts as in "
        f"time and plays in the final. To leave it out: harness entries {league} --withdraw TEAM=N"
    )
    check = ("check", "plan", league, "--no-trial")
    assert told in spoken("collect", league, tmp_path / "export", tmp_path / "Ants")
    assert told in spoken(*check, "--final")
    assert told not in spoken(*check)
    single = a_zip(tmp_path / "mails" / "cid_103_9003_bot.zip")  # Perhaps the team itself chose this name.
    collected = spoken("collect", league, single, "--team", f"{single.name}=Cats")
    assert "known time of hand-in: Ants=1, Cats=1. Such" in collected
    spoken("entries", league, "--pin", "Ants=1")
    assert told not in spoken(*check, "--final")


def spoken(*arguments: str | Path) -> str:
    """The remarks of a command, in one line."""
    done = harness(*arguments)
    assert done.exit_code == 0, done.output
    return " ".join(done.stderr.split())


def test_a_date_has_only_the_key_deadline(league: Path) -> None:
    text = (league / "league.toml").read_text()
    (league / "league.toml").write_text("dedline = 2030-12-01T23:59:00+01:00\n" + text)
    told = harness("check", "plan", league, "--no-trial")
    assert told.exit_code == 2
    assert "dedline: dates and times are not allowed; did you mean deadline?" in told.stderr


def test_a_deadline_that_is_no_day_is_told_with_its_key_and_what_is_allowed(league: Path) -> None:
    text = (league / "league.toml").read_text()
    (league / "league.toml").write_text("deadline = 2030-13-01T23:59:00+01:00\n" + text)
    told = harness("check", "plan", league, "--no-trial")
    assert told.exit_code == 2
    assert "league.toml:1: deadline: there is no such day or time; months go from 01 to 12" in told.stderr


def test_a_house_bot_that_is_not_there_is_refused_with_the_nearest(league: Path) -> None:
    (league / "bots" / "gredy").mkdir(parents=True)
    text = (league / "league.toml").read_text()
    (league / "league.toml").write_text(re.sub(r"(?m)^house = .*", 'house = ["bots/greedy"]', text))
    told = harness("check", "plan", league, "--no-trial")
    assert told.exit_code == 2
    assert "bots/greedy: there is no such file or folder; did you mean bots/gredy?" in " ".join(
        told.stderr.replace(f"{league}/", "").split()
    )


def test_a_tournament_of_an_older_version_is_left_alone_and_the_next_number_is_played(league: Path) -> None:
    for team in TEAMS[:2]:
        a_zip(league.parent / f"{team}.zip")
    done = harness("collect", league, *(league.parent / f"{team}.zip" for team in TEAMS[:2]))
    assert done.exit_code == 0, done.output
    assert harness("run", league).exit_code == 0
    plan = league / "logs" / "run-1" / "plan.json"
    plan.write_text(re.sub(r'"harness": *"[^"]*"', '"harness": "0.1.0"', plan.read_text()))
    done = harness("run", league)
    assert done.exit_code == 0, done.output
    assert (league / "logs" / "run-2").is_dir()
