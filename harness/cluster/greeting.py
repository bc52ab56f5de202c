"""Asks a dask worker what it is: a node of harness, or something else."""

from __future__ import annotations

from typing import Any

import trio

from harness.cluster import node as remote
from harness.cluster.connection import Connection
from harness.errors import MachineError

ANSWER = 20.0
"""A node answers a question within so many seconds, or it is asked again later."""
NO_HARNESS = "it has no harness; start nodes with `harness worker`"
SILENT = "it does not answer"


async def greeted(connection: Connection, address: str) -> dict[str, Any] | str:
    """What the dask worker at this address says about itself, or why it says nothing.

    Raises MachineError if the scheduler is lost.
    """
    with trio.move_on_after(ANSWER / 4):
        try:
            told: dict[str, Any] = await connection.run(address, remote.tell_facts)
        except MachineError:
            raise
        except Exception:
            return NO_HARNESS
        return told
    return SILENT
