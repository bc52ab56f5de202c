"""The command `bundle`: writes the part of a record that one bot may know, for its team or for other
programs."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from harness.cli import settings
from harness.cli.arguments import FILE, RECORD
from harness.cli.command import Command
from harness.cli.output import tell
from harness.errors import naming
from harness.escape import count_of, shown
from harness.record import run_folder
from harness.record.bundle import Seated, as_text, known_to
from harness.record.disk import put_whole
from harness.results import tables
from harness.results.export.files import new_folder
from harness.results.ranges import standings_of

LINES, TEXT, STANDINGS = "matches.jsonl", "matches.txt", "standings.csv"


@click.command(cls=Command, examples=("harness bundle logs/first --bot my-bot --out my-bot-first",))
@click.argument("logs", type=RECORD)
@click.option("--bot", metavar="NAME", required=True, help="The bot whose view is written.")
@click.option("--out", metavar="DIR", type=FILE, default="bundle", help="The new folder for the files.")
def bundle(logs: Path, bot: str, out: Path) -> None:
    """Write the part of a record that one bot may know.

    The files have the lines that the bot read and wrote in its matches. They also have the times, the faults
    and the stderr of the bot, and the public results. They have nothing that was hidden from the seat of the
    bot, so you can give the files to the team of the bot, or to another program.

    LOGS is the folder of a tournament. The command writes matches.txt for people, matches.jsonl for programs,
    and standings.csv into the new folder DIR.
    """
    plan, history = run_folder.plan_of(logs), run_folder.history_of(logs)
    settings.check_bot(bot, [each.name for each in plan.bots])
    folder = new_folder(out, logs)
    matches, seat = 0, 0
    with (
        naming(folder / LINES),
        (folder / LINES).open("wb") as lines,
        (folder / TEXT).open("w", encoding="utf-8", errors="backslashreplace") as text,
    ):
        for known in known_to(bot, logs, plan, history):
            if isinstance(known, Seated):
                matches, seat = matches + 1, known.seat
            lines.write(msgspec.json.encode(known) + b"\n")
            text.writelines(f"{shown(line)}\n" for line in as_text(known, seat))
    put_whole(folder / STANDINGS, [tables.as_csv(standings_of(plan, history)).encode(), b"\n"])
    tell(f"Wrote what {shown(bot)} may know of {count_of(matches, 'match')} to {shown(str(folder))}.")
