"""Tests that all outputs name a run's account of CPU time, and that a clock that cannot work is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness import conduct, read_log, read_plan
from harness.model import ACCOUNTS
from harness.sandbox import cgroup, cpu_counter
from tests.cli.workshop import NOISY, TINY, Workshop, harness

pytestmark = pytest.mark.whole

SILENT = NOISY.replace("elif moves:", "elif False:")
SCHEME = 'title = "Tiny"\nstaff = ["house"]\n[[item]]\nkind = "start"\npoints = 10\n'
CHILDREN = "nobody counts the children that a bot does not wait for"
REFUSED = f'clock = "cpu" does not work here: {CHILDREN} (control groups: run harness as root'


def this_machine(monkeypatch: pytest.MonkeyPatch, account: str) -> None:
    """Changes harness so that the machine seems to have only this account of CPU time."""
    monkeypatch.setattr(cgroup, "available", lambda: account == "group")
    monkeypatch.setattr(cpu_counter, "available", lambda: account == "counter")


def a_plan(folder: Path, **keys: Any) -> Workshop:
    """A workspace with a plan. One of its bots never answers a question of the game."""
    folder.mkdir(exist_ok=True)
    shop = Workshop(folder, 0)
    shop.bots += [shop.add_bot("house", NOISY), shop.add_bot("silent", SILENT)]
    limits = {"limits.start_ms": 60_000, "limits.move_ms": 60_000, "options.rounds": 1}
    shop.write_plan(game=str(TINY), workers=1, policy="forfeit", **{**limits, **keys})
    return shop


@pytest.fixture(params=ACCOUNTS)
def account(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    this_machine(monkeypatch, request.param)
    return str(request.param)


def test_every_surface_says_which_account_judged_the_time(tmp_path: Path, account: str) -> None:
    exact = {"clock": "cpu", "limits.move_ms": 300, "limits.wall_ms": 300}
    shop = a_plan(tmp_path, **({"limits.move_ms": 300} if account == "incomplete" else exact))
    said: list[str] = []
    conduct(read_plan(shop.plan), shop.logs, say=said.append)
    told = f"time: {ACCOUNTS[account]}"
    [line] = (line for line in said if line.startswith("time: "))
    if account == "incomplete":
        assert line.startswith(f"{told}, so waiting is not excused for a bot that starts processes (")
    else:
        assert line == told
    for kind in ("seating", "played"):
        assert {row["account"] for row in read_log(shop.logs, kind)} == {account}
    sittings = len(list(read_log(shop.logs, "played")))
    verified = harness("verify", str(shop.logs))
    assert f"{told} ({sittings} sitting" in verified.stdout
    assert json.loads(harness("verify", str(shop.logs), "--json").stdout)["accounts"] == {account: sittings}

    [*_, fault] = read_log(shop.logs, "fault")
    assert fault["name"] == ("late" if account == "incomplete" else "overdue")
    assert f"  CPU time {ACCOUNTS[account][:40]}" in harness("show", str(shop.logs), fault["match"]).stdout
    assert json.loads(harness("show", str(shop.logs), fault["match"], "--json").stdout)["account"] == account

    assert harness("report", str(shop.logs), "--no-replays").returncode == 0
    page = (shop.logs / "report" / "index.html").read_text()
    words = ACCOUNTS[account].replace("'", "&#39;")
    assert f"<dt>CPU time</dt><dd>{words}</dd></div>" in page
    assert f"{told} ({sittings} sitting".replace("'", "&#39;") in page
    assert page.count(f"<dt>CPU time</dt><dd>{words}</dd>\n") == len(list(read_log(shop.logs, "fault")))
    assert ("waiting was not excused" in page) is (account == "incomplete")

    (tmp_path / "scheme.toml").write_text(SCHEME)
    graded = harness("grade", str(shop.logs), "--scheme", str(tmp_path / "scheme.toml"))
    assert graded.returncode == 0, graded.stderr
    [team] = (shop.logs / "grades").rglob("silent.html")
    assert f"<dt>CPU time</dt><dd>{words}</dd>" in team.read_text()


def test_the_default_account_is_not_written(tmp_path: Path) -> None:
    shop = a_plan(tmp_path, **{"limits.move_ms": 300})
    conduct(read_plan(shop.plan), shop.logs)
    for path in shop.logs.rglob("*.jsonl"):
        assert '"account"' not in path.read_text()


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
