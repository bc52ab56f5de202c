"""Tests `demo`: it needs nothing but the installed package, and names the winner, the fault and the pages."""

import re
import webbrowser
from pathlib import Path

import pytest

from harness.cli.commands.demo import PLAN
from harness.schedule.plan import read_plan
from tests.cli.door import harness, typed

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demonstration, and what the command printed."""
    folder = tmp_path_factory.mktemp("away") / "demo"
    done = typed("", "demo", folder)
    assert done.returncode == 0, done.stderr
    assert "\nrun 1, 60 matches\n" in done.stderr
    return folder, done.stdout


def test_the_demonstration_says_who_won_who_broke_a_rule_and_where_the_pages_are(
    played: tuple[Path, str],
) -> None:
    folder, said = played
    assert "\ngreedy won (average rank 1." in said
    assert "violator broke a rule, so it was disqualified, and the others played again without it." in said
    [index] = re.findall(r"^ +(.*index\.html)$", said, re.M)
    assert Path(index) == folder / "report" / "index.html"
    assert Path(index).is_file()


def test_the_commands_that_the_demonstration_names_work(played: tuple[Path, str], tmp_path: Path) -> None:
    _, said = played
    commands = re.findall(r"^ +(?:harness|pipx run tournament-harness) (.*)$", said, re.M)
    assert [command.split()[0] for command in commands] == ["show", "verify", "init"]
    for command in commands:
        done = harness(*command.replace(" work ", f" {tmp_path / 'work'} ").split())
        assert done.exit_code == 0, done.output
        assert "show" not in command or "illegal" in done.stdout


def test_the_second_demonstration_plays_nothing_and_opens_the_pages(
    played: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, said = played
    record = (folder / "tournament.jsonl").read_bytes()
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    again = harness("demo", folder, "--open")
    assert again.stdout == said
    assert opened == [(folder / "report" / "index.html").as_uri()]
    assert "no browser" in again.stderr  # The page was not opened: `append` returns None.
    assert (folder / "tournament.jsonl").read_bytes() == record


def test_a_folder_with_another_record_is_kept(record: Path) -> None:
    before = (record / "plan.json").read_bytes()
    refused = harness("demo", record)
    assert refused.exit_code == 2
    assert "Traceback" not in refused.output
    assert (record / "plan.json").read_bytes() == before


def test_the_bots_of_the_demonstration_need_nothing_but_python() -> None:
    plan = read_plan(PLAN)
    assert {bot.run[0] for bot in plan.bots} == {"python3"}
    assert not any(bot.build for bot in plan.bots)
