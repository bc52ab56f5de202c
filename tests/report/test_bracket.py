"""Compares the bracket of a knock-out in a report with the rounds on record."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from harness.config.terms import Stage
from harness.events import Disqualified, Ended, InTournament, RoundBegan
from harness.record.history import History
from harness.record.masking import Mask
from harness.report.bracket import BracketRound, bracket
from harness.report.names import Names
from tests.play.scripted import AnyOrder, World, a_plan, of, played

NAMES = Names(Mask("abcdefghijk", "0", "abcdefghijk"), masked=False)


def rounds(
    folder: Path, cheats: dict[str, int] | None = None, seats: int = 2, **terms: Any
) -> tuple[list[BracketRound], list[InTournament]]:
    keys = {"deal": "fresh", "meet": None, "rerun": "keep", **terms}
    plan = a_plan("abcdefghijk", seats, **keys)
    records = played(plan, folder, AnyOrder(World(cheats)))
    return bracket(plan, History.of(records), NAMES, lambda match: f"#{match}"), records


@pytest.mark.parametrize("seats", [2, 3])
def test_each_table_of_a_knock_out_is_drawn_with_those_who_went_on(tmp_path: Path, seats: int) -> None:
    found, records = rounds(tmp_path, seats=seats, format="knock-out")
    began = [each for each in of(RoundBegan, records) if not each.again]
    assert len(found) == len(began)
    for drawn, each, after in zip(found, began, [*began[1:], None], strict=True):
        assert {frozenset(bot.name for bot in table.bots) for table in drawn.tables} == set(
            map(frozenset, each.blocks)
        )
        assert drawn.rest == ", ".join(each.byes)
        on = {bot.name for table in drawn.tables for bot in table.bots if bot.on}
        field = {bot for block in after.blocks for bot in block}.union(after.byes) if after else on
        assert on == field.difference(each.byes)
    [final] = found[-1].tables
    assert final.bots[0].on
    assert (final.bots[0].name,) == of(Ended, records)[0].order[0]
    assert final.href.startswith("#1.")


def test_tables_stand_in_the_order_of_those_to_which_their_bots_went(tmp_path: Path) -> None:
    found, _ = rounds(tmp_path, format="knock-out")
    for drawn, after in pairwise(found[1:]):
        on = [bot.name for table in drawn.tables for bot in table.bots if bot.on]
        assert {*on[:2]} == {bot.name for bot in after.tables[0].bots}


def test_a_disqualified_bot_is_marked_and_its_opponent_goes_on(tmp_path: Path) -> None:
    found, records = rounds(tmp_path, {"c": 1}, format="double-elimination")
    assert len(of(Disqualified, records)) == 1
    tables = [table for drawn in found for table in drawn.tables]
    [table] = [table for table in tables if any(bot.out for bot in table.bots)]
    assert [(bot.name == "c", bot.on) for bot in table.bots] == [(False, True), (True, False)]


def test_other_formats_have_no_bracket_and_a_last_stage_has_one(tmp_path: Path) -> None:
    for name in ("swiss", "stages"):
        (tmp_path / name).mkdir()
    assert rounds(tmp_path / "swiss", format="swiss", rounds=3)[0] == []
    stages = (Stage(format="swiss", rounds=2, through=4), Stage(format="knock-out"))
    assert len(rounds(tmp_path / "stages", stage=stages)[0]) == 2
