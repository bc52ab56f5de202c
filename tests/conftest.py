"""Owns how hypothesis searches in every test, and where the tests keep what belongs to a user."""

import os

import pytest
from hypothesis import settings

# The same examples every time, on any machine: a test that fails, fails for everyone.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def _a_state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Results of builds are kept in a folder of their user. The tests have one of their own."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
