"""Measures by simulation how many letter grades stay open if a course plays on only where more matches could
change a grade.

    python -m studies.grades                # 12 teams and 3 house bots, 64 and 256 matches a team
    python -m studies.grades --trials 400   # more simulated courses, so more certain figures
    python -m studies.grades --oracle       # the open letters of somebody who knows more

There are three house bots: a weak, a middle and a strong one. The letter of a team depends on the number of
house bots that it beats. Each course is played in three ways, with the same strengths and the same number of
matches of a team on average: as a round robin of all bots, as a gauntlet in which all teams play equally
often, and as a gauntlet with `[stop]` and `settled = "grades"`, which decides after the first round which
teams play. In a gauntlet, a team and the three house bots sit at a table of four seats, so each match helps
to decide three claims. A letter is open if more matches could change it. A claim says that a team is "better"
or "worse" than a house bot. The claim "better" is wrong if the team is not stronger than the house bot, and
"worse" is wrong if the team is not weaker. The exit code is 1 if a bound is missed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, product
from math import exp, log, prod, sqrt
from random import Random
from statistics import NormalDist, mean, stdev
from typing import NamedTuple

from harness.config.document import parsed
from harness.config.scheme import Scheme, scheme_of
from harness.grading import Grades, of_facts
from harness.results.statistics.claims import Looks
from harness.schedule.open_grades import open_of
from harness.schedule.stop import again, claims_in_round
from studies.claims import table_of
from studies.course import LEVEL, Course, Field, add, facts, played

COURSE = Course(12, (-1.0, 0.0, 1.0), 1.0, 4, 1, 1)
EQUAL = Course(12, (0.0, 0.0, 0.0), 0.0, 4, 1, 1)
MATCHES = (64, 256)
"""The study simulates each course with these two numbers of matches. Each team plays this number on
average."""
MOST = 100_000
SCHEME = """
staff = {staff}
looks = "{looks}"
claims = "{claims}"
[letters]
A = 90
B = 60
C = 30
F = 0
[[item]]
kind = "beats"
points = 30
bots = {staff}
"""


class Outcome(NamedTuple):
    """The number of open letters in a course, and the numbers of its wrong claims "better" and "worse"."""

    open: int
    better: int
    worse: int


def scheme(course: Course, claims: str, looks: Looks = "any") -> Scheme:
    staff = str([name for name in course.names if name.startswith("staff")]).replace("'", '"')
    text = SCHEME.format(staff=staff, claims=claims, looks=looks)
    return scheme_of(parsed(text, "the scheme of a study"), "course", course.names)


def round_robin(
    course: Course, by: Scheme, strengths: Mapping[str, float], matches: int, random: Random
) -> Grades:
    """Returns the grades of a round robin, in which all bots meet equally often, and each plays about this
    number of matches."""
    field: Field = {name: {} for name in course.names}
    blocks = course.blocks()
    own = course.seats**2 * len(blocks) / len(course.names)
    for number in range(max(1, round(matches / own))):
        add(field, played(blocks, 1, strengths, random, number))
    return of_facts(facts(field), by)


def gauntlet(
    course: Course, by: Scheme, strengths: Mapping[str, float], matches: int, random: Random
) -> Grades:
    """Returns the grades of a gauntlet, in which each team plays this number of matches, all with the house
    bots."""
    field: Field = {name: {} for name in course.names}
    add(field, played(_tables(course), matches // course.seats, strengths, random))
    return of_facts(facts(field), by)


def where_open(
    course: Course, by: Scheme, strengths: Mapping[str, float], matches: int, random: Random
) -> Grades:
    """Returns the grades of a gauntlet with `[stop]`, in which only teams with open claims play on. Each team
    plays this number of matches on average."""
    field: Field = {name: {} for name in course.names}
    blocks, house = _tables(course), course.names[course.teams :]
    left = matches // course.seats * course.teams
    met: Counter[str] = Counter()
    look = 0
    while True:
        add(field, played(blocks[:left], 1, strengths, random, look))
        met.update(block[0] for block in blocks[:left])
        left, look = left - len(blocks[:left]), look + 1
        known = {bot: each._replace(adaptive=True) for bot, each in facts(field).items()}
        made = of_facts(known, by)
        open_ = open_of(made).pairs
        if not open_ or not left:
            return made
        claims = claims_in_round(len(open_))
        teams = dict.fromkeys(team for team, _ in open_[:claims])
        blocks = [(team, *house) for team in teams for _ in range(again(met[team], claims, MOST))]


def _tables(course: Course) -> list[tuple[str, ...]]:
    return [(team, *course.names[course.teams :]) for team in course.names[: course.teams]]


ROUND_ROBIN, GAUNTLET, STOP = "round robin", "gauntlet", "gauntlet, [stop]"
WAYS = {ROUND_ROBIN: round_robin, GAUNTLET: gauntlet, STOP: where_open}


def outcomes(course: Course, way: str, by: Scheme, matches: int, trials: int, seed: int) -> Iterator[Outcome]:
    """Simulates courses. Yields the open letters and the wrong claims of each course."""
    for trial in range(trials):
        random = Random(f"{seed} {trial}")
        strengths = course.strengths(random)
        made = WAYS[way](course, by, strengths, matches, random)
        claims = [
            (award.points > 0, strengths[grade.team] - strengths[award.against])
            for grade in made.grades
            for award in grade.awards
            if award.settled and " confidence of " in award.why
        ]
        yield Outcome(
            sum(not grade.settled for grade in made.grades),
            sum(better and gap <= 0 for better, gap in claims),
            sum(not better and gap >= 0 for better, gap in claims),
        )


def oracle(trials: int, seed: int, matches: int = max(MATCHES)) -> Iterator[tuple[float, float]]:
    """Yields two shares for each simulated course: the letters that stay open for each of two oracles
    (imaginary people who know more than harness). Each team has this number of matches.

    The first oracle looks once at the results of a gauntlet, and tests each claim alone and in the right
    direction. The second oracle also knows how much each team differs from each house bot. It decides each
    claim with Wald's sequential test, which needs the fewest matches (Wald and Wolfowitz 1948), and the teams
    that need the fewest matches play first.
    """
    tail, quantile = NormalDist().cdf, NormalDist().inv_cdf(1 - LEVEL)
    for trial in range(trials):
        strengths = COURSE.strengths(Random(f"{seed} {trial}"))
        closed, needs = 0.0, []
        for team in COURSE.names[: COURSE.teams]:
            gaps = [strengths[team] - strengths[house] for house in COURSE.names[COURSE.teams :]]
            ahead = [1 / (1 + exp(-abs(gap))) for gap in gaps]
            errors = [(2 * p - 1) * sqrt(matches / (4 * p * (1 - p))) for p in ahead]
            closed += prod(tail(each - quantile) for each in errors)
            odds = (1 - 2 * LEVEL) * log((1 - LEVEL) / LEVEL)
            needs.append(max(odds / ((2 * p - 1) * abs(gap)) for p, gap in zip(ahead, gaps, strict=True)))
        budget = accumulate(sorted(needs))
        played = sum(whole <= matches * COURSE.teams for whole in budget)
        yield 1 - closed / COURSE.teams, 1 - played / COURSE.teams


def wrong(course: Course, claims: str, found: Sequence[Outcome]) -> float:
    """Returns the share that must be small by the scheme. With `claims = "all"` this is the share of courses
    with a wrong claim. Otherwise it is the share of pairs of a team and a house bot with a wrong claim
    "better", or with a wrong claim "worse": the larger of these two shares."""
    if claims == "all":
        return sum(each.better + each.worse > 0 for each in found) / len(found)
    most = max(sum(each.better for each in found), sum(each.worse for each in found))
    return most / len(found) / course.teams / len(course.staff)


def line(course: Course, found: Sequence[Outcome], names: Sequence[str]) -> list[str]:
    """Returns a line of the table: the share of open letters with its standard error, the shares of wrong
    claims, and the share of courses with a wrong claim."""
    shares = [each.open / course.teams for each in found]
    claims = len(found) * course.teams * len(course.staff)
    return [
        *names,
        f"{100 * mean(shares):.1f} ± {100 * stdev(shares) / len(shares) ** 0.5:.1f}",
        f"{100 * sum(each.better for each in found) / claims:.2f}",
        f"{100 * sum(each.worse for each in found) / claims:.2f}",
        f"{100 * sum(each.better + each.worse > 0 for each in found) / len(found):.1f}",
    ]


def main() -> int:
    """Prints a table. Returns 1 if a bound is missed."""
    parser = ArgumentParser(prog="python -m studies.grades")
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--oracle", action="store_true")
    asked = parser.parse_args()
    if asked.oracle:
        for name, shares in zip(
            ("one look", "sequential"), zip(*oracle(400, asked.seed), strict=True), strict=True
        ):
            error = 100 * stdev(shares) / len(shares) ** 0.5
            print(f"oracle, {name}: {100 * mean(shares):.1f} % (± {error:.1f}) of the letters are open")
        return 0
    lines = []
    kept = True
    for (course, kind), claims, matches in product(
        ((COURSE, "teams differ"), (EQUAL, "all equal")), ("each", "all"), MATCHES
    ):
        by = scheme(course, claims)
        opened = {}
        for way in WAYS:
            found = list(outcomes(course, way, by, matches, asked.trials, asked.seed))
            lines.append(line(course, found, (f"{kind}, {claims}, {matches} matches", way)))
            print(*lines[-1], sep="; ", file=sys.stderr, flush=True)
            opened[way] = sum(each.open for each in found)
            kept &= wrong(course, claims, found) <= LEVEL
        if course is COURSE and matches == max(MATCHES):
            kept &= opened[STOP] < opened[GAUNTLET] < opened[ROUND_ROBIN]
            kept &= claims == "all" or opened[STOP] <= opened[ROUND_ROBIN] / 2
    heads = (
        "course",
        "matches are played",
        "open letters %",
        'wrong "better" %',
        'wrong "worse" %',
        "courses with a wrong claim %",
    )
    print(table_of(heads, lines))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
