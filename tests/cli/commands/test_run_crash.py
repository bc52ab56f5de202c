"""Owns the crash tests: controller, worker and bot are killed at each kind of moment, and nothing is lost.

The controller is killed during a write, when none, half or all of the bytes are written. So the log looks as
it can look after any kill. A bot kills its worker or itself, when it gets a certain line.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.bot.process import become_subreaper
from harness.verify import verify
from tests.cli.workshop import Workshop, harness, timeless, wait_for_orphans

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[3]
# Kills the controller in the first write of this text, or to a file of this name, after a part of the bytes.
DIES = """
import os, signal
if moment := os.environ.get("DIES_AT"):
    from harness.record import disk, journal
    part, text = moment.split(" ", 1)
    write = disk.write_at

    def written(file, at, data):
        if text in str(file.name) or text.encode() in data:
            write(file, at, data[: int(len(data) * float(part))])
            os.kill(os.getpid(), signal.SIGKILL)
        write(file, at, data)

    disk.write_at = journal.write_at = written
"""
# A bot that plays its first legal move. The file `.fate` names an event, and who is killed at it.
MORTAL = """
import os, sys
os.chdir(open(".home").read())
def happens(event):
    try:
        with open(".fate") as file:
            when, whom = file.read().split()
    except OSError:
        return
    if when == event or when == "rerun" and os.path.exists("../logs/demo/run-2"):
        os.unlink(".fate")
        os.kill(os.getppid() if whom == "worker" else os.getpid(), 9)

moves = []
for line in sys.stdin:
    word = line.split()[0]
    if word == "move":
        moves.append(line[5:].strip())
        continue
    if word in ("hello", "new", "bye"):
        happens(word)
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
        print("a match begins", file=sys.stderr, flush=True)
    elif word == "bye":
        break
    elif moves:
        happens("answer")
        print("nonsense" if "cheat" in os.getcwd() else moves[0], flush=True)
        moves.clear()
"""
WHOLE, HALF, NONE = 1, 0.5, 0
# All kinds of writes, in their order, each with the part of its bytes that is written.
MOMENTS = (
    *((part, ".new") for part in (NONE, HALF, WHOLE)),
    *((part, '{"is":"opened"') for part in (NONE, HALF, WHOLE)),
    *((part, '{"is":"run","run":1') for part in (NONE, HALF, WHOLE)),
    *((part, "run-1/000/000001.jsonl") for part in (NONE, HALF, WHOLE)),
    *((part, ".stderr") for part in (HALF, WHOLE)),
    *((part, '{"is":"played"') for part in (NONE, HALF, WHOLE)),
    *((part, '{"is":"disqualified"') for part in (HALF, WHOLE)),
    *((part, '{"is":"run","run":2') for part in (HALF, WHOLE)),
    *((part, "run-2/000/000001.jsonl") for part in (HALF, WHOLE)),
    (HALF, '{"is":"ended"'),
)
# Each kind of write once, half written. The line "played" decides whether a sitting counts, so it has all
# parts.
FEW = [moment for moment in MOMENTS if moment[0] == HALF or "played" in moment[1]]


class Undisturbed(NamedTuple):
    """The result of a run in which no process is killed."""

    standings: Any
    record: dict[str, list[Any]]


def a_shop(folder: Path, **plan: Any) -> Workshop:
    """Three bots, one of which breaks a rule at once. So run 1 has 6 matches, run 2 has 2. Each is a
    sitting."""
    shop = Workshop(folder, 0)
    shop.bots += [shop.add_bot(name, MORTAL) for name in ("anna", "bert", "cheat")]
    shop.write_plan(sitting=1, **plan)
    (folder / "sitecustomize.py").write_text(DIES)
    return shop


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    shop = a_shop(tmp_path_factory.mktemp("undisturbed"))
    run = shop.run("--json", "--workers", "1")
    assert run.returncode == 0
    return Undisturbed(json.loads(run.stdout), timeless(shop.logs))


def dies_at(part: float, text: str, shop: Workshop) -> int:
    """Plays a run whose controller is killed at this moment. Returns its exit code."""
    under = ("env", f"PYTHONPATH={shop.folder}:{ROOT}", f"DIES_AT={part} {text}")
    run = shop.run("--workers", "1", under=under)
    wait_for_orphans()
    return run.returncode


def ends(shop: Workshop, undisturbed: Undisturbed) -> None:
    """Checks that the same command ends the run as if nobody had died: nothing is lost or counted twice."""
    last = shop.run("--json", "--workers", "1")
    assert last.returncode == 0, last.stderr
    told = json.loads(last.stdout)
    for row in told["standings"]:
        row["voids"] = 0
    assert told == undisturbed.standings
    assert timeless(shop.logs) == undisturbed.record
    verify(shop.logs)


@pytest.mark.parametrize("moments", [FEW, pytest.param(MOMENTS, marks=pytest.mark.soak)], ids=len)
def test_a_controller_that_dies_at_one_moment_after_the_other_costs_nothing(
    tmp_path: Path, undisturbed: Undisturbed, moments: Sequence[tuple[float, str]]
) -> None:
    become_subreaper()
    shop = a_shop(tmp_path)
    for part, text in moments:
        assert dies_at(part, text, shop) == -signal.SIGKILL, (part, text)
    ends(shop, undisturbed)


@pytest.mark.soak
@pytest.mark.parametrize(("part", "text"), MOMENTS)
def test_a_controller_that_dies_at_a_moment_costs_nothing(
    tmp_path: Path, undisturbed: Undisturbed, part: float, text: str
) -> None:
    become_subreaper()
    shop = a_shop(tmp_path)
    assert dies_at(part, text, shop) == -signal.SIGKILL
    ends(shop, undisturbed)


@pytest.mark.parametrize("event", ["hello", "new", "answer", "bye", "rerun"])
def test_a_worker_that_dies_at_a_moment_costs_an_attempt(
    tmp_path: Path, undisturbed: Undisturbed, event: str
) -> None:
    shop = a_shop(tmp_path)
    (shop.bots[0] / ".fate").write_text(f"{event} worker")
    ends(shop, undisturbed)
    assert not (shop.bots[0] / ".fate").exists()
    assert (shop.logs / "tournament.jsonl").read_text().count('"its worker was lost"') == 1


@pytest.mark.parametrize(
    ("event", "plan", "fault"),
    [
        ("hello", {"policy": "forfeit"}, ["no-start"]),
        ("new", {"policy": "forfeit"}, ["no-start"]),
        ("answer", {"policy": "forfeit"}, ["crash"]),
        ("bye", {"policy": "forfeit"}, []),
        ("rerun", {"policy": "strikes", "strikes": 2}, ["no-start"]),
    ],
)
def test_a_bot_that_dies_at_a_moment_costs_itself_that_match(
    tmp_path: Path, event: str, plan: dict[str, Any], fault: list[str]
) -> None:
    """The controller is killed too, before the record has the end. Each match still counts once."""
    become_subreaper()
    shop = a_shop(tmp_path, **plan)
    (shop.bots[0] / ".fate").write_text(f"{event} bot")
    assert dies_at(NONE, '{"is":"ended"', shop) == -signal.SIGKILL
    assert not (shop.bots[0] / ".fate").exists()
    last = shop.run("--json", "--workers", "1")
    assert last.returncode == 0, last.stderr
    rows = {row["bot"]: row for row in json.loads(last.stdout)["standings"]}
    assert rows["anna"]["matches"] == rows["bert"]["matches"] == (2 if event == "rerun" else 4)
    assert (rows["anna"]["faults"], rows["bert"]["faults"]) == (len(fault), 0)
    matches = json.loads(harness("show", str(shop.logs), "--bot", "anna", "--json").stdout)
    assert [
        each["name"] for match in matches for each in match["faults"] if is_of("anna", match, each)
    ] == fault
    verify(shop.logs)


def is_of(bot: str, match: dict[str, Any], fault: dict[str, Any]) -> bool:
    return bool(match["bots"][fault["seat"] - 1] == bot)
