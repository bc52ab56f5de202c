"""Decides which bots are disqualified and which matches count, from a policy and the history alone.

A policy says after how many matches with a fault a bot is disqualified (see `config.policies`). The policy
takes effect at the end of a round, for all bots that it disqualifies in that round. The remaining bots play a
new run. In the new run, a fault counts only if it happened in a match of this run, or in an encounter that
the run keeps from earlier runs. So if a match is played again, its old fault does not count a second time.

The field is the set of bots that are not disqualified. All matches that count are in one run: the last run in
which all bots of the field played. In this run, a match counts only if all its bots are in the field. With
the policy of the plan, only bots of the field played in this run. There is one exception: if too few bots
remained for a new run, disqualified bots played in this run too. With another policy, bots that this policy
disqualifies may have played in this run too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from harness.config.policies import allowance
from harness.events import Disqualified
from harness.record.history import History, MatchResult, Offence, Run


class Ruling(NamedTuple):
    """The disqualified bots, and the run with the matches that count."""

    out: tuple[Disqualified, ...]
    """The disqualifications in the order of rounds, and within a round in the order of matches."""
    field: tuple[str, ...]
    """The bots that are not disqualified, in the order of the first run."""
    run: Run | None
    """The run with the matches that count for this field, or None before the first run."""
    missing: int
    """The number of matches of `run` that the policy needs but that are not on record.

    If this number is not 0, the results are provisional. If bots that are not in the field also played in the
    run, some of these matches might not count. If the disqualifications in `out` ended the run, the
    number is 0.
    """

    @property
    def alone(self) -> bool:
        """True if only the bots of the field played in `run`."""
        return self.run is None or len(self.run.bots) == len(self.field)

    def ends(self, run: Run) -> int | None:
        """Returns the round after which the run ends because a bot is disqualified, or None if no bot is
        disqualified.

        The harness still plays the rest of this round, so more bots may be disqualified in this round.
        """
        return min((out.round for out in self.out if out.run == run.number), default=None)


def may_end(run: Run, policy: str, strikes: int | None = None) -> bool:
    """Returns whether it is possible that the policy already disqualifies some bot of this run.

    This test is fast, because it looks only at the number of faults of each bot. The function `ruling` has to
    look at every offence.
    """
    limit = allowance(policy, strikes)
    return limit is not None and max(run.strikes.values(), default=0) >= limit


def ruling(history: History, policy: str, strikes: int | None = None) -> Ruling:
    """Applies a policy to the history. Raises KeyError for an unknown policy.

    Under the policy of the plan, `out` has every disqualification that is on record or must be recorded next.
    Under another policy, `out` has the disqualifications that would follow from this policy. Only the matches
    on record are known, so some disqualifications may be missing. If the other policy is stricter than the
    policy of the plan, all matches that count under the other policy are on record.
    """
    runs = history.runs
    limit = allowance(policy, strikes)
    field = runs[0].bots if runs else ()
    out: tuple[Disqualified, ...] = ()
    run = None
    gone: set[str] = set()
    while runs:
        run = _nearest(runs, field)
        came = run.entered if run is not runs[0] else ()
        field = (*field, *(bot for bot in came if bot not in gone and bot not in field))
        fallen = _fallen(history.offences(run), field, limit) if limit is not None else ()
        if not fallen:
            break
        out += fallen
        gone |= {each.bot for each in fallen}
        field = tuple(bot for bot in field if bot not in gone)
    return Ruling(out, field, run, 0 if run is None else _missing(history, run, out))


def counted(history: History, ruled: Ruling) -> Iterator[MatchResult]:
    """Yields the matches that count, in the order of the schedule."""
    if ruled.run is not None and ruled.alone:
        yield from history.matches(ruled.run)
    elif ruled.run is not None:
        field = frozenset(ruled.field)
        yield from (match for match in history.matches(ruled.run) if field.issuperset(match.bots))


def counted_encounters(history: History, ruled: Ruling) -> frozenset[str]:
    """Returns the names of the encounters whose matches count, for example "1.12". Either all matches of an
    encounter count, or none."""
    run = ruled.run
    if run is None:
        return frozenset()
    bots = {f"{run.number}.{number}": each.bots for number, each in run.encounters.items()}
    for name in run.began.kept:
        number, encounter = map(int, name.split("."))
        bots[name] = history.runs[number - 1].encounters[encounter].bots
    field = frozenset(ruled.field)
    return frozenset(name for name, those in bots.items() if ruled.alone or field.issuperset(those))


def kept(history: History, field: Iterable[str], seats: int) -> tuple[str, ...]:
    """Returns the names of earlier encounters that a new run of these bots, with this number of seats, may
    keep.

    An earlier encounter may be kept if it is complete, and if only bots of `field` played in it.
    """
    survivors = frozenset(field)
    return tuple(
        f"{run.number}.{number}"
        for run in history.runs
        for number, encounter in sorted(run.encounters.items())
        if len(encounter.bots) == seats and survivors.issuperset(encounter.bots) and run.complete(number)
    )


def _missing(history: History, run: Run, out: tuple[Disqualified, ...]) -> int:
    cut = run is history.last and run.disqualified and out == history.disqualified
    return 0 if cut else history.unplayed(run)


def _nearest(runs: Sequence[Run], field: Sequence[str]) -> Run:
    """Returns the last run in which all bots of this field played. Each run has fewer bots than the run
    before. Only in a ladder can new bots come in."""
    return next(run for run in reversed(runs) if set(field) <= set(run.bots))


def _fallen(offences: Sequence[Offence], field: Sequence[str], limit: int) -> tuple[Disqualified, ...]:
    """Finds the first round in which a bot is disqualified, and returns all disqualifications of this round.
    Returns () if there is no such round."""
    members = frozenset(field)
    faulty: Counter[str] = Counter()
    seen = (offence for offence in offences if members.issuperset(offence.bots))
    for _, together in groupby(seen, key=lambda offence: (offence.run, offence.round)):
        fallen = []
        for offence in together:
            faulty[offence.bot] += 1
            if faulty[offence.bot] == limit:
                fallen.append(_disqualified(offence))
        if fallen:
            return tuple(fallen)
    return ()


def _disqualified(offence: Offence) -> Disqualified:
    fault = offence.fault
    return Disqualified(
        offence.run,
        offence.round,
        offence.bot,
        offence.match,
        fault.name,
        fault.reason,
        fault.ask,
        fault.said,
    )
