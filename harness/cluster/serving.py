"""Runs the two services of a cluster: a scheduler, and a node."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from distributed import Scheduler, Worker

from harness.cluster.dask_settings import apply_settings, security
from harness.cluster.host import facts
from harness.cluster.keys import LOOPBACK, Address, Keys
from harness.cluster.node import HOLDS, Node, joined
from harness.errors import InputError, MachineError, reason_of
from harness.escape import count_of, shown

WAIT = 60.0
"""The largest number of seconds for which a node waits for its scheduler to start."""
REMARK = 3.0
CLOSE = 2
HEARTBEAT = 3.0
"""The number of seconds between two heartbeats of a node. If the process of a node ends, the scheduler
notices this without heartbeats."""


class _Ended:
    """A handler of signals. The first signal asks the service to end, and the next signal ends it at once."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.at_once = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._hear)

    def _hear(self) -> None:
        (self.at_once if self.asked.is_set() else self.asked).set()


class _CalmScheduler(Scheduler):
    """A scheduler that gets few heartbeats. Without this class, the scheduler of dask would get two
    heartbeats a second from each node."""

    def heartbeat_worker(self, **told: Any) -> dict[str, Any]:
        """Receives a heartbeat, and tells the node when to send the next one."""
        return {**super().heartbeat_worker(**told), "heartbeat-interval": HEARTBEAT}


def serve_scheduler(address: Address, keys: Keys, say: Callable[[str], object]) -> None:
    """Runs a scheduler at this address until the user ends it. Raises InputError if the scheduler cannot
    listen at this address."""
    apply_settings()

    async def serve() -> None:
        ended = _Ended()
        try:
            scheduler = await _CalmScheduler(
                host=address.host,
                port=address.port,
                protocol="tls",
                security=security(keys),
                dashboard=False,
            )
        except OSError as error:
            why = reason_of(error)
            raise InputError(f"the scheduler cannot listen there: {why}", shown(address.text)) from None
        async with scheduler:
            say(f"a scheduler is at {scheduler.address}; Ctrl-C ends the scheduler and all its nodes")
            say(f"start a node on each machine: harness worker {scheduler.address}")
            await ended.asked.wait()

    asyncio.run(serve())


def serve_node(
    address: Address,
    keys: Keys,
    workers: int | None,
    seconds: float | None,
    say: Callable[[str], object],
) -> None:
    """Runs a node of a scheduler on this machine, until the user ends the node or the scheduler is lost.

    After `seconds` seconds, the node gets no new sittings. It plays the sittings that it already has, and
    then ends. Raises MachineError if no scheduler answers, or if the scheduler is lost.
    """
    apply_settings()
    known = facts(workers)

    async def serve() -> None:
        ended = _Ended()
        async with joined(known, say) as node:
            worker = await _worker(address, keys, node, say)
            say(f"this machine is a node of {shown(address.text)}, with {count_of(known.workers, 'worker')}")
            if seconds is not None:
                asyncio.get_running_loop().call_later(seconds, ended.asked.set)
            await _until_end(worker, node, ended, say)
            lost = worker.status.name in ("closed", "closing", "failed") and not ended.asked.is_set()
            node.end()
            await node.ended()
            await worker.close(timeout=CLOSE)
        if lost:
            raise MachineError(f"the scheduler at {shown(address.text)} was lost")

    asyncio.run(serve())


async def _worker(address: Address, keys: Keys, node: Node, say: Callable[[str], object]) -> Worker:
    """Starts a dask worker with this node. Waits for the scheduler if the scheduler has not started."""
    told = f"no scheduler answers at {shown(address.text)}"
    remark = asyncio.get_running_loop().call_later(REMARK, say, f"{told} yet; waiting for one")
    try:
        return await Worker(
            address.text,
            nthreads=HOLDS,
            memory_limit=0,
            death_timeout=WAIT,
            local_directory=str(node.dask),
            security=security(keys),
            host=address.host if address.host in LOOPBACK else None,
            dashboard=False,
            plugins=(node,),
        )
    except TimeoutError:
        raise MachineError(f"{told}; has it started, and does it have the same keys?") from None
    except RuntimeError as error:
        raise MachineError(f"this machine cannot be a node: {error.__cause__ or error}") from None
    finally:
        remark.cancel()


async def _until_end(worker: Worker, node: Node, ended: _Ended, say: Callable[[str], object]) -> None:
    lost = asyncio.ensure_future(worker.finished())
    await _first(lost, ended.asked.wait())
    if not lost.done():
        say("leaving: this node finishes the sittings that it has; Ctrl-C now ends them at once")
        await _first(lost, ended.at_once.wait(), node.leave())
    lost.cancel()


async def _first(*awaited: Awaitable[object]) -> None:
    """Waits until one of these awaitables has ended. Then cancels all awaitables except the first
    argument."""
    tasks = [asyncio.ensure_future(each) for each in awaited]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks[1:]:
        task.cancel()
