"""Owns the picture of the rooms and holds every file of the package against it; runs none of them."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "harness"


class Room(NamedTuple):
    """A module or package right under harness/. It imports from lower floors and from itself.

    A pure room knows no trio, no processes, no files being opened, no time of day and no luck but
    that of seeds. `beside` names what it may import from its own floor.
    """

    floor: int
    pure: bool = False
    beside: tuple[str, ...] = ()


ROOMS = {
    # The package's own __init__ lies under all of them.
    "": Room(-1, pure=True),
    # 0 words
    "model": Room(0, pure=True),
    "events": Room(0, pure=True),
    "errors": Room(0, pure=True),
    "escape": Room(0, pure=True),
    "seen": Room(1, pure=True),
    # 1 tools
    "chance": Room(1, pure=True),
    "clock": Room(1, pure=True),
    "protocol": Room(1, pure=True),
    "games": Room(1, pure=True, beside=("chance",)),
    "config": Room(1, pure=True, beside=("chance", "games")),
    "discipline": Room(1, pure=True, beside=("history",)),
    "history": Room(1, pure=True),
    "interval": Room(1, pure=True, beside=("chance",)),
    "job": Room(1, pure=True),
    "lateness": Room(1, pure=True),
    "masking": Room(1, pure=True),
    "tail": Room(1, pure=True),
    # 2 (the sandbox may ask which programs the machine has, so it is not held to be pure)
    "cgroup": Room(2),
    "comparison": Room(2, pure=True),
    "endings": Room(2),
    "family": Room(2),
    "sandbox": Room(2),
    "scenes": Room(2, pure=True),
    "standings": Room(2, pure=True),
    # 3 judge
    "isolation": Room(4),
    "referee": Room(3, pure=True),
    "tables": Room(3, pure=True),
    "rejudge": Room(3, pure=True, beside=("referee",)),
    "schedule": Room(3, pure=True),
    "spawn": Room(3),
    "ratings": Room(3, pure=True),
    "grading": Room(3, pure=True),
    # 4 wires, and the public kit, which drives what is below
    "building": Room(4),
    "meter": Room(4, beside=("process",)),
    "player": Room(4, beside=("meter", "process", "stderr", "watchdog")),
    "process": Room(4),
    "stderr": Room(4, beside=("process",)),
    "watchdog": Room(4, beside=("stderr",)),
    "workbench": Room(3),
    "log": Room(4),
    "lock": Room(4),
    "machine": Room(5),
    "testing": Room(4),
    "cpuclock": Room(4, beside=("player", "watchdog")),
    # 5 match, 6 hands, 7 heads, 8 door
    "match": Room(5),
    "seating": Room(5, beside=("match",)),
    "runners": Room(6),
    "folder": Room(5),
    "maskkey": Room(5),
    "schema": Room(1),
    "tournament": Room(7),
    "verify": Room(7, beside=("tournament",)),
    "report": Room(7),
    "feedback": Room(7, beside=("gradefolder",)),
    "gradefolder": Room(6),
    "cli": Room(8),
    "__main__": Room(9),
}

# fmt: off
WORLD = frozenset((
    "asyncio", "concurrent", "ctypes", "fcntl", "io", "multiprocessing", "os",
    "secrets", "select", "selectors", "shutil", "signal", "socket", "subprocess", "tempfile",
    "threading", "time", "trio", "trio_parallel", "urllib", "uuid",
))
# fmt: on
SCREEN = frozenset(("click", "rich"))
MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 50


def room_of(path: Path) -> str:
    """The room that a file of the package belongs to; "" for the package's own __init__."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of all that is imported, wherever in the file it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{name.name}") for name in node.names)


def uphill(room: str, tree: ast.AST) -> Iterator[str]:
    """Imports of rooms that are not on a lower floor."""
    home = ROOMS[room]
    for line, name in imports(tree):
        package, _, rest = name.partition(".")
        other = rest.partition(".")[0]
        if package != "harness" or other in (room, *home.beside, "__version__"):
            continue
        if other not in ROOMS:
            yield f"{line}: {name} is in no room of this test's table"
        elif ROOMS[other].floor >= home.floor:
            yield f"{line}: {room} (floor {home.floor}) imports {other} ({ROOMS[other].floor})"


def worldly(tree: ast.AST) -> Iterator[str]:
    """What a pure room does not touch: the world's modules, files, luck without a seed."""
    for line, name in imports(tree):
        if name.partition(".")[0] in WORLD:
            yield f"{line}: a pure room imports {name}"
        elif name.partition(".")[0] == "random" and name != "random.Random":
            yield f"{line}: of random, a pure room imports Random alone, and gives it a seed"
    for line, name in calls(tree):
        if name in ("open", "input") or name.startswith(("datetime.", "date.")):
            yield f"{line}: a pure room calls {name}"


def loud(tree: ast.AST) -> Iterator[str]:
    """Ways to the screen and out of the program: the command line's alone."""
    for line, name in imports(tree):
        if name.partition(".")[0] in SCREEN:
            yield f"{line}: imports {name}"
    for line, name in calls(tree):
        if name in ("print", "input", "exit", "quit", "sys.exit", "SystemExit"):
            yield f"{line}: calls {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout", "sys.stderr"):
            yield f"{node.lineno}: uses {ast.unparse(node)}"


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and name, as written, of all that is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


def nameless(source: str) -> Iterator[str]:
    """A file says in its first line what it owns."""
    first = source.partition("\n")[0]
    if not first.startswith('"""') or not first.strip('" '):
        yield "1: the first line is no docstring that says what the file owns"


def long(source: str, tree: ast.AST) -> Iterator[str]:
    """Files and functions past the size that can be read in one go."""
    lines = len(source.splitlines())
    if lines > MOST_LINES_OF_A_FILE:
        yield f"{lines}: the file is longer than {MOST_LINES_OF_A_FILE} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > MOST_LINES_OF_A_FUNCTION:
                yield f"{node.lineno}: {node.name} is {lines} lines long"


def breaches(room: str, source: str) -> list[str]:
    """All that a file of this room does against the rules of the house, each with its line."""
    tree = ast.parse(source)
    found = [*nameless(source), *long(source, tree)]
    if room in ROOMS:
        found += uphill(room, tree)
    if room in ROOMS and ROOMS[room].pure:
        found += worldly(tree)
    if room not in ("cli", "__main__"):
        found += loud(tree)
    return found


# What `harness init` copies are files of users, in no room.
FILES = sorted(set(PACKAGE.rglob("*.py")) - set((PACKAGE / "templates").rglob("*.py")))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_keeps_to_the_rules_of_its_room(path: Path) -> None:
    found = breaches(room_of(path), path.read_text())
    assert not found, "".join(f"\n{path.relative_to(ROOT)}:{breach}" for breach in found)


def test_every_room_has_its_floor() -> None:
    strangers = {room_of(path) for path in FILES} - ROOMS.keys()
    assert not strangers, (
        f"{sorted(strangers)} stand on no floor: give each its line in ROOMS of {Path(__file__).name}, "
        "on the lowest floor above all that it imports"
    )


@pytest.mark.parametrize(
    ("room", "line", "breach"),
    [
        ("referee", "import harness.player", "referee (floor 3) imports player (4)"),
        ("referee", "from harness import log", "referee (floor 3) imports log (4)"),
        ("referee", "from harness.schedule.rounds import due", "imports schedule (3)"),
        ("model", "from harness.games.sevens import GAME", "model (floor 0) imports games (1)"),
        ("player", "def f():\n    from harness.match import play", "imports match (5)"),
        ("", "from harness.model import Limits", "imports model (0)"),
        ("clock", "from harness.attic import box", "harness.attic.box is in no room"),
        ("games", "import trio.testing", "a pure room imports trio.testing"),
        ("clock", "from time import monotonic", "a pure room imports time.monotonic"),
        ("games", "from random import shuffle", "Random alone"),
        ("config", "open('plan.toml')", "a pure room calls open"),
        ("standings", "date.today()", "a pure room calls date.today"),
        ("match", "import click", "imports click"),
        ("match", "print('done')", "calls print"),
        ("match", "import sys\nsys.exit(1)", "calls sys.exit"),
        ("match", "import sys\nsys.stderr.write('done')", "uses sys.stderr"),
        ("match", "raise SystemExit(1)", "calls SystemExit"),
        ("match", "\n" * MOST_LINES_OF_A_FILE, "the file is longer than"),
        ("match", "def f():\n" + "    pass\n" * MOST_LINES_OF_A_FUNCTION, "f is 51 lines long"),
    ],
)
def test_each_breach_is_seen(room: str, line: str, breach: str) -> None:
    [found] = breaches(room, f'"""Owns nothing."""\n{line}\n')
    assert breach in found


@pytest.mark.parametrize("first", ["import json", '"""', '""""""', "# Owns nothing."])
def test_a_first_line_that_says_nothing_is_seen(first: str) -> None:
    assert list(nameless(f"{first}\n")) != []


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("games", "from harness.chance import Chance"),
        ("games", "from harness.games import Game"),
        ("chance", "from random import Random"),
        ("tournament", "from harness import __version__, schedule"),
        ("config", "from datetime import date"),
        ("cli", "import click\nprint('done')"),
        ("process", "import os, subprocess"),
    ],
)
def test_what_is_allowed_is_no_breach(room: str, line: str) -> None:
    assert breaches(room, f'"""Owns nothing."""\n{line}\n') == []
