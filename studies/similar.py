"""Measures whether `harness similar` finds copies, and leaves programs by different hands alone.

    python -m studies.similar            # code and answers: two minutes
    python -m studies.similar code

`code` compares the fingerprints of the house bots and the starters. Two bots of different games, or a house
bot and a starter, were written apart. The house bots of one game share a file on purpose, so these pairs do
not count. Then each bot in Python is dressed up: other names, other numbers, comments, its functions in
reverse order, and the text as Python's own printer writes it.

`answers` asks bots the questions of Sevens. The starters in all languages of this machine are one program
that was translated. The house bots are programs of their own.

The exit code is 1 if a pair of honest programs is listed, or if a copy is not.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import click
import trio

from harness import config, games
from harness.checking.behaviour import LEAST_OWN, Answers, answers, house_matches, likeness
from harness.checking.trial import Trial
from harness.cli.workspace import HOUSE, STARTER, STARTERS, entrant, house_bots
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.league.entries import Receipt
from harness.league.similar import LEAST_SHARED, Program, SamePair, pairs, program

GAMES = ("biplane", "sevens", "squadron", "squash", "stratego")
GAME, SEATS = "sevens", 2
LEAST = 2 * LEAST_SHARED
"""A program with fewer fingerprints is too short to be found for certain."""
RECEIPT = Receipt(team="", version=1, digest="", source="", collected="")


def dressed(text: str) -> str:
    """The same program in Python with other names and numbers, a comment at each function, and its functions
    in reverse order."""
    tree = ast.parse(text)
    moved = [each for each in tree.body if isinstance(each, ast.FunctionDef)][::-1]
    tree.body = [moved.pop(0) if isinstance(each, ast.FunctionDef) else each for each in tree.body]
    own = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
    own |= {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    lines = ast.unparse(tree)
    for name in sorted(own - set(dir(__builtins__))):
        lines = re.sub(rf"(?<![.\w]){re.escape(name)}\b", f"my_{name}", lines)
    return re.sub(r"^( *)def ", r"\1# My own idea.\n\1def ", re.sub(r"\b(\d+)\b", r"1\1", lines), flags=re.M)


def apart(pair: SamePair) -> bool:
    """Tells whether two bots were written apart."""
    return pair.one.team.split("/")[0] != pair.two.team.split("/")[0]


def code() -> bool:
    """Compares the code. Returns whether all is as it should be."""
    homes = [*STARTERS.iterdir(), *(path for game in GAMES for path in (HOUSE / "bots" / game).iterdir())]
    bots = [path for path in sorted(homes) if (path / "bot.toml").is_file()]
    found = [program(f"{path.parent.name}/{path.name}", RECEIPT, "", path) for path in bots]
    honest = [pair for pair in pairs(found, frozenset()) if apart(pair)]
    listed = [pair for pair in honest if pair.looks_alike]
    most = max(honest, key=lambda pair: pair.share)
    print(
        f"{len(found)} programs, {len(honest)} pairs written apart: {len(listed)} listed; the most alike are"
    )
    print(f"  {most.one.team} and {most.two.team}: {most.share:.0%} of {len(most.shared)} fingerprints")
    shares = []
    with tempfile.TemporaryDirectory() as room:
        for number, path in enumerate(each for each in bots if (each / "main.py").is_file()):
            copy = Path(room, str(number))
            copy.mkdir()
            (copy / "main.py").write_text(dressed((path / "main.py").read_text()))
            shutil.copy(path / "main.py", copy / "old.py")
            shares.append(_copied(copy, path))
    print(f"{len(shares)} programs dressed up: {sum(found for found, _ in shares)} found")
    return not listed and all(found for found, marks in shares if marks >= LEAST)


def _copied(copy: Path, path: Path) -> tuple[bool, int]:
    """Tells whether a dressed copy and its original look alike, and how many fingerprints they have."""
    (copy / "old.py").unlink()
    both: list[Program] = []
    with tempfile.TemporaryDirectory() as room:
        shutil.copy(path / "main.py", Path(room, "main.py"))
        both = [program("a", RECEIPT, "", Path(room)), program("b", RECEIPT, "", copy)]
    [pair] = pairs(both, frozenset())
    marks = min(len(each.marks) for each in both)
    print(f"  {path.parent.name}/{path.name}: {pair.share:.0%} of {marks}")
    return pair.looks_alike, marks


def asked() -> bool:
    """Compares the answers. Returns whether all is as it should be."""
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
    for name in others:
        seen = likeness(starters[first], starters[name], list(found.values()))
        print(f"  the starters in {first} and {name}: the same {seen.same} of {seen.own} times")
        good &= seen.looks_alike or seen.own < LEAST_OWN
    return good


def _named(bot: Entrant) -> Entrant:
    return bot._replace(name="asked")


def _starters() -> Iterator[Path]:
    """The starters in the languages of this machine, without those that take long to build."""
    for path in sorted(STARTERS.iterdir()):
        if (path / "bot.toml").is_file() and not config.missing(config.read_bot(path), shutil.which):
            yield path


def main(arguments: Sequence[str]) -> int:
    wanted = {"code": code, "answers": asked}
    with click.Context(click.Command("similar")):
        results = [wanted[name]() for name in arguments or wanted]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
