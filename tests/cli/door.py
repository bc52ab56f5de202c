"""Owns how tests run commands: in this process, or in a process of their own; asserts nothing."""

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from harness.cli.main import main
from harness.cli.workspace import TEMPLATES

TINY = str(TEMPLATES / "game" / "tiny.py")
STARTER = str(Path(__file__).parent.parent.parent / "bots" / "starters" / "python")


def harness(*arguments: str | Path) -> Result:
    """Runs the command in this process. Not for commands that need a terminal."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="harness")


def typed(text: str, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Runs the command in a process of its own, with this text as its input."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *map(str, arguments)],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def a_bot(folder: Path, text: str, name: str = "bot") -> Path:
    """Makes a bot of this script. The first line of the script names the program that runs it."""
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path
