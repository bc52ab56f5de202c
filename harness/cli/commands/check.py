"""The commands `check ...`: check whether a bot, a game, a plan or this machine is ready for a tournament."""

from __future__ import annotations

import click

from harness.cli.command import CommandGroup

SUMMARIES = {
    "bot": "Check that a bot plays whole matches in every seat.",
    "game": "Check that a game keeps the laws of the contract.",
    "plan": "Check a plan: bots, size, time, and what the results will tell.",
    "machine": "Check that this machine can time and isolate bots.",
}


@click.group(
    cls=CommandGroup,
    summaries={"Commands": SUMMARIES},
    prefix="check_",
    examples=(
        "harness check machine",
        "harness check bot bots/my-bot --game sevens",
        "harness check plan tournaments/first.toml",
    ),
)
def check() -> None:
    """Check a bot, a game, a plan, or this machine."""
