"""Defines a node: a dask worker that plays sittings in worker processes on its machine. The client makes all
decisions.

A node plays for one tournament at a time. The client, which is `harness run`, opens a session on the node and
starts the task `hold`. This task lasts as long as the session. If the client ends or is killed, the scheduler
forgets the tasks of the client. Then the node learns that `hold` is not wanted any more, and ends all bots.
The command `dask worker ADDRESS --preload harness.cluster.node` loads this file, and so starts a node too.
"""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin

from harness.cluster.errand import Errand, Session, errands_in, job_here, packed, result_of
from harness.cluster.hands import Hands
from harness.cluster.host import HostFacts, Lodging, Parcels, facts
from harness.errors import InputError, MachineError, reason_of
from harness.job import Done
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.removal import remove

NAME = "harness"
HOLDS = 4
"""The largest number of dask tasks that a node runs at the same time. A session has one task, which only
waits. But the tasks of sessions that have just ended may still run."""
LEAVING = "it is leaving"
POLL = 0.1


def hold_key(session: str, address: str) -> str:
    """Returns the key of the task that holds a session on the node with this address."""
    return f"hold-{session}-{address}"


class _Playing:
    """A session on this node."""

    def __init__(self, session: Session, lodging: Lodging, hands: Hands) -> None:
        self.session = session
        self.lodging = lodging
        self.hands = hands
        self.held: asyncio.Future[str] | None = None
        """The result of the task that holds the session, or None before this task has begun."""
        self.busy = 0
        """The number of calls of `play` that have not ended."""

    async def play(self, errands: tuple[Errand, ...]) -> bytes | None:
        """Plays errands, which describe sittings. Returns the results of these sittings, or None if the
        session has ended."""
        self.busy += 1
        try:
            lodging = self.lodging
            jobs = [job_here(each, lodging.rules, lodging.entrants) for each in errands]
            done = await self.hands.play(jobs)
            return None if done is None else packed([result_of(self._excused(each)) for each in done])
        finally:
            self.busy -= 1

    def _excused(self, done: Done) -> Done:
        """Makes a result void if a bot failed because the machine has changed the bot's files."""
        why = done.excuse(self.lodging.changed)
        return Done(done.job, void=why) if why else done


class Node(WorkerPlugin):
    """The plugin with which a dask worker plays sittings of tournaments."""

    name = NAME

    def __init__(self, known: HostFacts, folder: Path, say: Callable[[str], object]) -> None:
        """`folder` is empty, and only this process changes it."""
        self.facts = known
        self._say = say
        self._sessions = folder / "sessions"
        # Some bots run as separate users of the system. Later, `own_user` lets these users pass through this
        # folder, but not list its files.
        self._sessions.mkdir(0o700)
        self.dask = folder / "dask"
        """The folder for dask's own files."""
        (folder / "parcels").mkdir(0o700)
        self.parcels = Parcels(folder / "parcels")
        self._playing: _Playing | None = None
        self._hold_key = ""
        self._leaving = ""
        self._opening = asyncio.Lock()

    # -- methods that dask calls

    def transition(self, key: object, start: str, finish: str, **kwargs: Any) -> None:
        """Ends the session if its client has ended. After the end of the client, dask cancels or releases the
        task that holds the session."""
        if key == self._hold_key and finish in ("cancelled", "released"):
            self.end()

    def setup(self, worker: Worker) -> None:
        """Remembers the dask worker, because the key of the task `hold` contains the address of this
        worker."""
        self._worker = worker

    def teardown(self, worker: Worker) -> None:
        """Ends all bots when the dask worker ends."""
        self.end()

    # -- sessions

    @property
    def tournament(self) -> str:
        """The tournament for which the node plays, or "" if it plays for none."""
        return self._playing.session.tournament if self._playing and self._playing.held else ""

    async def open(self, session: Session) -> str:
        """Prepares to play for a session. Returns the reason as a sentence if this node cannot play, and ""
        if it can."""
        async with self._opening:
            if self._leaving:
                return self._leaving
            if self.tournament:
                return f"it plays {self.tournament} for somebody else"
            await self._close()
            folder = self._sessions / session.id
            try:
                lodging = await asyncio.to_thread(Lodging, session, self.parcels, folder)
            except (InputError, MachineError, OSError) as error:
                remove(folder)
                if isinstance(error, OSError):
                    return reason_of(error)
                return error.message if isinstance(error, InputError) else str(error)
            self._playing = _Playing(session, lodging, Hands(self.facts.workers, session.at_once, self._say))
            return ""

    async def hold(self, session: str) -> str:
        """Waits until the session ends. Returns the reason why the session ended; "" if the client ended
        it."""
        playing = self._of(session)
        if playing is None:
            return "has no such session"
        self._say(f"plays {playing.session.tournament}")
        self._hold_key = hold_key(session, self._worker.address)
        playing.held = asyncio.get_running_loop().create_future()
        if self._leaving:
            playing.held.set_result(self._leaving)
        return await asyncio.shield(playing.held)

    async def play(self, session: str, errands: tuple[Errand, ...]) -> bytes | None:
        """Plays errands, which describe sittings of the session. Returns None if the session has ended."""
        playing = self._of(session)
        return await playing.play(errands) if playing else None

    def _of(self, session: str) -> _Playing | None:
        return self._playing if self._playing and self._playing.session.id == session else None

    def end(self) -> None:
        """Ends all bots and the session."""
        if self._playing is not None:
            self._playing.hands.cut()
            if self._playing.held and not self._playing.held.done():
                self._playing.held.set_result("")
            self._closing = asyncio.ensure_future(self._close())

    async def _close(self) -> None:
        """Ends all bots of the session, waits until they have ended, and removes the files of the session."""
        playing = self._playing
        if playing is None:
            return
        playing.hands.cut()
        await playing.hands.ended()
        remove(self._sessions / playing.session.id)
        if self._playing is playing:
            self._playing = None

    async def leave(self) -> None:
        """Tells the client that this node is leaving, so the client sends no new errands. Lets the node play
        all errands that it has received, and then ends the node."""
        self._leaving = LEAVING
        playing = self._playing
        if playing is not None:
            if playing.held and not playing.held.done():
                playing.held.set_result(LEAVING)
            await asyncio.sleep(2 * POLL)  # Errands that were already sent may still arrive.
            while playing.busy:
                await asyncio.sleep(POLL)
        self.end()

    async def ended(self) -> None:
        """Waits until no bot is left."""
        await self._close()


_here: list[Node] = []


def _node() -> Node:
    if not _here:
        raise RuntimeError("this dask worker is not a node of harness")
    return _here[0]


# -- functions that a client calls -----------------------------------------------------------------


async def tell_facts() -> dict[str, Any]:
    """Returns the facts about this node, and the tournament for which it plays.

    Later versions of harness may add keys to this dict, but must not remove any.
    """
    node = _node()
    return {**node.facts._asdict(), "tournament": node.tournament, "load": os.getloadavg()[0]}


async def lacking(names: tuple[str, ...]) -> list[str]:
    """Returns the names of the parcels that are not on this machine."""
    return _node().parcels.lacking(names)


async def store(name: str, at: int, piece: bytes, last: bool) -> None:
    """Stores a piece of a parcel."""
    await asyncio.to_thread(_node().parcels.store, name, at, piece, last)


async def open_session(data: bytes) -> str:
    """Prepares to play for a session (see `Node.open`)."""
    session: Session = pickle.loads(data)
    return await _node().open(session)


async def hold(session: str) -> str:
    """Waits until the session ends (see `Node.hold`)."""
    return await _node().hold(session)


async def play(session: str, data: bytes) -> bytes | None:
    """Plays sittings; the errands in `data` describe these sittings (see `Node.play`)."""
    return await _node().play(session, errands_in(data))


# -- the plugin of a dask worker -------------------------------------------------------------------


@asynccontextmanager
async def joined(known: HostFacts, say: Callable[[str], object]) -> AsyncIterator[Node]:
    """Makes this process a node until the `with` block ends. The caller adds the node to a dask worker as a
    plugin."""
    with folder_of_copies() as folder:
        node = Node(known, folder, say)
        _here[:] = [node]
        try:
            yield node
        finally:
            node.end()
            await node.ended()


_kept = AsyncExitStack()


async def dask_setup(worker: Worker) -> None:
    """Makes a dask worker a node. `dask worker --preload harness.cluster.node` calls this function at its
    start."""
    known = await asyncio.to_thread(facts)
    node = await _kept.enter_async_context(joined(known, lambda line: None))
    worker.state.nthreads = HOLDS
    await worker.plugin_add(node, name=NAME)


async def dask_teardown(worker: Worker) -> None:
    """Ends the node. dask calls this function when the dask worker ends."""
    await _kept.aclose()
