"""Tests bots without a sandbox whose programs cannot be started."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import get_ident

import pytest

from harness.model import Limits
from harness.sandbox import bare, launch
from harness.sandbox.spawn import limit
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
    """The exit status of a process, and what it wrote to stderr."""
    wanted = launch((program,), folder, None)
    with bare.start(wanted, subprocess.DEVNULL, subprocess.DEVNULL, subprocess.PIPE) as process:
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


def test_a_thread_returns_what_its_function_returns() -> None:
    assert bare.in_thread(get_ident) != get_ident()
    with pytest.raises(ZeroDivisionError):
        bare.in_thread(lambda: 1 // 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these limits")
def test_a_bot_has_no_right_to_a_higher_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user of harness may have this right, for example to record music. A bot must not get it."""
    taken: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "prlimit", lambda pid, which, most: taken.update({which: most}))
    limit(0, Limits(), processes=False)
    assert taken[resource.RLIMIT_RTPRIO] == taken[resource.RLIMIT_NICE] == (0, 0)
    assert {"--nice=0", "--rtprio=0"} <= {*bare._limited(Limits())}
