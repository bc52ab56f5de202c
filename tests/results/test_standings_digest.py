"""Tests the digest of the standings: what it covers, and that records of the first edition keep theirs."""

import pytest
from msgspec.structs import replace

from harness.config import FrozenPlan
from harness.results.standings_digest import standings_digest
from tests.play.test_tournament import a_plan
from tests.record.recorded import began, both, brief, fault, history, out, played, voided

EMPTY = history()
LONG = history(
    began(1, "abc", encounters=333, seatings=1, deals=2),
    (
        played(f"{n}.{n}.1", ("ab", "bc", "ca")[n % 3], brief([n * n % 7, 3]), brief([0.1 * n, 9]))
        for n in range(1, 330)
    ),
)
"""More encounters of a bot than the bootstrap of the first edition has blocks; scores that are no whole
numbers; and some matches are not on record."""
RERUN = history(
    began(1, "abcd"),
    both(1, 1, "ab"),
    voided("1.2.1", "cd"),
    both(1, 2, "cd", "d"),
    out("d", "1.2.1.1", 1),
    began(2, "abc", encounters=3),
    both(1, 1, "bc", run=2),
    both(2, 2, "ca", "a", run=2),
    both(3, 3, "ab", run=2),
)


FIRST = {
    ("empty", "disqualify"): "2a93e934b8a070bafeb9e07acacc0507",
    ("empty", "strikes"): "dd934c47439f25fabdcdbbe1747cde2d",
    ("long", "disqualify"): "3f7cf26f05d96dd3ced26c76620a641a",
    ("long", "strikes"): "bfd4d276787b251412aa3fac1f03417c",
    ("rerun", "disqualify"): "7934be268240f108c83572f827f0ce5b",
    ("rerun", "strikes"): "5a14db491e1adc174087088eff2b8d45",
}
"""The digests that harness computed when all records were of the first edition."""


def planned(policy: str = "disqualify", seed: int = 2003, rulings: int = 2) -> FrozenPlan:
    strikes = 3 if policy == "strikes" else None
    return replace(a_plan("abc", 3), policy=policy, strikes=strikes, seed=seed, rulings=rulings)


@pytest.mark.parametrize(("name", "policy"), FIRST)
def test_records_of_the_first_edition_keep_their_digest(name: str, policy: str) -> None:
    told = {"empty": EMPTY, "long": LONG, "rerun": RERUN}[name]
    assert standings_digest(planned(policy, rulings=1), told) == FIRST[name, policy]


def test_since_the_second_edition_no_statistic_is_part_of_the_digest() -> None:
    """The seed decided the intervals of the first edition."""
    assert standings_digest(planned(seed=1), LONG) == standings_digest(planned(seed=2), LONG)
    first, second = (standings_digest(planned(seed=seed, rulings=1), LONG) for seed in (1, 2))
    assert first != second


def test_void_attempts_are_no_part_of_the_digest() -> None:
    calm = history(began(1, "ab"), both(1, 1, "ab"))
    busy = history(began(1, "ab"), voided("1.1.1", "ab"), both(1, 1, "ab"))
    for rulings in (1, 2):
        assert standings_digest(planned(rulings=rulings), calm) == standings_digest(
            planned(rulings=rulings), busy
        )


def test_every_fact_of_the_standings_changes_the_digest() -> None:
    def one(*scores: float, offender: int = 0, policy: str = "forfeit") -> str:
        faults = [fault(offender)] if offender else []
        told = history(began(1, "ab", seatings=1), played("1.1.1", "ab", brief(scores, *faults)))
        return standings_digest(planned(policy), told)

    told = [one(2, 1), one(1, 2), one(3, 1), one(2, 2), one(2, 1, offender=2), one(2, 1, policy="strikes")]
    told += [one(2, 1, offender=2, policy="disqualify")]
    assert len(set(told)) == len(told)
