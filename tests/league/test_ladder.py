"""Tests the ladder of a league: sessions, new versions, withdrawn ones, pages, and the record."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from harness.bot.process import become_subreaper
from harness.cli.commands.ladder import seconds_until
from harness.events import Entered
from harness.league.ladder import DEALS, ladder_plan
from harness.league.league import read_league
from harness.record import run_folder
from harness.record.history import History
from harness.record.log import read_journal
from harness.results.tables import FORMER
from harness.verify import verify
from tests.cli.workshop import TINY, wait_for_orphans
from tests.league.handed import a_folder
from tests.league.test_league_course import ask

PLAYS = """import sys
moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word in ("hello", "new"):
        print({"hello": "hello 1 legal", "new": "ready"}[word], flush=True)
    elif word == "move":
        moves.append(line[5:].strip())
    elif word == "bye":
        break
    elif moves:
        print(moves[0], flush=True)
        moves.clear()
"""
BOT = {"bot.toml": 'run = ["python3", "-I", "-S", "bot.py"]\n', "bot.py": PLAYS}
LEAGUE = f"""game = {json.dumps(str(TINY))}
isolation = "none"
seats = 2
meet = 5
deals = 9
policy = "forfeit"
house = ["house/calm"]

[ladder]
deals = 4
"""


def hand_in(league: Path, team: str, word: str) -> None:
    """Hands in the next version of a team."""
    room = league.parent / f"{team}-{word}" / team
    ask("collect", league, a_folder(room, {**BOT, "note.txt": word}))


def entered(league: Path) -> list[Entered]:
    lines = read_journal(league / "logs" / "ladder")
    return [line.record for line in lines if isinstance(line.record, Entered)]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with two teams, after two sessions: a new version and a new team came in the second one."""
    folder = tmp_path_factory.mktemp("ladder") / "course"
    a_folder(folder / "house" / "calm", BOT)
    (folder / "league.toml").write_text(LEAGUE)
    for team in ("ants", "bees"):
        hand_in(folder, team, "first")
    told = ask("ladder", folder, "--matches", "8", "--json", "--workers", "1", "--no-pages").stdout
    first = {row["bot"]: row for row in json.loads(told)["standings"]}
    assert first.keys() == {"ants@1", "bees@1", "calm"}
    hand_in(folder, "ants", "second")
    hand_in(folder, "cats", "first")
    ask("ladder", folder, "--matches", "72", "--workers", "2", "--mask")
    return folder


@pytest.fixture
def league(played: Path, tmp_path: Path) -> Path:
    """A copy of the league. So changes by one test do not reach other tests."""
    return shutil.copytree(played, tmp_path / "course", symlinks=True)


def test_a_new_version_comes_in_and_all_matches_count(league: Path) -> None:
    first, second = entered(league)
    assert [bot.name for bot in first.bots] == ["calm", "ants@1", "bees@1"]
    assert [bot.house for bot in first.bots] == [True, False, False]
    assert [bot.name for bot in second.bots] == ["ants@2", "cats@1"]
    assert second.lines == (("calm",), ("ants@2", "ants@1"), ("bees@1",), ("cats@1",))
    found = verify(league / "logs" / "ladder")
    assert found.ended is None
    assert found.matches >= 80
    told = json.loads(ask("standings", league / "logs" / "ladder", "--format", "json").stdout)
    assert told["matches"] == found.matches
    assert told["missing"] == 0
    rows = {row["bot"]: row for row in told["standings"]}
    assert rows.keys() == {"calm", "ants@1", "ants@2", "bees@1", "cats@1"}
    assert [row["bot"] for row in told["standings"] if row["former"]] == ["ants@1"] == [*rows][-1:]
    # Each rating lies in its range, although earlier results decide which bots meet.
    for row in rows.values():
        if row["matches"]:
            assert row["rating_low"] <= row["rating"] <= row["rating_high"]
        else:  # The first session has one encounter for three bots, so one of them may not have played.
            assert row["bot"] == "ants@1"
            assert row["rating"] is row["rating_low"] is row["rating_high"] is None


def test_the_pages_name_no_team_and_show_each_version(league: Path) -> None:
    page = (league / "logs" / "ladder" / "report" / "index.html").read_text()
    assert not re.search("ants|bees|cats", page)
    assert "calm" in page
    masks = set(re.findall(r"team-\w+@\d", page))
    former = page[page.index(FORMER) :].partition("</table>")[0]
    assert set(re.findall(r"team-\w+(@\d)", former)) == {"@1"}
    assert "5, of them 1 former" in page
    assert sorted(mask[-2:] for mask in masks) == ["@1", "@1", "@1", "@2"]
    assert len({mask[:-2] for mask in masks}) == 3, "both versions of the ants have one mask"


def test_a_ladder_is_stopped_at_any_time_and_goes_on(league: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", "ladder", str(league), "--no-pages", "--workers", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("round"):
            process.send_signal(signal.SIGINT)
            break
    _, err = process.communicate()
    assert process.returncode == 0, err
    assert "the same command continues the ladder" in err
    verify(league / "logs" / "ladder")


def test_a_version_that_is_withdrawn_leaves_its_place_to_another(league: Path) -> None:
    ask("entries", league, "--withdraw", "ants=2", "--withdraw", "cats=1")
    ask("ladder", league, "--matches", "72", "--no-pages")
    assert entered(league)[-1].lines == (("calm",), ("ants@1",), ("bees@1",))
    assert not entered(league)[-1].bots


def test_remarks_use_the_present_name_of_a_renamed_team(league: Path) -> None:
    ask("teams", league, "--rename", "ants", "emus")
    hand_in(league, "emus", "third")
    said = ask("ladder", league, "--matches", "1", "--no-pages").stderr
    assert [bot.name for bot in entered(league)[-1].bots] == ["ants@3"]
    assert "the field has changed: emus@3; 4 bots play now" in said
    assert "ants" not in said


def test_a_house_bot_with_other_files_is_a_new_version_and_a_pinned_one_stands_first(league: Path) -> None:
    ask("entries", league, "--pin", "ants=1")
    a_folder(league / "house" / "calm", {**BOT, "note.txt": "changed"})
    before = verify(league / "logs" / "ladder").matches
    ask("ladder", league, "--for", "3s", "--matches", "72", "--no-pages")
    assert verify(league / "logs" / "ladder").matches > before
    assert [bot.name for bot in entered(league)[-1].bots] == ["calm@2"]
    assert entered(league)[-1].lines == (("calm@2",), ("ants@1", "ants@2"), ("bees@1",), ("cats@1",))
    assert "calm@2" in {bot.name for bot in run_folder.plan_of(league / "logs" / "ladder").bots}
    verify(league / "logs" / "ladder")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--for", "5x"), "--for: expected a duration such as 90s, 10m or 1h30m, not '5x'"),
        (("--until", "24:00"), "--until: expected a time of the day such as 23:30, not '24:00'"),
    ],
)
def test_a_wrong_time_is_told(league: Path, flags: tuple[str, ...], told: str) -> None:
    assert told in ask("ladder", league, *flags, code=2).stderr


@pytest.mark.parametrize(("day", "hours"), [((2026, 10, 24), 9), ((2027, 3, 27), 7), ((2027, 6, 1), 8)])
def test_a_night_in_which_the_clock_is_changed_ends_in_time(
    monkeypatch: pytest.MonkeyPatch, day: tuple[int, int, int], hours: int
) -> None:
    class Evening(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Evening:
            return cls(*day, 22)

    monkeypatch.setattr("harness.cli.commands.ladder.datetime", Evening)
    with monkeypatch.context() as abroad:
        abroad.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        assert seconds_until("06:00") == hours * 3600
    time.tzset()


def test_what_a_ladder_cannot_do_is_told(tmp_path: Path) -> None:
    a_folder(tmp_path / "house" / "calm", BOT)
    (tmp_path / "league.toml").write_text(LEAGUE)
    assert "2 seats need at least 2 bots" in ask("ladder", tmp_path, code=2).stderr
    (tmp_path / "league.toml").write_text(f'{LEAGUE}bots = ["x"]\n')
    assert "a ladder has no such key" in ask("ladder", tmp_path, code=2).stderr
    (tmp_path / "league.toml").write_text(f"{LEAGUE}deal = 3\n")
    assert "league.toml:11: ladder.deal: expected" in ask("ladder", tmp_path, code=2).stderr
    a_folder(tmp_path / "house" / "other", BOT)
    two = LEAGUE.replace('"house/calm"', '"house/calm", "house/other"')
    (tmp_path / "league.toml").write_text(f"{two}rounds = 3\n")
    assert '"ladder" has no key rounds' in ask("ladder", tmp_path, code=2).stderr
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = {json.dumps(str(TINY))}\nbots = ["house/calm"]\nformat = "ladder"\n')
    assert "harness ladder LEAGUE" in ask("run", plan, code=2).stderr


def test_the_deals_of_a_ladder_are_its_own(tmp_path: Path) -> None:
    for house in ("calm", "other"):
        a_folder(tmp_path / "house" / house, BOT)
    text = LEAGUE.replace('"house/calm"', '"house/calm", "house/other"')
    for written, deals in ((text, 4), (text.partition("[ladder]")[0], DEALS)):
        (tmp_path / "league.toml").write_text(written)
        assert ladder_plan(read_league(tmp_path), History()).plan.deals == deals


@pytest.mark.soak
def test_a_ladder_of_30_versions_that_is_killed_ten_times_goes_on_and_verifies(tmp_path: Path) -> None:
    league = tmp_path / "course"
    a_folder(league / "house" / "calm", BOT)
    (league / "league.toml").write_text(LEAGUE)
    journal, before = league / "logs" / "ladder" / "tournament.jsonl", b""
    become_subreaper()
    for kills, rounds in enumerate((1, 3, 2, 5, 1, 4, 2, 3, 1, 2), start=1):
        # Each of the 15 teams hands in two versions.
        for team in (f"team{kills % 5 * 3 + number}" for number in range(3)):
            hand_in(league, team, str(kills))
        command = [sys.executable, "-m", "harness", "ladder", str(league), "--no-pages"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        assert process.stderr is not None
        with process.stderr as lines:
            told = [next(line for line in lines if line.startswith("round")) for _ in range(rounds)]
        assert len(told) == rounds
        process.kill()
        assert process.wait() == -signal.SIGKILL
        wait_for_orphans()
        now = journal.read_bytes()
        assert now.startswith(before), "nothing is played again"
        before = now[: now.rfind(b"\n") + 1]
    ask("ladder", league, "--matches", "20", "--no-pages")
    assert journal.read_bytes().startswith(before)
    assert sum(len(line.bots) for line in entered(league)) == 30 + 1
    assert verify(league / "logs" / "ladder").matches > 200
