"""Compares the rounds of a Swiss and the tables of groups in a report with the rounds on record."""

from pathlib import Path
from typing import Any

from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.events import InTournament, RoundBegan
from harness.record.history import History
from harness.record.masking import Mask
from harness.report.names import Names
from harness.report.stage_results import group_tables, rounds
from tests.play.scripted import AnyOrder, World, a_plan, of, played

BOTS = "abcdefghi"
NAMES = Names(Mask(BOTS, "0", BOTS), masked=False)


def _played(folder: Path, **terms: Any) -> tuple[FrozenPlan, list[InTournament]]:
    plan = a_plan(BOTS, 2, **{"deal": "fresh", "meet": None, **terms})
    return plan, played(plan, folder, AnyOrder(World()))


def test_each_round_of_a_swiss_says_who_met_whom_and_how_it_ended(tmp_path: Path) -> None:
    plan, records = _played(tmp_path, format="swiss", rounds=3)
    history = History.of(records)
    found = rounds(plan, history, NAMES, lambda match: f"#{match}")
    began = of(RoundBegan, records)
    assert [each.title for each in found] == ["Round 1", "Round 2", "Round 3"]
    [run] = history.runs
    for drawn, each in zip(found, began, strict=True):
        assert drawn.rest == ", ".join(each.byes)
        for table, block in zip(drawn.tables, each.blocks, strict=True):
            assert {bot.name for bot in table.bots} == set(block)
            [_, encounter, *_] = table.href.split(".")
            matches = [
                match for key in sorted(run.played) if key[0] == int(encounter) for match in run.sitting(key)
            ]
            for bot in table.bots:
                ranks = [match.ranks[match.bots.index(bot.name)] for match in matches]
                assert float(bot.wins) == sum(2 - rank for rank in ranks)
            assert sum(float(bot.wins) for bot in table.bots) == len(matches)
            assert sum(bot.on for bot in table.bots) <= 1


def test_each_group_has_a_table_with_its_best_bot_first(tmp_path: Path) -> None:
    stages = (Stage(format="groups", groups=3, meet=1, through=4), Stage(format="knock-out"))
    plan, records = _played(tmp_path, stage=stages)
    found = group_tables(plan, History.of(records), NAMES)
    assert [each.title for each in found] == ["Group 1", "Group 2", "Group 3"]
    names = [row[1].text for each in found for row in each.rows]
    assert sorted(names) == [*BOTS]
    for each in found:
        averages = [float(row[4].text) for row in each.rows]
        assert averages == sorted(averages)
        assert [row[0].text for row in each.rows] == ["1", "2", "3"]
        assert len({row[2].text for row in each.rows}) == 1, "a round robin in each group"


def test_other_formats_have_neither(tmp_path: Path) -> None:
    plan, records = _played(tmp_path, format="knock-out")
    history = History.of(records)
    assert rounds(plan, history, NAMES, str) == []
    assert group_tables(plan, history, NAMES) == []
