"""Tests that numbers of commands refuse texts such as `nan`, which the library click would accept."""

import pytest

from tests.cli.door import TINY, harness


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("--minutes=nan", "'nan' is not a valid number."),
        ("--minutes=inf", "'inf' is not a valid number."),
        ("--minutes=0", "0.0 is not in the range x>=0.1."),
        ("--error=nan", "'nan' is not a valid number."),
    ],
)
def test_a_number_is_finite(flag: str, why: str) -> None:
    done = harness("better", "a", "b", "--game", TINY, flag)
    assert done.exit_code == 2
    name = flag.partition("=")[0]
    assert done.stderr.splitlines()[-1] == f"Error: Invalid value for '{name}': {why}"
