"""The command `new game`: makes the files of a new game, which are a copy of Tiny under another name."""

from __future__ import annotations

import keyword
import re
import shlex
from pathlib import Path

import click

from harness.cli.arguments import FILE
from harness.cli.command import Command
from harness.cli.manuals import files, read, write
from harness.cli.output import tell
from harness.cli.workspace import TEMPLATES
from harness.config.document import quoted
from harness.errors import InputError
from harness.escape import shown

COPIED = "tiny"
"""The name of the game that is copied."""
MOST_NAME = 32
NAME = re.compile(rf"[a-z][a-z0-9_]{{0,{MOST_NAME - 1}}}")


@click.command("game", cls=Command, examples=("harness new game auction",))
@click.argument("path", metavar="NAME", type=FILE)
def new_game(path: Path) -> None:
    """Make a small game of your own, to change it.

    The command writes NAME.py with the rules, NAME.md with the page, and test_NAME.py with the tests. The
    game is complete: all players bid coins, and the highest bid wins. NAME may begin with a folder.
    """
    name, folder = path.name.removesuffix(".py"), path.parent
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        allowed = f"a name of 1 to {MOST_NAME} small letters, digits and `_`, which begins with a letter"
        raise InputError(f"expected {allowed}, not {quoted(name)}", "NAME")
    copies = {folder / file.name.replace(COPIED, name): file for file in files(TEMPLATES / "game")}
    for copy in copies:
        if copy.exists():
            raise InputError("there is such a file already; choose another name", shown(str(copy)))
    for copy, file in copies.items():
        write(copy, renamed(read(file), name))
    rules = shlex.quote(shown(f"{folder}/{name}.py"))
    tell(f"Made a game: {', '.join(shown(str(copy)) for copy in sorted(copies))}.\n")
    click.echo(f"    harness check game {rules}")
    click.echo(f"    harness play {rules} human human")


def renamed(text: str, name: str) -> str:
    """Returns the text of a file of Tiny for the game with this name: files, classes and title have the new
    name."""
    words = name.split("_")
    classes = "".join(map(str.capitalize, words))
    title = " ".join(words).strip().capitalize()
    text = re.sub(rf"{COPIED.capitalize()}(?=[A-Z(])|(?<== ){COPIED.capitalize()}(?=\()", classes, text)
    return text.replace(COPIED.capitalize(), title).replace(COPIED, name)
