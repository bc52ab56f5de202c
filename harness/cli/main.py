"""Defines the command `harness`, and lists its commands.

When harness prints `harness --help` or completes the name of a command, it imports no file of a command. So
the help and the completion are as quick as Python and click allow. `python -m benchmarks --only start-help`
measures the time of `harness --help`.
"""

from __future__ import annotations

import signal
from typing import Any

import click

from harness import __version__
from harness.cli.command import CommandGroup
from harness.cli.exit_codes import MEANINGS
from harness.cli.terminal import colours

SUMMARIES = {
    "Everyday": {
        "demo": "Play a small tournament, and make its pages.",
        "init": "Make a workspace: bots, a plan, and a place for logs.",
        "new": "Make a new bot, or a new game.",
        "check": "Check a bot, a game, a plan, or this machine.",
        "play": "Play one match and watch it.",
        "run": "Play a tournament, or continue one.",
        "standings": "Print the standings of a tournament or of a season.",
        "show": "Show a match on record, turn by turn, or list all matches.",
        "report": "Make pages with standings, plots, faults and replays.",
    },
    "Find out more": {
        "games": "List the games, or print the page of one game.",
        "bots": "List the bots of a workspace.",
        "better": "Find out whether a new bot is better than an old one.",
        "bench": "Keep the best version of a bot, while you change the bot.",
        "rungs": "Rate opponents of every strength for a game.",
        "status": "Print how far a tournament has come.",
        "diagnose": "Find out which decisions cost a bot most.",
        "puzzles": "Make puzzles of positions in which one answer is the best.",
        "compare": "Find the first answers in which two bots differ.",
        "whatif": "Play a match again from one question on, with another answer.",
        "replay": "Ask a bot the questions of a recorded match again.",
    },
    "A course": {
        "collect": "Take hand-ins into a league: unpack, build and check each.",
        "teams": "List the teams of a league, or change them.",
        "entries": "Show the versions of each team, or choose which one plays.",
        "ladder": "Play the ladder of a league, or continue it.",
        "grade": "Grade the teams of a tournament by a scheme.",
        "mark": "Mark one bot: check it, play it and grade its matches.",
        "similar": "Find teams whose programs look alike.",
        "autograder": "Make an autograder for Gradescope or GitHub.",
    },
    "Trust": {
        "verify": "Check a record: compute every result again and compare.",
        "sign": "Sign the record of a tournament with an SSH key.",
    },
    "Many machines": {
        "merge": "Merge the shards of a tournament into one record.",
        "worker": "Let this machine play for the tournaments of a cluster.",
        "nodes": "List the machines of a cluster.",
        "cluster": "Make the keys of a cluster, or run its scheduler.",
    },
    "Other programs": {
        "export": "Write a record as tables, in Parquet or CSV.",
        "bundle": "Write the part of a record that one bot may know.",
        "pgn": "Write the matches of a tournament of chess as PGN.",
    },
}


class Main(CommandGroup):
    """The group of all commands. Only this class turns errors into a sentence and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that the user typed."""
        ctx.color = colours()
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # The next Ctrl-C ends the process at once.
            from harness.cli.error_for import error_for

            shown = error_for(error)
            if shown is error:
                raise
            raise shown from error


@click.group(
    cls=Main,
    summaries=SUMMARIES,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    examples=(
        "harness demo",
        "harness init my-course --game sevens",
        "harness run my-course/tournaments/first.toml",
        "harness play sevens greedy random",
    ),
    epilog=f"Exit codes: {'; '.join(f'{code} {meaning}' for code, meaning in MEANINGS.items())}.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def main() -> None:
    """Run tournaments of game-playing programs, and verify their results from the logs."""
