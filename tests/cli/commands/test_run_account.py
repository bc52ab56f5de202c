"""Tests that a clock that nobody can keep is refused."""

from pathlib import Path
from typing import Any

import pytest

from harness.sandbox import cgroup, cpu_counter
from tests.cli.workshop import NOISY, TINY, Workshop, harness

pytestmark = pytest.mark.whole

SILENT = NOISY.replace("elif moves:", "elif False:")
CHILDREN = "nobody counts the children that a bot does not wait for"
REFUSED = f'clock = "cpu" does not work here: {CHILDREN} (control groups: systemd-run'


def this_machine(monkeypatch: pytest.MonkeyPatch, account: str) -> None:
    """Lets this machine have only the means for this account."""
    monkeypatch.setattr(cgroup, "available", lambda: account == "group")
    monkeypatch.setattr(cpu_counter, "available", lambda: account == "counter")


def a_plan(folder: Path, **keys: Any) -> Workshop:
    """A plan with a bot that never answers a question of the game."""
    folder.mkdir(exist_ok=True)
    shop = Workshop(folder, 0)
    shop.bots += [shop.add_bot("house", NOISY), shop.add_bot("silent", SILENT)]
    limits = {"limits.start_ms": 60_000, "limits.move_ms": 60_000, "options.rounds": 1}
    shop.write_plan(game=str(TINY), workers=1, policy="forfeit", **{**limits, **keys})
    return shop


@pytest.mark.parametrize(
    "arguments",
    [("run",), ("check", "plan"), ("check", "plan", "--no-trial"), ("run", "--shard", "1/2")],
    ids=" ".join,
)
def test_a_clock_that_nobody_can_keep_is_refused_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    this_machine(monkeypatch, "incomplete")
    shop = a_plan(tmp_path, clock="cpu")
    built = tmp_path / "built"
    (shop.bots[0] / "bot.toml").write_text(f'run = "python3 main.py"\nbuild = "touch {built}"\n')
    monkeypatch.chdir(tmp_path)
    refused = harness(*arguments, str(shop.plan))
    assert refused.returncode == 2
    assert f"{shop.plan}: {REFUSED}" in refused.stderr
    assert not built.exists()
    this_machine(monkeypatch, "group")
    assert harness("check", "plan", "--no-trial", str(shop.plan)).returncode == 0


def test_bots_are_not_marked_collected_or_in_a_ladder_by_a_clock_that_nobody_can_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    this_machine(monkeypatch, "incomplete")
    shop = a_plan(tmp_path / "bots", clock="cpu")
    league = tmp_path / "league"
    league.mkdir()
    house = ", ".join(f'"{bot}"' for bot in shop.bots)
    keys = f'game = "{TINY}"\nseats = 2\nhouse = [{house}]\nisolation = "none"\nclock = "cpu"\n'
    (league / "league.toml").write_text(keys)
    hand_in = str(shop.bots[1])
    for arguments in (
        ("mark", str(shop.plan), hand_in),
        ("mark", str(league), hand_in),
        ("collect", str(league), hand_in),
        ("ladder", str(league), "--matches", "2"),
    ):
        refused = harness(*arguments)
        assert refused.returncode == 2, refused
        assert REFUSED in refused.stderr
        assert ".toml: clock" in refused.stderr


def test_a_bot_is_not_checked_by_a_limit_of_cpu_time_that_nobody_can_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    this_machine(monkeypatch, "incomplete")
    bot = str(a_plan(tmp_path).bots[0])
    refused = harness("check", "bot", bot, "--game", str(TINY), "--limit", "wall_ms=5000")
    assert refused.returncode == 2
    assert f"--limit wall_ms: {REFUSED}" in refused.stderr
