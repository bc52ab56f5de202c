"""Tests the rounds of a run: the bots get random numbers in its schedule."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import games
from harness.config import FrozenPlan
from harness.events import RunBegan
from harness.record.history import History
from harness.record.run_folder import opened
from harness.schedule.due import DueSitting, Play, due
from harness.schedule.rounds import rounds_of
from harness.schedule.view import Block, Round
from tests.play.scripted import a_plan

FIELD = "abcdefghijklm"


def rounds(
    field: str, seats: int, seed: int = 11, standing: tuple[Block, ...] = (), **terms: Any
) -> list[Round]:
    plan = msgspec.structs.replace(a_plan(field, seats, **terms), seed=seed)
    return list(rounds_of(plan, tuple(field), seats, standing)[0])


@settings(max_examples=20, deadline=None)
@given(
    st.permutations(FIELD),
    st.integers(2, 4),
    st.sampled_from(
        [
            {},
            {"meet": None, "rounds": 5},
            {"format": "gauntlet", "house": ("c", "a", "m")},
            {"format": "gauntlet", "house": ("m", "c", "a"), "meet": None, "rounds": 4},
        ]
    ),
)
def test_the_order_of_bots_in_a_plan_changes_nothing(
    field: list[str], seats: int, terms: dict[str, Any]
) -> None:
    assert rounds("".join(field), seats, **terms) == rounds(FIELD, seats, **terms)


@pytest.mark.parametrize("field", [FIELD, FIELD[::-1]])
def test_the_order_of_bots_changes_nothing_when_encounters_are_kept(field: str) -> None:
    standing = (("a", "b", "c"), ("e", "d", "a"), ("m", "f", "g"))
    assert rounds(field, 3, standing=standing) == rounds("dcbaefghmlkji", 3, standing=standing)


def test_another_seed_gives_another_schedule() -> None:
    met = {frozenset(rounds(FIELD, 2, seed, meet=None, rounds=1)[0]) for seed in range(8)}
    assert len(met) == 8


def sittings(plan: FrozenPlan) -> list[DueSitting]:
    """All sittings of the first run of a plan."""
    sevens = games.find("sevens")
    run = due(plan, sevens, History.of([opened(plan)]))
    assert isinstance(run, RunBegan)
    step = due(plan, sevens, History.of([opened(plan), run]))
    assert isinstance(step, Play)
    return list(step.sittings)


def test_the_order_of_bots_in_a_plan_changes_no_sitting_and_no_seed() -> None:
    assert sittings(a_plan("abcde")) == sittings(a_plan("ecadb"))
