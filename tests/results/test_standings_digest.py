"""Tests the digest of the standings: what it covers, and that it stays the same."""

import pytest
from msgspec.structs import replace

from harness.config import FrozenPlan
from harness.results.standings_digest import standings_digest
from tests.play.scripted import a_plan
from tests.record.recorded import began, both, brief, fault, history, out, played, voided

EMPTY = history()
LONG = history(
    began(1, "abc", encounters=333, sittings=1, deals=2),
    (
        played(f"{n}.{n}.1", ("ab", "bc", "ca")[n % 3], brief([n * n % 7, 3]), brief([0.1 * n, 9]))
        for n in range(1, 330)
    ),
)
"""A history with many encounters and with scores that are no whole numbers. Some matches are missing."""
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


KNOWN = {
    ("empty", "disqualify"): "2a93e934b8a070bafeb9e07acacc0507",
    ("empty", "strikes"): "dd934c47439f25fabdcdbbe1747cde2d",
    ("long", "disqualify"): "40c2aaf66a90d25d886dbf3bcef734d6",
    ("long", "strikes"): "969ecf3c03b49d9058e1fd44370b41a9",
    ("rerun", "disqualify"): "e4c9dd97d584cafe22c19e56828923a3",
    ("rerun", "strikes"): "c0bb0f7dd05dd3b9394beb5b79171eee",
}
"""The digests of these histories. Records contain such digests, so each version 1.x must compute the same."""


def planned(policy: str = "disqualify") -> FrozenPlan:
    return replace(a_plan("abc", 3), policy=policy, strikes=3 if policy == "strikes" else None)


@pytest.mark.parametrize(("name", "policy"), KNOWN)
def test_the_digest_of_a_record_stays_the_same(name: str, policy: str) -> None:
    found = {"empty": EMPTY, "long": LONG, "rerun": RERUN}[name]
    assert standings_digest(planned(policy), found) == KNOWN[name, policy]


def test_void_attempts_are_no_part_of_the_digest() -> None:
    calm = history(began(1, "ab"), both(1, 1, "ab"))
    busy = history(began(1, "ab"), voided("1.1.1", "ab"), both(1, 1, "ab"))
    assert standings_digest(planned(), calm) == standings_digest(planned(), busy)


def test_every_fact_of_the_standings_changes_the_digest() -> None:
    def one(*scores: float, offender: int = 0, policy: str = "forfeit") -> str:
        faults = [fault(offender)] if offender else []
        told = history(began(1, "ab", sittings=1), played("1.1.1", "ab", brief(scores, *faults)))
        return standings_digest(planned(policy), told)

    told = [one(2, 1), one(1, 2), one(3, 1), one(2, 2), one(2, 1, offender=2), one(2, 1, policy="strikes")]
    told += [one(2, 1, offender=2, policy="disqualify")]
    assert len(set(told)) == len(told)
