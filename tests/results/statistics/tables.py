"""Matches for tests of the model, from tables of results; asserts nothing."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Match(NamedTuple):
    """A match that knows where it was played."""

    id: str
    encounter: str
    bots: tuple[str, ...]
    ranks: tuple[float, ...]
    deal: str


def encounter(
    number: int, results: Iterable[tuple[str, Sequence[float]]], sitting: int = 1, deals: Sequence[str] = ()
) -> list[Match]:
    """The matches of an encounter. A result has the bots, one character each, and their ranks."""
    return [
        Match(
            f"1.{number}.{sitting}.{at}",
            f"1.{number}",
            tuple(bots),
            tuple(ranks),
            deals[at - 1] if deals else f"1.{number}.{sitting}.{at}",
        )
        for at, (bots, ranks) in enumerate(results, start=1)
    ]


def wins(number: int, bots: str, won: int, lost: int, sitting: int = 1) -> list[Match]:
    """Matches of two bots, of which the first bot wins `won`. The bots change seats after each match."""
    results = [1] * won + [2] * lost
    return encounter(
        number,
        [
            (bots, (rank, 3 - rank)) if at % 2 else (bots[::-1], (3 - rank, rank))
            for at, rank in enumerate(results)
        ],
        sitting,
    )
