"""Tests that doubts have the same bits with every version of Python, also where `sum` adds in another way."""

from harness.results.statistics.claims import beating
from harness.results.statistics.comparison import Deal, Ranks, gap
from harness.results.statistics.equations import total


def deals(ranks: str, other: str) -> dict[str, Deal]:
    """The deals of a bot that had these ranks at a table with another bot, c and d."""
    return {str(number): Deal(int(rank), 1, (other, "c", "d")) for number, rank in enumerate(ranks)}


def test_floats_are_added_from_left_to_right() -> None:
    """From Python 3.12 on, `sum` gives 1.0 here."""
    assert total([0.1] * 10).hex() == "0x1.fffffffffffffp-1"


def test_a_bet_has_the_same_bits_everywhere() -> None:
    """From Python 3.12 on, `sum` gives a doubt that ends in 4."""
    found = beating(Ranks("a", deals("121331", "b")), Ranks("b", deals("434434", "a")), "any")
    assert found.doubt.hex() == "0x1.752f732885ee5p-2"


def test_a_gap_has_the_same_bits_everywhere() -> None:
    """From Python 3.12 on, `sum` gives a statistic that ends in 7."""
    found = gap(deals("112211", "b"), deals("434434", "a"))
    assert found.errors.hex() == "0x1.622cd337f0fe8p+3"
