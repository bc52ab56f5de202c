"""Lists the nodes of a cluster. Asks each dask worker for the properties of its machine, and for the name of
its tournament."""

from __future__ import annotations

from typing import Any, NamedTuple, get_type_hints

import trio

from harness.cluster import node as remote
from harness.cluster.connection import Connection, Present, connected
from harness.cluster.host import HostFacts
from harness.cluster.keys import Address, Keys
from harness.errors import MachineError


class NodeRow(NamedTuple):
    """A row of the list of nodes."""

    node: str
    address: str
    workers: int = 0
    load: float = 0.0
    """The load average of the last minute: the mean number of programs that ran or were ready to run."""
    plays: str = ""
    """The tournament for which the node plays, or "" if it plays for none."""
    isolation: str = ""
    account: str = ""
    """Who counts the CPU time of bots (`harness.model.ACCOUNTS`)."""
    processor: str = ""
    libc: str = ""
    python: str = ""
    harness: str = ""
    lacks: str = ""
    """The reason why the node cannot play, or "" if it can."""


async def listed(address: Address, keys: Keys) -> list[NodeRow]:
    """Returns the nodes of the scheduler at this address, in the order of their names."""
    rows: list[NodeRow] = []

    async def ask(connection: Connection, each: Present) -> None:
        rows.append(await _row(connection, each))

    async with connected(address, keys) as connection, trio.open_nursery() as nursery:
        for each in await connection.present():
            nursery.start_soon(ask, connection, each)
    return sorted(rows)


async def _row(connection: Connection, each: Present) -> NodeRow:
    told = await greeted(connection, each.address)
    if isinstance(told, str):
        return NodeRow(each.address.partition("://")[2], each.address, lacks=told)
    return NodeRow(
        told["host"],
        each.address,
        told["workers"],
        round(told["load"], 1),
        told["tournament"],
        told["isolation"],
        told.get("account", ""),
        told["cpu"],
        told["libc"],
        told["python"],
        told["harness"],
    )


# -- the facts about a dask worker -------------------------------------------------------------------


ANSWER = 20.0
"""The number of seconds within which the scheduler must answer. A node must answer within a quarter of this
time."""
NO_HARNESS = "it has no harness; start nodes with `harness worker`"
NO_FACTS = "it sends no facts about its machine"
SILENT = "it does not answer"
MOST_WORKERS = 1024


async def greeted(connection: Connection, address: str) -> dict[str, Any] | str:
    """Asks the dask worker at this address for facts about its machine. If no facts arrive, returns the
    reason.

    Raises MachineError if the scheduler is lost.
    """
    with trio.move_on_after(ANSWER / 4):
        try:
            told: dict[str, Any] = await connection.run(address, remote.tell_facts)
        except MachineError:
            raise
        except Exception:
            return NO_HARNESS
        return told if _has_facts(told) else NO_FACTS
    return SILENT


def _has_facts(told: object) -> bool:
    """Returns whether an answer has all facts, each of the right type. A node with another version of
    harness, or a broken node, may send a wrong answer."""
    kinds = {**get_type_hints(HostFacts), "tournament": str, "load": float}
    if not isinstance(told, dict) or any(type(told.get(key)) is not kind for key, kind in kinds.items()):
        return False
    return 0 < int(told["workers"]) <= MOST_WORKERS
