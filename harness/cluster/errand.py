"""Defines the form in which a sitting is sent to a node, and the form in which its result is sent back.

A job contains absolute paths of this machine, which are useless on other machines. An errand is the same as a
job, but it has the names of the bots instead of these paths. A session describes each bot once for all
errands: the command of the bot, and the parcel with its files. A node makes jobs from the session and the
errands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from harness.config.folder import Bounds
from harness.errors import UNREADABLE
from harness.events import Brief
from harness.job import Done, Entrant, Job, PlainRules

NO_RESULT = "its node sent no result"


class Shipment(NamedTuple):
    """The description of a bot that a node receives."""

    name: str
    run: tuple[str, ...]
    """The command of the bot, from its manifest."""
    parcel: str
    """The name of the parcel with the files of the bot."""
    alone: str
    bounds: Bounds
    broken: str = ""
    """The reason why the bot cannot be started at all, or "" if it can (see `Entrant`)."""


class Session(NamedTuple):
    """The facts that a node needs before it plays for a tournament."""

    id: str
    tournament: str
    rules: PlainRules
    """The rules of the tournament. `rules.game` is the name of a game, or the name of a file in the parcel of
    the game."""
    game: str
    """The digest of the game's files."""
    game_parcel: str
    """The parcel with the game, or "" if every machine with harness has the game."""
    isolation: str
    visible: tuple[str, ...]
    at_once: int
    needs: tuple[str, ...]
    """The programs on the PATH that the bots need to run."""
    bots: tuple[Shipment, ...]


class Errand(NamedTuple):
    """A job without the paths of a machine (see `Job`)."""

    run: int
    round: int
    encounter: int
    sitting: int
    attempt: int
    bots: tuple[str, ...]
    deals: tuple[int, ...]
    seeds: tuple[tuple[int, ...], ...]
    orders: tuple[tuple[int, ...], ...]


class ErrandResult(NamedTuple):
    """The result of an errand (see `Done`)."""

    log: bytes
    matches: tuple[Brief, ...]
    stderr: tuple[tuple[int, bytes], ...]
    void: str
    account: str


_encode = msgspec.msgpack.Encoder().encode
_errands = msgspec.msgpack.Decoder(tuple[Errand, ...]).decode
_results = msgspec.msgpack.Decoder(tuple[ErrandResult, ...]).decode


def errand_of(job: Job) -> Errand:
    """Makes an errand from a job: the same data without the paths of this machine."""
    place = job.run, job.round, job.encounter, job.sitting, job.attempt
    return Errand(*place, job.names(), job.deals, job.seeds, job.orders)


def job_here(errand: Errand, rules: PlainRules, entrants: Mapping[str, Entrant]) -> Job:
    """Makes a job from an errand on this machine. `entrants` has the bots of this machine by name."""
    place = errand.run, errand.round, errand.encounter, errand.sitting, errand.attempt
    bots = tuple(entrants[name] for name in errand.bots)
    return Job(*place, rules, bots, errand.deals, errand.seeds, errand.orders)


def result_of(done: Done) -> ErrandResult:
    """Converts the result of a job into the result of the errand from which a node made the job."""
    return ErrandResult(done.log, done.matches, done.stderr, done.void, done.job.account)


def packed(values: Sequence[object]) -> bytes:
    """Encodes errands or results as bytes. dask would search other objects for tasks that it should run, but
    it does not search bytes."""
    return _encode(values)


def errands_in(data: bytes) -> tuple[Errand, ...]:
    """Decodes errands from these bytes."""
    return _errands(data)


def done_in(data: bytes, jobs: Sequence[Job]) -> list[Done]:
    """Decodes the results of these jobs. If a result does not fit its job, the attempt is void."""
    try:
        results = _results(data)
    except (*UNREADABLE, TypeError) as error:  # A node may send something else than bytes.
        return _void(jobs, str(error))
    if len(results) != len(jobs):
        return _void(jobs, f"the number of sittings is {len(results)}, not {len(jobs)}")
    done = [
        Done(job.elsewhere(job.isolation, each.account), each.log, each.matches, each.stderr, each.void)
        for job, each in zip(jobs, results, strict=True)
    ]
    return [_void([each.job], why)[0] if (why := each.mismatch()) else each for each in done]


def _void(jobs: Sequence[Job], why: str) -> list[Done]:
    return [Done(job, void=f"{NO_RESULT}: {why}") for job in jobs]
