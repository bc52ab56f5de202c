"""The command `autograder`: makes what Gradescope or GitHub needs to mark each hand-in at once."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click

from harness.checking.marking import scheme_of
from harness.cli.leagues import opponents
from harness.cli.new_autograder import WORKFLOW, fill, write_workflow
from harness.cli.output import FILE, tell
from harness.cli.workspace import STARTER
from harness.errors import InputError
from harness.escape import shown
from harness.league.league import gauntlet


@click.command()
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--out", metavar="FILE.zip", type=FILE, help="Write the zip that Gradescope takes.")
@click.option("--github", metavar="DIR", type=FILE, help="Write a workflow into this folder of a repository.")
@click.option("--scheme", metavar="FILE", type=FILE, help="What earns points [half no faults, half wins].")
@click.option("--package", "packages", multiple=True, metavar="NAME", help="A package of Debian to install.")
def autograder(
    plan_file: Path, out: Path | None, github: Path | None, scheme: Path | None, packages: tuple[str, ...]
) -> None:
    """Make an autograder: it checks each hand-in, and plays it against the bots of a plan, at once.

    PLAN is the file of a plan, or a league: then its house bots play, and its scheme says what earns points.
    Points for places are left out, because they depend on the other teams. The zip has the programs of the
    bots, harness, and scripts; bots under test cannot read or write it.
    """
    if out is None and github is None:
        raise InputError("say what to make: --out FILE.zip for Gradescope, or --github DIR", "autograder")
    if out is not None and out.suffix != ".zip":
        raise InputError(f"expected a name that ends with .zip, not {shown(out.name)!r}", "--out")
    league, bots = opponents(plan_file, scheme)
    with tempfile.TemporaryDirectory(prefix="harness-autograder-") as room:
        scheme_of(
            league, gauntlet(league, Path(STARTER)), Path(room, "scheme.toml")
        )  # It says what is wrong.
        made = Path(room, "autograder")
        fill(made, league, bots, packages)
        names = ", ".join(shown(bot.name) for bot in bots)
        if out is not None:
            packed = shutil.make_archive(str(Path(room, "made")), "zip", made)
            shutil.copyfile(packed, out)
            tell(f"Made {shown(str(out))}: upload it to Gradescope as the autograder of an assignment.")
        if github is not None:
            write_workflow(github, made)
            tell(f"Made {shown(str(github / WORKFLOW))} and what it needs: push it to the template.")
    tell(f"Each hand-in is checked, and plays against {names}.")
    tell(f"To try it with a bot here: harness mark {shown(str(plan_file))} BOT")
