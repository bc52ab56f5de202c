"""Tests `harness bench` as a whole: versions, the champion, a crash, Ctrl-C during `--watch`, wrong input."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.record.bench import FILE
from harness.record.run_folder import make
from tests.cli.commands.test_better import BROKEN, GOOD
from tests.cli.door import TINY, harness
from tests.league.handed import BOT, PLAYS, a_folder

pytestmark = pytest.mark.whole

FIXED = ("--game", TINY, "--isolation", "none", "--workers", "1", "--matches", "64")


def bench(home: Path, *more: str) -> dict[str, Any]:
    done = harness("bench", home / "mine", *FIXED, "--logs", home / "logs", "--json", *more)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write(home: Path, text: str) -> None:
    a_folder(home / "mine", {**BOT, "main.py": text})


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """The bench after each of four versions of a bot: a broken one, a calm one, a better one, a worse one."""
    home = tmp_path_factory.mktemp("bench")
    states = []
    for text in (BROKEN, PLAYS, GOOD, PLAYS + "# other\n"):
        write(home, text)
        states.append(bench(home))
    return home, states


def test_the_first_version_that_plays_is_the_champion(found: tuple[Path, list[dict[str, Any]]]) -> None:
    _, (broken, calm, *_) = found
    assert broken["champion"] is None
    [version] = broken["versions"]
    assert (version["state"], version["version"]) == ("faulty", 1)
    assert "exit status 1" in version["why"]
    assert calm["champion"] == "bot@2"


def test_only_a_better_version_becomes_the_champion(found: tuple[Path, list[dict[str, Any]]]) -> None:
    _, (*_, better, worse) = found
    assert better["champion"] == worse["champion"] == "bot@3"
    new, old = better["versions"][2], worse["versions"][3]
    assert (new["state"], new["against"]) == ("promoted", "bot@2")
    assert new["why"].startswith("better than bot@2: ")
    assert (old["state"], old["against"]) == ("not promoted", "bot@3")
    assert old["why"].startswith("worse than bot@3: ")
    assert "it answered `bid 0`, and the champion answered `bid 2`" in old["evidence"][0]


def test_the_page_says_why_and_the_matches_are_a_record(found: tuple[Path, list[dict[str, Any]]]) -> None:
    home, states = found
    page = (home / "logs" / "bench-mine" / "index.html").read_text()
    assert "watch.js" not in page
    for version in states[-1]["versions"]:
        assert version["why"].split("; ")[0].rstrip(".") in page.replace("&#39;", "'")
    assert harness("verify", states[-1]["versions"][2]["logs"], "--workers", "1").exit_code == 0


def test_files_that_are_known_are_no_new_version(found: tuple[Path, list[dict[str, Any]]]) -> None:
    home, states = found
    write(home, PLAYS)
    assert bench(home) == states[-1]


def test_a_bench_goes_on_after_a_crash(found: tuple[Path, list[dict[str, Any]]]) -> None:
    home, states = found
    path = home / "logs" / "bench-mine" / "bench.json"
    whole, half = json.loads(path.read_text()), json.loads(path.read_text())
    half["versions"][3] |= {"state": "waiting", "why": "", "matches": 0, "logs": ""}
    path.write_text(json.dumps(half))
    assert bench(home) == states[-1]
    assert json.loads(path.read_text()) == whole
    assert not (path.parent / "version-4-2").exists(), "the same record went on"


@pytest.mark.parametrize(
    ("forged", "told"),
    [
        ({"number": 7}, "version 1 has the number 7"),
        ({"version": 0}, "version 1 is the version 0 of its bot"),
        ({"bot": "a\nb"}, "version 1 has a bot of the name 'a\\nb': expected a name of"),
        ({"file": "../../x"}, "version 1 has a file of the name '../../x'"),
        ({"file": ".."}, "version 1 has a file of the name '..'"),
        ({"version": 2}, "two versions have the same name"),
        ({"bot": "other"}, "the champion 'bot@1' is not among its versions"),
    ],
)
def test_a_forged_file_is_told_by_its_own_name(tmp_path: Path, forged: dict[str, Any], told: str) -> None:
    path = make(tmp_path / "bench-mine") / FILE
    version = {"digest": "d", "found": "", "state": "promoted"}
    first, second = ({**version, "number": each, "bot": "bot", "version": each} for each in (1, 2))
    state = {"game": TINY, "champion": "bot@1", "versions": [first | forged, second]}
    path.write_text(json.dumps(state))
    write(tmp_path, PLAYS)
    done = harness("bench", tmp_path / "mine", *FIXED, "--logs", tmp_path)
    assert done.exit_code == 1
    assert f"Error: {path}: this file is damaged: {told}" in done.stderr


def test_a_version_whose_files_are_gone_is_told(tmp_path: Path) -> None:
    path = make(tmp_path / "bench-mine") / FILE
    version = {"number": 1, "bot": "bot", "version": 1, "digest": "d", "found": ""}
    path.write_text(json.dumps({"game": TINY, "versions": [version]}))
    write(tmp_path, PLAYS)
    done = harness("bench", tmp_path / "mine", *FIXED, "--logs", tmp_path)
    assert done.exit_code == 1
    gone = path.parent / "versions" / "1"
    assert done.stderr.endswith(f"Error: {gone}: the files of the version bot@1 are missing\n")


def test_a_watched_folder_gets_a_page_that_updates_itself_until_ctrl_c(tmp_path: Path) -> None:
    write(tmp_path, PLAYS)
    arguments = ["bench", str(tmp_path / "mine"), *FIXED, "--logs", str(tmp_path / "logs"), "--watch"]
    # If the tests run in the background, the command would otherwise ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    signal.signal(signal.SIGINT, before)
    try:
        assert process.stdout
        assert process.stdout.readline() == (
            "bot@1 is promoted: It is the first version that plays as it should.\n"
        )
        assert 'src="watch.js"' in (tmp_path / "logs" / "bench-mine" / "index.html").read_text()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, told
    assert "Champion: bot@1" in told
    assert "watch.js" not in (tmp_path / "logs" / "bench-mine" / "index.html").read_text()


def test_wrong_input_gets_one_sentence(found: tuple[Path, list[dict[str, Any]]], tmp_path: Path) -> None:
    home, _ = found
    for arguments, told in (
        ((tmp_path, "--game", TINY), f"{tmp_path}: there is no bot in this folder"),
        ((tmp_path / "none", "--game", TINY), f"{tmp_path / 'none'}: there is no such file or folder"),
        ((tmp_path,), "--game: give either the game, or --in with a league or a plan whose rules apply"),
        (
            (home / "mine", "--game", TINY, "--logs", home / "mine" / "logs"),
            "--logs: this folder is inside the bot's folder, and would change the bot; name another folder",
        ),
        (
            (home / "mine", "--game", "squash"),
            f"{home}/logs/bench-mine/bench.json: this bench is for the game {TINY}, not squash; name other "
            "logs with --logs",
        ),
    ):
        done = harness("bench", "--logs", home / "logs", *arguments)
        assert (done.exit_code, done.stderr.splitlines()[-1]) == (2, f"Error: {told}")


def test_a_mistyped_game_leaves_no_bench(tmp_path: Path) -> None:
    write(tmp_path, "")
    done = harness("bench", tmp_path / "mine", "--game", "sevns", "--logs", tmp_path / "logs")
    assert done.exit_code == 2
    assert "did you mean 'sevens'?" in done.stderr
    assert not (tmp_path / "logs").exists()
