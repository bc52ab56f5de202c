"""Tests how well a schedule links its bots. numpy computes the same from graphs."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.certificate import certify
from harness.schedule.designs.blocks import Block, Rounds
from harness.schedule.designs.choice import rounds_for


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_certificate_says_how_bots_are_linked(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 12))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    blocks: list[Block] = data.draw(st.lists(pair, min_size=1, max_size=30))
    reached = certify(n, [(block,) for block in blocks])
    near = np.zeros((n, n), dtype=bool)
    for one, other in blocks:
        near[one, other] = near[other, one] = True
    common = (near.astype(int) @ near)[np.triu_indices(n, 1)]
    assert reached.common == common.min()
    steps, reach = 1, near | np.eye(n, dtype=bool)
    while not reach.all() and steps < n:
        steps, reach = steps + 1, (reach.astype(int) @ (near | np.eye(n, dtype=bool))) > 0
    assert reached.connected == reach.all()
    assert reached.diameter == (steps if reach.all() else None)
    assert ("groups that never meet" in reached.text) != reached.connected
    assert (f"at most {steps} meetings" in reached.text) == (reached.connected and steps > 1)


def test_in_a_gauntlet_the_house_links_the_listed_bots() -> None:
    rounds = (((0, 3), (1, 4)), ((0, 4), (1, 3)), ((2, 3),), ((2, 4),))
    reached = certify(5, rounds, listed=[0, 1, 2])
    assert (reached.diameter, reached.common) == (2, 2)
    assert not certify(5, rounds[:1], listed=[0, 1, 2]).connected


def test_of_very_large_fields_nobody_counts_common_opponents() -> None:
    reached = certify(1200, rounds_for(1200, 2, Rounds(4)))
    assert reached.connected
    assert reached.common is None
    assert "in common" not in reached.text
