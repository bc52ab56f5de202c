"""Tests which faults of a sitting are excused, and the account of time of a sitting."""

import msgspec
import pytest

from harness.events import Brief, Fault, SittingBegan
from harness.job import Done, Entrant, Job, PlainRules

BOTS = (Entrant("a", (), ""), Entrant("b", (), ""))
JOB = Job(1, 1, 1, 1, 1, PlainRules("sevens", {}), BOTS, (7, 8), (), orders=((1, 2), (2, 1)))


def with_faults(*faults: Fault) -> Done:
    """The result of two matches. In the second match the bots have changed seats, and it has the faults."""
    return Done(JOB, b"{}\n", (Brief((1, 2), (1, 0)), Brief((1, 2), (1, 0), faults)))


@pytest.mark.parametrize("fault", ["no-start", "crash"])
def test_a_fault_is_excused_if_the_machine_has_changed_the_files_of_its_bot(fault: str) -> None:
    done = with_faults(Fault(1, fault, "status 1"))
    assert done.excuse(lambda bot: "its disk is gone" if bot == "b" else "") == "b: its disk is gone"
    assert done.excuse(lambda bot: "its disk is gone" if bot == "a" else "") == ""


def test_a_fault_that_needs_no_files_is_not_excused() -> None:
    done = with_faults(Fault(1, "late", "no answer"), Fault(2, "illegal", "no such move"))
    assert done.excuse(lambda bot: "its disk is gone") == ""


@pytest.mark.parametrize(
    ("accounts", "whole"),
    [
        (("group", "group"), "group"),
        (("counter", "group"), "counter"),
        (("group", "incomplete"), "incomplete"),
        (("counter", "incomplete"), "incomplete"),
    ],
)
def test_the_account_of_a_sitting_is_the_weakest_of_its_bots(accounts: tuple[str, ...], whole: str) -> None:
    bots = tuple(bot._replace(account=account) for bot, account in zip(BOTS, accounts, strict=True))
    assert JOB._replace(entrants=bots).account == whole
    assert {each.account for each in JOB.elsewhere("bwrap", whole).entrants} == {whole}
    assert JOB.elsewhere("bwrap", whole).isolation == "bwrap"


def test_an_account_that_came_from_another_process_is_left_out_of_the_log_if_it_is_the_default() -> None:
    """The encoder leaves out a default value only if it is the same Python object as the default."""
    strange = "".join(["in", "complete"])
    job = JOB._replace(entrants=tuple(bot._replace(account=strange) for bot in BOTS))
    assert b"account" not in msgspec.json.encode(SittingBegan(1, 1, 1, ("a", "b"), account=job.account))
