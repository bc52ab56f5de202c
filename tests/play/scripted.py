"""Plays tournaments with an invented runner: no process, no bot, any order of results; asserts nothing."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import trio

from harness import __version__, games
from harness.chance import derived
from harness.config import FrozenBot, FrozenGame, FrozenPlan
from harness.events import Brief, Ended, Fault, InTournament, Voided
from harness.job import Done, Entrant, Job
from harness.model import ranks
from harness.play.runner import Feed
from harness.play.tournament import Tournament
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.log import read_journal
from harness.record.run_folder import opened

SEVENS = games.find("sevens")
Kind = TypeVar("Kind")


class Killed(Exception):
    """What kill -9 is here."""


class World:
    """How the bots of a test play. The deal and the bots alone decide each result, as with deterministic
    bots."""

    def __init__(self, cheats: dict[str, int] | None = None, void_for: int = 0) -> None:
        self.cheats = cheats or {}
        self.void_for = void_for

    def begin(self, jobs: list[Job]) -> None:
        """Gets the jobs that are being played at the same time. Here it does nothing."""

    def play(self, job: Job) -> Done:
        if job.attempt <= self.void_for and derived("void", job.deals, job.names()) % 5 == 0:
            return Done(job, void="the lights went out")
        briefs = tuple(self._brief(seated(job, number), deal) for number, deal in enumerate(job.deals, 1))
        return Done(job, f"{job.run} {job.encounter} {job.sitting} {briefs}\n".encode(), briefs)

    def _brief(self, bots: tuple[str, ...], deal: int) -> Brief:
        scores = [derived(deal, bot) % 9 for bot in bots]
        faults = tuple(
            Fault(seat, "illegal", "it cheats")
            for seat, bot in enumerate(bots, start=1)
            if bot in self.cheats and derived("cheat", deal, bot) % self.cheats[bot] == 0
        )
        for fault in faults:
            scores[fault.seat - 1] = -1
        return Brief(ranks(scores), tuple(scores), faults)


def seated(job: Job, number: int) -> tuple[str, ...]:
    """The bots in a match of the job, in the order of their seats."""
    return tuple(job.names()[place - 1] for place in job.places(number))


class AnyOrder:
    """A runner that holds several jobs and finishes them in an order of its own, until it is killed."""

    def __init__(self, world: World, order: int = 0, hands: int = 1, life: int | None = None) -> None:
        self.capacity = hands
        self.most = 0
        self._world = world
        self._random = Random(order)
        self._life = life

    @asynccontextmanager
    async def play(self, feed: Feed) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        send, receive = trio.open_memory_channel[Done](0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pump, feed, send)
            yield receive

    def cut(self) -> None:
        self._life = 0

    async def _pump(self, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        held: list[Job] = []
        async with send:
            while True:
                job: Job | trio.Event | None = None
                while len(held) < self.capacity and isinstance(job := feed(), Job):
                    held.append(job)
                self.most = max(self.most, len(held))
                self._world.begin(held)
                if isinstance(job, trio.Event) and not held:
                    await job.wait()  # The result of the last job is still on its way.
                    continue
                if not held:
                    return
                if self._life is not None:
                    self._life -= 1
                    if self._life < 0:
                        raise Killed
                job = held.pop(int(self._random.random() * len(held)))
                await send.send(self._world.play(job))


def a_plan(bots: Iterable[str] = "abcde", seats: int = 3, **terms: Any) -> FrozenPlan:
    terms.setdefault("meet", 1)
    return FrozenPlan(
        harness=__version__,
        name="demo",
        game=FrozenGame("sevens", SEVENS.version, "sevens", ""),
        seats=seats,
        seed=11,
        options={},
        bots=tuple(FrozenBot(bot, bot, "", ("true",), (), "") for bot in bots),
        text="",
        **terms,
    )


def carried_on(plan: FrozenPlan, folder: Path, runner: AnyOrder) -> Ended | None:
    """Does what one command does: opens the record, and plays the sittings that are due."""
    history = History()
    journal = Journal(folder, history.add)
    if history.opened is None:
        journal.append(opened(plan))
        history.add(opened(plan))
    entrants = {bot.name: Entrant(bot.name, ("true",), "/") for bot in plan.bots}
    tournament = Tournament(plan, SEVENS, entrants, journal, history, lambda record: None)
    try:
        return trio.run(tournament.conduct, runner)
    finally:
        journal.close()


def played(plan: FrozenPlan, folder: Path, runner: AnyOrder) -> list[InTournament]:
    """The record of a tournament that is played to its end."""
    assert carried_on(plan, folder, runner) is not None
    return on_record(folder)


def on_record(folder: Path) -> list[InTournament]:
    return [line.record for line in read_journal(folder)]


def of(kind: type[Kind], records: list[InTournament]) -> list[Kind]:
    return [record for record in records if isinstance(record, kind)]


def but_voids(records: list[InTournament]) -> list[InTournament]:
    return [record for record in records if not isinstance(record, Voided)]
