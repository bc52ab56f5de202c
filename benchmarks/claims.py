"""Measures by simulation how often grades claim something wrong, and what the right to look again costs.

    python -m benchmarks.claims                       # all tables; needs about 20 minutes
    python -m benchmarks.claims course --trials 1000  # one table, with more trials

The tables are `equal` (16 equal teams and 50 looks), `pairs` (equal teams and one look), `bets` (two bots and
a look after every deal), `course` (grades of a course), `more` (the same course with more deals) and `league`
(with the keys of a new workspace). In a match each bot gets its strength, the luck of its seat and noise of
its own, and the best sum wins. All tables depend only on `--seed`. If a bound is missed, the exit code is 1.

A table comes at its end; before it, a line on stderr counts the courses and their wrong claims so far. Where
the cases are independent of each other, the table has the 95 % interval of the share (Wilson's).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from random import Random
from statistics import NormalDist, median

from benchmarks import graded
from benchmarks.course import LUCK, Course, Field, add, played
from benchmarks.figures import drawn
from benchmarks.rates import LEVEL, LOOKS, Rate
from harness.results.statistics.betting import BETS
from harness.results.statistics.claims import Claim, Looks, held, ranking
from harness.results.statistics.comparison import Ranks

# -- equal teams -----------------------------------------------------------------------------------


def equal(trials: int, seed: int) -> Iterator[Rate]:
    """16 equal teams at tables of four. After each of 50 rounds somebody looks whether any pair is told
    apart; all pairs are held together. The last row has the test for one look, which is not made for this."""
    course = Course(16, (), 0, 4, 10, 1)
    blocks = course.blocks()
    rounds = [blocks[at : at + 4] for at in range(0, len(blocks), 4)]
    for looks in LOOKS:
        wrong = 0
        for trial in range(trials):
            random = Random(f"{seed} {trial}")
            field: Field = {name: {} for name in course.names}
            for look, part in enumerate(rounds):
                add(field, played(part, 1, course.strengths(random), random, look))
                if _any(_claims(field, looks)):
                    wrong += 1
                    break
        bound = LEVEL if looks == "any" else None
        yield Rate(f'any wrong claim in {len(rounds)} looks, looks = "{looks}"', wrong, trials, bound, True)


def pairs(trials: int, seed: int) -> Iterator[Rate]:
    """Equal teams and one look at the end, at each size of a table."""
    for course in (Course(16, (), 0, 4, 1, 2), Course(10, (), 0, 2, 1, 10), Course(15, (), 0, 4, 5, 1)):
        blocks = course.blocks()
        for looks in LOOKS:
            told = places = every = 0
            for trial in range(trials):
                random = Random(f"{seed} {trial}")
                field: Field = {name: {} for name in course.names}
                add(field, played(blocks, course.deals, course.strengths(random), random))
                claims = _claims(field, looks)
                told += sum(claim.doubt <= LEVEL for claim in claims.values())
                own = [{pair: claims[pair] for pair in claims if team in pair} for team in course.names]
                places += sum(map(_any, own))
                every += _any(claims)
            name = f'{course.teams} teams, {course.seats} seats, looks = "{looks}"'
            number = trials * course.teams
            yield Rate(f"{name}: pair", told, number * (course.teams - 1) // 2, LEVEL)
            yield Rate(f'{name}: place, claims = "each"', places, number, LEVEL)
            yield Rate(f'{name}: any, claims = "all"', every, trials, LEVEL, True)


def _claims(field: Field, looks: Looks) -> dict[tuple[str, str], Claim]:
    ranks = [Ranks(bot, deals) for bot, deals in field.items()]
    return {(one.bot, other.bot): ranking(one, other, looks) for one, other in combinations(ranks, 2)}


def _any(claims: Mapping[tuple[str, str], Claim]) -> bool:
    """Whether any of these claims is made if they hold together."""
    return any(each.doubt <= LEVEL for each in held({p: claim.doubt for p, claim in claims.items()}).values())


# -- bets ------------------------------------------------------------------------------------------


def bets(trials: int, seed: int) -> Iterator[Rate]:
    """Two equal bots, with a look after every deal up to 2,000."""
    for doubt in (0.1, 0.05):
        toss = partial(Random(seed).choice, (-1.0, 1.0))
        wrong = sum(_decided(toss, doubt, 2_000) > 0 for _ in range(trials))
        yield Rate(f"two equal bots told apart at {doubt:g}, 2,000 looks", wrong, trials, doubt, True)


def prices(trials: int, seed: int) -> Iterator[list[str]]:
    """The median deals until two bots are told apart, with a look after every deal."""
    for share in (0.56, 0.62, 0.69, 0.8, 0.95):
        cells = [f"{share:.2f}"]
        for matches in (1, 2):
            for doubt in (0.1, 0.05, 0.05 / 120):
                random = Random(f"{seed} {share}")
                deal = _deal(share, matches, random)
                cells.append(f"{median(_decided(deal, doubt, 5_000) or 5_000 for _ in range(trials)):.0f}")
        yield cells


def _deal(share: float, matches: int, random: Random) -> Callable[[], float]:
    """Draws the difference of a deal of two bots, of which the first wins this share of the matches. With two
    matches, each bot has the seat of the other in the second one, with the same luck."""
    noise, luck = 2**0.5, LUCK * 2**0.5
    ahead = NormalDist().inv_cdf(share) * (noise**2 + luck**2) ** 0.5

    def deal() -> float:
        seat = random.gauss(0, luck)
        lucks = (seat, -seat)[:matches]
        return sum(1 if ahead + each + random.gauss(0, noise) > 0 else -1 for each in lucks) / matches

    return deal


def _decided(deal: Callable[[], float], doubt: float, most: int) -> int:
    """The number of deals until two bots are told apart in either direction; 0 if they are not."""
    ahead = behind = (1.0,) * len(BETS)
    for number in range(1, most + 1):
        difference = deal()
        ahead = tuple([money * (1 + part * difference) for money, part in zip(ahead, BETS, strict=True)])
        behind = tuple([money * (1 - part * difference) for money, part in zip(behind, BETS, strict=True)])
        if max(sum(ahead), sum(behind)) * doubt / 2 >= len(BETS):
            return number
    return 0


# -- the command -----------------------------------------------------------------------------------

TABLES: Mapping[str, tuple[Callable[[int, int], Iterator[Rate]], int]] = {
    "equal": (equal, 200),
    "pairs": (pairs, 100),
    "bets": (bets, 400),
    "course": (graded.course, 100),
    "more": (graded.more, 20),
    "league": (graded.league, 40),
}
"""Each table with its number of trials."""


def main() -> int:
    """Prints the tables; 1 if a bound is not kept."""
    parser = ArgumentParser(prog="python -m benchmarks.claims")
    parser.add_argument("table", nargs="?", choices=TABLES)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    kept = True
    for name, (table, trials) in TABLES.items():
        if given.table in (None, name):
            rates = list(table(given.trials or trials, given.seed))
            kept = kept and all(rate.kept for rate in rates)
            heads = [name, "%", "95 %", "at most", "cases"]
            print(drawn(heads, ["left", *["right"] * 4], [rate.cells() for rate in rates]), flush=True)
            print()
    if given.table in (None, "bets"):
        heads = [
            f"{deal}, {doubt}"
            for deal in ("fresh deals", "both seats")
            for doubt in ("0.1", "0.05", "0.05 / 120")
        ]
        print("Median deals until two bots are told apart:")
        print(drawn(["share won", *heads], ["right"] * 7, list(prices(given.trials or 400, given.seed))))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
