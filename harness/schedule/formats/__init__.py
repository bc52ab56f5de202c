"""Defines the contract of a format. A format decides who meets whom in a tournament, or in one of its stages.

A format is one file of this folder: `knock_out.py` is the file of `format = "knock-out"`. The file defines
FORMAT, an object of a subclass of Format, and the docstring of the file is a section of docs/formats.md. No
other file contains the name of the format, so a new format needs its file, its test and `make docs`.

Some formats know all encounters when a run begins. Their method `schedule` makes these encounters. The other
formats make a round when the round before it is complete. Their method `next` computes the round from a View,
which has only the plan and the results so far. So the same method starts a round, continues a tournament that
was interrupted, and verifies a record.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.config.document import quoted
from harness.config.lines import Key
from harness.config.terms import PlanTerms, Stage
from harness.errors import InputError
from harness.escape import count_of, fitted
from harness.events import RoundBegan, RunBegan
from harness.results.statistics.sprt import Model
from harness.schedule.designs import Block, Round, Wanted
from harness.schedule.sittings import Sides
from harness.schedule.stop import why_settled
from harness.schedule.strength import Tiers, in_tiers, strengths
from harness.schedule.view import Pairing, View

LONGEST_NAME = 100
"""The largest number of characters of a name in a message. A longer name is cut."""
Trouble: TypeAlias = tuple[Key, str]
"""The wrong key of a plan or a stage, and the reason why it is wrong."""


class Need(NamedTuple):
    """A key that a format needs: a phrase that describes the key, and an example of the key."""

    words: str
    example: str


class Ratios(NamedTuple):
    """The course of a test of two hypotheses. The test accepts a hypothesis when the logarithm of the
    likelihood ratio reaches `lower` or `upper`. Each point of `course` has a number of pairs of matches, and
    the logarithm of the likelihood ratio after these pairs. `pairs` says how many pairs gave the tested bot
    0, 1/2, 1, 3/2 and 2 points."""

    lower: float
    upper: float
    course: list[tuple[int, float]]
    pairs: tuple[int, ...]
    model: Model


class NumberedField(NamedTuple):
    """The bots of a run, as numbers from 0 to `bots` - 1. `house` has the numbers of the house bots, and
    `kept` has the encounters that are kept from earlier runs."""

    bots: int
    seats: int
    house: tuple[int, ...]
    kept: tuple[Block, ...]

    @property
    def listed(self) -> list[int]:
        """The bots that are not house bots."""
        return [bot for bot in range(self.bots) if bot not in self.house]

    def without_kept(self, rounds: Iterable[Round]) -> tuple[Round, ...]:
        """Returns the rounds without the kept encounters. Each kept encounter removes one encounter of the
        same bots."""
        left = Counter(map(frozenset, self.kept))
        rest = []
        for blocks in rounds:
            new = []
            for block in blocks:
                left[frozenset(block)] -= 1
                if left[frozenset(block)] < 0:
                    new.append(block)
            if new:
                rest.append(tuple(new))
        return tuple(rest)


class Format:
    """A format. A subclass sets the attributes and overrides the methods in which it differs."""

    name: str
    """The name in plans, which is the name of the file with hyphens."""
    title: str
    """The title of the format's section in docs/formats.md."""
    meeting: str
    """A phrase that says who meets whom, for the table of formats."""
    use: str
    """The purpose of the format, for the table of formats."""

    keys: Collection[str] = ()
    """The keys of a plan or a stage that this format takes, but that some other formats do not take."""
    needs: Mapping[str, Need] = {}
    """The keys that this format needs."""
    is_whole = True
    """True if a whole tournament may have this format."""
    is_stage = True
    """True if one stage of a tournament in stages may have this format."""
    open_field = False
    """True if bots come in while the tournament is played. Such a tournament has no end, and only a league
    can play it."""
    same_deals = False
    """True if each listed bot, that is each bot that is not a house bot, plays the same deals with the same
    house bots. A table then has one listed bot."""
    decides_places = False
    """True if the format decides the places, and False if the results of all matches decide the places."""
    drawing = ""
    """The name of the drawing in a report: "bracket", "rounds", "groups", "ratios", or "" for no drawing."""

    listed: tuple[int, str] = 0, ""
    """If the format has house bots: the least number of other bots, and the message to the user if there are
    fewer."""

    @property
    def page(self) -> str:
        """The format's section of docs/formats.md, in Markdown. This section is the docstring of the format's
        file without the first line."""
        return (sys.modules[type(self).__module__].__doc__ or "").partition("\n")[2].strip()

    # -- the plan

    def is_known_at_start(self, terms: PlanTerms) -> bool:
        """Returns whether all encounters are known when a run begins, if the whole tournament has this
        format.

        If not, results decide who meets whom. Then the record of a run has stages, and only ratings
        have intervals, unless all bots sit at one table (see `results.ordering.is_adaptive`).
        """
        return False

    def trouble(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        """Returns None if these numbers of bots and seats fit this stage. Otherwise returns the key that is
        wrong, and the reason.

        The key is a key of the stage, or of the plan if the whole tournament has this format.
        """
        return None

    def trouble_with_house(self, house: Collection[str], seats: int, bots: Collection[str]) -> Trouble | None:
        """Returns None if these bots can play with these house bots. Otherwise returns the key that is wrong,
        and the reason."""
        if "house" not in self.keys:
            return None
        for name in house:
            if name not in bots:
                return ("house",), f"no bot in this plan has the name {quoted(name)}"
        number = len(set(house))
        if number < seats - 1:
            return ("house",), f"{seats} seats need at least {seats - 1} house bots, not {number}"
        least, why = self.listed
        return (("bots",), why) if len(set(bots)) - number < least else None

    def size(self, stage: Stage, bots: int, seats: int, house: int = 0) -> int:
        """Returns the approximate number of encounters of a stage with this number of bots. `house` is the
        number of house bots among them."""
        if stage.rounds:
            return stage.rounds * (bots // seats)
        group = bots / (stage.groups or 1)
        meeting = bots * (group - 1) / (seats * (seats - 1))
        return int((stage.meet or 1) * meeting)

    def remaining(
        self, stage: Stage, bots: int, seats: int, rounds: Sequence[RoundBegan], house: int = 0
    ) -> int:
        """Returns about how many encounters of a stage remain to be played after these rounds."""
        return max(0, self.size(stage, bots, seats, house) - sum(len(each.blocks) for each in rounds))

    # -- the rounds

    def schedule(self, field: NumberedField, wanted: Wanted) -> tuple[Round, ...]:
        """Returns the rounds of a run without its kept encounters, if the format knows all rounds when the
        run begins."""
        raise NotImplementedError

    def next(self, view: View) -> Pairing | None:
        """Returns the next round of a stage, or None if the stage is over. The stage has enough bots for a
        table."""
        raise NotImplementedError

    def order(self, view: View) -> Tiers:
        """Returns the bots of a stage, the best first."""
        return in_tiers(view.bots, strengths(view.counted, view.by))

    def why(self, view: View) -> str:
        """Returns a sentence that says why the stage is over, or what the stage waits for. Returns "" if
        there is nothing to say."""
        return why_settled(view)

    def ratios(self, view: View) -> Ratios:
        """Returns the course of the test, if `drawing` is "ratios"."""
        raise NotImplementedError

    def groups(self, view: View) -> list[tuple[str, ...]]:
        """If `drawing` is "groups", returns for each group the bots that are still in it, the best bot
        first."""
        raise NotImplementedError

    # -- words for `check plan`

    def promise(self, plan: FrozenPlan, stage: Stage, bots: int, seats: int) -> Iterator[str]:
        """Yields lines that say what a stage with this number of bots will do."""
        yield f"{self.name}, {bots} bots, {seats} seats: {self.extent(stage, bots, seats, len(plan.house))}"

    def extent(self, stage: Stage, bots: int, seats: int, house: int = 0) -> str:
        """Returns the numbers of rounds and encounters in words."""
        rounds = f"{count_of(stage.rounds, 'round')}, " if stage.rounds else ""
        return f"{rounds}about {count_of(self.size(stage, bots, seats, house), 'encounter')}"

    def outlook(
        self, plan: FrozenPlan, run: RunBegan, sides: Sides, stage: Stage, bots: int
    ) -> Iterator[str]:
        """Returns sentences that say what the results of a stage will probably show, and which change of the
        plan would help."""
        return iter(())


@cache
def names() -> tuple[str, ...]:
    """Returns the names of all formats, sorted."""
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))


@cache
def find(name: str) -> Format:
    """Returns the format with this name. Raises InputError if there is no such format."""
    if name not in names():
        written = fitted(repr(name), LONGEST_NAME)
        raise InputError(f"no format is called {written}: there are {', '.join(names())}")
    found = import_module(f"{__name__}.{name.replace('-', '_')}").FORMAT
    assert isinstance(found, Format), "the file of a format defines FORMAT"
    return found


def all_formats() -> list[Format]:
    """Returns all formats, sorted by name."""
    return [find(name) for name in names()]
