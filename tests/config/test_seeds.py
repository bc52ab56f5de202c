"""Owns the tests of how seeds follow from the seed of a plan, and that no seed reveals another one."""

from typing import Any

import pytest
from msgspec.structs import replace

from harness import games
from harness.chance import MOST_SEED, bot_seed, derived
from harness.config import FrozenPlan
from harness.config.seeds import ENOUGH, guessable, read_seed, written_seed
from harness.events import RunBegan
from harness.record.history import History
from harness.record.run_folder import drawn_seed, opened
from harness.schedule.due import DueSitting, Play, due
from tests.play.scripted import a_plan

LONG = int("8123456789abcdef" * 2, 16)


def begun(plan: FrozenPlan) -> tuple[RunBegan, DueSitting]:
    """The first run of a plan, and its first sitting."""
    game = games.find("sevens")
    run = due(plan, game, History.of([opened(plan)]))
    assert isinstance(run, RunBegan)
    step = due(plan, game, History.of([opened(plan), run]))
    assert isinstance(step, Play)
    return run, next(step.sittings)


def with_seed(seed: int, **terms: Any) -> FrozenPlan:
    return replace(a_plan("abc", 3), seed=seed, **terms)


def test_a_drawn_seed_has_128_bits_and_none_comes_twice() -> None:
    seeds = {drawn_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {seed.bit_length() for seed in seeds} == {128}
    assert all(read_seed(written_seed(seed)) == seed for seed in seeds)


@pytest.mark.parametrize(("seed", "weak"), [(2003, True), (ENOUGH - 1, True), (ENOUGH, False), (LONG, False)])
def test_the_certificate_says_whether_bots_can_guess_the_seed(seed: int, weak: bool) -> None:
    run, _ = begun(with_seed(seed))
    assert guessable(seed) == weak
    assert run.certificate.get("guessable", False) == weak


def test_from_a_long_seed_no_short_one_lies_between_it_and_the_seeds_of_bots() -> None:
    """If a short seed lay between them, a bot could try all short seeds and find the deals of an
    encounter."""
    _, sitting = begun(with_seed(LONG))
    encounter = derived(LONG, "encounter", 1, "a", "b", "c", size=32)
    assert encounter.bit_length() > 240
    assert sitting.seeds[0] == tuple(bot_seed(encounter, "bot", 1, 1, seat) for seat in (1, 2, 3))
    assert sitting.deals[0] == derived(encounter, "deal", 1)


def test_a_short_seed_gives_short_seeds() -> None:
    _, sitting = begun(with_seed(11))
    encounter = derived(11, "encounter", 1, "a", "b", "c")
    assert encounter < 2**64
    assert sitting.seeds[0] == tuple(bot_seed(encounter, "bot", 1, 1, seat) for seat in (1, 2, 3))


def test_a_short_seed_can_be_guessed_from_one_seed_of_a_bot() -> None:
    """A bot that knows the names of all bots can do this. So a short seed is for demonstrations only."""
    _, sitting = begun(with_seed(2003))
    mine = sitting.seeds[0][0]
    found = [
        seed
        for seed in range(5_000)
        if bot_seed(derived(seed, "encounter", 1, "a", "b", "c"), "bot", 1, 1, 1) == mine
    ]
    assert found == [2003]
    assert 1 <= mine <= MOST_SEED
