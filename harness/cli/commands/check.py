"""The commands `check ...`: whether a bot, a game, a plan or this machine is ready for a tournament."""

from __future__ import annotations

import click

from harness.cli.main import Commands

HOMES = {
    "bot": "check_bot:check_bot",
    "game": "check_game:check_game",
    "plan": "check_plan:check_plan",
    "machine": "check_machine:check_machine",
}


@click.group(cls=Commands, homes=HOMES)
def check() -> None:
    """Check a bot, a game, a plan, or this machine."""
