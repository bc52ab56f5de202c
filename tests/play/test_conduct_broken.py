"""Tests bots that cannot be read, built or started: harness names them all, or they lose their matches."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.play.conduct import Conducted, conduct
from harness.record.history import History
from harness.schedule.plan import read_broken_too, read_plan
from harness.verify import verify
from tests.cli.workshop import Workshop

pytestmark = pytest.mark.whole

REASONS = {
    "unbuilt": "the build `sh -c 'echo error: no semicolon; exit 3'` failed with exit status 3: "
    "error: no semicolon",
    "gone": "there is no such file or folder",
    "unreadable": "bot.toml:1: this is not TOML: Expected '=' after a key in a key/value pair",
    "locked": "the run command './main.py' is not executable (chmod +x)",
    "foreign": "foreign: no-such-language is not installed (for a program in the bot's own folder write "
    "./no-such-language)",
}


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    """A workspace with two bots that play, and with one bot for each way in which a bot can be broken."""
    shop = Workshop(tmp_path, 2)
    for name in REASONS:
        shop.bots.append(tmp_path / name)
        if name != "gone":
            shop.add_bot(name)
    manifests = {
        "unbuilt": "run = './bot'\nbuild = ['sh', '-c', 'echo error: no semicolon; exit 3']\n",
        "unreadable": "run\n",
        "locked": "run = './main.py'\n",
        "foreign": "run = 'no-such-language main.xyz'\n",
    }
    for name, text in manifests.items():
        (tmp_path / name / "bot.toml").write_text(text)
    (tmp_path / "locked" / "main.py").chmod(0o644)
    return shop


def play(shop: Workshop, said: list[str] | None = None) -> Conducted:
    say = None if said is None else said.append
    return conduct(read_broken_too(shop.plan, workers=1), shop.logs, say=say)


def faults(history: History) -> dict[str, set[str]]:
    """For each bot, the names of its faults in the matches on record."""
    found: dict[str, set[str]] = {}
    for run in history.runs:
        for key in run.played:
            for match in run.sitting(key):
                for fault in match.faults:
                    found.setdefault(match.bots[fault.seat - 1], set()).add(fault.name)
    return found


def test_the_troubles_of_all_bots_are_named_at_once_and_nothing_is_played(shop: Workshop) -> None:
    shop.write_plan()
    with pytest.raises(InputError) as caught:
        play(shop)
    assert "failed with exit status 3; its output is in " in str(caught.value)
    for reason in [*REASONS.values()][1:]:
        assert reason in str(caught.value)
    assert str(caught.value).startswith("5 things are wrong:\n    ")
    assert not shop.logs.exists()


def test_a_plan_with_bots_that_cannot_be_read_names_them_all(shop: Workshop) -> None:
    shop.write_plan()
    with pytest.raises(InputError) as caught:
        read_plan(shop.plan)
    assert str(caught.value).count("\n") == 2
    assert "demo.toml:1: bots: " in str(caught.value)
    assert "gone: there is no such file or folder" in str(caught.value)
    assert "unreadable/bot.toml:1: this is not TOML" in str(caught.value)


def test_with_no_start_they_lose_their_matches_with_the_reason_and_the_record_holds(shop: Workshop) -> None:
    shop.write_plan(broken="no-start", policy="forfeit")
    said: list[str] = []
    done = play(shop, said)
    assert faults(done.history) == {name: {"no-start"} for name in REASONS}
    for name, reason in REASONS.items():
        assert f"{name} loses its matches by no-start: {reason}" in said
    logged = "".join(path.read_text() for path in sorted(shop.logs.glob("run-*/*/*.jsonl")))
    assert "error: no semicolon" in logged
    assert str(shop.folder) not in logged
    assert verify(shop.logs).ended == done.ended


def test_with_no_start_they_are_disqualified_together_and_the_others_play(shop: Workshop) -> None:
    shop.write_plan(broken="no-start", isolation="auto")
    done = play(shop)
    last = done.history.last
    assert last is not None
    assert last.bots == ("bot1", "bot2")
    assert not last.offences
    assert verify(shop.logs).ended == done.ended


def test_a_build_that_does_not_end_costs_only_its_bot_and_builds_are_told_in_the_order_of_the_plan(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second bot is built first, because the build of the first bot waits for the second build."""
    monkeypatch.setattr("harness.sandbox.builds.side_by_side.cores", lambda: [0, 1])
    pipe = shop.folder / "pipe"
    os.mkfifo(pipe)
    shop.bots = [*shop.bots[:2], shop.folder / "unbuilt"]
    scripts = {"bot1": f"read line < {pipe}", "bot2": f"echo x > {pipe}", "unbuilt": "exec sleep 1000"}
    for name, script in scripts.items():
        manifest = shop.folder / name / "bot.toml"
        rest = 'run = ["python3", "-I", "-S", "main.py"]' if name == "unbuilt" else manifest.read_text()
        manifest.write_text(f"{rest}\nbuild = {json.dumps(['sh', '-c', script])}\n")
    shop.write_plan(broken="no-start", policy="forfeit", build_ms=3_000)
    said: list[str] = []
    done = play(shop, said)
    build = "the build `sh -c 'exec sleep 1000'` did not end within 3 s; it printed nothing"
    told = [line for line in said if line.startswith(("built", "unbuilt"))]
    assert told == ["built bot1", "built bot2", f"unbuilt loses its matches by no-start: {build}"]
    assert faults(done.history) == {"unbuilt": {"no-start"}}
    assert verify(shop.logs).ended == done.ended


def test_a_record_without_the_key_has_the_default(shop: Workshop) -> None:
    shop.bots = shop.bots[:2]
    shop.write_plan()
    assert play(shop).plan.broken == "error"
    assert "broken" not in (shop.logs / "plan.json").read_text()


def test_a_changed_plan_needs_no_fresh_if_no_match_was_played(shop: Workshop) -> None:
    shop.bots = shop.bots[:3]
    shop.write_plan(deals=2)
    with pytest.raises(InputError, match="failed with exit status 3"):
        play(shop)
    assert (shop.logs / "plan.json").exists()
    (shop.folder / "unbuilt" / "bot.toml").write_text("run = 'python3 main.py'\n")
    said: list[str] = []
    done = play(shop, said)
    assert "the plan has changed; no match is on record yet, so the new plan is recorded" in said
    assert verify(shop.logs).ended == done.ended is not None
    shop.write_plan(deals=3)
    with pytest.raises(InputError, match="--fresh"):
        play(shop)


def test_a_bot_that_was_broken_and_is_not_any_more_has_changed(shop: Workshop) -> None:
    shop.bots = [*shop.bots[:2], shop.folder / "gone"]
    shop.write_plan(broken="no-start", policy="forfeit")
    play(shop)
    shop.add_bot("gone")
    with pytest.raises(InputError, match="bot gone: its files changed"):
        play(shop)
