"""Tries the completion of commands, options, games and files in the shells that are installed."""

import os
import pty
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli.main import SUMMARIES
from tests.docs.commands_page import COMPLETION

TYPED = "harness standi\t rec\t --form\t\n"
COMPLETED = ["standings", "record/", "--format"]
READY, SAYS_IT = b"ready\r\n", "rea''dy"
"""The text that the shell prints when it is ready, and the typed word for it. They differ, because a terminal
also repeats what is typed."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with the program `harness` in bin/, and a folder `record` whose name can be completed."""
    program = tmp_path / "bin" / "harness"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m harness "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "record").mkdir()
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
    root = str(Path(__file__).parents[2])
    return kept | {"PATH": path, "PYTHONPATH": root, "HOME": str(home), "TERM": "xterm"}


def setup(shell: str) -> str:
    """The line for completion in this shell, as docs/commands.md has it."""
    return next(line for name, line, _ in COMPLETION if name == shell)


def has(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def typed(home: Path, *command: str, setup: str) -> list[str]:
    """The arguments of `harness` after somebody has typed TYPED in an interactive shell.

    The shell runs `setup` first. A shell function with the name `harness` writes its arguments to a file.
    Completion still asks the real program `harness`.
    """
    written = home / "arguments"
    there = f'harness() {{ printf "%s\\n" "$@" > {written}; }}; echo {SAYS_IT}\n'
    terminal, end = pty.openpty()
    with subprocess.Popen(
        command, stdin=end, stdout=end, stderr=end, cwd=home, env=environment(home), start_new_session=True
    ) as shell:
        os.close(end)
        os.write(terminal, f"{setup}\n{there}".encode())
        said = b""
        while READY not in said:
            said += os.read(terminal, 1_024)
        os.write(terminal, f"{TYPED}exit\n".encode())
        try:
            while os.read(terminal, 1_024):
                pass
        except OSError:  # The shell has ended, so the other end of the terminal is closed.
            os.close(terminal)
        assert shell.wait(60) == 0
    return written.read_text().splitlines()


@has("bash")
def test_bash_completes_commands_files_and_options(home: Path) -> None:
    assert typed(home, "bash", "--norc", "--noprofile", "-i", setup=setup("bash")) == COMPLETED


@has("zsh")
def test_zsh_completes_commands_files_and_options(home: Path) -> None:
    loaded = f"autoload -U compinit; compinit -u -D; {setup('zsh')}"
    # If a space is typed after a slash that zsh itself has added, zsh removes the slash.
    assert typed(home, "zsh", "-f", "-i", setup=loaded) == [word.rstrip("/") for word in COMPLETED]


@has("fish")
def test_fish_completes_commands_files_games_and_options(home: Path) -> None:
    words = ("harness standi", "harness standings rec", "harness standings --form", "harness play squ")
    asked = "; ".join(f"complete -C '{word}'" for word in words)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"{setup('fish')}; {asked}"],
        cwd=home,
        env=environment(home),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert found == ["standings", "record/", "--format", "squadron", "squash"]
    [summary] = [part["standings"] for part in SUMMARIES.values() if "standings" in part]
    assert f"standings\t{summary}" in done.stdout
