"""Lists the laws that every game must keep, and checks whether a game keeps them."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias, get_args

import msgspec

from harness.games import Game
from harness.model import Order
from harness.testing import ends, hidden, lines, moves, same
from harness.testing.moves import Seen
from harness.testing.walk import Breach, Untested, Walk, walk

ELSEWHERE = 6
"""The number of matches that another process plays again."""

Check: TypeAlias = Callable[[Walk, Seen], None]

LAWS: dict[str, Check] = {
    "legal": moves.listed_moves_pass,
    "others": moves.other_moves_do_not,
    "immutable": ends.positions_are_immutable,
    "pure": ends.play_is_pure,
    "ranks": ends.ranks_add_up,
    "faults": ends.faults_cost_the_offenders,
    "worth": ends.guesses_are_numbers,
    "lines": lines.lines_are_plain,
    "texts": lines.texts_are_drawn,
    "hidden": hidden.nothing_hidden_leaks,
    "seed": same.the_seed_decides,
    "log": same.the_log_tells_it_all,
}
"""The laws by name. The kit checks each law in every match. The docstring of a law's function is the text of
the law for users. Three more laws are about the whole game: `game` (its description is valid), `plays` (every
match can be played to its end) and `elsewhere` (another process plays the same matches)."""


class Finding(NamedTuple):
    """A broken law: its name, the reason, and the first match that breaks it. If `untested` is true, the kit
    could not test the law."""

    law: str
    reason: str
    seats: int = 0
    seed: int = 0
    turn: int | None = None
    untested: bool = False

    def __str__(self) -> str:
        turn = "" if self.turn is None else f", turn {self.turn}"
        place = f" ({self.seats} seats, seed {self.seed}{turn})" if self.seats else ""
        return f"{self.law}: {self.reason}{place}"


def check(
    game: Game,
    options: Any = None,
    seats: int | None = None,
    matches: int = 20,
    seed: int = 1,
    most_turns: int = ends.MOST_TURNS,
) -> list[Finding]:
    """Plays matches of random moves and checks every law. Returns a list of the broken laws. The list also
    has each law that could not be tested, marked as `untested`. If the game keeps all laws, the list is
    empty.

    If a law is broken several times, the list has only the first time. Without `options`, the matches use the
    game's `brief` options, and the defaults of all other options. If `seats` is None, the first match has the
    smallest possible number of seats, the next match has the next number, and so on. A match may have at most
    `most_turns` turns.
    """
    findings: list[Finding] = []
    with _catch("game", findings):
        _describes_itself(game)
    if findings:
        return findings
    options = game.options(**game.brief) if options is None else options
    wanted = [seats] if seats else range(game.seats[0], game.seats[1] + 1)
    unfit = [reason for table in wanted if (reason := game.unfit(options, table))]
    tables = [table for table in wanted if not game.unfit(options, table)]
    if not tables:
        return [Finding("game", f"nobody can play it: {unfit[0]}")]
    walks: list[Walk] = []
    for number in range(max(matches, 1)):
        deal = (tables[number % len(tables)], seed + number)
        with _catch("plays", findings, *deal):
            walks.append(walk(game, options, *deal, most_turns))
        if findings:
            return findings
    known = moves.seen(walks)
    for law, check_law in LAWS.items():
        findings += _first(law, check_law, walks, known)
    if not broken(findings):
        with _catch("elsewhere", findings):
            deals = [(match.seats, match.seed) for match in walks[:ELSEWHERE]]
            same.other_processes_agree(game, options, deals)
    return findings


def broken(findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings about broken laws, without the findings about laws that could not be tested."""
    return [finding for finding in findings if not finding.untested]


def assert_conforms(
    game: Game,
    options: Any = None,
    seats: int | None = None,
    matches: int = 20,
    untested: Collection[str] = (),
) -> None:
    """Raises AssertionError with all findings. The tests of a game call this function. The laws that
    `untested` names need not be tested."""
    found = check(game, options, seats, matches)
    findings = [each for each in found if not (each.untested and each.law in untested)]
    assert not findings, "\n".join(["", *map(str, findings)])


def _first(law: str, check_match: Check, walks: list[Walk], known: Seen) -> list[Finding]:
    findings: list[Finding] = []
    for match in walks:
        with _catch(law, findings, match.seats, match.seed):
            check_match(match, known)
        if broken(findings):
            break
    return broken(findings) or findings[:1]


@contextmanager
def _catch(law: str, findings: list[Finding], seats: int = 0, seed: int = 0) -> Iterator[None]:
    """Turns a Breach, or an exception of the game, into a finding."""
    try:
        yield
    except Breach as breach:
        untested = isinstance(breach, Untested)
        findings.append(Finding(law, breach.reason, seats, seed, breach.turn, untested))
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        findings.append(Finding(law, f"raises {what} ({frame.filename}:{frame.lineno})", seats, seed))


def _describes_itself(game: Game) -> None:
    fewest, most = game.seats
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game.name):
        raise Breach(f"the name {game.name!r} must consist of a-z, 0-9 and _, a letter first")
    if not game.title.strip():
        raise Breach("the title is empty")
    for name in ("secret_chance", "worth_is_rank"):
        if type(value := getattr(game, name)) is not bool:
            raise Breach(f"{name} is {value!r}, not True or False")
    if game.order not in (None, *get_args(Order)):
        raise Breach(f"order is {game.order!r}, not one of {', '.join(get_args(Order))}")
    if not 1 <= fewest <= most:
        raise Breach(f"seats {game.seats} are not the smallest and the largest number")
    msgspec.convert(game.brief, game.options)
    options = game.options()
    for seats in range(fewest, most + 1):
        sides = game.sides(options, seats)
        if sorted(seat for side in sides for seat in side) != list(range(1, seats + 1)):
            raise Breach(f"the sides {sides} do not contain each of {seats} seats once")
        if not all(warning.strip() for warning in game.warnings(options, seats)):
            raise Breach(f"a warning for {seats} seats is empty")
