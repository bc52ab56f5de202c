"""Certifies how even a schedule is. All numbers of a certificate come only from counting in the encounters
(blocks) of the schedule. So the numbers do not depend on the algorithm that made the schedule."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from harness.config.seeds import GUESSABLE
from harness.escape import count_of, grouped
from harness.record.history import History, Run
from harness.schedule.designs import IMPOSSIBLE, Block, Round, Tally, links, no_counts


class Certificate(msgspec.Struct, frozen=True, omit_defaults=True):
    """The numbers that say how even a schedule is. A field with two counts has the smallest and the largest
    count.

    `standing` is the number of encounters that are kept from earlier runs. `pairs` lists each number of
    meetings with the number of pairs that have met this number of times. For each ordered pair of bots that
    meet, `before` counts the encounters in which the first bot sits directly before the second bot in the
    cyclic order. `stopped_per_bot` is the largest difference between the numbers of encounters of two bots
    after any round. `stopped_per_pair` is the largest difference between the numbers of meetings of two pairs
    after any round. These two numbers matter because a tournament may stop after any round. In a gauntlet, a
    listed bot is a bot that is not a house bot. `per_bot` then counts only listed bots, and a pair is a
    listed bot and a house bot. `guessable` says whether bots can guess the seed of the plan.

    `connected` says whether encounters connect all bots. In one step you go from a bot to a bot that it
    meets. `diameter` is the largest number of steps that are needed to get from one bot to another. `common`
    is the smallest number of opponents that two bots (in a gauntlet, two listed bots) have in common.
    `diameter` or `common` is None if there are too many bots or pairs to compute this value.
    """

    bots: int
    seats: int
    rounds: int
    encounters: int
    standing: int
    listed: int | None
    per_bot: tuple[int, int]
    per_pair: tuple[int, int]
    pairs: tuple[tuple[int, int], ...]
    before: tuple[int, int]
    stopped_per_bot: int
    stopped_per_pair: int
    guessable: bool = False
    connected: bool = True
    diameter: int | None = None
    common: int | None = None

    @property
    def text(self) -> str:
        """The certificate as a few lines for people."""
        return "\n".join((*_evenness(self), *((GUESSABLE,) if self.guessable else ())))

    @property
    def evenness(self) -> str:
        """The certificate without the warning that bots can guess a short seed, for a command that prints
        this warning itself."""
        return "\n".join(_evenness(self))


def certify(
    n: int,
    rounds: Sequence[Round],
    standing: Sequence[Block] = (),
    listed: Collection[int] | None = None,
) -> Certificate:
    """Makes the certificate of a schedule: counts the encounters of each bot and each pair, first in
    `standing`, and then after each round."""
    played = [*standing, *(block for blocks in rounds for block in blocks)]
    seats = len(played[0]) if played else 0
    pairs = len(played) * seats * (seats - 1)
    tally = Tally(n, listed, pairs // 2)
    tally.add_all(standing)
    stopped_per_bot = stopped_per_pair = 0
    for blocks in rounds:
        tally.add_all(blocks)
        stopped_per_bot = max(stopped_per_bot, tally.bot_spread)
        stopped_per_pair = max(stopped_per_pair, tally.pair_spread)
    met = list(tally.met())
    linked = links(n, met, range(n) if listed is None else listed)
    return Certificate(
        bots=n,
        seats=seats,
        rounds=len(rounds),
        encounters=len(played),
        standing=len(standing),
        listed=None if listed is None else len(listed),
        per_bot=tally.per_bot,
        per_pair=tally.per_pair,
        pairs=tally.pairs,
        before=_before(n, played, len(met), pairs),
        stopped_per_bot=stopped_per_bot,
        stopped_per_pair=stopped_per_pair,
        connected=linked.connected,
        diameter=linked.diameter,
        common=linked.common,
    )


def certificate_on_record(history: History, run: Run) -> Certificate:
    """Returns the certificate of the rounds of a run that are on record, and of the run's kept encounters."""
    number = {bot: place for place, bot in enumerate(run.bots)}.__getitem__
    names = (map(int, name.split(".")) for name in run.began.kept)
    kept = [history.runs[earlier - 1].played[encounter, 1].bots for earlier, encounter in names]
    rounds = [tuple(tuple(map(number, block)) for block in each.blocks) for each in run.rounds]
    return certify(len(run.bots), rounds, [tuple(map(number, block)) for block in kept])


def _before(n: int, blocks: Iterable[Block], meeting: int, pairs: int) -> tuple[int, int]:
    """For each ordered pair of bots that meet, counts how often the first bot sits directly before the other.
    Returns the smallest and the largest of these counts. `meeting` is the number of pairs that meet."""
    counts = no_counts(n, pairs)
    for block in blocks:
        last = block[-1]
        for bot in block:
            counts[last * n + bot] += 1
            last = bot
    some = [count for count in (counts.values() if isinstance(counts, dict) else counts) if count]
    return (0 if len(some) < 2 * meeting else min(some, default=0)), max(some, default=0)


def _evenness(is_: Certificate) -> Iterable[str]:
    who = count_of(is_.bots, "bot")
    if is_.listed is not None:
        who = f"{count_of(is_.listed, 'bot')}, each against the house"
    encounters, rounds = count_of(is_.encounters, "encounter"), count_of(is_.rounds, "round")
    kept = f", {grouped(is_.standing)} of them kept from earlier runs" if is_.standing else ""
    yield f"{who}, {is_.seats} seats: {encounters}{kept}; {rounds}"
    yield f"a bot plays {_counted(is_.per_bot, 'encounter')}, equally often in every seat"
    pairs = ", ".join(f"{count_of(number, 'pair')} {grouped(count)}" for count, number in is_.pairs)
    yield f"a pair meets {_counted(is_.per_pair, 'time')} ({pairs})"
    fewest, most = is_.before
    impossible = is_.per_pair[0] == is_.per_pair[1] and (is_.bots, is_.seats, is_.encounters) in IMPOSSIBLE
    best = "; no order of seats makes it equal" if impossible else ""
    yield f"how often one bot sits directly before another one differs by at most {most - fewest}{best}"
    bots, pairs_apart = is_.stopped_per_bot, is_.stopped_per_pair
    yield f"after any round: bots within {bots} of each other, pairs within {pairs_apart}"
    yield from _links(is_)


def _links(is_: Certificate) -> Iterable[str]:
    """Yields a sentence about bots that do not meet, but are linked by other bots. Yields nothing if all bots
    meet each other, or if the links were not counted."""
    if not is_.connected:
        yield "the bots are in groups that never meet: no result compares bots of two groups"
    elif is_.diameter is not None and is_.diameter > 1:
        shared = (
            "" if is_.common is None else f", and have at least {count_of(is_.common, 'opponent')} in common"
        )
        yield f"any two bots are linked by at most {is_.diameter} meetings{shared}"


def _counted(ends: tuple[int, int], noun: str) -> str:
    fewest, most = ends
    return count_of(most, noun) if fewest == most else f"{grouped(fewest)} to {count_of(most, noun)}"


# -- the participation of each bot -----------------------------------------------------------------


class CheckedParticipation(msgspec.Struct, frozen=True):
    """The number of matches of a bot, and the number of other bots that it meets.

    In a gauntlet, the numbers are about the bots that are not house bots, and `met` and `others` count only
    house bots.
    """

    matches: tuple[int, int]
    """The fewest and the most matches of a bot."""
    met: float
    """The average number of other bots that a bot meets."""
    others: int
    """The number of other bots in the field."""

    @property
    def text(self) -> str:
        """One sentence for people."""
        fewest, most = self.matches
        matches = grouped(most) if fewest == most else f"{grouped(fewest)} to {grouped(most)}"
        met = "all " if self.others > 1 else ""
        if self.met != self.others:
            met = f"{grouped(round(self.met))} of "
        others = count_of(self.others, "other bot")
        return f"matches of each bot: {matches}; it meets {met}{others}"


def of_house(certificate: Certificate, matches: int) -> str:
    """Returns a sentence with the number of matches of each house bot. House bots take the seats that no
    other bot takes.

    Returns "" if no house bots play, or if the number is not known. `matches` is the number of matches of one
    encounter.
    """
    fewest, most = certificate.per_bot
    if certificate.listed is None or fewest != most:
        return ""
    free = certificate.encounters * certificate.seats - certificate.listed * fewest
    house = certificate.bots - certificate.listed
    average = grouped(round(free * matches / house)) + (" on average" if free * matches % house else "")
    return f"matches of each house bot: {average}"


def participation(certificate: Certificate, matches: int) -> CheckedParticipation:
    """Returns how many matches the bots of a schedule play, and how many other bots they meet. `matches` is
    the number of matches of one encounter."""
    listed = certificate.listed
    met = sum(number for count, number in certificate.pairs if count)
    bots = certificate.bots if listed is None else listed
    fewest, most = certificate.per_bot
    return CheckedParticipation(
        (fewest * matches, most * matches),
        met * (2 if listed is None else 1) / bots,
        certificate.bots - (1 if listed is None else listed),
    )
