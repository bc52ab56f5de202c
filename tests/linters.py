"""Owns how tests run the linters of workflow files, which the extra `workflows` installs."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

BIN = Path(sys.executable).parent


def lint(program: str, *arguments: str | Path) -> None:
    """Runs a linter on files. Without the linter, the test is skipped, but in `.ci/run` it fails."""
    path = which(program, path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if path is None:
        (pytest.fail if os.environ.get("HARNESS_CI") else pytest.skip)(f"{program} is not installed")
    done = subprocess.run(
        [path, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
