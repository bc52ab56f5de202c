"""Plays sittings on the nodes of a cluster: decides which node plays each sitting, and repeats lost attempts.

dask only sends messages. `ClusterRunner` decides which node plays each sitting. So if a node is lost,
`ClusterRunner` knows which sittings are lost with this node. All sittings of an encounter are played on one
node as long as this node is available. A node always has a few more sittings than its workers play at the
moment. One message has as many sittings as the node plays in a fraction of a second.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from harness.cluster.bundles import SILENT, Bundle, Bundles
from harness.cluster.connection import Connection, connected
from harness.cluster.desk import Desk
from harness.cluster.host import facts
from harness.cluster.keys import Address, Keys
from harness.cluster.members import LOOK, Members, NodeMember
from harness.cluster.node_log import NodeLog
from harness.cluster.parcel import cargo
from harness.escape import count_of
from harness.job import Done, Job
from harness.play.runner import Feed, NodeState, Runner, Venue
from harness.play.workforce import Workforce
from harness.sandbox.builds.copies import folder_of_copies

LOST = "its node was lost"
KNOWN = 10_000
"""The number of encounters for which `ClusterRunner` remembers the node."""


class ClusterRunner:
    """A runner that plays sittings on nodes. `Cluster.open` makes it."""

    def __init__(self, connection: Connection, members: Members, say: Callable[[str], object]) -> None:
        self._connection = connection
        self._members = members
        self.workforce = Workforce(0, say)
        self.bundles = Bundles(self.workforce)
        self._nodes_of: OrderedDict[int, NodeMember] = OrderedDict()
        """The node of each of the last KNOWN encounters. The key is the number of the encounter."""
        self._failed: dict[int, NodeMember] = {}
        """The node of the last void attempt in an encounter. The key is the number of the encounter."""
        self._run = 0
        self._over = trio.Event()

    @asynccontextmanager
    async def play(self, feed: Feed) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        """Plays the jobs that `feed` returns, until `feed` returns None (see harness.play.runner.Runner)."""
        send, receive = trio.open_memory_channel[Done](math.inf)
        self._over = trio.Event()
        async with receive, trio.open_nursery() as nursery:
            nursery.start_soon(self._everywhere, feed, send)
            try:
                yield receive
            except BaseException:
                self.cut()
                raise

    def cut(self) -> None:
        """Makes all nodes end all bots immediately."""
        self._members.end()
        self.finish()

    def finish(self) -> None:
        """Notes that no more sittings will be played."""
        self._over.set()
        self._members.changed()

    @property
    def is_over(self) -> bool:
        """True if no sitting is left to play."""
        return self._over.is_set()

    async def _everywhere(self, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        """Plays on all nodes, also on nodes that join later, until no sitting is left."""
        async with send, trio.open_nursery() as nursery:
            at_work: set[NodeMember] = set()
            nursery.start_soon(self._watch_bundles)
            while not self.is_over:
                news = self._members.news
                for member in self._members.all():
                    if member not in at_work:
                        at_work.add(member)
                        nursery.start_soon(self._on, member, feed, send)
                await news.wait()
            nursery.cancel_scope.cancel()

    async def _on(self, member: NodeMember, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        """Plays on one node, until no sitting is left or the node is gone."""
        if member.number is None:
            member.number = self.workforce.enlist(f"node {member.name}")
        member.late = member.silent = False
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_cancel_after, member.gone, nursery.cancel_scope)
            if await Desk(self, self._connection, self._members, member, feed, send).serve():
                self._members.lose(member, "")
            nursery.cancel_scope.cancel()
        if member.gone.is_set() and not self.is_over:
            self._make_again(member, send)

    def _make_again(self, member: NodeMember, send: trio.MemorySendChannel[Done]) -> None:
        """Makes the running attempts of a lost node void. Gives the other jobs of this node to other
        nodes."""
        assert member.number is not None
        lost = self.bundles.lose(member)
        begun = 0 if member.signed_off else member.workers * self._members.session.at_once
        voided = [*self.workforce.release(member.number), *(Done(job, void=LOST) for job in lost[:begun])]
        self._members.log.played(member.name, voided)
        for done in voided:
            send.send_nowait(done)
        for job in lost[begun:]:
            self.workforce.give_back(job)
        self.workforce.discharge(member.number)

    async def _watch_bundles(self) -> None:
        """Every LOOK seconds, wakes the tasks of idle nodes, so that these tasks look for late bundles (a
        bundle is the sittings of one message). Also tells the user which nodes do not answer."""
        while True:
            await trio.sleep(LOOK)
            for member, bundle in self.bundles.silent():
                sittings = count_of(len(bundle.jobs), "sitting")
                self._members.log.tell(member.name, f"has sent no result for {sittings} in {SILENT:.0f} s")
            self.workforce.tell()

    def late_bundle(self, idle: NodeMember) -> Bundle | None:
        """Returns a bundle that this idle node should play too, because another node is late with it. The
        late node gets no more sittings until it answers."""
        bundle = self.bundles.late(idle)
        for member in bundle.began if bundle else ():
            if not member.late and member.number is not None:
                member.late = True
                self._members.log.tell(member.name, f"is late; node {idle.name} plays its sittings too")
                self.workforce.hand_on(member.number)
        return bundle

    def node_of(self, job: Job, asks: NodeMember) -> NodeMember:
        """Returns the node that plays the encounter of this job.

        If the encounter has no node, it gets the node `asks`. If an attempt failed on a node, the next
        attempt is made on another node, if there is another node.
        """
        if job.run != self._run:
            self._run = job.run
            self._nodes_of.clear()
            self._failed.clear()
        found = self._nodes_of.get(job.encounter)
        if found is None or not found.accepts:
            found = asks
        if found is self._failed.get(job.encounter):
            others = (each for each in self._members.all() if each is not found and each.accepts)
            found = next((each for each in others if each.number is not None), found)
        self._nodes_of[job.encounter] = found
        self._nodes_of.move_to_end(job.encounter)
        if len(self._nodes_of) > KNOWN:
            self._nodes_of.popitem(last=False)
        return found

    def failed(self, job: Job, where: NodeMember) -> None:
        """Notes that an attempt was void on this node."""
        self._failed[job.encounter] = where


async def _cancel_after(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


class Cluster:
    """A cluster, which is found by the address of its scheduler. `harness.play.conduct.conduct` can play a
    tournament on a cluster."""

    def __init__(self, address: Address, keys: Keys) -> None:
        self._address = address
        self._keys = keys
        self._members: Members | None = None

    @asynccontextmanager
    async def open(self, venue: Venue) -> AsyncIterator[Runner]:
        """Connects to the cluster. The connection ends with the `with` block.

        Raises MachineError if the scheduler does not answer.
        """
        # If this process is killed, the folder of copies stays on the disk until the next run removes this
        # folder.
        with folder_of_copies() as place, NodeLog(Path(venue.folder), venue.say) as log:
            session, parcels = cargo(venue, place)
            if session.isolation == "none":
                venue.say("bots are not isolated: each bot can read the keys of the cluster")
            async with connected(self._address, self._keys) as connection:
                equal = venue.plan.nodes == "equal"
                members = Members(connection, session, parcels, facts(), equal, log)
                self._members = members
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(members.watch)
                    yield ClusterRunner(connection, members, venue.say)
                    nursery.cancel_scope.cancel()

    def nodes(self) -> tuple[NodeState, ...]:
        """Returns the nodes that play now."""
        members = self._members.all() if self._members else []
        return tuple(NodeState(each.name, each.workers, each.sittings) for each in members)
