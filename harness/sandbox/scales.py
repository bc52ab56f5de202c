"""Measures the memory of a bot's processes. Memory that they share counts only once. The event loop does not
wait for the measurement.

The kernel can compute the exact share of a process (`smaps_rollup`), but must look at each page of the
process. For 58 processes that shared 300 MB, this took 0.3 s. If the kernel did this ten times a second, the
event loop would have no time for its bots. So a helper program weighs the processes: it reads the files
`smaps_rollup` in a process of its own. The helper runs only if the simple sum of the memory of all processes
is over the limit.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from time import monotonic
from typing import IO

from harness.sandbox import process_tree

READ = ("grep", "-Hs", "-e", "^Pss:", "-e", "^SwapPss:")
PAUSE = 4
"""The pause after a weighing, as a multiple of the time that the weighing took."""
GROWTH = 4
"""There is no pause if the simple sum of the memory has grown by more than the limit divided by this number.
The growth counts from the beginning of the last weighing."""


class Scales:
    """The scales for all processes of one bot. `stop` must be called at the end."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._helper: subprocess.Popen[bytes] | None = None
        self._output: IO[bytes] | None = None
        self._pids: list[int] = []
        self._began = self._next = 0.0
        self._plain = 0

    def memory(self, pids: Iterable[int], limit: int) -> int:
        """Returns the number of bytes of memory that these processes use together, if this number is already
        known.

        If the simple sum of their memory is over the limit, a weighing begins, and a later call returns the
        result. Until then, this method returns the limit.
        """
        each = list(pids)
        plain = sum(map(process_tree.resident, each))
        if plain <= limit:
            self.stop()
            return plain
        if (sure := max(map(process_tree.private, each))) > limit:
            return sure
        found = self._finished()
        if found is not None:
            return found
        if self._helper is None and (self._clock() >= self._next or plain > self._plain + limit // GROWTH):
            self._begin(each, plain)
        return limit

    def stop(self) -> None:
        """Ends the weighing, if one is running."""
        if self._helper is not None:
            self._helper.kill()
            self._helper.wait()
            self._close()

    def _begin(self, pids: list[int], plain: int) -> None:
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (`_close` closes it)
        files = [f"/proc/{pid}/smaps_rollup" for pid in pids]
        try:
            self._helper = subprocess.Popen(
                (*READ, *files), stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.DEVNULL
            )
        except OSError:  # The machine cannot start the helper now. A later call tries again.
            self._close()
        self._pids, self._plain, self._began = pids, plain, self._clock()

    def _finished(self) -> int | None:
        """Returns the result of a weighing that has ended since the last call, else None."""
        if self._helper is None or self._output is None or self._helper.poll() is None:
            return None
        self._output.seek(0)
        shares: dict[str, int] = {}
        for line in self._output.read().decode().splitlines():
            with contextlib.suppress(ValueError, IndexError):
                path, _, size = line.split(":")
                shares[path] = shares.get(path, 0) + (int(size.split()[0]) << 10)
        self._next = self._clock() + PAUSE * (self._clock() - self._began)
        self._close()
        return sum(
            shares[path] + process_tree.page_tables(pid)
            if (path := f"/proc/{pid}/smaps_rollup") in shares
            else process_tree.resident(pid)
            for pid in self._pids
        )

    def _close(self) -> None:
        if self._output is not None:
            self._output.close()
        self._helper = self._output = None
