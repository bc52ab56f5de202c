"""Tests that sparring bots play in tournaments like other bots, and that their record is always the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import InputError
from harness.events import Turn
from harness.play.conduct import conduct
from harness.record.log import encounter_path, read_encounter
from harness.schedule.plan import read_plan
from harness.verify import verify
from tests.cli.workshop import timeless

pytestmark = pytest.mark.real
PLAN = """
game = "sevens"
seats = 2
bots = ["spar:1.5", "spar:8", {path = "STARTER", name = "starter"}]
isolation = "none"
seed = 5
"""


def test_a_record_with_sparring_bots_is_the_same_again_and_verifies(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace("STARTER", f"{Path.cwd()}/bots/starters/python"))
    for name in ("once", "twice"):
        assert conduct(read_plan(plan), tmp_path / name).ended is not None
        verify(tmp_path / name)
    assert timeless(tmp_path / "once") == timeless(tmp_path / "twice")


def test_the_time_of_a_sparring_bot_does_not_count(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace(', {path = "STARTER", name = "starter"}', "") + "limits = { move_ms = 1 }\n")
    conduct(read_plan(plan), tmp_path / "logs")
    records = [record for _, record in read_encounter(encounter_path(tmp_path / "logs", 1, 1))]
    assert {record.us for record in records if isinstance(record, Turn)} == {0}


def test_a_plan_names_a_game_that_a_sparring_bot_cannot_play(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    plan = tmp_path / "plan.toml"
    plan.write_text('game = "openspiel:liars_dice"\nbots = ["spar:1", "spar:8"]\n')
    with pytest.raises(
        InputError, match=r"plan.toml:2: bots: a sparring bot cannot play openspiel_liars_dice"
    ):
        read_plan(plan)
