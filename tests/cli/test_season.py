"""Tests commands that get several records: one rating of all bots, and what they refuse."""

import json
import re
from pathlib import Path

import pytest

from harness.config import FrozenBot
from harness.league.entries import Entries, Receipt
from tests.cli.door import harness
from tests.cli.logs import BOTS, write
from tests.cli.workshop import Workshop

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of two tournaments. Before the second one, the files of bot1 changed, and bot4 joined."""
    shop = Workshop(tmp_path_factory.mktemp("season"), 3, name="week1", workers=1)
    assert shop.run().returncode == 0
    with (shop.folder / "bot1" / "main.py").open("a") as code:
        code.write("# better now\n")
    shop.bots.append(shop.add_bot("bot4"))
    shop.write_plan(name="week2", workers=1)
    assert shop.run().returncode == 0
    return shop.folder / "logs"


def test_standings_of_two_records_are_one_rating(logs: Path) -> None:
    told = json.loads(harness("standings", logs / "week1", logs / "week2", "--json").stdout)
    records = {row["bot"]: row["records"] for row in told["standings"]}
    assert records == {"bot1": [1], "bot1@2": [2], "bot2": [1, 2], "bot3": [1, 2], "bot4": [2]}
    assert told["records"] == ["week1", "week2"]
    assert told["played"] == [6, 12]
    text = harness("standings", logs / "week1", logs / "week2").stdout
    assert "By rating in the 18 counted matches of 2 records." in text
    for form in ("markdown", "csv"):
        assert "bot1@2" in harness("standings", logs / "week1", logs / "week2", "--format", form).stdout


def test_in_a_season_a_team_is_known_by_its_hand_in_though_a_ladder_cuts_its_name(tmp_path: Path) -> None:
    long = "anna" * 10
    (tmp_path / "league.toml").write_text("")
    anna = Entries(tmp_path).team(long)
    anna.add(Receipt(team=long, version=0, digest="", source="", collected=""), None)
    hand_in = str(anna.files(anna.receipts[0]).relative_to(tmp_path))
    bots = [
        FrozenBot(bot, path, "", ("true",), (), "") for bot, path in zip(BOTS, (hand_in, "bert"), strict=True)
    ]
    (tmp_path / "logs").mkdir()
    records = [
        write(tmp_path / name, name=name, seed=seed, policy="forfeit", bots=tuple(bots)).rename(
            tmp_path / "logs" / name
        )
        for seed, name in enumerate(("run-1", "ladder"))
    ]
    done = harness("standings", *records, "--json")
    assert done.exit_code == 0, done.stderr
    assert {row["bot"] for row in json.loads(done.stdout)["standings"]} == {f"{long}@1", "bert"}


def test_what_makes_no_season_is_refused_in_a_sentence(logs: Path) -> None:
    for arguments, told in (
        ([logs / "week1", logs / "week1"], "this is the same tournament as"),
        ([logs / "week1", logs / "week3"], "week3"),
        ([logs / "week1", logs / "week2", "--policy", "forfeit"], "--policy: this option is for one LOGS"),
        ([], "Missing argument 'LOGS...'"),
    ):
        found = harness("standings", *arguments)
        assert (found.exit_code, told in found.stderr) == (2, True), found.stderr


def test_the_page_of_a_season_has_all_versions_and_links_to_the_reports(logs: Path, tmp_path: Path) -> None:
    assert harness("report", logs / "week2", "--no-replays").exit_code == 0
    told = harness("report", logs / "week1", logs / "week2", "--out", tmp_path / "season")
    assert (told.exit_code, told.stdout) == (0, f"{tmp_path / 'season' / 'index.html'}\n")
    page = (tmp_path / "season" / "index.html").read_text()
    assert "bot1@2" in page
    assert (tmp_path / "season" / "style.css").is_file()
    [link] = re.findall('href="([^"]*index.html)"', page)
    assert (tmp_path / "season" / link).resolve() == (logs / "week2" / "report" / "index.html").resolve()


def test_a_masked_season_names_no_bot_and_links_no_report(logs: Path, tmp_path: Path) -> None:
    both = (logs / "week1", logs / "week2")
    told = json.loads(harness("standings", *both, "--mask", "--json").stdout)
    masks = {row["bot"] for row in told["standings"]}
    assert len(masks) == 5
    assert sum(mask.endswith("@2") for mask in masks) == 1
    assert all(re.fullmatch(r"team-\w+(@2)?", mask) for mask in masks)
    key = json.loads((logs / "week1" / "mask.json").read_text())["names"]
    assert {key[mask.removesuffix("@2")] for mask in masks} == {"bot1", "bot2", "bot3", "bot4"}
    assert harness("report", *both, "--mask", "--out", tmp_path / "season").exit_code == 0
    page = (tmp_path / "season" / "index.html").read_text()
    assert masks <= set(re.findall(r"team-\w+(?:@2)?", page))
    assert not re.search(r"bot\d|report/index", page)
    assert harness("standings", logs / "week1", "--mask").exit_code == 2


def test_a_page_of_a_season_needs_a_folder_and_has_no_other_options(logs: Path, tmp_path: Path) -> None:
    both = logs / "week1", logs / "week2"
    alone = harness("report", *both)
    assert (alone.exit_code, "--out: several LOGS need a folder" in alone.stderr) == (2, True)
    for option in ("--watch", "--no-replays"):
        found = harness("report", *both, "--out", tmp_path, option)
        assert (found.exit_code, f"{option}: this option is for one LOGS" in found.stderr) == (2, True)
