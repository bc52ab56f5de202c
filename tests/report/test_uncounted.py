"""Tests that a report gives the right reason for each match that does not count."""

from pathlib import Path

from harness.events import Disqualified
from harness.record import run_folder
from harness.record.masking import unmasked
from harness.report.names import Names
from harness.report.uncounted import uncounted
from tests.report import played

NAMES = Names(unmasked(("anna", "bert", "carl", "dora")), False)


def _out(bot: str, run: int) -> Disqualified:
    return Disqualified(run, 1, bot, f"{run}.1.1.1", "illegal", "x", "play 1 1", "no")


def _reason(tmp_path: Path, *out: Disqualified, keeps: bool = False) -> str:
    logs = played.write(tmp_path, "sevens", 2)
    [reason] = uncounted(run_folder.history_of(logs), frozenset(), out, keeps, NAMES).values()
    return reason


def test_a_match_of_the_disqualified_bot_names_it(tmp_path: Path) -> None:
    assert _reason(tmp_path, _out("bert", 1)) == "bert was disqualified in run 1"


def test_a_match_of_others_says_that_they_play_again(tmp_path: Path) -> None:
    told = _reason(tmp_path, _out("carl", 1), _out("dora", 1), _out("anna", 2))
    assert told == "carl and dora were disqualified in run 1, and the others play again"


def test_a_kept_match_goes_when_one_of_its_bots_goes_later(tmp_path: Path) -> None:
    told = _reason(tmp_path, _out("carl", 1), _out("anna", 2), _out("bert", 3), keeps=True)
    assert told == "anna was disqualified in run 2; bert was disqualified in run 3"


def test_matches_that_count_have_no_reason(tmp_path: Path) -> None:
    logs = played.write(tmp_path, "sevens", 2)
    assert uncounted(run_folder.history_of(logs), {"1.1"}, [_out("bert", 1)], False, NAMES) == {}
