"""Tests the checks of a plan that compute the size of its schedule."""

from harness.config.terms import PlanTerms
from harness.schedule.plan_checks import too_long


def test_every_set_of_many_bots_is_too_much() -> None:
    found = too_long(4, 40, PlanTerms(every_set=True))
    assert found == (("every_set",), "this makes about 91,390 encounters; at most 5,000 are allowed")
    assert too_long(4, 18, PlanTerms(every_set=True, meet=100)) is None
    assert too_long(2, 40, PlanTerms(every_set=True)) is None
