"""Owns the tests of a machine that fails during a run: one sentence says so, and the run can continue."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, NamedTuple

import pytest

from harness.verify import verify
from tests.cli.workshop import STEADY, Workshop, timeless

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[3]
GOES_ON = "; run the same command again to continue\n"
AS_ROOT = os.geteuid() == 0
# Root may ignore the permissions of files. Without these two capabilities it must obey them.
AS_ANYBODY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if AS_ROOT else ()
# Limits of processes do not bind root. So the command runs as another user, who may still read all files.
READS_ALL = "+dac_override,+dac_read_search"
AS_USER = (
    "setpriv",
    "--reuid=61234",
    "--clear-groups",
    f"--inh-caps={READS_ALL}",
    f"--ambient-caps={READS_ALL}",
    f"--bounding-set=-all,{READS_ALL}",
)
# At the beginning of a match, this bot once moves away the file or folder that `.loot` names.
ROBBER = f"""
import os, pathlib
def rob(line):
    loot = pathlib.Path(".loot")
    if line.startswith("new ") and loot.exists():
        os.rename(loot.read_text(), ".taken")
        loot.unlink()
{STEADY.replace("words = line.split()", "words = line.split(); rob(line)")}
"""


class Undisturbed(NamedTuple):
    """The result of a run on a machine without failures."""

    standings: str
    record: dict[str, list[Any]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Plays the tournament without an interruption: three bots, all pairs, 6 matches."""
    shop = a_shop(tmp_path_factory.mktemp("undisturbed"))
    run = shop.run("--json")
    assert run.returncode == 0
    return Undisturbed(run.stdout, timeless(shop.logs))


def a_shop(folder: Path) -> Workshop:
    return Workshop(folder, 3, workers=1)


def limited(option: str) -> tuple[str, ...]:
    """Words before a command, which set a limit by ulimit. They also switch off the
    measurement of coverage, which would hit the limit first."""
    unmeasured = "unset COVERAGE_PROCESS_CONFIG COVERAGE_PROCESS_START"
    return ("sh", "-c", f'{unmeasured}; ulimit {option}; exec "$@"', "sh")


def stops(run: "CompletedProcess[str]", shop: Workshop, why: str) -> None:
    """Checks that the run stopped with one sentence that says why, and that its record verifies."""
    assert run.returncode == 3, run.stderr
    sentence = run.stderr.rpartition("Error: ")[2]
    assert sentence.endswith(GOES_ON)
    assert sentence.count("\n") == 1
    assert why in sentence
    if (shop.logs / "tournament.jsonl").exists():
        verify(shop.logs)


def goes_on(shop: Workshop, undisturbed: Undisturbed, under: Sequence[str] = ()) -> None:
    """Checks that the same command, without the failure, ends the run as if there had been no failure."""
    last = shop.run("--json", under=under)
    assert last.returncode == 0, last.stderr
    assert re.sub('"voids": [0-9]+', '"voids": 0', last.stdout) == undisturbed.standings
    assert timeless(shop.logs) == undisturbed.record
    verify(shop.logs)


# -- the disk --------------------------------------------------------------------------------------


def test_a_file_that_may_not_grow_stops_the_run(tmp_path: Path, undisturbed: Undisturbed) -> None:
    shop = a_shop(tmp_path)
    stopped = shop.run(under=limited("-f 8"))
    stops(stopped, shop, ".jsonl: File too large (`ulimit -f` says how large a file may be)")
    goes_on(shop, undisturbed)


@pytest.mark.skipif(
    subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode != 0,
    reason="nothing can be mounted here",
)
def test_a_full_disk_stops_the_run_and_with_more_room_it_goes_on(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    shop = a_shop(tmp_path)
    disk = tmp_path / "logs"
    disk.mkdir()
    script = f"""
        mount -t tmpfs -o size=20k none {disk}
        "$@"; echo "exit code $?" >&2
        mount -o remount,size=9m {disk}
        cp -a {disk} {tmp_path}/full
        "$@"; echo "exit code $?" >&2
        cp -a {disk} {tmp_path}/kept
    """
    both = shop.run(under=("unshare", "-rm", "sh", "-c", script, "sh"))
    assert re.findall("exit code (.)", both.stderr) == ["3", "0"]
    assert f": No space left on device (delete something, or write elsewhere){GOES_ON}" in both.stderr
    verify(tmp_path / "full" / "demo")
    assert timeless(tmp_path / "kept" / "demo") == undisturbed.record
    verify(tmp_path / "kept" / "demo")


def test_a_folder_of_logs_that_may_not_be_written_to_stops_the_run(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    shop = a_shop(tmp_path)
    (tmp_path / "logs").mkdir(mode=0o500)
    stops(shop.run(under=AS_ANYBODY), shop, f"{shop.logs}: Permission denied")
    (tmp_path / "logs").chmod(0o700)
    goes_on(shop, undisturbed)


def test_a_record_that_may_no_longer_be_written_to_stops_the_run(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    shop = a_shop(tmp_path)
    process = shop.start()
    shop.set_fuse(2, signal.SIGINT, process.pid)
    process.communicate()
    journal = shop.logs / "tournament.jsonl"
    journal.chmod(0o400)
    stops(shop.run(under=AS_ANYBODY), shop, f"{journal}: Permission denied")
    journal.chmod(0o600)
    goes_on(shop, undisturbed)


# -- descriptors and processes ---------------------------------------------------------------------


@pytest.mark.parametrize("most", [12, 25])
def test_too_few_descriptors_stop_the_run(tmp_path: Path, undisturbed: Undisturbed, most: int) -> None:
    shop = a_shop(tmp_path)
    stops(shop.run("--workers", "2", under=limited(f"-n {most}")), shop, "Too many open files")
    goes_on(shop, undisturbed)


@pytest.mark.parametrize("most", [1, 6] if AS_ROOT else [1])
def test_too_few_processes_stop_the_run(tmp_path: Path, undisturbed: Undisturbed, most: int) -> None:
    shop = a_shop(tmp_path)
    (tmp_path / "logs").mkdir(mode=0o777)
    for each in (tmp_path, tmp_path / "logs"):
        each.chmod(0o777)
    user = AS_USER if AS_ROOT else ()
    stops(shop.run("--workers", "2", under=(*user, "prlimit", f"--nproc={most}")), shop, "")
    goes_on(shop, undisturbed, under=user)


# -- bots ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loot", ["main.py", "bot.sh"])
def test_a_bot_whose_files_are_taken_away_plays_on_from_its_copy(tmp_path: Path, loot: str) -> None:
    shop = a_shop(tmp_path)
    (shop.bots[0] / "main.py").write_text(ROBBER)
    robbed = shop.bots[1]
    (robbed / "bot.sh").write_text("#!/bin/sh\nexec python3 -I -S main.py\n")
    (robbed / "bot.sh").chmod(0o755)
    (robbed / "bot.toml").write_text('run = "./bot.sh"\n')
    (shop.bots[0] / ".loot").write_text(str(robbed / loot))
    last = shop.run("--json")
    assert last.returncode == 0
    assert not (robbed / loot).exists()
    assert '"disqualified": []' in last.stdout
    assert '"is":"void"' not in (shop.logs / "tournament.jsonl").read_text()
    verify(shop.logs)


@pytest.mark.parametrize(
    "harm",
    [
        "os.unlink('main.py'); os._exit(1)",
        "os.chmod('bot.sh', 0o600); os._exit(1)",
        "shutil.rmtree(os.getcwd())",
    ],
)
def test_a_bot_without_isolation_gains_nothing_by_harming_its_own_files(tmp_path: Path, harm: str) -> None:
    """The bot is charged with all of its faults, and no attempt is void."""
    shop = Workshop(tmp_path, 3, policy="forfeit", workers=1)
    vandal = shop.bots[0]
    told = "import os, shutil, sys\nfor line in sys.stdin:\n    if line[:5] == 'hello':\n"
    told += "        print('hello 1', flush=True)\n"
    (vandal / "main.py").write_text(f"{told}    else:\n        {harm}\n        os._exit(1)\n")
    (vandal / "bot.sh").write_text("#!/bin/sh\nexec python3 -I -S main.py\n")
    (vandal / "bot.sh").chmod(0o755)
    (vandal / "bot.toml").write_text('run = "./bot.sh"\n')
    last = shop.run("--json")
    assert last.returncode == 0, last.stderr
    rows = {row["bot"]: row for row in json.loads(last.stdout)["standings"]}
    assert [rows[bot]["faults"] for bot in ("bot1", "bot2", "bot3")] == [rows["bot1"]["matches"], 0, 0]
    assert rows["bot1"]["matches"] > 1
    assert '"is":"void"' not in (shop.logs / "tournament.jsonl").read_text()
    verify(shop.logs)


def test_a_machine_on_which_nothing_can_be_played_is_said_to_be_one(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 4, deals=1, workers=1)
    (shop.bots[0] / "main.py").write_text(ROBBER)
    tool = tmp_path / "tools" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexec python3 -I -S main.py\n")
    tool.chmod(0o755)
    for bot in shop.bots[1:]:
        (bot / "bot.toml").write_text('run = "tool"\n')
    (shop.bots[0] / ".loot").write_text(str(tool))
    with_tool = ("env", f"PATH={tool.parent}:{os.environ['PATH']}")
    stopped = shop.run(under=with_tool)
    stops(stopped, shop, f" sittings failed, 3 times each: {tool} could not be started: No such file")
    shutil.move(shop.bots[0] / ".taken", tool)
    assert shop.run(under=with_tool).returncode == 0
    verify(shop.logs)


# -- the clock -------------------------------------------------------------------------------------


def test_a_clock_that_is_set_while_it_plays_decides_nothing(tmp_path: Path, undisturbed: Undisturbed) -> None:
    steps = tmp_path / "steps"
    steps.mkdir()
    (steps / "sitecustomize.py").write_text(
        "import itertools, time\n"
        "days = itertools.count()\n"
        "time.time = lambda: 1e9 + 86400 * (-1) ** next(days) * next(days)\n"
        "time.time_ns = lambda: int(1e9 * time.time())\n"
    )
    shop = a_shop(tmp_path)
    done = shop.run("--json", under=("env", f"PYTHONPATH={steps}:{ROOT}"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == undisturbed.standings
    assert timeless(shop.logs) == undisturbed.record


def test_only_hand_ins_versions_of_a_bench_and_ends_of_sessions_ask_for_the_time_of_day() -> None:
    asks = re.compile(
        r"\btime\.time|\btime_ns\b|\b(now|today|localtime|gmtime|ctime|st_mtime)\(|CLOCK_REALTIME"
    )
    imports = re.compile(r"^from time import .*\btime\b", re.MULTILINE)
    may = {ROOT / "harness" / "cli" / "commands" / name for name in ("bench.py", "collect.py", "ladder.py")}
    for path in {*(ROOT / "harness").rglob("*.py")} - may:
        text = path.read_text()
        text = text.replace("monotonic_ns", "")
        assert not asks.search(text), path
        assert not imports.search(text), path
