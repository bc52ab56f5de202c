"""Asks many bots the same questions with the same SEED, and finds pairs that give the same unusual answers.

The questions come from matches of house bots. Each bot takes the place of one house bot, and gets the lines
that this house bot got. Whatever the bot answers, the match goes on with the answers of the house bot. So a
program and its translation into another language get the same questions, and give the same answers.

If a house bot or a starter gives the same answer as a bot, the answer is no sign of copying, because
everybody knows these bots. All other answers are *own* answers. The likeness of two bots is the share of
equal own answers among the questions to which at least one of the two has an own answer.

Name: Jaccard index of answers. Formula: equal own answers / questions with an own answer of either bot.
Source: Jaccard, "The distribution of the flora in the alpine zone" (1912).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import ceil
from typing import NamedTuple, TypeAlias

from harness.checking.replay_into_bot import replay
from harness.checking.trial import PlayedMatch, Trial, job_of, matches_of, played
from harness.errors import Void
from harness.events import Turn
from harness.job import Entrant
from harness.judge.rules import Rules

MATCHES, MOST_MATCHES = 12, 48
QUESTIONS = 300
"""A bot gets about this many questions, unless MOST_MATCHES matches have fewer."""
LEAST_OWN = 30
"""Two bots can be compared only if at least one of them has an own answer to this number of questions or
more."""
LOOK = 0.8
"""Somebody should look at two bots if their likeness (a share from 0 to 1) is at least this number."""
FIRST_DEAL = 5_000
"""The number of the first deal. This number is so large that no other check plays the same deals."""
Answers: TypeAlias = tuple[str | None, ...]
"""The answers of a bot to the questions, in order. None stands for a wrong answer or for no answer. If
the bot ended or broke the protocol, the remaining answers are missing."""


class Likeness(NamedTuple):
    """The likeness of the answers of two bots. `own` is the number of questions to which at least one of the
    bots has an own answer. `same` is the number of these questions to which the two bots gave the same
    answer."""

    own: int
    same: int

    @property
    def share(self) -> float:
        return self.same / self.own if self.own else 0.0

    @property
    def looks_alike(self) -> bool:
        """True if somebody should look at the pair."""
        return self.own >= LEAST_OWN and self.share >= LOOK


async def house_matches(trial: Trial, seats: int, count: int = MATCHES) -> list[PlayedMatch]:
    """Plays at least `count` matches of house bots, and more if the matches have few questions. The
    bots to compare will get the questions that the first bot of the trial gets in these matches.

    Raises Void if the machine failed.
    """
    found = matches_of(await played(job_of(trial, seats, count, FIRST_DEAL)))
    if (more := enough(count, sum(map(_questions, found)))) > count:
        found = matches_of(await played(job_of(trial, seats, more, FIRST_DEAL)))
    return found


def enough(matches: int, questions: int) -> int:
    """Returns how many matches give a bot about QUESTIONS questions, if `matches` matches had `questions`
    questions."""
    if not questions:
        return matches
    return max(matches, min(MOST_MATCHES, ceil(matches * QUESTIONS / questions)))


def _questions(match: PlayedMatch) -> int:
    """Returns how many questions the first bot of the trial got in this match."""
    own = (each for each in match.records if isinstance(each, Turn) and each.seat == match.seat)
    return sum(each.said != "ready" for each in own)


async def answers(rules: Rules, matches: Sequence[PlayedMatch], entrant: Entrant, bot: str) -> Answers:
    """Asks the bot `entrant` the questions that another bot got in these matches of one sitting. `bot` is the
    name of the other bot. If the machine fails, no question counts as answered."""
    try:
        found = await replay(rules, matches, entrant, bot)
    except Void:
        return ()
    return tuple(
        None if answer.why else (answer.said or "").strip() for answer in found.answers if answer.question
    )


def likeness(one: Answers, two: Answers, known: Sequence[Answers]) -> Likeness:
    """Compares the answers of two bots. `known` has the answers of house bots and starters."""
    own = same = 0
    for number, (first, second) in enumerate(zip(one, two, strict=False)):
        if first is None or second is None:
            continue
        usual = {each[number] for each in known if number < len(each)}
        if first in usual and second in usual:
            continue
        own += 1
        same += first == second
    return Likeness(own, same)


def likenesses(
    found: Mapping[str, Answers], known: Sequence[Answers], owner: Callable[[str], str]
) -> Iterator[tuple[str, str, Likeness]]:
    """Yields the likeness of each pair of bots with different owners. `owner` returns the owner of a bot."""
    for one, two in combinations(sorted(found), 2):
        if owner(one) != owner(two):
            yield one, two, likeness(found[one], found[two], known)
