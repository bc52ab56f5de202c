"""Owns the tests of `harness run` from end to end: real processes, killed and resumed, one worker or two."""

import json
import os
import re
import signal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.bot.process import become_subreaper
from harness.errors import InputError
from harness.record.lock import lock_for_controller
from harness.record.log import whole
from tests.cli.workshop import Workshop, harness, timeless, wait_for_orphans

pytestmark = pytest.mark.whole


class Undisturbed(NamedTuple):
    """The result of a run that nobody disturbs."""

    shop: Workshop
    said: str
    standings: str
    record: dict[str, list[Any]]


def a_shop(folder: Path) -> Workshop:
    """A workspace with a plan of 60 matches: four bots, of which all pairs play."""
    return Workshop(folder, 4, deals=5, sitting=5)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Plays the tournament once without a disturbance, with one worker for each core."""
    shop = a_shop(tmp_path_factory.mktemp("undisturbed"))
    run = shop.run("--json")
    assert run.returncode == 0
    return Undisturbed(shop, run.stderr, run.stdout, timeless(shop.logs))


def test_a_finished_tournament_prints_its_standings_again_and_plays_nothing(undisturbed: Undisturbed) -> None:
    again = undisturbed.shop.run_here("--json")
    assert again.returncode == 0
    assert "bot1" in again.stdout
    assert again.stdout == undisturbed.standings
    assert timeless(undisturbed.shop.logs) == undisturbed.record


def test_the_last_lines_are_who_won_one_hint_and_the_digest(undisturbed: Undisturbed) -> None:
    logs = undisturbed.shop.logs
    won, hint, digest = undisturbed.said.splitlines()[-3:]
    first = json.loads(undisturbed.standings)["standings"][0]["bot"]
    assert won.startswith((f"{first} won (", f"{first} is first (", "The first place is shared: "))
    assert hint == f"Pages for a browser: harness report {logs}"
    assert digest == f"Digest of the whole:     {whole(logs)}"


def test_one_worker_or_two_write_the_same_record_times_aside(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    shop = a_shop(tmp_path)
    assert shop.run("--workers", "1", "--json").stdout == undisturbed.standings
    assert timeless(shop.logs) == undisturbed.record


@pytest.mark.parametrize(
    "moments", [(1, 3, 5, 2), pytest.param((1, 3, 2, 5, 1, 4, 6, 2, 7, 3), marks=pytest.mark.soak)]
)
def test_killed_at_some_moments_and_resumed_it_ends_as_if_undisturbed(
    tmp_path: Path, undisturbed: Undisturbed, moments: tuple[int, ...]
) -> None:
    become_subreaper()
    shop = a_shop(tmp_path)
    for matches in moments:
        process = shop.start()
        shop.set_fuse(matches, signal.SIGKILL, process.pid)
        process.communicate()
        assert process.returncode in (-signal.SIGKILL, 0)
        wait_for_orphans()
    (shop.bots[0] / ".fuse").unlink()
    last = shop.run("--json")
    assert last.returncode == 0
    assert last.stdout == undisturbed.standings
    assert timeless(shop.logs) == undisturbed.record
    assert harness("verify", str(shop.logs)).returncode == 0


def test_a_killed_worker_costs_an_attempt_and_no_result(tmp_path: Path, undisturbed: Undisturbed) -> None:
    shop = a_shop(tmp_path)
    shop.set_fuse(4, signal.SIGKILL)
    ended = shop.run("--json")
    assert ended.returncode == 0
    assert "its worker was lost" in ended.stderr
    assert timeless(shop.logs) == undisturbed.record


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_stops_with_exit_code_3_and_goes_on(
    tmp_path: Path, undisturbed: Undisturbed, number: signal.Signals
) -> None:
    shop = a_shop(tmp_path)
    process = shop.start()
    shop.set_fuse(2, number, process.pid)
    _, err = process.communicate()
    assert process.returncode == 3
    assert "run the same command again to continue" in err
    (shop.bots[0] / ".fuse").unlink()
    assert shop.run("--json").stdout == undisturbed.standings
    assert timeless(shop.logs) == undisturbed.record


def test_a_plan_that_changed_is_refused_with_what_changed(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, workers=1)
    shop.run()
    shop.write_plan(deals=2)
    (shop.bots[1] / "main.py").write_text("pass\n")
    refused = shop.run_here()
    assert refused.returncode == 2
    assert "deals: 1 -> 2" in refused.stderr
    assert "bot bot2: its files changed" in refused.stderr
    assert "--fresh" in refused.stderr


def test_fresh_begins_anew_and_keeps_what_was(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, workers=1)
    shop.run()
    before = timeless(shop.logs)
    shop.write_plan(deals=2)
    assert shop.run("--fresh").returncode == 0
    assert timeless(shop.logs.with_name("demo~1")) == before
    assert timeless(shop.logs) != before


def test_a_seed_that_nobody_names_is_drawn_and_kept_secret(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, workers=1)
    shop.plan.write_text(shop.plan.read_text().replace("seed = 5\n", ""))
    first = shop.run()
    seed = json.loads((shop.logs / "plan.json").read_bytes())["seed"]
    assert re.fullmatch("[89a-f][0-9a-f]{31}", seed), "it has 128 bits"
    assert "the plan names no seed, so a seed of 128 bits was drawn" in first.stderr
    assert seed not in first.stderr + first.stdout
    assert "guess" not in first.stderr
    assert shop.run_here().returncode == 0
    assert harness("verify", str(shop.logs)).returncode == 0
    assert shop.logs.stat().st_mode & 0o077 == 0


def test_a_short_seed_is_named_as_a_risk_by_every_command_that_tells_of_the_plan(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, workers=1)
    risk = "the plan names a short seed: bots can guess this seed, and then know every deal"
    for run in (shop.run, shop.run_here):
        told = run().stderr
        assert f"warning: {risk}; without the key `seed`," in told
        assert told.count(risk) == 1
    checked = harness("check", "plan", str(shop.plan), "--no-trial")
    assert checked.stdout.count(risk) == 1
    assert harness("report", str(shop.logs)).returncode == 0
    assert risk in (shop.logs / "report" / "index.html").read_text()
    assert harness("verify", str(shop.logs)).returncode == 0


def test_a_second_run_of_a_folder_is_refused_while_another_holds_it(tmp_path: Path) -> None:
    with lock_for_controller(tmp_path), pytest.raises(InputError, match=f"process {os.getpid()}"):
        lock_for_controller(tmp_path, patience=0).__enter__()


def test_a_cheat_is_disqualified_with_its_evidence_and_the_rest_play_again(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 3, workers=1)
    cheat = shop.add_bot("cheat")
    code = (cheat / "main.py").read_text()
    (cheat / "main.py").write_text(code.replace("[(count >> 8) % len(moves)],", "[0] + '7',"))
    shop.bots.append(cheat)
    shop.write_plan()
    told = json.loads(shop.run("--json").stdout)
    (out,) = told["disqualified"]
    assert (out["bot"], out["fault"], out["run"]) == ("cheat", "illegal", 1)
    assert out["ask"].startswith("play ")
    assert out["said"].endswith("7")
    assert out["match"].startswith("1.")
    assert {row["bot"] for row in told["standings"]} == {"bot1", "bot2", "bot3"}
    assert told["run"] == 2
    assert harness("verify", str(shop.logs)).returncode == 0
