"""Makes matches for tests of the model of strengths; asserts nothing."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Match(NamedTuple):
    """A match with its number, its encounter and its deal."""

    id: str
    encounter: str
    bots: tuple[str, ...]
    ranks: tuple[float, ...]
    deal: str


def encounter(
    number: int, results: Iterable[tuple[str, Sequence[float]]], sitting: int = 1, deals: Sequence[str] = ()
) -> list[Match]:
    """The matches of an encounter. A result has the names of the bots, one letter each, and their ranks."""
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
    """Matches of two bots, which change seats after each match. The first bot wins `won` matches."""
    results = [1] * won + [2] * lost
    return encounter(
        number,
        [
            (bots, (rank, 3 - rank)) if at % 2 else (bots[::-1], (3 - rank, rank))
            for at, rank in enumerate(results)
        ],
        sitting,
    )
