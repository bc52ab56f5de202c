"""Measures whether averages stay right if luck is taken off the results, and how much less the results vary
then.

    python -m studies.luck                     # all parts
    python -m studies.luck bias --matches 2000
    python -m studies.luck gain --games squash --matches 500

The part `bias` plays matches of Evil Squash. In each match two of five kinds of bots play. The mean luck of
each kind must be 0, because no bot has an influence on the dice. The part `gain` plays matches of each game,
and takes luck off as the standings do. The gain is the variance of a bot's ranks (or scores) divided by the
variance of the corrected ranks (or scores). With a gain of 4, a quarter of the matches is enough. All bots
are functions in the process of the study. The deals depend only on `--seed`. The constants in the code of the
games were chosen with other seeds than the default seed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, variance
from time import process_time
from typing import Any, NamedTuple, TypeAlias

from harness.chance import Seeded, derived
from harness.games import State, find
from harness.games.squadron.acts import Act, read
from harness.games.squash.worth import turns
from harness.judge.luck import LuckMeter
from harness.judge.rules import Rules
from harness.record.history import MatchResult
from harness.results.luck_off import LuckOff

PARTS = ("bias", "gain")
MOST_ERRORS = 3.3
"""The largest allowed distance of a mean luck from 0, in standard errors. If all is right, one of 1,000 means
is farther away."""
LEAST_GAIN = 4.0
"""The gain for the ranks of Squash must be at least this."""
GROUPS = 40
"""The number of groups of matches. The jackknife leaves out one group at a time to estimate the error of a
gain."""

Choose: TypeAlias = Callable[[Any, int, Random], str]


def at_random(state: State, seat: int, random: Random) -> str:
    """Any legal move."""
    [move] = state.some(seat, 1, Seeded(random.getrandbits(64)), "move")
    return move


def sensible(state: Any, seat: int, random: Random) -> str:
    """Chooses to squash if this costs the other player more turns than a bounce gains for this player."""
    needed, leads = turns(state.rules.leads), state.rules.leads
    _, square, left = state.table.landing()
    gain = needed[square] - fmean(needed[leads[square + die]] for die in range(1, 7))
    return "land squash" if needed[left] - needed[square] > gain else "land bounce"


def leader(state: Any, seat: int, random: Random) -> str:
    """Chooses to squash only a marker that is ahead of all others."""
    return "land squash" if state.table.to == max(state.table.squares) else "land bounce"


def greedy(state: State, seat: int, random: Random) -> str:
    """Chooses the move of Sevens that earns the most points."""
    return max(state.legal(seat), key=lambda move: int(move.rpartition(" ")[2]))


def eager(state: State, seat: int, random: Random) -> str:
    """Draws up to eight acts of Squadron Scramble, and chooses the act that lays the most squadrons."""
    some = state.some(seat, 8, Seeded(random.getrandbits(64)), "move")
    return max(some, key=_lays)


def _lays(move: str) -> int:
    act = read(move)
    return len(act.lays) if isinstance(act, Act) else 0


KINDS: dict[str, Choose] = {
    "sensible": sensible,
    "random": at_random,
    "squasher": lambda state, seat, random: "land squash",
    "bouncer": lambda state, seat, random: "land bounce",
    "leader": leader,
}


class Table(NamedTuple):
    """The bots at the table of a game, its options, and the number of matches."""

    bots: dict[str, Choose]
    options: dict[str, Any]
    matches: int


TABLES = {
    "sevens": Table({"greedy": greedy, "random": at_random, "other": greedy, "lot": at_random}, {}, 2_000),
    "squadron": Table({"eager": eager, "other": eager, "random": at_random}, {"goal": 100}, 250),
    "biplane": Table({"one": at_random, "two": at_random}, {}, 150),
    "squash": Table({name: KINDS[name] for name in ("sensible", "random", "squasher", "leader")}, {}, 3_000),
}


def played(
    game: str, bots: dict[str, Choose], seats: int | Sequence[str], options: Any, seed: int
) -> MatchResult:
    """Plays a match. `seats` is the list of bots by seat. If `seats` is only the number of seats, the seed
    decides which bots play in which seats."""
    rules, random = find(game), Random(seed)
    names = random.sample(sorted(bots), seats) if isinstance(seats, int) else [*seats]
    seats = len(names)
    settings = rules.options(**options)
    meter, chance = LuckMeter(Rules(rules, settings), seats, (seed,)), Seeded(derived(seed, "deal"))
    state, _ = meter.start(settings, seats, chance)
    while seat := state.to_act():
        moves = {each: bots[names[each - 1]](state, each, random) for each in seat}
        state, _ = meter.play(state, moves, chance)
    outcome = state.outcome()
    assert outcome is not None
    name = str(seed)
    return MatchResult(name, name, tuple(names), outcome.ranks, outcome.scores, (), name, meter.luck)


def bias(matches: int, seed: int) -> Iterator[tuple[str, bool]]:
    """Yields the table with the mean luck of each kind of bot. Each line has a flag that says whether it is
    within its bounds."""
    luck: dict[str, list[float]] = {name: [] for name in KINDS}
    for number in range(matches):
        match = played("squash", KINDS, 2, {}, derived(seed, "bias", number))
        for bot, own in zip(match.bots, match.luck, strict=True):
            luck[bot].append(own)
    yield "| bot | matches | mean luck | its error | errors |", True
    yield "|---|---|---|---|---|", True
    for bot, lucks in luck.items():
        mean, error = fmean(lucks), sqrt(variance(lucks) / len(lucks))
        right = abs(mean) <= MOST_ERRORS * error
        yield f"| {bot} | {len(lucks):,} | {mean:+.4f} | {error:.4f} | {mean / error:+.1f} |", right


class Gain(NamedTuple):
    """The variance of the results divided by the variance of the results without luck, and the standard error
    of this ratio."""

    ratio: float
    error: float

    def __str__(self) -> str:
        return f"{self.ratio:.2f} ± {self.error:.2f}"


def gain_of(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]]) -> Gain:
    """Computes the gain; both variances are summed over the bots. Its error comes from a jackknife over
    groups of matches."""

    def ratio(without: int | None) -> float:
        kept = [[value for at, value in enumerate(own) if at % GROUPS != without] for own in before]
        left = [[value for at, value in enumerate(own) if at % GROUPS != without] for own in after]
        below = sum(map(variance, left))
        return sum(map(variance, kept)) / below if below else 1.0

    without = [ratio(group) for group in range(GROUPS)]
    mean = fmean(without)
    error = sqrt((GROUPS - 1) / GROUPS * sum((each - mean) ** 2 for each in without))
    return Gain(ratio(None), error)


def gain(games: Sequence[str], wanted: int | None, seed: int) -> Iterator[tuple[str, bool]]:
    """Yields the table that says how much less ranks and scores vary without luck. Each line has a flag as in
    `bias`."""
    yield "| game | bots | matches | ranks | scores | ms a match |", True
    yield "|---|---|---|---|---|---|", True
    for game in games:
        bots, options, usual = TABLES[game]
        number, began = wanted or usual, process_time()
        matches = [
            played(game, bots, len(bots), options, derived(seed, game, each)) for each in range(number)
        ]
        took = 1000 * (process_time() - began) / number
        off = LuckOff(matches)
        corrected = [off.corrected(match) for match in matches]
        ranks, scores = (
            gain_of(_by_bot(matches, field), _by_bot(corrected, field)) for field in ("ranks", "scores")
        )
        right = game != "squash" or ranks.ratio >= LEAST_GAIN
        yield f"| {game} | {', '.join(bots)} | {number:,} | {ranks} | {scores} | {took:.0f} |", right


def _by_bot(matches: Sequence[MatchResult], field: str) -> list[list[float]]:
    found: dict[str, list[float]] = {}
    for match in matches:
        for bot, value in zip(match.bots, getattr(match, field), strict=True):
            found.setdefault(bot, []).append(float(value))
    return list(found.values())


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m studies.luck")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="the parts [all]")
    parser.add_argument("--games", nargs="*", choices=[*TABLES], default=list(TABLES), help="for gain [all]")
    parser.add_argument("--matches", type=int, help="the number of matches [100,000 for bias, by game]")
    parser.add_argument("--seed", type=int, default=2026, help="decides the deals [2026]")
    found = parser.parse_args(arguments)
    wrong = False
    for part in found.parts or PARTS:
        if part == "bias":
            rows = bias(found.matches or 100_000, found.seed)
        else:
            rows = gain(found.games, found.matches, found.seed)
        for row, right in rows:
            print(row if right else f"{row} OUT OF BOUNDS", flush=True)
            wrong = wrong or not right
    sys.exit(wrong)


if __name__ == "__main__":
    main(sys.argv[1:])
