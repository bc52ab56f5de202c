"""Tests what follows from the result of a sitting alone: whose fault a fault is."""

import pytest

from harness.events import Brief, Fault
from harness.job import Done, Entrant, Job, PlainRules

BOTS = (Entrant("a", (), ""), Entrant("b", (), ""))
JOB = Job(1, 1, 1, 1, 1, PlainRules("sevens", {}), BOTS, (7, 8), (), orders=((1, 2), (2, 1)))


def with_faults(*faults: Fault) -> Done:
    """Two matches, in the second of which the bots have changed seats. The faults are in the second."""
    return Done(JOB, b"{}\n", (Brief((1, 2), (1, 0)), Brief((1, 2), (1, 0), faults)))


@pytest.mark.parametrize("fault", ["no-start", "crash"])
def test_a_fault_is_excused_if_the_machine_has_changed_the_files_of_its_bot(fault: str) -> None:
    done = with_faults(Fault(1, fault, "status 1"))
    assert done.excuse(lambda bot: "its disk is gone" if bot == "b" else "") == "b: its disk is gone"
    assert done.excuse(lambda bot: "its disk is gone" if bot == "a" else "") == ""


def test_a_fault_that_needs_no_files_is_not_excused() -> None:
    done = with_faults(Fault(1, "late", "no answer"), Fault(2, "illegal", "no such move"))
    assert done.excuse(lambda bot: "its disk is gone") == ""
