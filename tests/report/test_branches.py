"""Tests that a fork is a branch if it has the luck of its match but other moves. Forged forks are errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.record import run_folder
from harness.record.fork_file import FILE
from harness.record.masking import unmasked
from harness.report.branches import BranchReplay, branches, of_matches
from harness.report.names import Names
from harness.report.replays import Replays
from tests.cli.door import harness
from tests.report import played
from tests.report.forked import fork


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record with four forks: two differ from their match, one has other luck, and one equals its match."""
    logs = played.write(tmp_path_factory.mktemp("branches"), "sevens", 2)
    fork(logs, "1.1.1.1", 3)
    fork(logs, "1.1.1.1", 3, draw=1)
    fork(logs, "1.1.1.1", 50, move=None)
    fork(logs, "1.1.2.1", 5)
    return logs


def found_in(logs: Path) -> list[BranchReplay]:
    plan = run_folder.plan_of(logs)
    names = Names(unmasked([bot.name for bot in plan.bots]), False)
    return list(branches(logs, Replays(plan, names)))


def test_only_other_courses_with_the_luck_of_the_match_are_branches(logs: Path) -> None:
    assert len((logs / FILE).read_bytes().splitlines()) == 4
    found = found_in(logs)
    assert [each.branch.id for each in found] == ["1.1.1.1~1", "1.1.2.1~1"]
    assert [each.path for each in found] == ["matches/forks/1.1.1.1~1.js", "matches/forks/1.1.2.1~1.js"]
    assert {match: len(those) for match, those in of_matches(found).items()} == {"1.1.1.1": 1, "1.1.2.1": 1}
    first = found[0].branch
    assert first.question == 3
    assert first.said != first.move
    assert len(first.scores) == 2
    assert first.how == "With the same luck, spar:1 played on in all seats."


def test_a_branch_says_who_played_on_and_whether_the_bots_can_be_trusted(logs: Path) -> None:
    """In this record the digest of each bot is empty. So an empty text in `programs` means the same bot."""
    file = logs / FILE
    whole = file.read_text()
    first = json.loads(whole.splitlines()[0])
    told = []
    try:
        for programs, differ in ((["", ""], [0, 0]), (["", "abc"], [0, 0]), (["spar:2", ""], [0, 2])):
            file.write_text(json.dumps({**first, "programs": programs, "differ": differ}) + "\n")
            told.append(found_in(logs)[0].branch.how)
    finally:
        file.write_text(whole)
    assert told == [
        "With the same luck, the bots of the match played on.",
        "With the same luck, the bots of the match played on, with another bot in seat 2.",
        "With the same luck, the bots of the match played on, with spar:2 in seat 1. "
        "Before the question, 2 answers were not as on record.",
    ]


def test_branches_of_a_bot_that_plays_otherwise_in_forks_say_so(logs: Path) -> None:
    """The first fork begins with the answer on record, but then differs from the match. It is no branch."""
    file = logs / FILE
    whole = file.read_text()
    fork(logs, "1.1.1.1", 3, move=None)
    *_, kept = map(json.loads, file.read_text().splitlines())
    try:
        other = json.loads(whole.splitlines()[0])
        told = [json.dumps({**each, "programs": ["", ""]}) + "\n" for each in (kept, other)]
        file.write_text("".join(told))
        [found] = found_in(logs)
        file.write_text("".join(reversed(told)))
        assert [each.branch for each in found_in(logs)] == [found.branch]
        file.write_text(told[0] + json.dumps(other) + "\n")  # In the fork `other`, sparring bots play on.
        [sparring] = found_in(logs)
    finally:
        file.write_text(whole)
    assert found.branch.how == (
        "With the same luck, the bots of the match played on. With the answer on record, the bots did not "
        "repeat the match on record: do not trust this branch."
    )
    assert sparring.branch.how == "With the same luck, spar:1 played on in all seats."


def test_a_report_without_forks_has_no_trace_of_them(tmp_path: Path) -> None:
    logs = played.write(tmp_path)
    assert harness("report", logs).exit_code == 0
    assert b"forks" not in (logs / "report" / "matches.js").read_bytes()
    assert not (logs / "report" / "matches" / "forks").exists()


def test_a_report_shows_no_forged_fork(logs: Path) -> None:
    file = logs / FILE
    whole = file.read_text()
    file.write_text(whole.replace('"said":"ready"', '"said":"steady"', 1))
    try:
        result = harness("report", logs)
    finally:
        file.write_text(whole)
    assert result.exit_code == 1
    assert "forks.jsonl:1" in result.stderr
