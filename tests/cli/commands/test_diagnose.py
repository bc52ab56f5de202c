"""`harness diagnose` prints the kinds of decisions of a bot, and refuses what it cannot judge."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from harness.cli.commands import diagnose
from harness.results.habits import CostlyAnswer, DiagnosedBot, Habit
from tests.cli.door import TINY, harness

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    words = ("rungs", TINY, "--play-outs", "1", "--play-outs", "32", "--meet", "4", "--logs", folder)
    assert harness(*words).exit_code == 0
    return folder / "rungs-tiny"


def test_the_kinds_of_decisions_are_a_table(logs: Path) -> None:
    told = harness("diagnose", logs, "spar:1").stdout
    assert "spar:1: 24 decisions in 8 matches; unit of costs: share of the opponents that it beats" in told
    assert "late in the match" in told
    assert "all decisions" in told


def test_the_json_has_all_kinds(logs: Path) -> None:
    found = json.loads(harness("diagnose", logs, "spar:1", "--matches", "2", "--json").stdout)
    assert (found["bot"], found["matches"], found["decisions"]) == ("spar:1", 2, 6)
    assert found["habits"][-1]["kind"] == "all decisions"


def test_a_user_who_waits_sees_how_many_matches_are_played_out(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    @contextmanager
    def counting(what: str) -> Iterator[Callable[[int], None]]:
        seen.append(what)
        yield seen.append

    monkeypatch.setattr(diagnose, "counting", counting)
    assert harness("diagnose", logs, "spar:1", "--matches", "2").exit_code == 0
    assert seen == ["of 2 matches played out", 0, 1, 2]


def test_a_bot_that_is_not_on_record_is_one_sentence(logs: Path) -> None:
    told = harness("diagnose", logs, "spar:2")
    assert told.exit_code == 2
    assert "spar:2: no match of a bot with this name is on record; did you mean spar:" in told.stderr
    told = harness("diagnose", logs, "zoe")
    assert "zoe: no match of a bot with this name is on record; there are " in told.stderr
    assert "spar:1" in told.stderr


def test_without_a_kind_that_stands_out_the_costliest_decisions_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    late = Habit("late in the match", 8, 0.4, 0.2, 0.6, True, 0.1, True, CostlyAnswer("no", "yes", 5, 0.456))
    early = Habit("early in the match", 8, 0.3, 0.1, 0.5, True, 0.0)
    with click.Context(click.Command("diagnose")):
        diagnose._tell(DiagnosedBot("ann", 4, 24, (late, early), (), "points"))
        told = capsys.readouterr().out
        assert "cost more than average decisions: late in the match.\n" in told
        assert "late in the match: `no` has 46 % of the cost (5 times); better, most often: `yes`.\n" in told
        diagnose._tell(DiagnosedBot("ann", 4, 24, (early,), (), "points"))
    told = capsys.readouterr().out
    assert "any kind of decisions costs more than the average decision." in told
    assert "unit of costs: points" in told
