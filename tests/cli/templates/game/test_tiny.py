"""Tests the template of a game: its test file passes in any folder. It runs in a process of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

from harness.cli.workspace import TEMPLATES

FILES = ("tiny.py", "tiny.md", "test_tiny.py")


def test_the_game_to_copy_passes_its_own_tests_in_another_folder(tmp_path: Path) -> None:
    for name in FILES:
        shutil.copy(TEMPLATES / "game" / name, tmp_path)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_tiny.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_game_to_copy_imports_nothing_of_the_harness_but_games() -> None:
    source = (TEMPLATES / "game" / "tiny.py").read_text()
    imports = [line for line in source.splitlines() if line.startswith(("from harness", "import harness"))]
    assert [line.split(" import ")[0] for line in imports] == ["from harness.games"]


def test_the_game_to_copy_is_what_the_folder_holds() -> None:
    files = {path.name for path in (TEMPLATES / "game").iterdir() if path.is_file()}
    assert files == set(FILES)
