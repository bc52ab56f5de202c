"""Tests the text that a bot read up to its fault: all lines that its process had read, and no later line."""

from pathlib import Path

import pytest

from harness.events import Fault
from harness.judge.rules import rules_of
from harness.record.run_folder import history_of, plan_of
from harness.report.feedback import looking
from harness.report.feedback.looking import input_until_fault, sitting_until
from tests.report import played


def _starts(text: str) -> list[str]:
    """The numbers of the matches that begin in this input."""
    return [line.split()[1] for line in text.splitlines() if line.startswith("new ")]


def test_it_has_the_earlier_matches_of_the_process_unless_they_are_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = played.write(tmp_path, "sevens", 2, deals=2)
    sitting = sitting_until(logs, history_of(logs), "1.1.1.2")
    rules = rules_of(plan_of(logs))
    text = input_until_fault(sitting, "anna", rules)
    assert text.splitlines()[0] == "hello 1 sevens"
    assert text.count("hello") == 1
    assert _starts(text) == ["1", "2"]
    monkeypatch.setattr(looking, "MOST_BYTES", 10)
    alone = input_until_fault(sitting, "anna", rules)
    assert _starts(alone) == ["2"]
    assert text.endswith(alone.partition("\n")[2])


def test_it_ends_with_the_question_and_begins_after_an_earlier_fault(tmp_path: Path) -> None:
    logs = played.write(tmp_path, "sevens", 2, deals=2, fault_at=5)
    rules = rules_of(plan_of(logs))
    sitting = sitting_until(logs, history_of(logs), "1.1.2.2")
    [first, second] = [
        next((record.seat, record.ask) for _, record in match.lines if isinstance(record, Fault))
        for match in sitting
    ]
    bot = sitting[1].head.bots[second[0] - 1]
    assert sitting[0].head.bots[first[0] - 1] == bot
    text = input_until_fault(sitting, bot, rules)
    assert _starts(text) == ["2"]
    assert text.splitlines()[-1] == second[1]
    assert "fault " not in text
