"""Tests that errands and results contain no facts about one machine, and that wrong results are refused."""

from math import inf, nan
from typing import Any

import pytest

from harness.cluster.errand import (
    NO_RESULT,
    done_in,
    errand_of,
    errands_in,
    job_here,
    packed,
    result_of,
)
from harness.events import Brief, Fault
from harness.job import Done, Entrant, Job, PlainRules


def test_a_job_travels_without_its_machine() -> None:
    rules = PlainRules("sevens", {})
    here = {name: Entrant(name, (f"/here/{name}",), "/here") for name in "ab"}
    there = {name: Entrant(name, (f"/there/{name}",), "/there") for name in "ab"}
    job = Job(1, 2, 3, 4, 5, rules, (here["b"], here["a"]), (2**64 - 1,), ((1, 2),), ((2, 1),))
    [errand] = errands_in(packed([errand_of(job)]))
    assert b"/here" not in packed([errand_of(job)])
    assert job_here(errand, rules, there) == job._replace(entrants=(there["b"], there["a"]))
    done = Done(job, b"log", (), ((1, b"said"),), "void")
    assert done_in(packed([result_of(done)]), [job]) == [done]


def test_the_account_of_the_machine_that_played_travels_back() -> None:
    here = Job(1, 1, 1, 1, 1, PlainRules("sevens", {}), (Entrant("a", (), "", account="group"),), (), ())
    there = here._replace(entrants=(Entrant("a", (), "", account="counter"),))
    [done] = done_in(packed([result_of(Done(there, b"\n"))]), [here])
    assert done.job == there


SEATED = Job(1, 2, 3, 4, 5, PlainRules("sevens", {}), (Entrant("a", (), ""), Entrant("b", (), "")), (7,), ())
WON = Brief((1, 2), (1, 0))
PLAYED = Done(SEATED, b"{}\n", (WON,), ((2, b"said"),))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"matches": ()}, "the number of matches is 0, not 1"),
        ({"matches": (WON, WON)}, "the number of matches is 2, not 1"),
        ({"matches": (Brief((1, 2, 3), (1, 0)),)}, "a match has more or fewer seats than bots"),
        (
            {"matches": (Brief((1, 2), (1, 0), (Fault(3, "late", "it was"),)),)},
            "a match has a fault of a seat that it does not have",
        ),
        (
            {"matches": (Brief((1, nan), (1, 0)),)},
            "a match has ranks that do not add up",
        ),
        (
            {"matches": (Brief((1, 2), (1, inf)),)},
            "a match has a score or a luck that is no number from -1e+15 to 1e+15",
        ),
        (
            {"matches": (Brief((1, 2), (1, 0), (), (1e308, -1e308)),)},
            "a match has a score or a luck that is no number from -1e+15 to 1e+15",
        ),
        ({"log": b""}, "the log has no end"),
        ({"log": b"{}"}, "the log has no end"),
        ({"stderr": ((3, b""),)}, "a bot that did not play wrote to stderr"),
        ({"stderr": ((1, b""), (1, b""))}, "a bot that did not play wrote to stderr"),
        ({"matches": (), "void": "its worker was lost"}, ""),
    ],
)
def test_what_cannot_have_come_of_a_job_is_told(changed: dict[str, Any], why: str) -> None:
    done = PLAYED._replace(**changed)
    assert done.mismatch() == why
    [back] = done_in(packed([result_of(done)]), [SEATED])
    assert back == (Done(SEATED, void=f"{NO_RESULT}: {why}") if why else done)
