"""Simulates tournaments of bots with known strengths, for several studies. The bots of a tournament are its
field.

In a match each bot gets a sum: its strength, plus its random effect in this sitting and in this seat, plus
its bonus, plus normal noise of deviation 1. The bot with the highest sum wins. With `circle r`, a bot has the
bonus r against a third of the bots, as with scissors, stone and paper. The true average of a bot is the
average rank that it would have if all bots met equally often, in many sittings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from math import sqrt
from random import Random
from statistics import NormalDist, fmean
from typing import NamedTuple

from harness.config.terms import Stage
from tests.results.statistics.tables import Match
from tests.schedule.formats.simulated import names, simulated

FORFEIT = -100.0
"""The sum of a bot that forfeits."""


class Truth(NamedTuple):
    """The true properties of a field, which decide its matches."""

    spread: float = 1.0
    """The standard deviation of the strengths; 0 if all bots are equal."""
    circle: float = 0.0
    sizes: tuple[int, ...] = ()
    """The sizes of the three groups of the circle: the second group beats the first, the third beats the
    second, and the first beats the third. The other bots are in no group. If this is empty, each group has a
    third of the bots."""
    sitting: float = 0.0
    """The standard deviation of the random effect that each bot has in each sitting."""
    ties: float = 0.0
    """Two sums tie if they differ by no more than this."""
    forfeits: float = 0.0
    """The share of its matches that each of the `faulty` strongest bots forfeits."""
    faulty: int = 1
    """The number of bots that forfeit matches. They are the strongest bots."""
    picky: bool = False
    """True if these bots forfeit matches only against bots of the better half of the field."""
    stars: int = 0
    """The number of bots that get `height` more strength."""
    height: float = 0.0
    levels: tuple[float, ...] = ()
    """These numbers are added to the strengths of the bots in turn, so the bots form groups."""
    clones: int = 0
    """The number of bots that have the strength of the first bot (the first bot counts too)."""
    tails: float = 0.0
    """If this is not 0, strengths come from Student's t distribution with this number of degrees of
    freedom."""
    seat: float = 0.0
    """The standard deviation of the effect that each bot has in each seat, at tables of two seats."""


class Field:
    """The bots of one simulated tournament. Their strengths are drawn at random."""

    def __init__(self, truth: Truth, bots: int, seed: object) -> None:
        self.truth = truth
        self.names = names(bots)
        self._seed = str(seed)
        random, others = Random(f"strengths {seed}"), Random(f"tails {seed}")
        self._strengths = {bot: random.gauss(0, truth.spread) for bot in self.names}
        for number, bot in enumerate(self.names):
            if truth.tails:
                self._strengths[bot] /= sqrt(others.gammavariate(truth.tails / 2, 2 / truth.tails))
            if truth.levels:
                self._strengths[bot] += truth.levels[number % len(truth.levels)]
        for bot in random.sample(self.names, truth.stars):
            self._strengths[bot] += truth.height
        for bot in self.names[: truth.clones]:
            self._strengths[bot] = self._strengths[self.names[0]]
        grouped = [number for number, size in enumerate(truth.sizes) for _ in range(size)]
        thirds = [max(0, number - max(0, truth.clones - 1)) for number in range(bots)]
        self._groups = dict(zip(self.names, grouped if truth.sizes else thirds, strict=False))
        best = sorted(self.names, key=self._strengths.__getitem__, reverse=True)
        self._faulty, self._better = set(best[: truth.faulty]), set(best[: bots // 2])
        self._seats = {bot: [others.gauss(0, truth.seat) for _ in range(2)] for bot in self.names}

    def edge(self, one: str, two: str) -> float:
        """Half of the bonus of the bot `one` against the bot `two`. It is negative if `two` has the bonus."""
        first, second = self._groups.get(one), self._groups.get(two)
        if first is None or second is None:
            return 0.0
        return self.truth.circle * (0, 1, -1)[(first - second) % 3] / 2

    def average(self, bot: str, seats: int) -> float:
        """The average rank that the bot would have if all bots met equally often."""
        noise, tie = NormalDist(0, sqrt(2 + 2 * self.truth.sitting**2)), self.truth.ties

        def behind(other: str) -> float:
            apart = self._strengths[other] - self._strengths[bot] + 2 * self.edge(other, bot)
            gaps = [apart + self._seats[other][1 - seat] - self._seats[bot][seat] for seat in range(2)]
            played = fmean(noise.cdf(gap + way) for gap in gaps for way in (-tie, tie))
            own, others = 1 - self._lost(bot, (other,)), 1 - self._lost(other, (bot,))
            return own * others * played + (1 - own) * (1 + others) / 2

        return 1 + (seats - 1) * fmean(behind(other) for other in self.names if other != bot)

    def play(self, block: Sequence[str], encounter: str, sittings: int, deals: int) -> Iterator[Match]:
        """The matches of an encounter. Each deal is played in each rotation of the seats."""
        for sitting in range(1, sittings + 1):
            random = Random(f"{self._seed} {encounter} {sitting}")
            own = {
                bot: self._strengths[bot]
                + random.gauss(0, self.truth.sitting)
                + sum(self.edge(bot, other) for other in block if other != bot)
                for bot in block
            }
            for number in range(deals * len(block)):
                turn = number % len(block)
                bots = (*block[turn:], *block[:turn])
                sums = [
                    own[bot] + random.gauss(0, 1) + (self._seats[bot][seat] if self.truth.seat else 0.0)
                    for seat, bot in enumerate(bots)
                ]
                out = tuple(bot for bot in bots if self._forfeits(bot, bots, random))
                sums = [FORFEIT if bot in out else each for bot, each in zip(bots, sums, strict=True)]
                name = f"1.{encounter}.{sitting}.{number}"
                yield Match(name, f"1.{encounter}", bots, self._ranks(sums), name)

    def _lost(self, bot: str, others: Sequence[str]) -> float:
        """The share of its matches against these other bots that the bot forfeits."""
        hard = not self.truth.picky or any(other in self._better for other in others if other != bot)
        return self.truth.forfeits if hard and bot in self._faulty else 0.0

    def _forfeits(self, bot: str, others: Sequence[str], random: Random) -> bool:
        """Decides at random whether the bot forfeits a match."""
        share = self._lost(bot, others)
        return share > 0 and random.random() < share

    def _ranks(self, sums: Sequence[float]) -> tuple[float, ...]:
        tie = self.truth.ties
        return tuple(
            0.5 + sum(1.0 if each > own + tie else 0.5 if abs(each - own) <= tie else 0.0 for each in sums)
            for own in sums
        )


class Shape(NamedTuple):
    """The size of a tournament: the numbers of bots, of rounds, of seats at a table, and of sittings of an
    encounter and deals of a sitting."""

    bots: int = 24
    rounds: int = 8
    seats: int = 2
    deals: int = 5
    sittings: int = 1
    played: float = 1.0
    """The share of the matches that has been played when somebody looks at the standings."""

    def encounter(self, field: Field, block: Sequence[str], name: str) -> Iterator[Match]:
        """The matches of one encounter."""
        return field.play(block, name, self.sittings, self.deals)


def by_results(format: str, shape: Shape, field: Field, seed: int) -> list[Match]:
    """The matches of a tournament in which results decide who meets whom."""
    found: list[Match] = []
    known: dict[str, Mapping[str, list[float]]] = {}
    deals = shape.deals * shape.sittings

    def score(bot: str, match: str) -> int:
        _, number, table, turn, *copy = match.split(".")
        name = f"{number}-{table}-{int((copy or ['0'])[0]) // deals}"
        if name not in known:
            block = table.split("-")
            matches = list(shape.encounter(field, block, name))
            found.extend(matches)
            known[name] = {each: [match.ranks[match.bots.index(each)] for match in matches] for each in block}
        at = int((copy or ["0"])[0]) % deals * shape.seats + int(turn)
        return -round(2 * known[name][bot][at])

    encounters = shape.rounds * shape.bots // shape.seats
    stage = Stage(format=format, rounds=shape.rounds) if format == "swiss" else Stage(format=format)
    simulated(
        [stage],
        shape.bots,
        shape.seats,
        score,
        seed=seed,
        copies=deals,
        going=lambda view: sum(len(each.blocks) for each in view.past.rounds) < encounters,
    )
    return found


def by_lot(shape: Shape, field: Field, seed: int) -> list[Match]:
    """The matches of rounds in which chance decides who meets whom."""
    found: list[Match] = []
    random = Random(f"lot {seed}")
    for turn in range(shape.rounds):
        lot = random.sample(field.names, shape.bots)
        for begin in range(0, shape.bots - shape.seats + 1, shape.seats):
            found += shape.encounter(field, lot[begin : begin + shape.seats], f"{turn}-{begin}")
    return found


def nearly_all(shape: Shape, field: Field, seed: int) -> list[Match]:
    """The matches of a tournament in which each set of bots meets once, except one set, which never meets."""
    sets = list(combinations(field.names, shape.seats))
    sets.remove(Random(f"missing {seed}").choice(sets))
    return [match for block in sets for match in shape.encounter(field, block, "-".join(block))]


FORMATS: Mapping[str, Callable[[Shape, Field, int], list[Match]]] = {
    "swiss": partial(by_results, "swiss"),
    "ladder": partial(by_results, "ladder"),
    "lot": by_lot,
    "nearly": nearly_all,
}
