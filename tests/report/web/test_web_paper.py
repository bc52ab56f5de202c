"""Tests pages with the longest names: printed on paper, on a small phone, and with large letters."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser

NAMES = tuple(f"{letter}{'ongestnameofabotwithoutaspace' * 2}"[:40] for letter in "abcdefghi")
OUTSIDE = """[...document.querySelectorAll("body *")].filter((each) => each.checkVisibility()
  && !each.closest("svg, pre") && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => `${each.tagName} ${each.textContent.slice(0, 40)}`)"""
LINKS = "[...document.links].filter((each) => each.checkVisibility()).map((each) => each.textContent)"
SIZES = (
    "['h1', '.said', 'td'].map((each) => parseFloat(getComputedStyle(document.querySelector(each)).fontSize))"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of nine bots with the longest names. One of them broke a rule."""
    logs = played.write(tmp_path_factory.mktemp("paper"), "sevens", 9, fault_at=4, names=NAMES)
    assert harness("report", logs, "--replays", "faults").exit_code == 0
    return logs / "report"


@contextmanager
def on_paper(browser: Browser, page: Path, anchor: str = "") -> Iterator[None]:
    """Opens a page and shows it as a printer would print it on A4 paper, until the `with` block ends."""
    browser.look(width=718)
    browser.open(page, anchor)
    browser.use(lambda opened: opened.emulate_media(media="print"))
    yield
    browser.use(lambda opened: opened.emulate_media(media="screen"))


@pytest.mark.parametrize("file", ["index.html", f"bot.html#{NAMES[1]}"])
def test_on_paper_nothing_is_cut_and_no_link_stands_alone(browser: Browser, report: Path, file: str) -> None:
    name, _, anchor = file.partition("#")
    with on_paper(browser, report / name, anchor and f"#{anchor}"):
        outside, links = browser.run(OUTSIDE), browser.run(LINKS)
    assert outside == []
    assert NAMES[0] in links, "a name is whole"
    assert not [words for words in links if words.startswith(("These", "All ", "Watch", "For which", "What"))]


def test_paper_says_which_matches_the_list_has(browser: Browser, report: Path) -> None:
    parts = "[...document.querySelectorAll('.tools label, .pages')].filter((each) => each.checkVisibility())"
    with on_paper(browser, report / "index.html", f"#matches?bot={NAMES[0]}&fault=any"):
        bot, fault, pages = browser.run(f"{parts}.map((each) => each.innerText.trim())")
    assert bot.startswith("Bot")
    assert fault.startswith("Faults")
    assert "of 1, 1 match" in pages


def test_the_heads_of_tables_have_no_buttons_on_paper(browser: Browser, report: Path) -> None:
    """Chromium does not print the head of a table again on each sheet if the head has a button."""
    buttons = (
        "[...document.querySelectorAll('th button')].filter((each) => each.getClientRects().length).length"
    )
    with on_paper(browser, report / "index.html"):
        on_sheets = browser.run(buttons)
    assert (on_sheets, browser.run(buttons) > 0) == (0, True)


def letters_of_sheets(browser: Browser, size: str) -> list[int]:
    """The number of letters on each sheet of the page that is open, on paper of this size."""
    pdf = browser.use(lambda page: page.pdf(format=size))
    streams = (
        zlib.decompressobj().decompress(part)
        for part in re.findall(rb"Decode.*?stream\n(.*?)endstream", pdf, re.S)
    )
    letters = (sum(map(len, re.findall(rb"<([0-9A-Fa-f]+)> ?Tj", stream))) // 4 for stream in streams)
    return [count for count in letters if count]


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_the_footer_of_a_season_never_stands_alone_on_a_sheet(
    browser: Browser, tmp_path: Path, size: str
) -> None:
    weeks = [
        played.write(tmp_path / str(deals), "sevens", 8, deals=deals, names=tuple("abcdefgh"))
        for deals in (1, 2)
    ]
    assert harness("report", *weeks, "--out", tmp_path / "season").exit_code == 0
    browser.open(tmp_path / "season" / "index.html")
    footer = browser.run("document.querySelector('footer').innerText.length")
    for height in range(0, 500, 30):  # A larger height moves the lines before the footer down.
        browser.run(f"document.querySelector('header').style.paddingBottom = '{height}px'")
        *_, last = letters_of_sheets(browser, size)
        assert last > footer, height


def test_long_names_do_not_make_a_page_wider_than_a_small_phone(browser: Browser, report: Path) -> None:
    browser.look(width=320, height=568, phone=True)
    for file in ("index.html", "bot.html"):
        browser.open(report / file, f"#{NAMES[1]}" if file == "bot.html" else "")
        assert browser.run("document.documentElement.scrollWidth") == 320


def test_all_letters_of_a_page_grow_with_the_letters_of_the_browser(browser: Browser, report: Path) -> None:
    browser.open(report / "index.html")
    usual = browser.run(SIZES)
    browser.run("document.documentElement.style.fontSize = '200%'")
    assert [large / size for large, size in zip(browser.run(SIZES), usual, strict=True)][1:] == [2, 2]
