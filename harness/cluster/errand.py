"""A sitting without anything of a machine: what travels to a node and back.

A job has the absolute paths of this machine. An errand names the bots instead, and a session says once for
all errands what they are: each bot's command and the parcel with its files. A node makes jobs of them.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from harness.config.folder import Bounds
from harness.events import Brief
from harness.job import Done, Entrant, Job, PlainRules


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
    seating: int
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


def errand_of(job: Job) -> Errand:
    """The job without its machine."""
    place = job.run, job.round, job.encounter, job.seating, job.attempt
    return Errand(*place, job.names(), job.deals, job.seeds, job.orders)


def job_here(errand: Errand, rules: PlainRules, entrants: Mapping[str, Entrant]) -> Job:
    """The job on this machine, where these are the bots."""
    place = errand.run, errand.round, errand.encounter, errand.seating, errand.attempt
    bots = tuple(entrants[name] for name in errand.bots)
    return Job(*place, rules, bots, errand.deals, errand.seeds, errand.orders)


def result_of(done: Done) -> ErrandResult:
    """The result without its machine."""
    return ErrandResult(done.log, done.matches, done.stderr, done.void)


def done_of(job: Job, result: ErrandResult) -> Done:
    """The result of this job."""
    return Done(job, *result)


def packed(values: Sequence[object]) -> bytes:
    """Errands or results as bytes, so that dask does not search them for tasks."""
    return pickle.dumps(tuple(values), protocol=5)


def errands_in(data: bytes) -> tuple[Errand, ...]:
    """The errands in these bytes."""
    found: tuple[Errand, ...] = pickle.loads(data)
    return found


def results_in(data: bytes) -> tuple[ErrandResult, ...]:
    """The results in these bytes."""
    found: tuple[ErrandResult, ...] = pickle.loads(data)
    return found
