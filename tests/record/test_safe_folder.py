"""Tests attacks on a run through its folder of logs, and signals during a run."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness import read_log
from harness.errors import InputError
from harness.record.disk import put
from harness.record.lock import lock_for_controller
from harness.record.run_folder import plan_in
from harness.record.safe_folder import check_own, is_inside
from harness.sandbox.process_tree import children
from tests.cli.workshop import Workshop, command, harness

pytestmark = pytest.mark.whole

PLANTED = (
    *(".controller", ".workers", "plan.json", "plan.new", "tournament.jsonl", "mask.json"),
    *("tournament.jsonl.sig", "run-1", "run-1/000", "run-1/000/000001.jsonl", "report"),
)


@pytest.mark.parametrize("name", PLANTED)
def test_a_run_follows_no_link_that_somebody_planted(tmp_path: Path, name: str) -> None:
    shop = Workshop(tmp_path, 2)
    victim = tmp_path / "victim"
    victim.write_text("precious\n")
    link = shop.logs / name
    link.parent.mkdir(parents=True)
    link.symlink_to(victim)
    told = shop.run_here()
    assert told.returncode == 1
    assert f"Error: {link}: this is a link; a record has only plain files and folders" in told.stderr
    assert victim.read_text() == "precious\n"


def test_a_run_waits_for_no_pipe_that_somebody_planted(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2)
    shop.logs.mkdir(parents=True)
    os.mkfifo(shop.logs / "tournament.jsonl")
    told = shop.run_here()
    assert told.returncode == 1
    assert "this is no plain file" in told.stderr


@pytest.mark.parametrize("command", ["verify", "standings", "status", "report"])
def test_no_command_quotes_a_file_outside_of_a_record_that_somebody_sent(
    copy: Path, tmp_path: Path, command: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the key of the safe\n")
    errors = min(copy.rglob("*.stderr"))
    errors.unlink()
    errors.symlink_to(secret)
    told = harness(command, str(copy))
    assert told.returncode == 1
    assert f"{errors}: this is a link" in told.stderr
    assert "safe" not in told.stdout + told.stderr


def test_a_link_to_a_whole_folder_of_logs_is_as_good_as_the_folder(copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(copy)
    assert plan_in(link) == link / "plan.json"


def test_a_folder_of_another_user_is_refused(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    check_own(copy, said.append)
    assert said == []
    owner = copy.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(InputError, match=r"this folder belongs to the user .*--logs"):
        check_own(copy, said.append)


def test_a_link_of_another_user_is_refused_though_the_folder_is_ones_own(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(copy)
    status = os.lstat(link)
    others = os.stat_result((*status[:4], status.st_uid + 1, *status[5:10]))
    monkeypatch.setattr(Path, "lstat", lambda path: others)
    with pytest.raises(InputError, match="this folder belongs to the user"):
        check_own(link, print)


def test_a_folder_to_which_others_may_write_is_warned_of(copy: Path) -> None:
    said: list[str] = []
    copy.chmod(0o777)
    check_own(copy, said.append)
    assert said == [f"warning: others may write to {copy}, and could change the record: chmod go-w {copy}"]


def test_a_folder_that_others_may_exchange_is_warned_of(tmp_path: Path) -> None:
    said: list[str] = []
    around = tmp_path / "around"
    around.mkdir()
    # With the sticky bit on this folder, other users may not rename our files in it.
    for mode in (0o755, 0o1777, 0o777):
        around.chmod(mode)
        check_own(around / "demo", said.append)
    assert said == [
        f"warning: others may write to {around}, and could replace the record: chmod go-w {around}"
    ]


def test_a_folder_around_that_belongs_to_another_user_is_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = os.stat(tmp_path)
    others = os.stat_result((*status[:4], 65_432, *status[5:10]))
    monkeypatch.setattr(Path, "stat", lambda path, follow_symlinks=True: others)
    said: list[str] = []
    check_own(tmp_path / "demo", said.append)
    assert said == [
        f"warning: {tmp_path} belongs to the user with the number 65432, who could replace the record"
    ]


def test_a_link_that_comes_while_a_file_is_written_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious\n")
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic links"):
        put(tmp_path / "link", 0, b"other")
    assert (tmp_path / "victim").read_text() == "precious\n"


# -- signals ---------------------------------------------------------------------------------------

# A program that sends itself Ctrl-C at a moment at which no command runs.
AT_IMPORT = """
import os, signal, sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "harness.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
"""
AT_EXIT = """
import atexit, os, signal
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
"""


BY_DEFAULT = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""The first line of a program that does not ignore Ctrl-C, even if the tests run in the background."""
GAMES = """
import sys
sys.argv = ["harness", "games"]
from harness.__main__ import main
main()
"""


@pytest.mark.parametrize("moment", [AT_IMPORT, AT_EXIT])
def test_an_interrupt_before_or_after_the_command_ends_it_without_a_traceback(moment: str) -> None:
    code = BY_DEFAULT + moment + GAMES
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (-signal.SIGINT, "")


def test_signals_that_a_shell_ignores_stay_ignored() -> None:
    code = f"import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n{AT_EXIT}{GAMES}"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_flood_of_signals_costs_nothing_but_the_matches_under_way(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Coverage would write its own files when the process ends, and the flood of signals would stop that.
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
    shop = Workshop(tmp_path, 3, deals=10)
    flooded = shop.start()
    assert flooded.stderr is not None
    # The run prints lines before it plays. It plays when the journal exists.
    while flooded.stderr.readline().strip() != "":
        if (shop.logs / "tournament.jsonl").exists():
            break
    while flooded.poll() is None:
        os.kill(flooded.pid, number)
    _, said = flooded.communicate()
    assert "Traceback" not in said
    assert "bug" not in said
    assert shop.run().returncode == 0
    assert harness("verify", str(shop.logs)).returncode == 0


def is_worker(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def test_an_interrupt_while_workers_start_lets_them_start(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to all processes, and a worker that is starting cannot handle it yet."""
    shop = Workshop(tmp_path, 2)
    run = shop.start("--workers", "1")
    while run.poll() is None and not any(map(is_worker, children(run.pid))):
        pass
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate()
    assert "interrupted: running matches will end" in said
    assert "Traceback" not in said
    assert run.returncode == 3
    assert shop.run("--workers", "1").returncode == 0
    assert list(read_log(shop.logs, "void")) == []
    verify = subprocess.Popen(command("verify", str(shop.logs), "--workers", "2"), start_new_session=True)
    while verify.poll() is None and not (workers := [*filter(is_worker, children(verify.pid))]):
        pass
    assert all(map(hears_no_interrupt, workers))
    assert verify.wait() == 0


def hears_no_interrupt(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return bool(int(status.partition("SigBlk:")[2].split()[0], 16) & 1 << signal.SIGINT - 1)


# -- races -----------------------------------------------------------------------------------------


def test_the_lock_of_a_folder_that_was_moved_away_protects_nothing(tmp_path: Path) -> None:
    """The second run waits for the lock, and the first run moves the folder and makes a new one. The old lock
    would not keep a third run out of the new folder."""
    folder = tmp_path / "demo"
    folder.mkdir()
    with lock_for_controller(folder):
        waits = subprocess.Popen(
            [sys.executable, "-c", WAITS, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert waits.stdout is not None
        assert waits.stdout.readline() == "waits\n"
        while not has_open(waits.pid, folder / ".controller"):
            pass
        folder.rename(tmp_path / "demo~1")
        folder.mkdir()
    out, _ = waits.communicate()
    assert out.splitlines()[-1].endswith("the folder was moved while another run used it; try again")


WAITS = """
import sys
from pathlib import Path
from harness.record.lock import lock_for_controller
print("waits", flush=True)
with lock_for_controller(Path(sys.argv[1]), patience=60):
    print("has it")
"""


def has_open(pid: int, path: Path) -> bool:
    """Whether a process has this file open."""
    return any(os.path.realpath(each) == str(path.resolve()) for each in Path(f"/proc/{pid}/fd").iterdir())


@pytest.mark.parametrize("how", ["moved", "deleted", "replaced"])
def test_a_folder_that_vanishes_while_it_is_played_in_stops_the_run_with_a_sentence(
    tmp_path: Path, how: str
) -> None:
    shop = Workshop(tmp_path, 3, deals=40)
    run = shop.start("--workers", "1")
    while not list(shop.logs.glob("run-1/*/*.jsonl")):
        assert run.poll() is None
    shop.logs.rename(shop.logs.with_name("elsewhere"))
    if how == "deleted":
        shutil.rmtree(shop.logs.with_name("elsewhere"))
    if how == "replaced":
        shutil.copytree(shop.logs.with_name("elsewhere"), shop.logs)
    _, said = run.communicate()
    assert run.returncode == 3
    assert f"{shop.logs} was moved or deleted while the tournament was played" in said


def test_a_link_or_a_new_folder_does_not_hide_that_a_path_is_inside(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (tmp_path / "link").symlink_to(bot)
    for path in (bot, bot / "new" / "newer", tmp_path / "link" / "new", bot / ".." / "bot" / "new"):
        assert is_inside(path, bot)
        assert is_inside(path, tmp_path / "link")
    for path in (tmp_path, tmp_path / "bot2", bot / ".." / "logs"):
        assert not is_inside(path, bot)
