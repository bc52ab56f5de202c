"""A sitting without anything of a machine: what travels to a node and back.

A job has the absolute paths of this machine. An errand names the bots instead, and a session says once for
all errands what they are: each bot's command and the parcel with its files. A node makes jobs of them.
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
    """A bot as it travels."""

    name: str
    run: tuple[str, ...]
    """Its command, as its manifest has it."""
    parcel: str
    """The name of the parcel with its files."""
    alone: str
    bounds: Bounds
    broken: str = ""
    """Why it cannot be started at all; see `Entrant`."""


class Session(NamedTuple):
    """What a node needs to know before it plays for a tournament."""

    id: str
    tournament: str
    rules: PlainRules
    """`rules.game` is the name of a game, or the name of its file in its parcel."""
    game: str
    """The digest of the game's files."""
    game_parcel: str
    """The parcel with the game, "" if every machine with harness has it."""
    isolation: str
    visible: tuple[str, ...]
    at_once: int
    needs: tuple[str, ...]
    """The programs on the PATH that the bots need to run."""
    bots: tuple[Shipment, ...]


class Errand(NamedTuple):
    """A job without a machine; see `Job`."""

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
    """What came of an errand; see `Done`."""

    log: bytes
    matches: tuple[Brief, ...]
    stderr: tuple[tuple[int, bytes], ...]
    void: str


_encode = msgspec.msgpack.Encoder().encode
_errands = msgspec.msgpack.Decoder(tuple[Errand, ...]).decode
_results = msgspec.msgpack.Decoder(tuple[ErrandResult, ...]).decode


def errand_of(job: Job) -> Errand:
    """The job without its machine."""
    place = job.run, job.round, job.encounter, job.sitting, job.attempt
    return Errand(*place, job.names(), job.deals, job.seeds, job.orders)


def job_here(errand: Errand, rules: PlainRules, entrants: Mapping[str, Entrant]) -> Job:
    """The job on this machine, where these are the bots."""
    place = errand.run, errand.round, errand.encounter, errand.sitting, errand.attempt
    bots = tuple(entrants[name] for name in errand.bots)
    return Job(*place, rules, bots, errand.deals, errand.seeds, errand.orders)


def result_of(done: Done) -> ErrandResult:
    """The result without its machine."""
    return ErrandResult(done.log, done.matches, done.stderr, done.void)


def packed(values: Sequence[object]) -> bytes:
    """Errands or results as bytes, so that dask does not search them for tasks."""
    return _encode(values)


def errands_in(data: bytes) -> tuple[Errand, ...]:
    """The errands in these bytes."""
    return _errands(data)


def done_in(data: bytes, jobs: Sequence[Job]) -> list[Done]:
    """What came of these jobs, from the bytes of their results. What is no result of its job is void."""
    try:
        results = _results(data)
    except UNREADABLE as error:
        return _void(jobs, str(error))
    if len(results) != len(jobs):
        return _void(jobs, f"the number of sittings is {len(results)}, not {len(jobs)}")
    done = [Done(job, *result) for job, result in zip(jobs, results, strict=True)]
    return [_void([each.job], why)[0] if (why := each.misfit()) else each for each in done]


def _void(jobs: Sequence[Job], why: str) -> list[Done]:
    return [Done(job, void=f"{NO_RESULT}: {why}") for job in jobs]
