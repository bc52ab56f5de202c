"""Simulates the grades of courses: how many claims are wrong, and how many marks stay open."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from benchmarks.course import Course, Field, add, facts, played, scheme
from benchmarks.rates import LEVEL, LOOKS, Rate
from harness.grading import Grades, of_facts
from harness.grading.family import Comparisons
from harness.results.statistics.claims import Looks

COURSE = Course(12, (-1.0, 0.0, 1.0), 1.0, 4, 5, 2)
EQUAL = Course(12, (0.0, 0.0, 0.0), 0.0, 4, 5, 2)


def course(trials: int, seed: int) -> Iterator[Rate]:
    """Grades of 12 teams and three bots of the staff, of strengths that differ and of equal strengths."""
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
    """The same grades with more deals."""
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
"""The share of marks that stood open with two deals, before claims had two-sided and exact tests."""
Kind: TypeAlias = tuple[str, Looks]
"""The keys `claims` and `looks` of a scheme."""
SAID = 20
"""A line tells of the sums after so many courses of each kind, and after ten times as many, and so on."""


class Sums(NamedTuple):
    """Sums over courses: the wrong claims to beat a bot, the wrong places, the courses with any wrong claim,
    the bots beaten, and the open marks."""

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
    """The sums of each course by each kind of scheme. A course is played once for all schemes."""
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
    """Tells of the courses so far: those with a wrong claim, and the share of open marks."""
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
