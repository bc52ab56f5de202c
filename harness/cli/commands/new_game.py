"""The command `new game`: makes the files or the package of a new game. The new game is a copy of the game
Tiny under another name."""

from __future__ import annotations

import keyword
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from string import Template

import click

from harness.cli.arguments import FILE
from harness.cli.command import Command
from harness.cli.manuals import files, read, write
from harness.cli.output import tell
from harness.cli.workspace import TEMPLATES
from harness.config.document import quoted
from harness.errors import InputError
from harness.escape import shown
from harness.games import names

COPIED = "tiny"
"""The name of the game that is copied."""
MOST_NAME = 32
OF_A_PACKAGE = {
    "pyproject.toml": "package.toml",
    "README.md": "README.md",
    ".github/workflows/conformance.yml": "conformance.yml",
}
"""The files of a package besides the game and its tests, each with the name of its template. Tools look for a
`pyproject.toml` and for workflows. They must not find the templates, so these templates have other names or
other folders."""
NAME = re.compile(rf"[a-z][a-z0-9_]{{0,{MOST_NAME - 1}}}")


@click.command(
    "game", cls=Command, examples=("harness new game auction", "harness new game auction --package")
)
@click.argument("path", metavar="NAME", type=FILE)
@click.option("--package", is_flag=True, help="Make a folder that pip installs, to publish the game.")
def new_game(path: Path, package: bool) -> None:
    """Make a small game of your own, for you to change.

    The command writes NAME.py with the rules, NAME.md with the page, and test_NAME.py with the tests. The
    game is complete: all players bid coins, and the highest bid wins. NAME may be a path, such as
    games/auction.

    With --package the command writes the new folder NAME instead. This folder has the same game, as a Python
    package. After `pip install`, every plan and command knows the game by its name.
    """
    name, folder = path.name.removesuffix(".py"), path.parent
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        allowed = f"a name of 1 to {MOST_NAME} small letters, digits and `_`, which begins with a letter"
        raise InputError(f"expected {allowed}, not {quoted(name)}", "NAME")
    if package:
        _make_package(name, folder / name)
    else:
        _make_files(name, folder)


def _make_files(name: str, folder: Path) -> None:
    copies = {folder / file.name.replace(COPIED, name): file for file in files(TEMPLATES / "game")}
    _write_new({copy: renamed(read(file), name) for copy, file in copies.items()})
    rules = shlex.quote(shown(f"{folder}/{name}.py"))
    tell(f"Made a game: {', '.join(shown(str(copy)) for copy in sorted(copies))}.\n")
    click.echo(f"    harness check game {rules}")
    click.echo(f"    harness play {rules} human human")


def _write_new(texts: Mapping[Path, str]) -> None:
    """Writes new files. If one of these files exists already, raises InputError and writes no file."""
    for path in texts:
        if path.exists():
            raise InputError("there is such a file already; choose another name", shown(str(path)))
    for path, text in texts.items():
        write(path, text)


# -- a package -------------------------------------------------------------------------------------


def _make_package(name: str, folder: Path) -> None:
    if name in names():
        raise InputError(f"{name} is a game already, so no package can have this name", "NAME")
    module, rules = f"harness_{name}", renamed(read(TEMPLATES / "game" / f"{COPIED}.py"), name)
    page = renamed(read(TEMPLATES / "game" / f"{COPIED}.md"), name)
    tests = renamed(read(TEMPLATES / "game" / f"test_{COPIED}.py"), name)
    words = {"name": name, "dashed": name.replace("_", "-"), "package": module, "title": titled(name)}
    words["page"] = f"{module}/{module}.md"
    parts = {
        folder / module / "__init__.py": installed(rules, name),
        folder / module / f"{module}.md": installed(page, name),
        folder / "tests" / f"test_{name}.py": installed(tests, name),
        **{
            folder / place: Template(read(TEMPLATES / "package" / template)).substitute(words)
            for place, template in OF_A_PACKAGE.items()
        },
    }
    _write_new(parts)
    tell(f"Made a package with a game in {shown(str(folder))}; see its README.md.\n")
    # Without a slash, pip would look for a package of this name in its index.
    click.echo(f"    pip install {shlex.quote(shown(f'{folder.parent}/{name}'))}")
    click.echo(f"    harness check game {name}")


def installed(text: str, name: str) -> str:
    """Takes the text of a file of the game, and returns the text of this file in a package. In the text, the
    paths of the game's files become the name of the game, or paths in the package."""
    module = f"harness_{name}"
    text = text.replace(f"./{name}.py", name).replace(
        f'by its path: game = "{name}.py"', f'by its name: game = "{name}"'
    )
    text = text.replace("Path(__file__).parent\n", f'Path(__file__).parents[1] / "{module}"\n')
    text = text.replace(f'find(str(HERE / "{name}.py"))', f'find("{name}")')
    return text.replace(f"{name}.md", f"{module}.md").replace(f" test_{name}.py`", "`")


def titled(name: str) -> str:
    """Returns the title of the game with this name."""
    return " ".join(name.split("_")).strip().capitalize()


def renamed(text: str, name: str) -> str:
    """Takes the text of a file of Tiny, and returns it with the new name: in the names of files and classes,
    and in the title."""
    words = name.split("_")
    classes = "".join(map(str.capitalize, words))
    text = re.sub(rf"{COPIED.capitalize()}(?=[A-Z(])|(?<== ){COPIED.capitalize()}(?=\()", classes, text)
    return text.replace(COPIED.capitalize(), titled(name)).replace(COPIED, name)
