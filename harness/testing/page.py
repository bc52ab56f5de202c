"""Compares the page of a game with the game: the page must name the options and the lines of a match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.games import Game
from harness.testing.playing import heard

MATCHES = 3
OF_THE_PROTOCOL = frozenset(("fault", "legal", "move", "over", "result", "state"))
"""The first words of lines that the manual of the protocol explains for all games."""


def left_out(page: str, game: Game, options: Any, seats: int) -> Iterator[str]:
    """Yields what the page does not name: options of the game, and first words of the lines of a match. To
    find these lines, the function plays some matches with random moves and takes the lines that each seat
    reads and writes. `page` is the text of the page."""
    named = set(re.findall(r"[\w-]+", page))
    for option in game.options.__struct_fields__:
        if option not in named:
            yield f"the option `{option}`"
    for word in sorted(_words(game, options, seats) - OF_THE_PROTOCOL):
        if not named.issuperset(re.findall(r"[\w-]+", word)):
            yield f"the line `{word} ...`"


def _words(game: Game, options: Any, seats: int) -> set[str]:
    lines = (
        line
        for seed in range(1, MATCHES + 1)
        for seat in range(1, seats + 1)
        for line in heard(game, options, seat, seats, seed)
    )
    return {line.split(" ")[1] for line in lines}
