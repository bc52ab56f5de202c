"""Owns the proof that other work on the machine costs no bot a match, and saves no bot that is late."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.bot.spinners import spinners
from tests.cli.workshop import STEADY, Workshop, harness

pytestmark = pytest.mark.whole

LIMIT = 100
"""Milliseconds for a move."""
LATE = 0.15
EACH = 2
"""The number of other processes for each core. Each of them wants the whole core."""
SLEEPS = f"import time; time.sleep({LATE})"
SPINS = f"import time; end = time.thread_time() + {LATE}\n        while time.thread_time() < end: pass"
LONG_LIMIT = 400
"""Milliseconds for a move. If the host stops the machine, a bot can lose 25 ms that no counter shows."""
HARD = SPINS.replace(f"{LATE}", "(0.3 if count % 8 == 0 else 0)")


def thinking(how: str) -> str:
    """The program of a bot that runs this code before each answer. `count` is a random number of the bot."""
    return STEADY.replace("elif moves:\n", f"elif moves:\n        {how}\n")


class Outcome(NamedTuple):
    """How a run ended, how many matches were ended by whose faults, and the reasons of the faults."""

    run: subprocess.CompletedProcess[str]
    faults: Counter[tuple[str, ...]]
    reasons: list[str]


def played(folder: Path, deals: int, *bots: str, limit: int = LIMIT) -> Outcome:
    """Plays a tournament of two blameless bots and these bots, while other processes keep all cores busy."""
    shop = Workshop(folder, 2)
    shop.bots += [shop.add_bot(f"thinker{number}", thinking(how)) for number, how in enumerate(bots, start=1)]
    shop.write_plan(deals=deals, policy="forfeit")
    with shop.plan.open("a") as plan:
        plan.write(f"[limits]\nmove_ms = {limit}\n")
    with spinners(EACH * len(os.sched_getaffinity(0))):
        run = shop.run()
    matches = json.loads(harness("show", str(shop.logs), "--json").stdout)
    faults = Counter(
        tuple(f"{match['bots'][fault['seat'] - 1]} {fault['name']}" for fault in match["faults"])
        for match in matches
    )
    return Outcome(run, faults, [fault["reason"] for match in matches for fault in match["faults"]])


def test_other_work_costs_no_blameless_bot_a_match(tmp_path: Path) -> None:
    run, faults, reasons = played(tmp_path, 25)
    assert (run.returncode, faults) == (0, {(): 50}), (reasons, run.stderr)


def test_other_work_costs_no_bot_a_match_that_uses_three_quarters_of_its_time(tmp_path: Path) -> None:
    run, faults, reasons = played(tmp_path, 1, HARD, HARD, limit=LONG_LIMIT)
    assert (run.returncode, faults) == (0, {(): 12}), (reasons, run.stderr)
    journal = tmp_path / "logs" / "demo" / "tournament.jsonl"
    assert "void" not in {json.loads(line)["is"] for line in journal.read_text().splitlines()}


def test_other_work_saves_no_bot_that_is_late(tmp_path: Path) -> None:
    run, faults, _ = played(tmp_path, 2, SLEEPS, SPINS)
    assert run.returncode == 0, run.stderr
    assert faults.pop(()) == 4, "those of the blameless"
    assert sum(faults.values()) == 20
    assert set(faults) <= {("thinker1 late",), ("thinker2 late",)}


@pytest.mark.soak
def test_other_work_costs_no_blameless_bot_one_of_a_thousand_matches(tmp_path: Path) -> None:
    run, faults, reasons = played(tmp_path, 500)
    assert (run.returncode, faults) == (0, {(): 1000}), (reasons, run.stderr)
