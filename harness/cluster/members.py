"""Keeps the list of the nodes that play a tournament. Adds nodes that can play, and removes lost nodes.

If a node cannot play, harness tells the user the reason once, and the other nodes continue.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping

import trio

from harness import __version__
from harness.cluster import node as remote
from harness.cluster.connection import Connection, Present
from harness.cluster.dask_settings import FROZEN
from harness.cluster.errand import Session
from harness.cluster.host import HostFacts
from harness.cluster.listing import ANSWER, SILENT, greeted
from harness.cluster.node_log import NodeLog
from harness.cluster.parcel import Parcel
from harness.errors import MachineError
from harness.escape import count_of, shown
from harness.job import Job

LOOK = 1.0
"""The number of seconds between two updates of the list of nodes."""
PATIENCE = 60.0
"""The tournament stops after this number of seconds in which no node could play."""


class NodeMember:
    """A node that plays for the tournament."""

    def __init__(self, address: str, name: str, facts: HostFacts) -> None:
        self.address = address
        self.name = name
        self.facts = facts
        self.workers = facts.workers
        self.number: int | None = None
        """The number of the node in the `Workforce` of the tournament."""
        self.has: dict[tuple[int, ...], Job] = {}
        """The jobs that the node has received but not finished, in the order in which they were sent."""
        self.tasks = 0
        self.sittings = 0
        self.longest = 0.0
        """The longest time that the node needed for the sittings of one message, in seconds."""
        self.late = False
        """True if another node plays sittings of this node too, because this node is late. A late node gets
        no more sittings until it answers."""
        self.silent = False
        """True if harness has told the user that the node does not answer."""
        self.leaving = False
        """True if the node gets no more sittings."""
        self.signed_off = False
        """True if harness has dismissed the node, or if the node has left the tournament. Then the sittings
        of the node do not count as lost."""
        self.gone = trio.Event()
        self.scope = trio.CancelScope()
        """The session on the node ends when this scope is cancelled."""
        self.seen = 0.0
        """The time of the last heartbeat of the node, by the scheduler's clock."""
        self.seen_at = trio.current_time()
        """The time of the last sign of life of the node, by the clock of this machine, which never jumps."""
        self.asked = False
        """True while harness waits for a sign of life from a node that sends no heartbeats."""

    @property
    def accepts(self) -> bool:
        """True if the node may get more sittings."""
        return not (self.leaving or self.late or self.gone.is_set())


class Members:
    """The nodes of a tournament."""

    def __init__(
        self,
        connection: Connection,
        session: Session,
        parcels: Mapping[str, Parcel],
        here: HostFacts,
        equal: bool,
        log: NodeLog,
    ) -> None:
        """If `equal` is false, nodes with different processors may play together. `here` has the properties
        of this machine."""
        self._connection = connection
        self.session = session
        self._parcels = parcels
        self._here = here
        self._equal = equal
        self.log = log
        self._model: HostFacts | None = None
        """The properties that all nodes must have if `equal` is true. None until the first nodes have
        answered."""
        self._members: dict[str, NodeMember] = {}
        self._refused: dict[str, str] = {}
        self._asked: set[str] = set()
        """The addresses of new nodes about which harness has not decided yet."""
        self._dismissed: set[str] = set()
        self.news = trio.Event()

    def all(self) -> list[NodeMember]:
        """Returns the nodes that play now."""
        return list(self._members.values())

    def changed(self) -> None:
        """Wakes all tasks that wait for a change of the list."""
        self.news.set()
        self.news = trio.Event()

    def end(self) -> None:
        """Makes all nodes end all their bots immediately."""
        for member in self.all():
            member.scope.cancel()

    async def watch(self) -> None:
        """Updates the list of nodes every LOOK seconds.

        Raises MachineError if the scheduler is lost, or after PATIENCE seconds in which no node could play.
        """
        async with trio.open_nursery() as nursery:
            alone_since = trio.current_time()
            while True:
                self._look(await self._present(), nursery)
                if self._members or self._asked - self._refused.keys():
                    alone_since = trio.current_time()
                elif trio.current_time() - alone_since > PATIENCE:
                    raise MachineError("no node can play" + self._reasons())
                await trio.sleep(LOOK)

    async def _present(self) -> dict[str, Present]:
        self._connection.check()
        with trio.move_on_after(ANSWER):
            return {each.address: each for each in await self._connection.present()}
        raise MachineError("the scheduler does not answer")

    def _reasons(self) -> str:
        found = Counter(self._refused.values()).items()
        return "".join(f"; {count_of(count, 'node')}: {why}" for why, count in found)

    def _look(self, present: Mapping[str, Present], nursery: trio.Nursery) -> None:
        for member in self.all():
            if (there := present.get(member.address)) is None:
                self.lose(member, "was lost")
            else:
                self._look_at(member, there, nursery)
        for gone in self._refused.keys() - present.keys():
            del self._refused[gone]
        known = {*self._members, *self._asked, *self._dismissed}
        if new := {address: each for address, each in present.items() if address not in known}:
            self._asked.update(new)
            nursery.start_soon(self._examine, new, nursery)

    async def _examine(self, new: Mapping[str, Present], nursery: trio.Nursery) -> None:
        """Asks new nodes for their properties, and adds the nodes that can play."""
        found: dict[str, HostFacts | str] = {}

        async def ask(address: str) -> None:
            found[address] = await self._facts_of(address)

        async with trio.open_nursery() as asking:
            for address in new:
                asking.start_soon(ask, address)
        if self._model is None and (
            usable := [each for each in found.values() if isinstance(each, HostFacts)]
        ):
            self._model = _commonest(usable)
        for address, told in found.items():
            if isinstance(told, HostFacts):
                nursery.start_soon(self._take_in, address, told, nursery)
            else:
                self._asked.discard(address)
                self._refuse(address, address.partition("://")[2], told)

    def _look_at(self, member: NodeMember, there: Present, nursery: trio.Nursery) -> None:
        now = trio.current_time()
        if there.last_seen != member.seen:
            member.seen, member.seen_at = there.last_seen, now
        elif now - member.seen_at > FROZEN:
            self.lose(member, f"has given no sign of life for {FROZEN} s")
        elif now - member.seen_at > FROZEN / 2 and not member.asked:
            nursery.start_soon(self._ask_for_life, member)

    async def _ask_for_life(self, member: NodeMember) -> None:
        """Asks a node that sends no heartbeats whether it still runs. Such a node may be healthy: if somebody
        moves the clock of its machine back by an hour, dask sends no heartbeat for an hour."""
        member.asked = True
        if not isinstance(await greeted(self._connection, member.address), str):
            member.seen_at = trio.current_time()
        member.asked = False

    async def _facts_of(self, address: str) -> HostFacts | str:
        """Returns the properties of a node, or the reason why the node cannot play at all."""
        told = await greeted(self._connection, address)
        if isinstance(told, str):
            return told
        if told["harness"] != __version__:
            return f"harness is {told['harness']} there, and {__version__} here"
        facts = HostFacts(**{key: told[key] for key in HostFacts._fields})
        return facts.unlike(self._here) or facts

    async def _take_in(self, address: str, facts: HostFacts, nursery: trio.Nursery) -> None:
        why = SILENT
        try:
            with trio.move_on_after(FROZEN):
                why = await self._admit(address, facts)
        except MachineError:
            raise
        except Exception as error:
            why = str(error) or type(error).__name__
        finally:
            self._asked.discard(address)
        if why:
            self._refuse(address, self._name(address, facts.host), why)
            return
        self._refused.pop(address, None)
        member = self._members[address] = NodeMember(address, self._name(address, facts.host), facts)
        nursery.start_soon(self._hold, member)
        self.log.tell(member.name, f"plays with {count_of(member.workers, 'worker')}: {shown(facts.cpu)}")
        self.changed()

    async def _admit(self, address: str, facts: HostFacts) -> str:
        """Sends a node the parcels that it does not have yet, and opens the session on the node. A parcel has
        the packed files of a bot or a game.

        Returns the reason if the node cannot play, otherwise "".
        """
        if self._equal and self._model and (unlike := facts.differences(self._model)):
            return f'{" and ".join(unlike)} (nodes = "any" in the plan allows it)'
        names = tuple(self._parcels)
        for name in await self._connection.run(address, remote.lacking, names):
            for piece in self._parcels[name].pieces():
                await self._connection.run(address, remote.store, name, *piece)
        return str(await self._connection.run(address, remote.open_session, pickle.dumps(self.session)))

    async def _hold(self, member: NodeMember) -> None:
        """Keeps the session on a node open, and waits for its end. If the node ended the session, marks the
        node as leaving, or removes the node from the list."""
        session, why = self.session.id, ""
        key = remote.hold_key(session, member.address)
        with member.scope:
            try:
                why = await self._connection.submit(member.address, key, remote.hold, session)
            except MachineError:
                raise
            except Exception as error:
                why = f"failed: {error}"
        if member.scope.cancelled_caught:
            return
        if why == remote.LEAVING:
            member.leaving = True
            self.log.tell(member.name, "is leaving")
            self.changed()
        else:
            self.lose(member, why or "has ended the session")

    def _name(self, address: str, host: str) -> str:
        """Returns the name of the host, with the port if another node has the same name."""
        name = shown(host)
        return f"{name}:{address.rpartition(':')[2]}" if name in {each.name for each in self.all()} else name

    def _refuse(self, address: str, name: str, why: str) -> None:
        if self._refused.get(address) != why != remote.LEAVING:
            self.log.tell(name, f"is not used: {shown(why)}")
        self._refused[address] = why

    def dismiss(self, member: NodeMember) -> None:
        """Gives no more sittings to a broken node, and never adds this node again."""
        self._dismissed.add(member.address)
        self.log.note(member.name, "is dismissed")
        member.leaving = True

    def lose(self, member: NodeMember, why: str) -> None:
        """Removes a node from the list."""
        if self._members.get(member.address) is member:
            del self._members[member.address]
            if why:
                self.log.tell(member.name, why)
            member.scope.cancel()
            member.gone.set()
            self.changed()


def _commonest(found: list[HostFacts]) -> HostFacts:
    """Returns the set of properties that the most nodes have in common. If two sets are equally common,
    returns the set that was found first."""
    return max(found, key=lambda one: sum(not each.differences(one) for each in found))
