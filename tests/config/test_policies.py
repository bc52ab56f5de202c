"""Tests the table of policies, and that plans and pages have the same policies."""

from pathlib import Path
from typing import get_args

import pytest

from harness.config.policies import POLICIES, PolicyName, allowance, forms, said

PAGE = Path(__file__).parent.parent.parent / "docs" / "plan.md"


def test_a_plan_may_name_each_policy_and_no_other() -> None:
    assert get_args(PolicyName) == tuple(POLICIES)


@pytest.mark.parametrize(
    ("policy", "strikes", "most"), [("disqualify", None, 1), ("forfeit", None, None), ("strikes", 3, 3)]
)
def test_a_policy_says_how_many_faulty_matches_disqualify(
    policy: str, strikes: int | None, most: int | None
) -> None:
    assert allowance(policy, strikes) == most


def test_an_unknown_policy_is_no_policy() -> None:
    with pytest.raises(KeyError):
        allowance("lenient")


def test_a_policy_with_a_number_is_written_with_it() -> None:
    assert forms() == [f"{name}=N" if name == "strikes" else name for name in POLICIES]
    assert (said("strikes", 3), said("forfeit", None)) == ("strikes = 3", "forfeit")


def test_the_page_of_plans_says_what_each_policy_does() -> None:
    [row] = [line for line in PAGE.read_text().splitlines() if line.startswith("| `policy` |")]
    told = row.rpartition("|")[0].rpartition("|")[2].strip().partition(": ")[2]
    assert told == ", ".join(f'`"{name}"` {policy.effect}' for name, policy in POLICIES.items())
