"""Tests that doubts have the same bits with every version of Python, although `sum` has changed."""

from harness.results.statistics.claims import beating
from harness.results.statistics.comparison import Deal, Ranks, gap
from harness.results.statistics.equations import total


def deals(ranks: str, other: str) -> dict[str, Deal]:
    """The deals of a bot that had these ranks at a table with the bots `other`, c and d."""
    return {str(number): Deal(int(rank), 1, (other, "c", "d")) for number, rank in enumerate(ranks)}


def test_floats_are_added_from_left_to_right() -> None:
    """Since Python 3.12, the built-in `sum` of these floats is 1.0."""
    assert total([0.1] * 10).hex() == "0x1.fffffffffffffp-1"


def test_a_bet_has_the_same_bits_everywhere() -> None:
    """Since Python 3.12, the built-in `sum` would give a doubt with 4 as its last hexadecimal digit."""
    found = beating(Ranks("a", deals("121331", "b")), Ranks("b", deals("434434", "a")), "any")
    assert found.doubt.hex() == "0x1.752f732885ee5p-2"


def test_a_gap_has_the_same_bits_everywhere() -> None:
    """Since Python 3.12, the built-in `sum` would give a statistic with 7 as its last hexadecimal digit."""
    found = gap(deals("112211", "b"), deals("434434", "a"))
    assert found.errors.hex() == "0x1.622cd337f0fe8p+3"
