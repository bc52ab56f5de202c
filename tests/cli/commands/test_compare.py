"""`harness compare` prints where two bots differ, writes a page, and refuses what it cannot compare."""

import json
from pathlib import Path

import pytest

from tests.cli.door import TINY, harness
from tests.cli.logs import write
from tests.report import played

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    words = ("rungs", TINY, "--play-outs", "1", "--play-outs", "8", "--meet", "4", "--logs", folder)
    assert harness(*words).exit_code == 0
    return folder / "rungs-tiny"


def test_the_first_different_answers_are_shown_with_their_positions(logs: Path) -> None:
    told = harness("compare", logs, "spar:1", "spar:8").stdout
    assert "begin with the same questions" in told
    assert "question bid" in told
    assert "secret" in told
    assert max(map(len, told.splitlines()[2:])) <= 80


def test_a_very_long_name_is_cut_as_in_other_tables(tmp_path: Path) -> None:
    names = ("a" * 60 + "@2", "b" * 60 + "@3")
    told = harness("compare", played.write(tmp_path, "sevens", 2, names=names), *names).stdout
    assert f"{'a' * 15}...@2 (2 matches) and {'b' * 15}...@3 (2)" in " ".join(told.split())
    assert "a" * 16 not in told
    assert max(map(len, told.splitlines()[1:])) <= 80


def test_the_json_has_the_same_numbers_in_both_directions(logs: Path) -> None:
    one, two = (
        json.loads(harness("compare", logs, *bots, "--json").stdout)
        for bots in (("spar:1", "spar:8"), ("spar:8", "spar:1"))
    )
    assert one["matches"] == [8, 8]
    assert 0 < one["kinds"][-1]["differ"] <= one["pairs"] == two["pairs"]
    assert one["worst"] or one["best"]
    assert all(each["gain"] < 0 for each in one["worst"])


def test_a_bot_differs_from_itself_in_no_other_record(logs: Path) -> None:
    told = harness("compare", logs, "spar:1", "spar:1", "--other", f"{logs}/")
    assert told.exit_code == 2
    assert "this is the same bot twice" in told.stderr


def test_the_page_shows_the_same(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert harness("compare", logs, "spar:1", "spar:8", "--html").exit_code == 0
    page = (tmp_path / "compare-spar-1-spar-8.html").read_text()
    assert "<h1>spar:1 and spar:8</h1>" in page
    assert "question bid" in page
    assert "secret" in page


def test_a_bot_that_is_not_on_record_is_one_sentence(logs: Path) -> None:
    told = harness("compare", logs, "spar:1", "spar:9")
    assert told.exit_code == 2
    assert "spar:9: no match of a bot with this name is on record; did you mean spar:" in told.stderr
    told = harness("compare", logs, "spar:1", "old-bot")
    assert "old-bot: no match of a bot with this name is on record; there are " in told.stderr
    assert "spar:8" in told.stderr


def test_a_record_with_other_options_is_one_sentence(logs: Path, tmp_path: Path) -> None:
    told = harness("compare", logs, "spar:1", "anna", "--other", write(tmp_path))
    assert told.exit_code == 2
    assert "this record has another game, other options or another number of seats" in told.stderr
