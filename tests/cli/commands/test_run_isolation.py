"""Owns the tests of a run's isolation and clock: the command and the log say which ones the run had."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import conduct, read_log, read_plan, standings
from harness.events import InTournament, RunBegan, Voided
from harness.league.entries import Entries, Receipt
from harness.sandbox.isolation import missing
from tests.cli.workshop import Workshop, command, harness, timeless
from tests.play.seated import BOTS, needs

pytestmark = pytest.mark.whole

needs_a_sandbox = pytest.mark.skipif(bool(missing()), reason=f"no sandbox here: {missing()}")


def lines(shop: Workshop, file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (shop.logs / file).read_text().splitlines()]


@needs_a_sandbox
def test_the_level_that_was_had_is_told_and_stands_in_the_log(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 3, isolation="auto", workers=1)
    assert "isolation: bwrap\n" in shop.run().stderr
    played = [line for line in lines(shop, "tournament.jsonl") if line["is"] == "played"]
    assert {line["isolation"] for line in played} == {"bwrap"}
    assert lines(shop, "run-1/000/000001.jsonl")[0]["isolation"] == "bwrap"
    assert harness("verify", str(shop.logs)).returncode == 0


@needs_a_sandbox
def test_an_isolated_record_is_the_same_with_one_worker_or_two(tmp_path: Path) -> None:
    one, two = (Workshop(tmp_path / str(count), 3, isolation="bwrap") for count in (1, 2))
    assert one.run("--workers", "1").returncode == two.run("--workers", "2").returncode == 0
    assert timeless(one.logs) == timeless(two.logs)


@needs_a_sandbox
def test_an_isolated_bot_is_not_to_blame_if_the_machine_takes_its_copy_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unlike a bot without isolation, an isolated bot cannot remove or change its own copy."""
    shop = Workshop(tmp_path / "shop", 3, isolation="bwrap", workers=1, policy="forfeit")
    (tmp_path / "copies").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "copies"))
    notes = []

    def take_and_give_back(record: InTournament) -> None:
        if isinstance(record, RunBegan | Voided):
            [copy] = (tmp_path / "copies").glob("harness-copies-*/2/main.py")
            copy.write_text(
                "exit()" if isinstance(record, RunBegan) else (shop.bots[1] / "main.py").read_text()
            )
        if isinstance(record, Voided):
            notes.append(record.note)

    done = conduct(read_plan(shop.plan), shop.logs, on_record=take_and_give_back)
    assert set(notes) == {"bot2: the machine has changed its files"}
    assert done.ended is not None
    assert [row["faults"] for row in standings(shop.logs)] == [0, 0, 0]


def test_without_isolation_a_run_says_so(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, workers=1)
    assert "isolation: none; bots can read, write and reach whatever you can\n" in shop.run().stderr
    assert not any("isolation" in line for line in lines(shop, "tournament.jsonl"))


@pytest.fixture
def course() -> Iterator[Path]:
    """A league that every user can read. It is outside pytest's folders, which other users cannot enter."""
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        folder = Path(name).resolve()
        (folder / "league.toml").write_text(
            'game = "sevens"\nseats = 2\nisolation = "user"\npolicy = "forfeit"\nworkers = 1\n'
        )
        (folder / "roster.csv").write_text("team,student\nAnts,Ann\nBees,Bob\nCats,Cat\n")
        entries = Entries(folder)
        for team in ("Ants", "Bees", "Cats"):
            hand_in = folder / "hand-in"
            shutil.copytree(BOTS / "starters" / "shell", hand_in)
            if team == "Ants":
                shutil.copy(BOTS / "rogues" / "reads-the-league.pl", hand_in / "main.pl")
                (hand_in / "bot.toml").write_text('run = ["perl", "main.pl"]\n')
            told = Receipt(team=team, version=0, digest=team, source=team, collected="2026-01-01", good=True)
            entries.team(team).add(told, hand_in)
        for each in (folder, folder / "entries"):
            each.chmod(0o755)
        yield folder


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start bots as other users")
@pytest.mark.parametrize("closed", [True, False])
def test_a_bot_that_is_a_user_of_its_own_finds_nothing_of_the_league(closed: bool, course: Path) -> None:
    """If the league stays open, the same bot finds it. This shows that the bot looks in the right places."""
    needs("perl")
    program = (
        "from harness.cli.main import main\nfrom harness.play import conduct\n"
        "from harness.sandbox import own_user\n"
        # The bots are in Perl and shell, so it does not matter that other users cannot reach Python here.
        "own_user.missing = lambda: ''\n"
        + ("" if closed else "conduct.close_workspaces = lambda *_: ()\n")
        + "main()\n"
    )
    played = subprocess.run(
        [sys.executable, "-c", program, "run", str(course)], capture_output=True, text=True, check=False
    )
    assert played.returncode == 0, played.stderr
    assert (f"closed the workspace {course} to other users" in played.stderr) == closed
    logs = course / "logs" / "run-1"
    assert len(list(read_log(logs, "result"))) == 6
    said = {row["said"] for row in read_log(logs, "fault")}
    assert said == (set() if closed else {f"look what I list: {course}/entries"})


def without_bwrap(shop: Workshop) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command("run", str(shop.plan), "--logs", str(shop.folder / "logs")),
        env=os.environ | {"PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_level_that_is_demanded_and_cannot_be_had_is_refused(tmp_path: Path) -> None:
    refused = without_bwrap(Workshop(tmp_path, 2, isolation="bwrap"))
    assert refused.returncode == 2
    assert 'isolation = "bwrap" does not work here: ' in refused.stderr
    assert "Traceback" not in refused.stderr


def test_auto_goes_on_without_what_is_not_there_and_names_it(tmp_path: Path) -> None:
    done = without_bwrap(Workshop(tmp_path, 2, isolation="auto", workers=1))
    assert done.returncode == 0
    assert re.search("isolation: (none|user), because ", done.stderr)


def test_a_tournament_by_cpu_time_is_played_and_verified(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 3, clock="cpu", workers=1)
    assert shop.run().returncode == 0
    assert harness("verify", str(shop.logs)).returncode == 0
    assert json.loads((shop.logs / "plan.json").read_text())["limits"]["wall_ms"] == 30_000
