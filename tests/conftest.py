"""Owns what all tests share: how hypothesis chooses examples, which tests run first, the folders that all
tests use, what tests of live bots need, and the small record that many tests read."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from harness.bot.process import become_subreaper
from tests.cli.workshop import with_violator

# Hypothesis chooses the same examples every time, on any machine: a test that fails, fails for everyone.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

LONG = frozenset(
    ("test_streams_commands.py", "test_run_saturated.py", "test_hints_mistakes.py", "test_run_crash.py")
)
"""The files in which a test, or a fixture of all its tests, takes more than ten seconds. They run first: if
they ran last, the other test processes would have to wait for them."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.fixture(scope="session", autouse=True)
def _a_state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Results of builds are kept in a folder of the user. The tests get another folder for them."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def _as_a_worker(request: pytest.FixtureRequest) -> None:
    """Lets this process adopt the orphans of live bots, as a worker does."""
    if request.node.get_closest_marker("real"):
        become_subreaper()


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which all bots have their scratch directories during this test."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a small tournament with two runs, in which one bot breaks a rule."""
    shop = with_violator(tmp_path_factory.mktemp("verify"))
    assert shop.run().returncode == 0
    return shop.logs


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    """A copy of the logs, which a test may change."""
    return Path(shutil.copytree(record, tmp_path / "logs"))
