"""Tests with axe-core that everybody can use the pages, also with a disability: WCAG 2.2 AA and best
practice, in both themes, at two widths. No page writes errors to the console or loads anything from a
network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser
from tests.report.feedback.test_page_browser import SCHEME
from tests.report.web.test_web_browser import GAMES

AXE, LOADED = Axe(), Axe("axe.version")
"""AXE loads axe-core into a page, which takes long. LOADED uses the axe-core that is already in the page."""
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that can give another result when only the colours change."""


@pytest.fixture
def asked(browser: Browser) -> Iterator[Browser]:
    """The browser. After the test, it asserts that no page wrote an error or asked a network for anything."""
    browser.complaints.clear()
    browser.requests.clear()
    yield browser
    assert browser.complaints == []
    assert browser.requests == []


def _violations(browser: Browser, page: Path, anchor: str = "", before: str = "0") -> list[str]:
    """What axe-core reports: each rule that a page breaks, at both widths and in both themes."""
    found, axe = [], AXE
    browser.look(width=1440)
    browser.open(page, anchor)
    browser.run(before)
    for width, height in ((1440, 900), (390, 844)):
        for dark in (False, True):
            browser.look(width=width, height=height, dark=dark)
            rules = COLOURS if dark else ALL
            options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
            results, axe = browser.use(partial(axe.run, options=options)), LOADED
            found += [
                f"{width} {'dark' if dark else 'light'} {rule['id']}: {node['html'][:160]}"
                for rule in results.response["violations"]
                for node in rule["nodes"]
            ]
    return found


@pytest.mark.parametrize("game", [*GAMES, "openspiel:leduc_poker"], ids=lambda game: Path(game).stem)
def test_axe_finds_nothing_in_a_viewer(asked: Browser, tmp_path: Path, game: str) -> None:
    """The position of a game of OpenSpiel has no drawing: its viewer shows text."""
    seats, options = GAMES.get(game, (2, {}))
    logs = played.write(tmp_path, game, seats, options=options)
    assert harness("report", logs).exit_code == 0
    middle = "go(Math.floor(stops.length / 2))"
    assert _violations(asked, logs / "report" / "match.html", "#1.1.1.1", middle) == []


def test_axe_finds_nothing_in_the_first_page_in_that_of_a_bot_and_in_that_of_a_team(
    asked: Browser, tmp_path: Path
) -> None:
    logs = played.write(tmp_path, "sevens", 3, deals=2, fault_at=4)
    scheme = tmp_path / "scheme.toml"
    scheme.write_text(SCHEME)
    assert harness("report", logs).exit_code == 0
    assert harness("grade", logs, "--scheme", scheme, "--report", "https://example.org").exit_code == 0
    pages = (("report/index.html", ""), ("report/bot.html", "#anna"), ("grades/feedback/bert.html", ""))
    for page, anchor in pages:
        assert _violations(asked, logs / page, anchor) == [], page


def test_axe_would_find_what_is_wrong(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "poor.html"
    page.write_text(
        "<!doctype html><html><body><img src='x.png'><p style='color:#999'>Soft</p></body></html>"
    )
    found = " ".join(_violations(browser, page))
    assert "image-alt" in found
    assert "dark color-contrast" in found
