"""Tests that harness can remove folders, although a bot has made them hard to remove."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox.removal import remove, temporary_folder

DIG = """
import os
for _ in range(2500):
    os.mkdir("d")
    open("f", "w").close()
    os.chdir("d")
"""


def dug(folder: Path) -> Path:
    """Makes a folder that contains so many nested folders that `shutil.rmtree` cannot remove it."""
    folder.mkdir()
    subprocess.run([sys.executable, "-c", DIG], cwd=folder, check=True)
    return folder


def test_a_folder_of_any_depth_is_removed(tmp_path: Path) -> None:
    deep = dug(tmp_path / "deep")
    remove(deep)
    assert not deep.exists()


def test_a_temporary_folder_goes_with_all_that_is_in_it() -> None:
    with temporary_folder("harness-test-") as place:
        dug(place / "deep")
        (place / "removed-0").write_text("a name that the removal would like to use")
        (place / "removed-1").mkdir()
    assert not place.exists()


def test_a_link_is_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "gone" / "inner").mkdir(parents=True)
    (tmp_path / "gone" / "inner" / "link").symlink_to(tmp_path / "kept")
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    remove(tmp_path / "gone")
    remove(tmp_path / "link")
    assert sorted(os.listdir(tmp_path)) == ["kept", "link"]
    assert os.listdir(tmp_path / "kept") == ["file"]


def test_a_folder_that_nobody_may_change_is_removed_by_its_owner(tmp_path: Path) -> None:
    (tmp_path / "gone" / "inner" / "last").mkdir(parents=True)
    for path in (tmp_path / "gone" / "inner", tmp_path / "gone"):
        path.chmod(0o500)
    remove(tmp_path / "gone")
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize("name", ["none", "file"])
def test_what_is_no_folder_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    remove(tmp_path / name)
    assert os.listdir(tmp_path) == ["file"]
