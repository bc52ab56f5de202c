"""Keeps results that came before their turn, until the results before them are recorded."""

from __future__ import annotations

from harness.job import Done
from harness.record.history import Key

MOST_BYTES = 96_000_000
"""The tournament starts no later sitting while early results need more memory than this, about."""
PER_SITTING = 3_000
PER_MATCH = 1_500
"""About as many bytes of memory does a result need besides its log."""


class EarlyResults:
    """The results that wait for a sitting before them. Their logs wait with them, so there is a limit."""

    def __init__(self) -> None:
        self._results: dict[Key, Done] = {}
        self._bytes = 0

    def __contains__(self, key: Key) -> bool:
        return key in self._results

    @property
    def full(self) -> bool:
        """Whether only sittings should be played for which these results wait."""
        return self._bytes >= MOST_BYTES

    def keep(self, key: Key, done: Done) -> None:
        """Keeps the result of a sitting."""
        self._results[key] = done
        self._bytes += _size(done)

    def take(self, key: Key) -> Done | None:
        """Removes and returns the result of a sitting; None if there is none."""
        done = self._results.pop(key, None)
        if done is not None:
            self._bytes -= _size(done)
        return done

    def clear(self) -> None:
        """Drops all results."""
        self._results.clear()
        self._bytes = 0


def _size(done: Done) -> int:
    """About how many bytes of memory this result needs."""
    written = len(done.log) + sum(len(each) for _, each in done.stderr)
    return written + PER_SITTING + PER_MATCH * len(done.matches)
