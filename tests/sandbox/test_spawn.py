"""Tests bots without a sandbox: programs that cannot be started, and the counter of the time on a core."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.sandbox import cpu_counter, launch, spawn
from harness.sandbox.spawn import FEW, Spawned
from tests.play.live_sittings import script

pytestmark = pytest.mark.real


def a_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o777)


HARM: dict[str, Callable[[Path], object]] = {
    "is gone": Path.unlink,
    "is a folder": a_folder,
    "is a link to itself": a_link,
    "is a pipe": a_pipe,
    "is no program": lambda path: path.write_bytes(bytes(range(256))),
    "is run by what is not there": lambda path: path.write_text("#!/nowhere\n"),
    "is run by a folder": lambda path: path.write_text("#!/\n"),
    "may not be executed": lambda path: path.chmod(0o600),
    "is gone with its folder": lambda path: shutil.rmtree(path.parent),
}


def started(folder: Path, program: str) -> tuple[int, bytes]:
    """The exit status of a process, and its last words."""
    wanted = launch((program,), folder, None)
    with spawn.start(wanted, subprocess.DEVNULL, subprocess.DEVNULL, subprocess.PIPE) as process:
        errors = process.communicate()[1]
    return process.returncode, errors


@pytest.mark.parametrize("harm", HARM)
def test_a_program_of_the_bot_that_cannot_be_started_has_ended(tmp_path: Path, harm: str) -> None:
    home = tmp_path / "bot"
    home.mkdir()
    program = Path(script(home, "bot.sh", "#!/bin/sh\nexit 7\n").argv[0])
    assert started(home, str(program)) == (7, b"")
    HARM[harm](program)
    status, errors = started(home, str(program))
    assert status == 127
    assert errors.startswith(f"{program}: ".encode())


def test_a_program_of_the_machine_that_cannot_be_started_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        started(tmp_path, "/nowhere/program")


# -- the counter of the time on a core -------------------------------------------------------------


def counted(folder: Path, children: int) -> tuple[int, int]:
    """The time on a core when the counter has ended, and after it began again and the bot has computed."""
    sleeping = "sleep 99 & " * children
    computing = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"
    script = f"{sleeping} echo begun; read -r line; {computing}; echo done; read -r line"
    spawned = Spawned(launch(("/bin/sh", "-c", script), folder, folder))
    assert spawned.popen.stdin
    assert spawned.popen.stdout
    try:
        assert spawned.popen.stdout.readline() == b"begun\n"
        spawned.count_on_core(False)
        ended_us = spawned.on_core_us()
        spawned.count_on_core(True)
        spawned.popen.stdin.write(b"\n")
        assert spawned.popen.stdout.readline() == b"done\n"
        return ended_us, spawned.on_core_us()
    finally:
        spawned.end()
        for pipe in (spawned.popen.stdin, spawned.popen.stdout, spawned.popen.stderr):
            if pipe:
                pipe.close()


@pytest.mark.skipif(not cpu_counter.available(), reason="no counter on this machine")
@pytest.mark.parametrize("children", [0, FEW - 1])
def test_the_counter_of_a_bot_with_few_threads_ends_and_begins_again(tmp_path: Path, children: int) -> None:
    ended_us, again_us = counted(tmp_path, children)
    assert ended_us < 0
    assert again_us > 1_000


@pytest.mark.skipif(not cpu_counter.available(), reason="no counter on this machine")
def test_the_counter_of_a_bot_with_many_threads_goes_on(tmp_path: Path) -> None:
    ended_us, again_us = counted(tmp_path, FEW)
    assert 0 <= ended_us < again_us
