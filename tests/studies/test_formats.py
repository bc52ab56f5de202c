"""Tests the made-up results that the study of formats plays with."""

from random import Random

from harness.results.statistics.claims import Range
from studies import formats


def test_a_swiss_of_equal_bots_claims_no_place() -> None:
    assert formats.equal(repetitions=1, bots=8, rounds=3, deals=2)
    assert formats.narrow(Range(1, 7, ()), 8)
    assert formats.narrow(Range(2, 8, ()), 8)
    assert not formats.narrow(Range(1, 8, ()), 8)


def test_a_pair_that_meets_again_in_a_round_has_its_own_luck() -> None:
    score = formats.noisy({"a": 0.0, "b": 0.0}, Random(1))
    assert all(isinstance(score("a", f"1.2.a-b.0{copy}"), int) for copy in ("", ".1"))
    assert formats.ladder(repetitions=1, bots=5) in (True, False)
