"""Tests that folders of copies are removed, also those of killed processes, but never those in use."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from harness.sandbox.builds.copies import PREFIX, folder_of_copies


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files. Beside it is the file `precious`, which must not change."""
    (tmp_path / "precious").write_text("precious\n")
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_folder_is_private_and_removed_at_the_end(temporary: Path) -> None:
    with folder_of_copies() as place:
        (place / "bot").mkdir()
        assert place.stat().st_mode & 0o777 == 0o700
    assert list(temporary.iterdir()) == []


def test_a_folder_that_a_killed_process_left_is_removed(temporary: Path) -> None:
    left = temporary / f"{PREFIX}left" / "bot"
    left.mkdir(parents=True)
    (left / "main.py").write_text("print()\n")
    with folder_of_copies() as place:
        assert list(temporary.iterdir()) == [place]


def test_a_folder_in_use_stays(temporary: Path) -> None:
    with folder_of_copies() as first, folder_of_copies() as second:
        assert first.is_dir()
        assert first != second


def test_a_link_with_such_a_name_is_not_followed(temporary: Path) -> None:
    link = temporary / f"{PREFIX}link"
    link.symlink_to(temporary.parent)
    with folder_of_copies():
        assert link.is_symlink()
    assert (temporary.parent / "precious").read_text() == "precious\n"


def test_a_folder_of_another_user_stays(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = temporary / f"{PREFIX}other"
    left.mkdir()
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    with folder_of_copies():
        assert left.is_dir()
