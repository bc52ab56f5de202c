"""Tests kept diagnoses: they are read as they were written, the last one counts, and damage is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import InputError
from harness.results.habits import CostlyDecision, DiagnosedBot, Habit
from harness.results.kept_diagnoses import FILE, keep, kept
from harness.results.statistics.paired import MeanDifference

COSTLY = CostlyDecision(
    "1.1.1.1", 3, 9, 1, "bid 1", "bid 2", MeanDifference(0.2, 0.1, 0.3, 200), "Your hand: 4"
)


def a_diagnosis(bot: str = "ann", matches: int = 4) -> DiagnosedBot:
    return DiagnosedBot(bot, matches, 24, (Habit("seat 1", 12, 0.1, 0.05, 0.15, True),), (COSTLY,))


def test_the_last_diagnosis_of_a_bot_counts(tmp_path: Path) -> None:
    for each in (a_diagnosis(), a_diagnosis("bob"), a_diagnosis(matches=8)):
        keep(each, tmp_path)
    assert kept(tmp_path) == {"ann": a_diagnosis(matches=8), "bob": a_diagnosis("bob")}


def test_a_record_without_diagnoses_has_none(tmp_path: Path) -> None:
    assert kept(tmp_path) == {}


def test_a_line_that_was_not_written_to_its_end_is_left_out(tmp_path: Path) -> None:
    path = keep(a_diagnosis(), tmp_path)
    with path.open("a") as file:
        file.write('{"bot": "bob"')
    assert [*kept(tmp_path)] == ["ann"]


def test_a_line_that_was_not_written_to_its_end_is_replaced(tmp_path: Path) -> None:
    path = keep(a_diagnosis(), tmp_path)
    with path.open("a") as file:
        file.write('{"bot": "bob"')
    keep(a_diagnosis("eve"), tmp_path)
    assert [*kept(tmp_path)] == ["ann", "eve"]


def test_a_damaged_line_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{}\n")
    with pytest.raises(InputError, match="this line is no diagnosis") as error:
        kept(tmp_path)
    assert error.value.where.endswith(f"{FILE}:1")
