"""Tests that the pages of teams open in a browser for every game, on any screen, dark and light."""

from pathlib import Path
from typing import Any

import pytest

from harness.cli.workspace import TEMPLATES
from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser

TINY = str(TEMPLATES / "game" / "tiny.py")
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "sevens": (3, {}),
    "stratego": (2, {"quiet": 40, "plies": 120}),
    "squash": (4, {"variant": "cards"}),
    "squadron": (3, {"battles": 2, "turns": 8}),
    "biplane": (3, {"turns": 30}),
    TINY: (2, {}),
}
SCHEME = """
[[item]]
kind = "start"
points = 10
[[item]]
kind = "rank"
points = [10, 5]
"""
WIDTHS = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
INK = "getComputedStyle(document.body).color"


def pages(folder: Path, game: str) -> list[Path]:
    """The pages of a small tournament in which one bot gives one nonsense answer."""
    seats, options = GAMES[game]
    logs = played.write(folder, game, seats, options=options, fault_at=1)
    scheme = folder / "scheme.toml"
    scheme.write_text(SCHEME)
    done = harness("grade", logs, "--scheme", scheme)
    assert done.exit_code == 0, done.output
    return sorted((logs / "grades" / "feedback").glob("*.html"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_a_page_opens_without_complaint_and_within_any_width(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    browser.complaints.clear()
    inks = set()
    found = pages(tmp_path, game)
    assert len(found) == GAMES[game][0]
    for page in found:
        for width, phone in ((1280, False), (390, True)):
            browser.look(width=width, dark=phone, phone=phone)
            browser.open(page)  # The page opens light on a desktop and dark on a phone.
            for dark in (phone, not phone):
                browser.look(width=width, dark=dark, phone=phone)
                wide, room = browser.run(WIDTHS)
                assert wide <= room, f"{page.name} is wider than {width}"
                inks.add(browser.run(INK))
    assert len(inks) == 2
    assert browser.complaints == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_the_fault_is_told_with_the_position_drawn(browser: Browser, tmp_path: Path, game: str) -> None:
    texts = []
    for page in pages(tmp_path, game):
        browser.open(page)
        texts.append(browser.run("document.querySelector('details') ? document.body.innerText : ''"))
    [told] = [text for text in texts if "in match" in text and "malformed" in text]
    assert "position, as the bot could see it" in told
    assert "the same, as protocol lines" in told
    assert "question" in told


def test_on_a_phone_a_row_of_the_table_of_matches_is_not_a_column_of_words(
    browser: Browser, tmp_path: Path
) -> None:
    browser.look(width=390, phone=True)
    tallest = 0
    for page in pages(tmp_path, "sevens"):
        browser.open(page)
        rows = browser.run("[...document.querySelectorAll('td.id')].map((cell) => cell.offsetHeight)")
        tallest = max(tallest, *rows)
    assert 0 < tallest < 120
