"""Owns a league with a final in which anna and bert played, for the tests of grades; asserts nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.config import FrozenBot
from harness.league.entries import Entries, Receipt
from tests.cli.door import STARTER, TINY
from tests.cli.logs import BOTS, write

LEAGUE = f"""
game = "{TINY}"
seats = 2
isolation = "none"
house = [{{ path = "{STARTER}", name = "random" }}]
scheme = "scheme.toml"
"""
SCHEME = '[[item]]\nkind = "start"\npoints = 10\n[[item]]\nkind = "rank"\npoints = [10, 5]\n'
ROSTER = """team,student,id,participant,email
anna,Ann Adams,101,4711,ann@x.org
anna,Amy Allen,102,4712,amy@x.org
bert,Bob Baker,103,4713,bob@x.org
"""
SOURCES = {"anna": "week.zip: adamsann_LATE_101_9001_bot.zip", "bert": "week.zip: bakerbob_103_9003_bot.zip"}


def a_league(folder: Path) -> Path:
    """A league with a final, a record of a practice tournament, and a hand-in of each team."""
    folder.mkdir()
    (folder / "league.toml").write_text(LEAGUE)
    (folder / "scheme.toml").write_text(SCHEME)
    (folder / "roster.csv").write_text(ROSTER)
    bots = tuple(FrozenBot(bot, f"entries/{bot}/1/files", "", ("true",), (), "") for bot in BOTS)
    record = write(folder.with_name("elsewhere"), policy="forfeit", bots=bots)
    for name in ("final", "run-1"):
        shutil.copytree(record, folder / "logs" / name)
    for team, source in SOURCES.items():
        files = folder / f"new-{team}"
        files.mkdir()
        receipt = Receipt(team=team, version=0, digest=team, source=source, collected="2026-11-01", good=True)
        Entries(folder).team(team).add(receipt, files)
    return folder
