"""Tests how durations are written for people."""

import pytest

from harness.model import ms, span


@pytest.mark.parametrize(
    ("us", "written"),
    [
        (0, "0 µs"),
        (812, "812 µs"),
        (1_500, "1.5 ms"),
        (12_345, "12.3 ms"),
        (999_600, "1000 ms"),
        (1_000_000, "1 s"),
        (71_234_567, "71.2 s"),
        (4_321_000_000, "4321 s"),
    ],
)
def test_a_span_has_three_digits_and_the_unit_that_fits(us: int, written: str) -> None:
    assert span(us) == written


def test_milliseconds_have_one_decimal() -> None:
    assert (ms(0), ms(49_960), ms(2_000_000)) == ("0.0 ms", "50.0 ms", "2000.0 ms")
