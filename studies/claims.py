"""Measures by simulation how often grades make a wrong claim, and how many more deals are needed if somebody
may look at the results again and again.

    python -m studies.claims                       # all tables; needs about 20 minutes
    python -m studies.claims course --trials 1000  # one table, with more trials

The tables are `equal` (16 equal teams and 50 looks), `pairs` (equal teams and one look), `bets` (two bots and
a look after every deal), `course` (grades of a course), `more` (the same course with more deals) and `league`
(with the keys of a new workspace). In a match, the strength of each bot, the luck of its seat and its own
random noise are added up, and the bot with the highest sum wins. All tables depend only on `--seed`. If a
bound is missed, the exit code is 1.

A table is printed when it is complete. Before that, lines on stderr count the simulated courses and their
wrong claims so far. If the cases of a row are independent of each other, the row also has Wilson's 95 %
interval of the share.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from math import sqrt
from random import Random
from statistics import NormalDist, median
from typing import NamedTuple, TypeAlias

from tabulate import tabulate

from harness.grading import Grades, of_facts
from harness.grading.family import Comparisons
from harness.results.statistics.betting import BETS
from harness.results.statistics.claims import Claim, Looks, held, ranking
from harness.results.statistics.comparison import Ranks
from studies.course import LEVEL, LOOKS, LUCK, Course, Field, add, facts, played, scheme


class Rate(NamedTuple):
    """A row of a table: how often something happened, and in how many cases it could have happened."""

    name: str
    times: float
    cases: int
    at_most: float | None = None
    """The largest share that the bound allows; None if there is no bound."""
    alone: bool = False
    """Whether the cases are independent of each other. The claims of one course are not."""

    @property
    def kept(self) -> bool:
        """Whether the bound is kept. A share may be above the bound by two standard errors, because a
        simulation has luck."""
        if self.at_most is None:
            return True
        slack = 2 * sqrt(self.at_most * (1 - self.at_most) / self.cases)
        return self.times / self.cases <= self.at_most + slack

    def cells(self) -> list[str]:
        """The cells of this row of the table."""
        bound = "" if self.at_most is None else f"{100 * self.at_most:.1f}{'' if self.kept else ' MISSED'}"
        share = f"{100 * self.times / self.cases:.2f}"
        low, high = self._interval()
        within = f"{100 * low:.2f} - {100 * high:.2f}" if self.alone else ""
        return [self.name, share, within, bound, str(self.cases)]

    def _interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        z, share = NormalDist().inv_cdf(0.975), self.times / self.cases
        whole = 1 + z * z / self.cases
        middle = share + z * z / 2 / self.cases
        reach = z * sqrt(share * (1 - share) / self.cases + (z / 2 / self.cases) ** 2)
        return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


# -- equal teams -----------------------------------------------------------------------------------


def equal(trials: int, seed: int) -> Iterator[Rate]:
    """16 equal teams at tables of four. After each of 50 rounds somebody looks whether any claim says that
    one team of a pair is better. The bound is for all pairs together. The last row uses the test for a single
    look, which is wrong too often here."""
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
    """Equal teams and one look at the end, for each number of seats at a table."""
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
    """Whether any of these claims is made, if all of them together have one bound."""
    return any(each.doubt <= LEVEL for each in held({p: claim.doubt for p, claim in claims.items()}).values())


# -- bets ------------------------------------------------------------------------------------------


def bets(trials: int, seed: int) -> Iterator[Rate]:
    """Two equal bots play up to 2,000 deals, and somebody looks after every deal. Yields a row for each kind
    of results and each bound."""
    for (kind, results), doubt in product(EQUAL_RESULTS.items(), (0.1, 0.05)):
        toss = partial(Random(seed).choice, results)
        wrong = sum(_decided(toss, doubt, 2_000) > 0 for _ in range(trials))
        yield Rate(f"two equal bots told apart at {doubt:g}, 2,000 looks, {kind}", wrong, trials, doubt, True)


EQUAL_RESULTS: Mapping[str, Sequence[float]] = {
    "won or lost": (-1.0, 1.0),
    "nine of ten are ties": (-1.0, 1.0, *[0.0] * 18),
    "heavy tails: seldom won by far": (1.0, *[-1 / 9] * 9),
    "four seats": [(two - one) / 3 for one in range(4) for two in range(4) if one != two],
}
"""For each kind of results, the possible differences of two equal bots in a deal. All are equally likely, and
their mean is 0."""


def prices(trials: int, seed: int) -> Iterator[list[str]]:
    """The median number of deals until a test says which of two bots is better, if somebody looks after every
    deal."""
    for share in (0.56, 0.62, 0.69, 0.8, 0.95):
        cells = [f"{share:.2f}"]
        for matches in (1, 2):
            for doubt in (0.1, 0.05, 0.05 / 120):
                random = Random(f"{seed} {share}")
                deal = _deal(share, matches, random)
                cells.append(f"{median(_decided(deal, doubt, 5_000) or 5_000 for _ in range(trials)):.0f}")
        yield cells


def _deal(share: float, matches: int, random: Random) -> Callable[[], float]:
    """Returns a function that draws the difference of two bots in a deal. The first bot wins this share of
    the matches. If a deal has two matches, the bots change seats in the second match, and each seat has the
    same luck in both."""
    noise, luck = 2**0.5, LUCK * 2**0.5
    ahead = NormalDist().inv_cdf(share) * (noise**2 + luck**2) ** 0.5

    def deal() -> float:
        seat = random.gauss(0, luck)
        lucks = (seat, -seat)[:matches]
        return sum(1 if ahead + each + random.gauss(0, noise) > 0 else -1 for each in lucks) / matches

    return deal


def _decided(deal: Callable[[], float], doubt: float, most: int) -> int:
    """The number of deals until the test says that one of two bots is better; 0 if it does not say so."""
    ahead = behind = (1.0,) * len(BETS)
    for number in range(1, most + 1):
        difference = deal()
        ahead = tuple([money * (1 + part * difference) for money, part in zip(ahead, BETS, strict=True)])
        behind = tuple([money * (1 - part * difference) for money, part in zip(behind, BETS, strict=True)])
        if max(sum(ahead), sum(behind)) * doubt / 2 >= len(BETS):
            return number
    return 0


# -- the grades of a course ------------------------------------------------------------------------

COURSE = Course(12, (-1.0, 0.0, 1.0), 1.0, 4, 5, 2)
EQUAL = Course(12, (0.0, 0.0, 0.0), 0.0, 4, 5, 2)


def course(trials: int, seed: int) -> Iterator[Rate]:
    """Grades of 12 teams and three bots of the staff. In one course their strengths differ, and in the other
    one all are equal."""
    kinds: list[Kind] = [(claims, looks) for claims in ("each", "all") for looks in LOOKS]
    whole = {COURSE: "", EQUAL: "all equal, "}
    found = _sums(whole, kinds, trials, seed)
    for course, spread in whole.items():
        for claims, looks in kinds:
            sums = found[course, claims, looks]
            name = f'{spread}"{claims}", "{looks}"'
            number = trials * course.teams
            each = LEVEL if claims == "each" else None
            yield Rate(f"{name}: wrong beats", sums.beats, number * len(course.staff), each)
            yield Rate(f"{name}: wrong places", sums.places, number, each)
            yield Rate(f"{name}: any wrong claim", sums.any, trials, None if each else LEVEL, True)
            yield Rate(f"{name}: bots beaten", sums.beaten, number * len(course.staff))
            yield Rate(f"{name}: open marks", sums.open, number)


def more(trials: int, seed: int) -> Iterator[Rate]:
    """Grades of the course in which strengths differ (as in `course`), with 2 to 16 deals."""
    kinds: list[Kind] = [("each", "any"), ("each", "once"), ("all", "any")]
    courses = [COURSE._replace(deals=deals) for deals in (2, 4, 8, 16)]
    found = _sums(courses, kinds, trials, seed)
    for claims, looks in kinds:
        for course in courses:
            sums = found[course, claims, looks]
            number = trials * course.teams
            name = f'"{claims}", "{looks}", deals = {course.deals}'
            yield Rate(f"{name}: bots beaten", sums.beaten, number * len(course.staff))
            yield Rate(f"{name}: open marks", sums.open, number)
            yield Rate(f"{name}: any wrong claim", sums.any, trials, None, True)


def league(trials: int, seed: int) -> Iterator[Rate]:
    """Grades by the scheme and the plan of a new workspace."""
    course = COURSE._replace(deals=16)
    [sums] = _sums([course], [("each", "once")], trials, seed).values()
    number = trials * course.teams
    yield Rate("wrong beats", sums.beats, number * len(course.staff), LEVEL)
    yield Rate("wrong places", sums.places, number, LEVEL)
    yield Rate("any wrong claim", sums.any, trials, None, True)
    yield Rate("open marks", sums.open, number, FORMERLY / 2)


FORMERLY = 0.73
"""The share of marks that were still open with two deals, when the tests of claims were not yet two-sided and
exact."""
Kind: TypeAlias = tuple[str, Looks]
"""The values of the keys `claims` and `looks` of a scheme."""
SAID = 20
"""After each further group of this number of courses, a line on stderr tells the sums so far."""


class Sums(NamedTuple):
    """Numbers over all simulated courses: the wrong claims that a team beats a bot, the wrong places, the
    courses with any wrong claim, all claims that a team beats a bot, and the marks that are still open."""

    beats: int = 0
    places: int = 0
    any: int = 0
    beaten: int = 0
    open: int = 0

    def plus(self, other: Sums) -> Sums:
        return Sums(*map(sum, zip(self, other, strict=True)))


def _sums(
    courses: Iterable[Course], kinds: Sequence[Kind], trials: int, seed: int
) -> Mapping[tuple[Course, str, Looks], Sums]:
    """The sums of each course for each kind of scheme. A course is simulated once, and graded by all
    schemes."""
    blocks = {course: course.blocks() for course in courses}
    schemes = {
        (course, *kind): scheme(course, 'claims = "{}"\nlooks = "{}"'.format(*kind))
        for course in blocks
        for kind in kinds
    }
    found = dict.fromkeys(schemes, Sums())
    for trial in range(trials):
        for course, own in blocks.items():
            random = Random(f"{seed} {trial}")
            strengths = course.strengths(random)
            field: Field = {name: {} for name in course.names}
            add(field, played(own, course.deals, strengths, random))
            known = facts(field)
            compared = {looks: Comparisons(known, looks) for _, looks in kinds}
            for claims, looks in kinds:
                key = (course, claims, looks)
                found[key] = found[key].plus(
                    _graded(of_facts(known, schemes[key], compared[looks]), strengths)
                )
        if (trial + 1) % SAID == 0:
            _say(trial + 1, found)
    return found


def _say(trials: int, found: Mapping[tuple[Course, str, Looks], Sums]) -> None:
    """Prints on stderr how many of the courses so far have a wrong claim, and the share of open marks."""
    sums = "; ".join(
        f"{claims}, {looks}, deals {course.deals}{'' if course.spread else ', equal'}: "
        f"{each.any} ({each.beats} + {each.places}), {100 * each.open / trials / course.teams:.1f} % open"
        for (course, claims, looks), each in found.items()
    )
    print(f"{trials} courses with a wrong claim (beats + places): {sums}", file=sys.stderr, flush=True)


def _graded(made: Grades, strengths: Mapping[str, float]) -> Sums:
    beats = places = beaten = open_marks = 0
    teams = [grade.team for grade in made.grades]
    for grade in made.grades:
        own = strengths[grade.team]
        open_marks += not grade.settled
        assert grade.places is not None
        best = 1 + sum(strengths[team] > own for team in teams)
        worst = sum(strengths[team] >= own for team in teams)
        places += grade.places[0] > best or grade.places[1] < worst
        for award in grade.awards:
            if award.name.startswith("Beats ") and award.points:
                beaten += 1
                beats += strengths[award.name.removeprefix("Beats ")] >= own
    return Sums(beats, places, beats + places > 0, beaten, open_marks)


# -- the command -----------------------------------------------------------------------------------

TABLES: Mapping[str, tuple[Callable[[int, int], Iterator[Rate]], int]] = {
    "equal": (equal, 200),
    "pairs": (pairs, 100),
    "bets": (bets, 400),
    "course": (course, 100),
    "more": (more, 20),
    "league": (league, 40),
}
"""For each table, the function that computes it and the usual number of trials."""


def table_of(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table for a person; all columns but the first hold numbers."""
    align = ["left", *["right"] * (len(heads) - 1)]
    return tabulate(lines, heads, tablefmt="simple", colalign=align, disable_numparse=True)


def main() -> int:
    """Prints the tables. Returns 1 if a bound is not kept."""
    parser = ArgumentParser(prog="python -m studies.claims")
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
            print(table_of(heads, [rate.cells() for rate in rates]), flush=True)
            print()
    if given.table in (None, "bets"):
        heads = [
            f"{deal}, {doubt}"
            for deal in ("fresh deals", "both seats")
            for doubt in ("0.1", "0.05", "0.05 / 120")
        ]
        print("Median deals until two bots are told apart:")
        print(table_of(["share won", *heads], list(prices(given.trials or 400, given.seed))))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
