"""Owns the proof that rogues which are disqualified change no result of the bots that stay."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.events import Voided
from harness.record.log import read_journal
from harness.record.run_folder import history_of
from tests.cli.workshop import Workshop, harness
from tests.play.seated import BOTS

pytestmark = pytest.mark.whole

BLAMELESS = 3
STAY = ("crashes-at-exit.py", "remembers.py")
"""Rogues without a fault."""
GO = (
    "answers-twice.py",
    "breaks-on-start.py",
    "exits-between-questions.py",
    "letters-in-disguise.py",
    "takes-itself-away",
    "wrong-claim.py",
)
Ranks = dict[tuple[str, ...], list[tuple[float, ...]]]


def played(folder: Path, *rogues: str) -> tuple[Workshop, Ranks]:
    """Plays blameless bots and these rogues. Returns the ranks of the blameless bots in matches with each
    other."""
    shop = Workshop(folder, BLAMELESS)
    blameless = [bot.name for bot in shop.bots]
    for rogue in rogues:
        source = BOTS / "rogues" / rogue
        copy = folder / rogue
        shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)
        shop.bots.append(copy)
    shop.write_plan()
    run = shop.run()
    assert run.returncode == 0, run.stderr
    history = history_of(shop.logs)
    ranks: Ranks = {}
    for match in history.matches(history.runs[-1]):
        if set(match.bots) <= set(blameless):
            ranks.setdefault(match.bots, []).append(match.ranks)
    return shop, ranks


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workshop, Ranks]:
    return played(tmp_path_factory.mktemp("alone"))


def standings(shop: Workshop) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(harness("standings", str(shop.logs), "--json").stdout)
    return found


def test_the_blameless_have_the_ranks_that_they_have_without_the_rogues(
    tmp_path: Path, alone: tuple[Workshop, Ranks]
) -> None:
    shop, ranks = played(tmp_path, *STAY, *GO)
    assert len(ranks) == BLAMELESS * (BLAMELESS - 1)
    assert ranks == alone[1]
    assert not [line for line in read_journal(shop.logs) if isinstance(line.record, Voided)]
    assert harness("verify", str(shop.logs)).returncode == 0
    assert {out["bot"] for out in standings(shop)["disqualified"]} == {Path(name).stem for name in GO}


def test_the_blameless_share_the_table_that_they_have_alone_if_all_rogues_go(
    tmp_path: Path, alone: tuple[Workshop, Ranks]
) -> None:
    shop, _ = played(tmp_path, *GO)
    assert standings(shop)["standings"] == standings(alone[0])["standings"]
