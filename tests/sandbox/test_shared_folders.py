"""Tests that harness removes all files that a bot with a user of its own left in folders like /tmp."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox.own_user import end_all
from harness.sandbox.shared_folders import FOLDERS, remove_all

ROOT = os.geteuid() == 0
pytestmark = [pytest.mark.real, pytest.mark.skipif(not ROOT, reason="only root has files of other users")]
LEAVES = """
import os, sys
os.setuid(int(sys.argv[1]))
for folder in sys.argv[2:]:
    if os.access(folder, os.W_OK):
        os.mkdir(f"{folder}/note-{os.getuid()}")
        open(f"{folder}/note-{os.getuid()}/inside", "w").close()
        os.symlink("/etc/passwd", f"{folder}/link-{os.getuid()}")
"""


def left_by(user: int) -> list[Path]:
    return [path for folder in FOLDERS for path in folder.glob(f"*-{user}")]


def test_the_files_of_a_bot_end_with_its_processes() -> None:
    user = 1_000_000 + os.getpid()
    subprocess.run((sys.executable, "-c", LEAVES, str(user), *map(str, FOLDERS)), check=True)
    assert left_by(user)
    end_all(user)
    assert left_by(user) == []


def test_the_files_of_others_stay(tmp_path: Path) -> None:
    user = 1_000_000 + os.getpid()
    (tmp_path / "ours").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "theirs").write_text("")
    os.chown(tmp_path / "folder" / "theirs", user, user)
    (tmp_path / "theirs").symlink_to(tmp_path / "ours")
    os.chown(tmp_path / "theirs", user, user, follow_symlinks=False)
    remove_all(user, (tmp_path, tmp_path / "missing"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "ours"]
    assert (tmp_path / "folder" / "theirs").exists()
