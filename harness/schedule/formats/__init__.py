"""The contract of a format, which decides who meets whom in a tournament, or in one of its stages.

A format is one file of this folder: `knock_out.py` is the file of `format = "knock-out"`. It defines FORMAT,
an object of a subclass of Format, and its docstring is the section of docs/formats.md. No other file knows a
format by its name, so a new format needs its file, its test and `make docs`.

Some formats know all encounters when a run begins; then `schedule` makes them. The others make a round when
the round before it is complete: `next` computes it from a View, that is from the plan and the results so far,
and from nothing else. So the same function starts a round, continues a tournament that was interrupted, and
proves a record.
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
from harness.config.lines import Key
from harness.config.terms import PlanTerms, Stage
from harness.errors import InputError
from harness.escape import count_of, fitted
from harness.events import RoundBegan, RunBegan
from harness.schedule.designs import Block, Round, Wanted
from harness.schedule.sittings import Sides
from harness.schedule.strength import Tiers, in_tiers, strengths
from harness.schedule.view import Pairing, View

LONGEST_NAME = 100
"""A longer name is cut in messages."""
Trouble: TypeAlias = tuple[Key, str]
"""The wrong key of a plan or a stage, and what is wrong with it."""


class Need(NamedTuple):
    """What a format cannot do without, in words, and an example of the key."""

    words: str
    example: str


class Ratios(NamedTuple):
    """A test of two hypotheses: the logarithms of the likelihood ratio at which it accepts one of them, and
    its course: the number of pairs of matches, and the logarithm after them."""

    lower: float
    upper: float
    course: list[tuple[int, float]]


class NumberedField(NamedTuple):
    """The bots of a run as numbers from 0 to bots - 1, the house bots among them, and the encounters that are
    kept from earlier runs."""

    bots: int
    seats: int
    house: tuple[int, ...]
    kept: tuple[Block, ...]

    @property
    def listed(self) -> list[int]:
        """The bots that are no house bots."""
        return [bot for bot in range(self.bots) if bot not in self.house]

    def without_kept(self, rounds: Iterable[Round]) -> tuple[Round, ...]:
        """The rounds without the kept encounters: each removes one encounter of the same bots."""
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
    """As plans write it: the name of the file with hyphens."""
    title: str
    """The title of its section in docs/formats.md."""
    meeting: str
    """Who meets whom, for the table of formats."""
    use: str
    """What it is good for, for the table of formats."""

    keys: Collection[str] = ()
    """The keys of a plan or a stage that it takes, of those that not every format takes."""
    needs: Mapping[str, Need] = {}
    """The keys that it cannot do without."""
    is_whole = True
    """Whether it may be the format of a whole tournament."""
    is_stage = True
    """Whether it may be a stage among others."""
    open_field = False
    """Whether bots come in while the tournament is played. It has no end then, and only a league has it."""
    decides_places = False
    """Whether it decides the places; if not, the results of all matches do."""
    drawing = ""
    """What a report draws of it: "bracket", "ratios", or "" for nothing."""

    @property
    def page(self) -> str:
        """Its section of docs/formats.md, in Markdown: the docstring of its file after the first line."""
        return (sys.modules[type(self).__module__].__doc__ or "").partition("\n")[2].strip()

    # -- the plan

    def is_known_at_start(self, terms: PlanTerms) -> bool:
        """Whether all encounters are known when a run begins, if it is the format of the whole tournament."""
        return False

    def misfit(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        """Why so many bots at so many seats cannot play this stage; None if they can.

        The key is one of the stage, or of the plan if the format is that of the whole tournament.
        """
        return None

    def misfit_house(self, house: Collection[str], seats: int, bots: Collection[str]) -> Trouble | None:
        """Why these bots cannot play with these house bots among them; None if they can."""
        return None

    def size(self, stage: Stage, bots: int, seats: int) -> int:
        """About the number of encounters of a stage with so many bots."""
        if stage.rounds:
            return stage.rounds * (bots // seats)
        group = bots / (stage.groups or 1)
        meeting = bots * (group - 1) / (seats * (seats - 1))
        return int((stage.meet or 1) * meeting)

    def remaining(self, stage: Stage, bots: int, seats: int, rounds: Sequence[RoundBegan]) -> int:
        """About the number of encounters that are left after these rounds of a stage."""
        return max(0, self.size(stage, bots, seats) - sum(len(each.blocks) for each in rounds))

    # -- the rounds

    def schedule(self, field: NumberedField, wanted: Wanted) -> tuple[Round, ...]:
        """The rounds of a run without its kept encounters, if the format knows them when the run begins."""
        raise NotImplementedError

    def next(self, view: View) -> Pairing | None:
        """The next round of a stage that has enough bots for a table; None if the stage is over."""
        raise NotImplementedError

    def order(self, view: View) -> Tiers:
        """The bots of a stage, the best first."""
        return in_tiers(view.bots, strengths(view.counted, view.by))

    def why(self, view: View) -> str:
        """Why the stage is over, or what it waits for; "" if that is clear."""
        return ""

    def ratios(self, view: View) -> Ratios:
        """The course of the test, if `drawing` is "ratios"."""
        raise NotImplementedError

    # -- words for `check plan`

    def promise(self, plan: FrozenPlan, stage: Stage, bots: int, seats: int) -> Iterator[str]:
        """Lines that say what a stage with so many bots will do."""
        yield f"{self.name}, {bots} bots, {seats} seats: {self.extent(stage, bots, seats)}"

    def extent(self, stage: Stage, bots: int, seats: int) -> str:
        """The numbers of rounds and encounters in words."""
        rounds = f"{count_of(stage.rounds, 'round')}, " if stage.rounds else ""
        return f"{rounds}about {count_of(self.size(stage, bots, seats), 'encounter')}"

    def outlook(
        self, plan: FrozenPlan, run: RunBegan, sides: Sides, stage: Stage, bots: int
    ) -> Iterator[str]:
        """Sentences that say what the results of a stage will probably tell, and what to change."""
        return iter(())


@cache
def names() -> tuple[str, ...]:
    """The names of all formats, sorted."""
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))


@cache
def find(name: str) -> Format:
    """The format with this name. Raises InputError if there is none."""
    if name not in names():
        written = fitted(repr(name), LONGEST_NAME)
        raise InputError(f"no format is called {written}: there are {', '.join(names())}")
    found = import_module(f"{__name__}.{name.replace('-', '_')}").FORMAT
    assert isinstance(found, Format), "the file of a format defines FORMAT"
    return found


def all_formats() -> list[Format]:
    """All formats, sorted by name."""
    return [find(name) for name in names()]
