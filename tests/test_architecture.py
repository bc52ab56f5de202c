"""Owns the table of the rooms, and checks every file of the package against it. It runs none of the files."""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "harness"


class Room(NamedTuple):
    """A module or package directly below harness/. It imports only from lower floors and from itself.

    A file is pure unless `world` names it ("*" names all files). A pure file uses no trio and no processes,
    opens no files, reads no time of day, and has no luck but that of seeds.

    A sub-room is a package inside a room, on the floor of the room, with at least one rule of its own: the
    last three fields. These rules name rooms, sub-rooms or files.
    """

    floor: int
    what: str
    """The purpose of the room, in the words of CONTRIBUTING."""
    world: tuple[str, ...] = ()
    imports: tuple[str, ...] | None = None
    """The only rooms and sub-rooms outside itself from which it imports; None allows all."""
    imported_by: tuple[str, ...] | None = None
    """The only rooms, sub-rooms and files that import it; None allows all."""
    by_its_door: bool = False
    """Whether other rooms import only the names of its __init__, and none of its other files."""

    @property
    def rules(self) -> str:
        """The rules of a sub-room, in the words of CONTRIBUTING."""
        rules = [
            "" if self.imports is None else f"imports only {_listed(self.imports)}",
            "" if self.imported_by is None else f"imported only by {_listed(self.imported_by)}",
            "others import only what its `__init__` names" if self.by_its_door else "",
        ]
        return "".join(f"; {rule}" for rule in rules if rule)


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


ALL = ("*",)
ROOMS = {
    # The __init__ of the package has the names that a notebook needs. It imports each one when it is used.
    "": Room(-1, "the version, and the names for notebooks"),
    "model": Room(0, "the values that cross rooms: limits, replies, outcomes, the names of faults"),
    "events": Room(0, "every kind of line in a log"),
    "errors": Room(0, "the exceptions that cross rooms"),
    "escape": Room(0, "how text from bots and other strangers is printed safely"),
    "streams": Room(0, "standard input, output and error, also if they are closed, full or unread", ALL),
    "chance": Room(1, "all luck, by named streams from a seed"),
    "protocol": Room(1, "lines to and from bots, and their bytes"),
    "job": Room(
        1, "a sitting as it travels to a worker and back, and what workers need", ("threads", "workers")
    ),
    "games": Room(2, "the contract of a game, and each game"),
    "worlds": Room(3, "games whose rules come from other libraries", ("openings", "openspiel")),
    "sparring": Room(3, "players without a program, which search by random play-outs"),
    "config": Room(3, "the keys of plans, manifests of bots and grading schemes", ("folder",)),
    "judge": Room(4, "one match by the rules: the referee, in play and again from a record"),
    "record": Room(
        5,
        "what is on disk: the log, the history, who may read what",
        (
            "disk",
            "log",
            "journal",
            "fork_file",
            "frames",
            "run_folder",
            "lock",
            "mask_key",
            "schema",
            "signature",
            "safe_folder",
            "packs",
            "bench",
        ),
    ),
    "sandbox": Room(5, "isolates bots, builds them and starts them", ALL),
    "sandbox/builds": Room(
        5,
        "builds bots, and keeps the results",
        ALL,
        imported_by=("checking", "cluster", "play", "cli"),
    ),
    "testing": Room(5, "the conformance kit for games", ("same",)),
    "results": Room(6, "from matches to places: discipline, standings, intervals"),
    "results/statistics": Room(6, "estimators and tests of values", imports=("model",)),
    "results/export": Room(
        6,
        "the record as tables for other programs",
        imports=("config", "errors", "escape", "events", "record"),
        imported_by=("cli",),
    ),
    "bot": Room(
        6,
        "one live bot: its process, its questions, its clock",
        (
            "player",
            "cpu_player",
            "running_bot",
            "process",
            "meter",
            "stderr",
            "stolen",
            "watchdog",
            "loop",
        ),
    ),
    "grading": Room(7, "points and gradebooks"),
    "schedule": Room(8, "plans, who meets whom, and what is left to be played"),
    "schedule/designs": Room(
        8, "blocks of numbers in which pairs meet evenly", imports=("chance",), by_its_door=True
    ),
    "schedule/formats": Room(8, "one file a format", imported_by=("schedule", "report"), by_its_door=True),
    "play": Room(9, "makes the record: matches, sittings, tournaments, workers", ALL),
    "league": Room(9, "a course: hand-ins, the versions of each team, and the names of teams", ALL),
    "report": Room(9, "pages for a browser and for teams, and the scenes they draw", ("writing", "replays")),
    "cluster": Room(10, "plays on several machines: nodes, the messages to them, and a runner", ALL),
    "checking": Room(10, "whether a machine or a bot is ready for a tournament", ALL),
    "verify": Room(10, "everything derived again from the log", ("judges",)),
    "cli": Room(11, "the command line: the only room that prints or exits", ALL),
    "cli/commands": Room(11, "one file a command, named like it", ALL, imported_by=("cli/command",)),
    "__main__": Room(12, "the entry point", ALL),
}

MAKES = frozenset(("bot", "sandbox", "play"))
"""The rooms in which bots are live. The rooms in TELLS never import them."""
TELLS = frozenset(("results", "verify", "report", "grading"))
"""The rooms that derive all their results from the record."""

# fmt: off
WORLD = frozenset((
    "asyncio", "concurrent", "ctypes", "fcntl", "io", "multiprocessing", "os",
    "secrets", "select", "selectors", "shutil", "signal", "socket", "subprocess", "tempfile",
    "threading", "time", "trio", "trio_parallel", "urllib", "uuid",
))
# fmt: on
SCREEN = frozenset(("click", "rich"))
WIDTH = "rich.cells.cell_len"
"""A function of rich that computes the width of a text, and shows nothing."""
MOST_LINES_OF_A_FILE = 500
MOST_LINES_OF_A_FUNCTION = 50


def name_of(path: Path) -> str:
    """The name with which a file of the package is imported, with slashes instead of dots."""
    return path.relative_to(PACKAGE).with_suffix("").as_posix().removesuffix("/__init__")


def room_of(path: Path) -> str:
    """The room or sub-room of a file of the package; "" for the __init__ of the package itself."""
    room = _room_in(name_of(path).split("/"))
    return "" if room == "__init__" else room


def _room_in(parts: Sequence[str]) -> str:
    """The room or sub-room of a file or module whose name has these parts."""
    return deep if (deep := "/".join(parts[:2])) in ROOMS else parts[0]


def top(room: str) -> str:
    """The room that contains a sub-room. For a room, the room itself."""
    return room.partition("/")[0]


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the full dotted name of every import, anywhere in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{name.name}") for name in node.names)
        elif isinstance(node, ast.Constant) and str(node.value or 0).startswith("harness.cli.commands."):
            yield node.lineno, f"{node.value!s}*"  # The command line imports commands by such names.


def rooms_of(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    """The line, the full name and the room of every import from the package."""
    for line, name in imports(tree):
        package, _, rest = name.partition(".")
        if package == "harness" and rest not in (
            "DISTRIBUTION",
            "__version__",
            "install_command",
            "missing_package",
        ):
            yield line, name, _room_in(rest.split("."))


def uphill(room: str, tree: ast.AST) -> Iterator[str]:
    """An error for each import of a room that is not on a lower floor."""
    home = ROOMS[room]
    for line, name, other in rooms_of(tree):
        if top(other) == top(room):
            continue
        if other not in ROOMS:
            yield f"{line}: {name} is in no room of this test's table"
        elif ROOMS[other].floor >= home.floor:
            yield f"{line}: {room} (floor {home.floor}) imports {other} ({ROOMS[other].floor})"


def at_once(tree: ast.Module) -> ast.Module:
    """The part of a file that runs when the file is imported: without functions and blocks for mypy alone."""

    def is_for_types(node: ast.stmt) -> bool:
        return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"

    kept = [node for node in tree.body if not is_for_types(node) and not isinstance(node, ast.FunctionDef)]
    return ast.Module(kept, tree.type_ignores)


def across(room: str, tree: ast.AST) -> Iterator[str]:
    """An error for each import of a room with live bots into a room that only tells of a record."""
    for line, name, other in rooms_of(tree):
        if top(room) in TELLS and top(other) in MAKES:
            yield f"{line}: {room}, which tells of a record, imports {name}, which makes one"


def besides(path: Path, tree: ast.AST) -> Iterator[str]:
    """An error for each import that breaks a rule of a sub-room, in the sub-room or elsewhere."""
    room, file = room_of(path), name_of(path)
    own = ROOMS[room]
    for line, name, other in rooms_of(tree):
        if other == room or other not in ROOMS:
            continue
        if own.imports is not None and not {other, top(other)} & {*own.imports}:
            yield f"{line}: {room} imports {name}; it imports only {', '.join(own.imports)}"
        by = ROOMS[other].imported_by
        if by is not None and not {file, room, top(room)} & {*by}:
            yield f"{line}: {file} imports {name}; only {', '.join(by)} may"
        inside = "/".join(name.split(".")[1:4])
        if ROOMS[other].by_its_door and inside != other and inside in NAMES:
            yield f"{line}: {file} imports {name}, a file of {other}; take what its __init__ names"


def is_pure(path: Path) -> bool:
    """Whether this file of the package must be pure."""
    world = ROOMS[room_of(path)].world
    return world != ALL and path.stem not in world


def worldly(tree: ast.AST) -> Iterator[str]:
    """An error for each use of the world in a pure file: its modules, open files, luck without a seed."""
    for line, name in imports(tree):
        if name.partition(".")[0] in WORLD and name != "signal.Signals":  # `Signals` is a table of names.
            yield f"{line}: a pure room imports {name}"
        elif name.partition(".")[0] == "random" and name != "random.Random":
            yield f"{line}: of random, a pure room imports Random alone, and gives it a seed"
    for line, name in calls(tree):
        if name in ("open", "input") or name.startswith(("datetime.", "date.")):
            yield f"{line}: a pure room calls {name}"


def loud(tree: ast.AST) -> Iterator[str]:
    """An error for each use of the screen or of an exit: only the command line and `streams` use them."""
    for line, name in imports(tree):
        if name.partition(".")[0] in SCREEN and name != WIDTH:
            yield f"{line}: imports {name}"
    for line, name in calls(tree):
        if name in ("print", "input", "exit", "quit", "sys.exit", "SystemExit"):
            yield f"{line}: calls {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout", "sys.stderr"):
            yield f"{node.lineno}: uses {ast.unparse(node)}"


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line of each call, and the called name as the source writes it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


def nameless(source: str) -> Iterator[str]:
    """An error if the first line of a file does not say what the file owns."""
    first = source.partition("\n")[0]
    if not first.startswith('"""') or not first.strip('" '):
        yield "1: the first line is no docstring that says what the file owns"


def long(source: str, tree: ast.AST) -> Iterator[str]:
    """An error for the file and for each function that is too long to be read easily."""
    lines = len(source.splitlines())
    if lines > MOST_LINES_OF_A_FILE:
        yield f"{lines}: the file is longer than {MOST_LINES_OF_A_FILE} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > MOST_LINES_OF_A_FUNCTION:
                yield f"{node.lineno}: {node.name} is {lines} lines long"


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def breaches(path: Path, source: str) -> list[str]:
    """All errors of this file of the package against our rules, each with its line."""
    room, tree = room_of(path), ast.parse(source)
    found = [*nameless(source), *long(source, tree)]
    if room in ROOMS:
        # `import harness` must load no room. But functions of the package's __init__ may import rooms.
        found += [*uphill(room, tree if room else at_once(tree)), *across(room, tree), *besides(path, tree)]
    if room in ROOMS and is_pure(path):
        found += worldly(tree)
    if top(room) not in ("cli", "__main__", "streams"):
        found += loud(tree)
    return found


# `harness init` copies the templates to users, so the templates are in no room.
FILES = sorted(set(PACKAGE.rglob("*.py")) - set((PACKAGE / "cli" / "templates").rglob("*.py")))
NAMES = frozenset(map(name_of, FILES))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_keeps_to_the_rules_of_its_room(path: Path) -> None:
    found = breaches(path, path.read_text())
    assert not found, "".join(f"\n{path.relative_to(ROOT)}:{breach}" for breach in found)


def test_every_room_has_its_floor() -> None:
    strangers = {room_of(path) for path in FILES} - ROOMS.keys()
    assert not strangers, (
        f"{sorted(strangers)} stand on no floor: give each its line in ROOMS of {Path(__file__).name}, "
        "on the lowest floor above all that it imports"
    )


@cache
def reached(room: str) -> frozenset[str]:
    """All rooms that a room imports, itself or through other rooms."""
    direct = {
        top(other)
        for path in FILES
        if top(room_of(path)) == room
        for _, _, other in rooms_of(tree_of(path))
        if top(other) != room
    }
    return frozenset(direct.union(*map(reached, direct)))


@pytest.mark.parametrize("room", sorted(TELLS))
def test_what_tells_of_a_record_reaches_nothing_that_makes_one(room: str) -> None:
    assert not reached(room) & MAKES


def arrows(trees: Mapping[str, ast.AST]) -> dict[str, set[str]]:
    """For each file, the names of the files that it imports, anywhere in the file."""
    found: dict[str, set[str]] = {}
    for file, tree in trees.items():
        names = {name.removeprefix("harness.").replace(".", "/") for _, name in imports(tree)}
        found[file] = {name if name in trees else name.rpartition("/")[0] for name in names} & trees.keys()
    return found


def circles(arrows: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The groups of files in which every file imports every other, itself or through other files."""
    behind = {file: _behind(file, arrows) for file in arrows}
    groups = {
        frozenset({file, *(other for other in behind[file] if file in behind[other])})
        for file in arrows
        if file in behind[file]
    }
    return sorted(map(sorted, groups))


def _behind(file: str, arrows: Mapping[str, Collection[str]]) -> set[str]:
    """All files that a file imports, itself or through other files."""
    found: set[str] = set()
    fresh = {*arrows[file]}
    while fresh:
        found |= fresh
        fresh = {later for other in fresh for later in arrows[other]} - found
    return found


def test_no_files_import_each_other_in_a_circle() -> None:
    found = circles(arrows({name_of(path): tree_of(path) for path in FILES if room_of(path)}))
    assert not found, f"move what both sides need into a file below them: {found}"


def test_a_circle_is_seen_also_if_a_function_closes_it() -> None:
    trees = {
        "play/a": ast.parse("from harness.play import b"),
        "play/b": ast.parse("from harness.play.c import C"),
        "play/c": ast.parse("def f():\n    import harness.play.a"),
        "play/d": ast.parse("from harness.play.a import A"),
    }
    assert circles(arrows(trees)) == [["play/a", "play/b", "play/c"]]


def classes(tree: ast.AST) -> Iterator[str]:
    """The names of the public classes that a file defines, anywhere in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


def twice(trees: Mapping[str, ast.AST]) -> dict[str, list[str]]:
    """The names that more than one class has, each with the files of these classes."""
    files: dict[str, list[str]] = {}
    for file, tree in trees.items():
        for name in classes(tree):
            files.setdefault(name, []).append(file)
    return {name: found for name, found in files.items() if len(found) > 1}


def test_no_two_public_classes_have_the_same_name() -> None:
    found = twice({str(path.relative_to(ROOT)): tree_of(path) for path in FILES})
    assert not found, f"give each class a name of its own: {found}"


def test_a_class_name_that_stands_twice_is_seen() -> None:
    one, other = (
        ast.parse("class Match: ...\nclass _Own: ..."),
        ast.parse("class Match: ...\nclass _Own: ..."),
    )
    assert twice({"a.py": one, "b.py": other}) == {"Match": ["a.py", "b.py"]}


def picture() -> str:
    """The table of the rooms in CONTRIBUTING, with one line for each room, from `model` to `__main__`."""
    lines = ["| floor | room of `harness/` | what it is for |", "|---|---|---|"]
    for name, room in ROOMS.items():
        lines += [f"| {room.floor} | `{name}` | {room.what}{room.rules} |"] if name else []
    return "\n".join(lines)


def test_the_picture_in_contributing_is_that_of_this_table() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text()
    assert picture() in told, f"put this picture into CONTRIBUTING.md:\n{picture()}"


def test_the_package_can_be_looked_through() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert len(rooms) <= 30, sorted(rooms)


@pytest.mark.parametrize(
    ("file", "line", "breach"),
    [
        ("__init__", "from harness.config import read_plan", " (floor -1) imports config (3)"),
        ("__init__", "if True:\n    import harness.errors", " (floor -1) imports errors (0)"),
        ("judge/referee", "import harness.bot.player", "judge (floor 4) imports bot (6)"),
        ("judge/referee", "from harness.record import log", "judge (floor 4) imports record (5)"),
        ("judge/referee", "from harness.schedule.rounds import due", "imports schedule (8)"),
        ("model", "from harness.games.sevens import GAME", "model (floor 0) imports games (2)"),
        ("bot/player", "def f():\n    from harness.play.match import play", "imports play (9)"),
        ("chance", "from harness.attic import box", "harness.attic.box is in no room"),
        ("verify/chunk", "from harness.play.match import play", "verify, which tells of a record, imports"),
        ("report/page", "from harness.bot import player", "report, which tells of a record, imports"),
        ("games/x", "import trio.testing", "a pure room imports trio.testing"),
        ("judge/clock", "from time import monotonic", "a pure room imports time.monotonic"),
        ("record/history", "import os", "a pure room imports os"),
        ("bot/excuse", "from time import monotonic_ns", "a pure room imports time.monotonic_ns"),
        ("bot/excuse", "import signal", "a pure room imports signal"),
        ("schedule/due", "import trio", "a pure room imports trio"),
        ("games/x", "from random import shuffle", "Random alone"),
        ("schedule/plan", "open('plan.toml')", "a pure room calls open"),
        ("results/standings", "date.today()", "a pure room calls date.today"),
        ("results/statistics/fit", "from harness.config import FrozenPlan", "imports harness.config"),
        ("results/statistics/fit", "from harness.record.log import read", "imports only model"),
        ("results/statistics/fit", "import harness.results.standings", "imports only model"),
        ("results/export/files", "from harness.results import tables", "imports only config, errors"),
        ("results/seats", "from harness.results.export import files", "only cli may"),
        ("schedule/due", "from harness.schedule.designs.search import Search", "a file of schedule/designs"),
        ("schedule/due", "from harness.schedule.designs import choice", "take what its __init__ names"),
        ("schedule/designs/full", "from harness.model import Number", "imports only chance"),
        ("schedule/designs/full", "import harness.schedule.certificate", "imports only chance"),
        ("league/teams", "from harness.schedule.formats import find", "only schedule, report"),
        ("sandbox/spawn", "from harness.sandbox.builds.build import build", "only checking, cluster, play"),
        ("cli/season", "from harness.cli.commands.run import run", "only cli/command may"),
        ("cli/season", "import_module('harness.cli.commands.run')", "only cli/command may"),
        ("play/match", "import click", "imports click"),
        ("play/match", "print('done')", "calls print"),
        ("play/match", "import sys\nsys.exit(1)", "calls sys.exit"),
        ("play/match", "import sys\nsys.stderr.write('done')", "uses sys.stderr"),
        ("play/match", "raise SystemExit(1)", "calls SystemExit"),
        ("play/match", "\n" * MOST_LINES_OF_A_FILE, "the file is longer than"),
        ("play/match", "def f():\n" + "    pass\n" * MOST_LINES_OF_A_FUNCTION, "f is 51 lines long"),
    ],
)
def test_each_breach_is_seen(file: str, line: str, breach: str) -> None:
    [found] = breaches(PACKAGE / f"{file}.py", f'"""Owns nothing."""\n{line}\n')
    assert breach in found


@pytest.mark.parametrize("first", ["import json", '"""', '""""""', "# Owns nothing."])
def test_a_first_line_that_says_nothing_is_seen(first: str) -> None:
    assert list(nameless(f"{first}\n")) != []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("__init__", "if TYPE_CHECKING:\n    from harness.config import read_plan"),
        ("__init__", "def __getattr__(name):\n    from harness.config import read_plan"),
        ("games/x", "from harness.chance import Chance"),
        ("games/x", "from harness.games import Game"),
        ("chance", "from random import Random"),
        ("play/tournament", "from harness import __version__, schedule"),
        ("config/manifest", "from datetime import date"),
        ("record/journal", "import os"),
        ("cli/run", "import click\nprint('done')"),
        ("bot/process", "import os, subprocess"),
        ("results/statistics/fit", "from harness.results.statistics.student import tail"),
        ("schedule/due", "from harness.schedule.designs import rounds_for"),
        ("schedule/due", "from harness.schedule import designs"),
        ("schedule/designs/full", "from harness.chance import derived"),
        ("cli/command", "import_module(f'harness.cli.commands.{file}')"),
        ("cli/commands/init", "from harness.cli.commands.new import make_bot"),
        ("bot/excuse", "from signal import Signals"),
    ],
)
def test_what_is_allowed_is_no_breach(file: str, line: str) -> None:
    assert breaches(PACKAGE / f"{file}.py", f'"""Owns nothing."""\n{line}\n') == []
