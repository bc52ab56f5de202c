"""Tests that `verify` finds a round that does not follow from the rounds before it, and names the round."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import RecordError
from harness.record.log import encounter_path
from harness.verify import verify
from tests.cli.workshop import NOISY, TINY, Workshop, harness
from tests.verify import forger

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a Swiss tournament of seven bots; one of them is disqualified in the first round."""
    shop = Workshop(tmp_path_factory.mktemp("swiss"), 0)
    names = ("anna", "bert", "carl", "dora", "emil", "fritz", "violator")
    shop.bots += [shop.add_bot(name, NOISY) for name in names]
    shop.write_plan(game=str(TINY), format="swiss", rounds=3, workers=1)
    found = shop.run()
    assert found.returncode == 0, found.stderr
    return shop.logs


@pytest.fixture
def logs(swiss: Path, tmp_path: Path) -> Path:
    """A copy of the logs, which a test may change."""
    return Path(shutil.copytree(swiss, tmp_path / "logs"))


def refused(logs: Path) -> str:
    with pytest.raises(RecordError) as caught:
        verify(logs)
    return caught.value.message


def changed(logs: Path, change: Callable[[list[forger.Line]], list[forger.Line]]) -> None:
    """Lets `change` replace the lines of the journal, and computes every digest again."""
    journal = logs / "tournament.jsonl"
    forger.write(journal, change(forger.read(journal)))
    forger.seal(logs)


def rounds(lines: list[forger.Line]) -> list[forger.Line]:
    return [line for line in lines if line["is"] == "round"]


def test_an_honest_record_holds(swiss: Path) -> None:
    found = verify(swiss)
    assert found.ended is not None
    assert [each.round for run in found.history.runs for each in run.rounds] == [1, 2, 3]
    assert len(found.history.runs) == 2


def test_a_pair_of_blocks_that_was_exchanged_is_found(logs: Path) -> None:
    def exchange(lines: list[forger.Line]) -> list[forger.Line]:
        blocks = rounds(lines)[1]["blocks"]
        blocks[0], blocks[1] = blocks[1], blocks[0]
        return lines

    changed(logs, exchange)
    assert "round 2 of run 1: `blocks` of `round` is " in refused(logs)


def test_a_round_that_was_dropped_is_found(logs: Path) -> None:
    changed(logs, lambda lines: [line for line in lines if line not in rounds(lines)[1:2]])
    assert refused(logs) == "the line is `played`, but the next step is `round`, round 2 of run 1"


def test_a_round_that_was_dropped_with_its_matches_is_found(logs: Path) -> None:
    changed(logs, lambda lines: [line for line in lines if line.get("round") != 3])
    assert refused(logs) == "the line is `ended`, but the next step is `round`, round 3 of run 2"


def test_a_changed_rank_on_which_a_round_depends_is_found(logs: Path) -> None:
    """The test forges answers of round 1 and all that follows from them, but not the choice of round 2."""
    for _ in range(3):
        forger.forge_answer(logs, encounter_path(logs, 1, 3), "bid 0", "bid 1")
    assert "round 2 of run 1: `blocks` of `round` is " in refused(logs)


def test_the_report_and_the_standings_of_a_swiss_tournament_are_made(logs: Path, tmp_path: Path) -> None:
    told = harness("standings", str(logs), "--format", "json")
    assert told.returncode == 0, told.stderr
    assert len(json.loads(told.stdout)["standings"]) == 6
    made = harness("report", str(logs), "--out", str(tmp_path / "pages"))
    assert made.returncode == 0, made.stderr
    assert "a bot plays 2 to 3 encounters" in (tmp_path / "pages" / "index.html").read_text()
