"""Measures whether `harness similar` finds copies, and does not list programs that different people wrote
independently.

    python -m studies.similar                # code and answers: one minute
    python -m studies.similar code
    python -m studies.similar hands FOLDER

The part `code` compares the fingerprints of the bots of this project. The house bots of one game form a
group. So do the starters, and the rogues. Each other bot is a group of its own. Bots of different groups were
written independently. Files that all bots of a group share on purpose do not count. Then the study makes a
disguised copy of each house bot and starter in Python, which `harness similar` must find. The copy has other
names, other numbers, new comments and the layout of `ast.unparse`, and its functions are in reverse order.

The part `hands` does the same with programs by different people. Each sub-folder of FOLDER has the programs
of one person. A file that is directly in FOLDER is the only program of its author. The fingerprints of the
files in FOLDER/starters do not count.

The part `answers` compares the answers of bots to the same questions of Sevens. The starters in all languages
of this machine are translations of one program, and another bot was translated from Python to C. These
translations must be found. The house bots were written independently, so no pair of them may be listed. One
house bot was translated to C with another random number generator. It gives other answers, so it need not be
found.

The exit code is 1 if a pair of independent programs is listed, or if a copy is not listed.
"""

from __future__ import annotations

import ast
import contextlib
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import click
import trio

from harness import config, games
from harness.checking.behaviour import LEAST_OWN, Answers, answers, house_matches, likeness
from harness.checking.trial import Trial
from harness.cli.workspace import STARTER, STARTERS, entrant, house_bots
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.league.fingerprints import fingerprints, is_source
from harness.league.similar import (
    LEAST_SHARED,
    LOOK,
    Program,
    SamePair,
    known_marks,
    library_marks,
    pairs,
    sources_of,
)

BOTS = Path(__file__).parents[1] / "bots"
GAMES = ("biplane", "sevens", "squadron", "squash", "stratego")
GAME, SEATS = "sevens", 2
ALIKE = Path(__file__).parents[1] / "tests" / "league" / "alike"
"""The folder with the source of a bot in Python that plays any game, and the source of its translation to
C."""
GREEDY = Path(__file__).parent / "copies" / "greedy"
"""The folder of the house bot greedy of Sevens, translated from Python to C."""
SHORT = 100
"""A program with fewer fingerprints than this is short."""
LEAST = 2 * LEAST_SHARED
"""A program by another person that adds fewer fingerprints than this to its starter is too short to be found
for certain.
"""
Groups: TypeAlias = Mapping[str, Sequence[Path]]
"""For each group, the files or folders of its programs. Programs of different groups were written
independently."""


def dressed(text: str) -> str:
    """Returns a disguised copy of a program in Python. The copy has other names and numbers, a comment at
    each function, and its functions in reverse order."""
    tree = ast.parse(text)
    moved = [each for each in tree.body if isinstance(each, ast.FunctionDef)][::-1]
    tree.body = [moved.pop(0) if isinstance(each, ast.FunctionDef) else each for each in tree.body]
    own = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    own |= {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    lines = ast.unparse(tree)
    for name in sorted(own - set(dir(__builtins__))):
        lines = re.sub(rf"(?<![.\w]){re.escape(name)}\b", f"my_{name}", lines)
    return re.sub(r"^( *)def ", r"\1# My own idea.\n\1def ", re.sub(r"\b(\d+)\b", r"1\1", lines), flags=re.M)


def made(name: str, sources: Mapping[str, str], known: frozenset[int]) -> Program:
    """Returns a program as `harness similar` reads it, without the fingerprints in `known`."""
    return Program(name, 1, "", "", sources, name, frozenset(fingerprints(sources)) - known)


def read(name: str, path: Path, known: frozenset[int]) -> Program:
    """Reads the program in this folder or file."""
    alone = {} if path.is_dir() else {path.name: path.read_text(errors="replace")}
    return made(name, alone or sources_of(path), known)


def honest(groups: Groups, known: frozenset[int]) -> bool:
    """Compares the programs of different groups. Returns True if no pair is listed."""
    programs: list[Program] = []
    for group, paths in groups.items():
        members = [read(f"{group}/{path.name}", path, known) for path in paths]
        library = library_marks(members)
        programs += [each._replace(marks=each.marks - library) for each in members]
    apart = [each for each in pairs(programs, frozenset()) if _group(each.one) != _group(each.two)]
    listed = [each for each in apart if each.looks_alike]
    short = sum(min(len(each.one.marks), len(each.two.marks)) < SHORT for each in apart)
    print(
        f"{len(programs)} programs of {len(groups)} groups, {len(apart):,} pairs written apart, "
        f"{short:,} of them with a short program: {len(listed)} listed"
    )
    if enough := [each for each in apart if len(each.shared) >= LEAST_SHARED]:
        _tell(f"the largest share; the limit is {LOOK:.0%}", max(enough, key=lambda each: each.share))
    if few := [each for each in apart if each.share >= LOOK and not each.looks_alike]:
        most = max(few, key=lambda each: len(each.shared))
        _tell(f"the most fingerprints with such a share; the limit is {LEAST_SHARED}", most)
    return not listed


def _group(program: Program) -> str:
    return program.team.partition("/")[0]


def _tell(what: str, pair: SamePair) -> None:
    print(f"  {what}: {pair.share:.0%}, {len(pair.shared)} ({pair.one.team} and {pair.two.team})")


def copied(texts: Mapping[str, str], known: frozenset[int], least: int = 0) -> bool:
    """Makes disguised copies of programs in Python. Returns whether all copies of programs with at least
    `least` fingerprints are found."""
    shares = []
    for name, text in texts.items():
        original = made("original", {"main.py": text}, known)
        [pair] = pairs([original, made("copy", {"main.py": dressed(text)}, known)], frozenset())
        shares.append((pair.share, len(original.marks), pair.looks_alike, name))
    found = sum(alike for _, _, alike, _ in shares)
    print(f"{len(shares)} programs dressed up: {found} found; the least alike are")
    for share, marks, _, name in sorted(shares)[:4]:
        print(f"  {name}: {share:.0%} of {marks} fingerprints")
    return all(alike for _, marks, alike, _ in shares if marks >= least)


def code() -> bool:
    """Compares the code of the bots of this project. Returns True if all copies and no other pairs are
    listed."""
    shared = {group: _bots(BOTS / group) for group in (*GAMES, "starters", "rogues")}
    alone = [*_bots(BOTS / "bridges"), *_bots(Path(__file__).parent / "bots")]
    ours = [path for group in (*GAMES, "starters") for path in shared[group]]
    texts = {
        f"{path.parent.name}/{path.name}": (path / "main.py").read_text()
        for path in ours
        if (path / "main.py").is_file()
    }
    good = honest({**shared, **{path.stem: [path] for path in alone}}, frozenset())
    return copied(texts, frozenset()) and good


def _bots(folder: Path) -> list[Path]:
    found = sorted(folder.iterdir())
    return [path for path in found if (path / "bot.toml").is_file() or is_source(path.name)]


def hands(folder: Path) -> bool:
    """Compares programs by different people. Returns True if all copies that are long enough and no other
    pairs are listed."""
    known = known_marks([folder / "starters"])
    groups = {
        path.stem: sorted(path.iterdir()) if path.is_dir() else [path]
        for path in sorted(folder.iterdir())
        if path.name != "starters"
    }
    texts = {}
    for path in (path for paths in groups.values() for path in paths if path.suffix == ".py"):
        with contextlib.suppress(SyntaxError):  # of a program in Python 2
            text = path.read_text(errors="replace")
            ast.parse(text)
            texts[path.relative_to(folder).as_posix()] = text
    good = honest(groups, known)
    return copied(texts, known, LEAST) and good


def asked() -> bool:
    """Compares the answers of bots to questions of Sevens. Returns True if all translations and no house bots
    are found."""
    game = games.find(GAME)
    start = partial(entrant, level="none")
    house = {Path(path).name: start(path) for path in house_bots(GAME)}
    trial = Trial(Rules(game, game.options(), game.limits), GAME, _named(house["planner"]), (start(STARTER),))
    matches = trio.run(house_matches, trial, SEATS)

    def ask(bot: Entrant) -> Answers:
        return trio.run(answers, trial.rules, matches, bot, "asked")

    found: dict[str, Answers] = {name: ask(each) for name, each in house.items()}
    good = True
    for one, two in combinations(sorted(found), 2):
        seen = likeness(found[one], found[two], [])
        print(f"  {one} and {two}: the same {seen.same} of {seen.own} times")
        good &= not seen.looks_alike
    starters = {path.name: ask(start(str(path))) for path in _starters()}
    first, *others = starters
    known = [starters[first], *found.values()]
    with tempfile.TemporaryDirectory() as room:
        in_python, in_c = (ask(start(str(path))) for path in _planted(Path(room)))
    seen = likeness(in_python, in_c, known)
    print(f"  a bot in Python and its translation into C: the same {seen.same} of {seen.own} times")
    good &= seen.looks_alike
    rest = [starters[first], *(each for name, each in found.items() if name != GREEDY.name)]
    seen = likeness(found[GREEDY.name], ask(start(str(GREEDY))), rest)
    print(f"  greedy in Python and in C, each with its own dice: the same {seen.same} of {seen.own} times")
    for name in others:
        seen = likeness(starters[first], starters[name], list(found.values()))
        print(f"  the starters in {first} and {name}: the same {seen.same} of {seen.own} times")
        good &= seen.looks_alike or seen.own < LEAST_OWN
    return good


def _planted(room: Path) -> Iterator[Path]:
    """Makes two bots: one in Python and its translation into C. Yields their folders."""
    for text, name, manifest in (
        ("alpha.txt", "main.py", 'run = ["python3", "main.py"]\n'),
        ("translated.txt", "main.c", 'build = ["cc", "-o", "bot", "main.c"]\nrun = ["./bot"]\n'),
    ):
        folder = room / name
        folder.mkdir()
        shutil.copy(ALIKE / text, folder / name)
        (folder / "bot.toml").write_text(manifest)
        yield folder


def _named(bot: Entrant) -> Entrant:
    return bot._replace(name="asked")


def _starters() -> Iterator[Path]:
    """Yields the folders of the starters in all languages of this machine."""
    for path in sorted(STARTERS.iterdir()):
        if (path / "bot.toml").is_file() and not config.missing(config.read_bot(path), shutil.which):
            yield path


def main(arguments: Sequence[str]) -> int:
    wanted = {"code": code, "answers": asked}
    names = arguments or list(wanted)
    if arguments[:1] == ["hands"]:
        names, wanted = arguments[:1], {"hands": partial(hands, Path(arguments[1]))}
    with click.Context(click.Command("similar")):
        results = [wanted[name]() for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
