"""Owns what all tests of live bots need of this process; knows no single bot."""

import tempfile
from pathlib import Path

import pytest

from harness.bot.process import become_subreaper


@pytest.fixture(autouse=True)
def _as_a_worker() -> None:
    """Orphans of bots come to this process, as they come to a worker."""
    become_subreaper()


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the scratch directories of all bots lie meanwhile: each knows this path from its environment."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder
