"""Tests the made-up results that the study of formats plays with."""

from random import Random

from studies import formats


def test_a_pair_that_meets_again_in_a_round_has_its_own_luck() -> None:
    score = formats.noisy({"a": 0.0, "b": 0.0}, Random(1))
    assert all(isinstance(score("a", f"1.2.a-b.0{copy}"), int) for copy in ("", ".1"))
    assert formats.ladder(repetitions=1, bots=5) in (True, False)
