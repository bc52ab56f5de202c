"""Makes rows of standings for tests, from the values that a test is about."""

from typing import Any

from harness.results.standings import Row


def a_row(place: int, bot: str, **values: Any) -> Row:
    """The row of a bot. Values that are not given are those of a bot without a match."""
    nothing = {"average_rank": None, "low": None, "high": None}
    counts = dict.fromkeys(("matches", "wins", "points", "faults", "voids"), 0)
    return Row(place=place, bot=bot, **{**nothing, **counts, **values})
