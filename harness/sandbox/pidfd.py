"""Asks descriptors of processes (pidfds) whether their processes have ended."""

from __future__ import annotations

import select


def has_ended(descriptor: int, seconds: float = 0.0) -> bool:
    """Returns whether the process of this descriptor has ended. Waits at most `seconds` for this.

    `select.select` would refuse descriptors from 1024 on, and a harness with many bots has such descriptors.
    """
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))
