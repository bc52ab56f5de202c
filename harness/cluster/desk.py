"""Sends sittings to one node, and receives the results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import trio

from harness.cluster import node as remote
from harness.cluster.bundles import Bundle, Bundles
from harness.cluster.connection import Connection
from harness.cluster.dask_settings import FROZEN
from harness.cluster.errand import done_in, errand_of, packed
from harness.cluster.members import Members, NodeMember
from harness.errors import MachineError
from harness.job import Done, Job
from harness.play.local import ALONE
from harness.play.runner import Feed
from harness.play.workforce import Workforce

AHEAD = 1.0
"""The queue of a node holds about as many sittings as the node plays in this number of seconds. The sittings
that its workers play now are not in the queue."""
TOGETHER = 0.5
"""One message has about as many sittings as the node plays in this number of seconds."""
MOST_TOGETHER = 64
MOST_AHEAD = 512
"""The largest number of sittings in the queue of a node. The queue is limited, because queued sittings need
memory."""
MOST_WAITING = 256
"""The largest number of results that may wait until they are written to the log. If more results wait, nodes
get no new sittings."""
SPAN = 0.5
"""The shortest time, in seconds, over which the speed of a node is measured."""
MOMENT = 0.01


class Together(Protocol):
    """The attributes and methods that a desk uses of its runner. All desks of a tournament share one
    runner."""

    workforce: Workforce
    bundles: Bundles

    @property
    def is_over(self) -> bool:
        """True if no sitting remains to be played."""

    def finish(self) -> None:
        """Notes that no sitting remains to be played."""

    def node_of(self, job: Job, asks: NodeMember) -> NodeMember:
        """Returns the node that plays the encounter of this job."""

    def failed(self, job: Job, where: NodeMember) -> None:
        """Notes that an attempt was void on this node."""

    def late_bundle(self, idle: NodeMember) -> Bundle | None:
        """Returns a bundle that this idle node should play too, because another node is too slow."""


class Desk:
    """An object that sends sittings to one node, and receives the results of this node."""

    def __init__(
        self,
        runner: Together,
        connection: Connection,
        members: Members,
        member: NodeMember,
        feed: Feed,
        send: trio.MemorySendChannel[Done],
    ) -> None:
        assert member.number is not None
        self._runner = runner
        self._connection = connection
        self._members = members
        self._session = members.session
        self._member = member
        self._number = member.number
        self._feed = feed
        self._send = send
        self._workforce = runner.workforce
        self._bundles = runner.bundles
        self._speed = Speed()

    async def serve(self) -> bool:
        """Gives sittings to the node as long as sittings remain. Returns True if the node has left the
        tournament or was dismissed, and False if all sittings have been played."""
        async with trio.open_nursery() as tasks:
            while not self._runner.is_over and not self._member.leaving:
                if self._send.statistics().current_buffer_used > MOST_WAITING:
                    await trio.sleep(MOMENT)
                    continue
                if self._member.late:
                    self._give(self._workforce.release(self._number))
                    await self._workforce.hear_news()
                    continue
                if self._workforce.doubts(self._number):
                    await self._workforce.hear_news()
                    continue
                room = self._room()
                jobs, until = self._take(room)
                if jobs:
                    self._begin(Bundle(jobs), tasks)
                elif room and (bundle := self._runner.late_bundle(self._member)):
                    self._begin(bundle, tasks)
                elif not room or self._member.has:
                    await self._workforce.hear_news() if not room else await self._workforce.rest(until)
                elif held := self._workforce.release(self._number):
                    self._give(held)
                elif not await self._workforce.rest(until):
                    self._runner.finish()
        if self._member.leaving:
            self._member.signed_off = True
            return True
        return False

    def _room(self) -> int:
        """Returns the number of sittings that the node gets now."""
        member, speed = self._member, self._speed.per_second
        wanted = member.workers * self._session.at_once + max(1, min(MOST_AHEAD, math.ceil(speed * AHEAD)))
        together = min(MOST_TOGETHER, max(1, math.ceil(speed * TOGETHER)))
        free = wanted - len(member.has)
        return min(free, together) if free >= together or not member.has else 0

    def _take(self, room: int) -> tuple[list[Job], trio.Event | None]:
        """Takes at most `room` jobs for this node.

        If there are no jobs now, also returns an event that is set when there may be new jobs.
        """
        jobs: list[Job] = []
        while len(jobs) < room and not (jobs and jobs[-1].attempt >= ALONE):
            job = self._workforce.returned(self._number) or self._feed()
            if not isinstance(job, Job):
                return jobs, job
            node = self._runner.node_of(job, self._member)
            if node is self._member:
                jobs.append(job)
            else:
                self._workforce.give_back(job, node.number)
        return jobs, None

    def _begin(self, bundle: Bundle, tasks: trio.Nursery) -> None:
        self._bundles.begin(bundle, self._member)
        tasks.start_soon(self._play, bundle)

    async def _play(self, bundle: Bundle) -> None:
        done = await self._done(bundle.jobs)
        if not self._bundles.end(bundle, self._member, done):
            self._workforce.tell()  # If this node was late, it may get sittings again now.
            return
        self._speed.add(done)
        self._workforce.hear(self._number, done)
        found = await self._workforce.verdict(self._number, done)
        if found is None:
            self._members.dismiss(self._member)
            return
        self._give(found)

    async def _done(self, jobs: list[Job]) -> list[Done]:
        """Returns the results of these jobs from the node. If the node is lost, waits until harness notices
        the loss and cancels this task."""
        data, why = packed([errand_of(job) for job in jobs]), ""
        try:
            told = await self._connection.run(self._member.address, remote.play, self._session.id, data)
        except MachineError:
            raise
        except RuntimeError as error:
            return [Done(job, void=f"its node failed: {error}") for job in jobs]
        except Exception as error:
            told, why = None, f": {str(error) or type(error).__name__}"
        if told is None:
            with trio.move_on_after(FROZEN):
                await trio.sleep_forever()  # If the node is lost, this task is cancelled here.
            return [Done(job, void=f"its node did not answer{why}") for job in jobs]
        return done_in(told, jobs)

    def _give(self, found: list[Done]) -> None:
        if not self._runner.is_over:
            self._member.sittings += sum(not done.void for done in found)
            self._members.log.played(self._member.name, found)
            for done in found:
                if done.void:
                    self._runner.failed(done.job, self._member)
                self._send.send_nowait(done)


class Speed:
    """The number of sittings that a node plays in a second, measured over the last seconds."""

    def __init__(self) -> None:
        self.per_second = 0.0
        self._count = 0
        self._since = trio.current_time()

    def add(self, done: Sequence[Done]) -> None:
        """Counts played sittings, but not void ones: a node where attempts fail quickly is not fast."""
        self._count += sum(not each.void for each in done)
        passed = trio.current_time() - self._since
        if passed > SPAN:
            self.per_second = (self.per_second + self._count / passed) / (2 if self.per_second else 1)
            self._count, self._since = 0, trio.current_time()
