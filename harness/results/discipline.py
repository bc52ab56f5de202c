"""Owns who is out and why, and which results count; knows no file, no schedule and no score.

A policy says how many faulty matches throw a bot out: `disqualify` one, `strikes` as many as the plan says,
`forfeit` any number do not. It takes effect at the end of the round, for all of that round together. The
bots that are left play a run of their own, so the faults that count are those in the matches of that run
(and in the encounters it kept): a match that is played again is not a second offence.

Whatever the policy, one rule says which matches on record tell of a field of bots: those of the last run
that had all of them, and of these the ones with no other bot. For the policy that was played by, these are
that field's own run; where there was none (too few bots were left), the survivors' matches of the last run.
For another policy they are the nearest that the record holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from harness.events import Disqualified
from harness.record.history import History, MatchResult, Offence, Run

POLICIES = ("disqualify", "forfeit", "strikes")


class Ruling(NamedTuple):
    """Who is out, and where the matches are that count."""

    out: tuple[Disqualified, ...]
    """In the order of rounds; those of one round in the order of its matches."""
    field: tuple[str, ...]
    """The bots that are left, in the order of the first run."""
    run: Run | None
    """The run whose matches tell of this field; None before the first."""
    missing: int
    """How many matches of that run are not on record, though the policy would have had them played: as long
    as there are any, the results are provisional. Where the run is not the field's own, some of them may be
    such as would not count. None are missing from a run that was cut short by just those who are out."""

    @property
    def alone(self) -> bool:
        """Whether that run was the field's own, with nobody else in it."""
        return self.run is None or len(self.run.bots) == len(self.field)

    def ends(self, run: Run) -> int | None:
        """The round with which the run is over since a bot is out; None as long as it goes on.

        The rest of this round is played, which may throw out more.
        """
        return min((out.round for out in self.out if out.run == run.number), default=None)


def allowance(policy: str, strikes: int | None = None) -> int | None:
    """How many faulty matches throw a bot out; None: no number does.

    >>> allowance("strikes", 3)
    3
    """
    return {"disqualify": 1, "forfeit": None, "strikes": strikes}[policy]


def ruling(history: History, policy: str, strikes: int | None = None) -> Ruling:
    """What a policy makes of the history. Raises KeyError where there is no such policy.

    By the policy that was played by, `out` holds all that is or ought to be on record as disqualified. By
    another it is what that would have decided, as far as the matches on record can say: from a record that
    was played by a laxer policy all of it, for nothing that counts is missing from it.
    """
    runs = history.runs
    limit = allowance(policy, strikes)
    field = runs[0].bots if runs else ()
    out: tuple[Disqualified, ...] = ()
    run = None
    while runs:
        run = _nearest(runs, field)
        fallen = _fallen(history.offences(run), field, limit) if limit is not None else ()
        if not fallen:
            break
        out += fallen
        gone = {each.bot for each in fallen}
        field = tuple(bot for bot in field if bot not in gone)
    return Ruling(out, field, run, 0 if run is None else _missing(history, run, out))


def counted(history: History, ruled: Ruling) -> Iterator[MatchResult]:
    """The matches that count, in the order of the schedule."""
    if ruled.run is not None:
        field = frozenset(ruled.field)
        yield from (match for match in history.matches(ruled.run) if field.issuperset(match.bots))


def kept(history: History, field: Iterable[str], seats: int) -> tuple[str, ...]:
    """The encounters on record, by name, that a rerun of this field at so many seats may let stand.

    These are the whole ones of all earlier runs in which nobody sat who is out.
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
    return 0 if cut else run.began.matches - run.matches


def _nearest(runs: Sequence[Run], field: Sequence[str]) -> Run:
    """The last run that had this whole field; runs only ever get smaller."""
    return next(run for run in reversed(runs) if set(field) <= set(run.bots))


def _fallen(offences: Sequence[Offence], field: Sequence[str], limit: int) -> tuple[Disqualified, ...]:
    """Those who are out with the first round in which anyone is."""
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
