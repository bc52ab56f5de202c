"""Starts one browser for all tests of the report."""

from collections.abc import Iterator

import pytest

from tests.report.browser import Browser, open_browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with one page; each test sets the size of the screen that it needs."""
    with open_browser(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _screen(request: pytest.FixtureRequest) -> None:
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").look()
