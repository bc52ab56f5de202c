"""Connects a trio program to a scheduler. The client of dask runs in a thread with an asyncio loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, TypeVar

import trio
from distributed import Client

from harness.cluster.dask_settings import apply_settings, security
from harness.cluster.keys import Address, Keys
from harness.errors import HarnessError, MachineError
from harness.escape import shown

T = TypeVar("T")
CONNECT = 10
CLOSE = 2
CLOSE_LOST = 0.3
"""The largest number of seconds for closing the connection if the scheduler was lost. Without this limit,
dask would look for the scheduler longer."""


class Present(NamedTuple):
    """A dask worker that the scheduler knows."""

    address: str
    last_seen: float
    """The time of the last heartbeat of the worker, by the scheduler's clock."""


class Connection:
    """A connection to a scheduler. The function `connected` makes such a connection."""

    def __init__(self, address: Address, loop: asyncio.AbstractEventLoop) -> None:
        self._address = address
        self._loop = loop
        self._client: Any = None

    async def open(self, keys: Keys) -> None:
        """Connects to the scheduler. Raises MachineError if the scheduler does not answer."""

        async def client() -> Any:
            return await Client(
                self._address.text,
                asynchronous=True,
                security=security(keys),
                set_as_default=False,
                timeout=CONNECT,
                name="harness",
            )

        try:
            self._client = await self._call(client)
        except (OSError, TimeoutError) as error:
            told = f"no scheduler answers at {shown(self._address.text)}"
            hint = f"has it started, and does it have the same keys? ({type(error).__name__})"
            raise MachineError(f"{told}; {hint}") from None

    async def close(self) -> None:
        """Closes the connection, so that the scheduler drops the tasks of this client."""

        async def close() -> None:
            lost = self._client.status != "running"
            with suppress(TimeoutError):
                await self._client.close(timeout=CLOSE_LOST if lost else CLOSE)

        if self._client is not None:
            with trio.CancelScope(shield=True):
                await self._call(close)

    def check(self) -> None:
        """Raises MachineError if the scheduler was lost."""
        if self._client.status != "running":
            raise MachineError(f"the scheduler at {shown(self._address.text)} was lost")

    async def present(self) -> list[Present]:
        """Returns the dask workers that the scheduler knows."""

        async def identity() -> Any:
            return await self._client.scheduler.identity()

        found = (await self._asked(identity))["workers"]
        return [Present(key, each["last_seen"]) for key, each in sorted(found.items())]

    async def run(self, worker: str, function: Callable[..., Any], *args: Any) -> Any:
        """Calls a function in the event loop of this dask worker. If the function raises an exception, the
        method raises the same exception. But a HarnessError, or an exception such as KeyboardInterrupt, would
        stop this program. So instead of such an exception, the method raises RuntimeError."""

        async def run() -> Any:
            found = await self._client.run(function, *args, workers=[worker], on_error="return")
            return found[worker]

        result = await self._asked(run)
        if isinstance(result, BaseException):
            here = isinstance(result, Exception) and not isinstance(result, HarnessError)
            raise result if here else RuntimeError(f"{type(result).__name__}: {result}")
        return result

    async def submit(self, worker: str, key: str, function: Callable[..., Any], *args: Any) -> Any:
        """Calls a function as a task that only this dask worker may run, and returns the result of the
        function.

        If the caller is cancelled, the dask worker learns that the task is not wanted any more.
        """

        async def submit() -> Any:
            task = self._client.submit(
                function,
                *args,
                key=key,
                workers=[worker],
                allow_other_workers=False,
                pure=False,
                retries=0,
            )
            try:
                return await task
            finally:
                task.release()

        return await self._asked(submit)

    async def _asked(self, function: Callable[[], Awaitable[T]]) -> T:
        self.check()
        try:
            return await self._call(function)
        except Exception:
            self.check()
            raise

    async def _call(self, function: Callable[[], Awaitable[T]]) -> T:
        """Awaits the result of this function in the asyncio loop."""
        ended = trio.Event()
        token = trio.lowlevel.current_trio_token()

        async def awaited() -> T:
            return await function()

        def tell(_: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(ended.set)

        future = asyncio.run_coroutine_threadsafe(awaited(), self._loop)
        future.add_done_callback(tell)
        try:
            await ended.wait()
        except trio.Cancelled:
            future.cancel()
            raise
        return future.result()


@asynccontextmanager
async def connected(address: Address, keys: Keys) -> AsyncIterator[Connection]:
    """Connects to a scheduler. The connection ends with the `with` block.

    Raises MachineError if the scheduler does not answer.
    """
    apply_settings()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="harness-dask", daemon=True)
    thread.start()
    connection = Connection(address, loop)
    try:
        await connection.open(keys)
        yield connection
    finally:
        await connection.close()
        loop.call_soon_threadsafe(loop.stop)
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(thread.join, CLOSE)
