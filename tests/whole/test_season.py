"""Tests commands that get several records: one rating of all bots, and what they refuse."""

import json
from pathlib import Path

import pytest

from tests.cli.door import harness
from tests.whole.workshop import Workshop


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of two tournaments: before the second, the files of bot1 changed, and bot4 came."""
    shop = Workshop(tmp_path_factory.mktemp("season"), 3, name="week1")
    assert shop.run().returncode == 0
    with (shop.folder / "bot1" / "main.py").open("a") as code:
        code.write("# better now\n")
    shop.bots.append(shop.add_bot("bot4"))
    shop.write_plan(name="week2")
    assert shop.run().returncode == 0
    return shop.folder / "logs"


def test_standings_of_two_records_are_one_rating(logs: Path) -> None:
    told = json.loads(harness("standings", logs / "week1", logs / "week2", "--json").stdout)
    records = {row["bot"]: row["records"] for row in told["standings"]}
    assert records == {"bot1": [1], "bot1@2": [2], "bot2": [1, 2], "bot3": [1, 2], "bot4": [2]}
    assert told["records"] == ["week1", "week2"]
    assert told["played"] == [6, 12]
    text = harness("standings", logs / "week1", logs / "week2").stdout
    assert "By rating in the 18 matches of 2 records that count." in text
    for form in ("markdown", "csv"):
        assert "bot1@2" in harness("standings", logs / "week1", logs / "week2", "--format", form).stdout


def test_what_makes_no_season_is_refused_in_a_sentence(logs: Path) -> None:
    for arguments, told in (
        ([logs / "week1", logs / "week1"], "this is the same tournament as"),
        ([logs / "week1", logs / "week3"], "week3"),
        ([logs / "week1", logs / "week2", "--policy", "forfeit"], "--policy: this is for one LOGS"),
        ([], "Missing argument 'LOGS...'"),
    ):
        found = harness("standings", *arguments)
        assert (found.exit_code, told in found.stderr) == (2, True), found.stderr
