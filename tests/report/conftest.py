"""Starts one browser for all tests of the report."""

from collections.abc import Iterator

import pytest

from tests.report.browser import Browser, open_browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser; each test sets the size of the screen that it needs."""
    with open_browser() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _screen(request: pytest.FixtureRequest) -> None:
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").look()
