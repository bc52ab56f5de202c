"""Owns how hypothesis searches in every test, which tests begin, where the tests keep what belongs to a user,
what tests of live bots need of this process, and the small record that many tests look at."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from harness.bot.process import become_subreaper
from tests.cli.workshop import with_violator

# The same examples every time, on any machine: a test that fails, fails for everyone.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

LONG = frozenset(
    ("test_streams_commands.py", "test_run_saturated.py", "test_hints_mistakes.py", "test_run_crash.py")
)
"""The files in which a test, or what all its tests need, takes more than ten seconds. They begin, because at
the end of a run the other test processes would wait for them."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.fixture(scope="session", autouse=True)
def _a_state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Results of builds are kept in a folder of their user. The tests have one of their own."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def _as_a_worker(request: pytest.FixtureRequest) -> None:
    """Orphans of live bots come to this process, as they come to a worker."""
    if request.node.get_closest_marker("real"):
        become_subreaper()


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the scratch directories of all bots lie meanwhile: each knows this path from its environment."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a small tournament with a violator and two runs."""
    shop = with_violator(tmp_path_factory.mktemp("verify"))
    assert shop.run().returncode == 0
    return shop.logs


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    """Logs to be tampered with."""
    return Path(shutil.copytree(record, tmp_path / "logs"))
