"""Tests that the viewer of a match shows where branches leave the match, and has links to them and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser
from tests.report.forked import fork

MATCH = "1.1.1.1"
ROW = "page.branches.textContent"
CLICK = """((which) => new Promise((done) => {
  const link = [...page.branches.querySelectorAll("a")][which], [id] = link.hash.slice(1).split("/");
  const look = () => (match?.id === id ? done(id) : setTimeout(look, 5));
  addEventListener("hashchange", look, { once: true });
  link.click();
}))"""
FITS = """[page.branches, page.play, page.board].map((each) => each.getBoundingClientRect())
  .every(({ left, right, top, bottom }) => left >= 0 && right <= innerWidth && top >= 0
    && bottom <= innerHeight)
  && document.documentElement.scrollHeight <= innerHeight"""


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The viewer of a match with branches at questions 4, 4 and 7, and the first moves of the branches."""
    logs = played.write(tmp_path_factory.mktemp("branches"), "sevens", 3)
    moves = [fork(logs, MATCH, number, move=move)[1] for number, move in ((4, 0), (4, 1), (7, 0))]
    fork(logs, MATCH, 7, draw=1)  # This fork has other luck than the match, so it is no branch.
    assert harness("report", logs).exit_code == 0
    return logs / "report" / "match.html", moves


def test_a_branch_is_a_click_away_and_leads_back(browser: Browser, forked: tuple[Path, list[str]]) -> None:
    page, moves = forked
    browser.complaints.clear()
    browser.open(page, f"#{MATCH}")
    assert browser.run(ROW) == "Branches leave atquestion 4question 7"
    browser.run(f"{CLICK}(0)")
    step, told = browser.run("[at, page.now.textContent]")
    links = browser.run("[...page.branches.querySelectorAll('a code')].map((each) => each.textContent)")
    assert links == moves[:2]
    assert browser.run(f"{CLICK}(1)") == f"{MATCH}~2"
    assert browser.run("page.title.innerText") == f"Match {MATCH}, branch 2"
    assert browser.run("[at, page.now.textContent]") == [step, told]
    row = browser.run(ROW)
    assert f"Question 4: {moves[1]} instead of play " in row
    assert "spar:1 played on in all seats. A branch does not count." in row
    assert browser.run("go(at + 1), page.now.textContent") != told
    browser.run("go(stops.length - 1)")
    assert "The end" in browser.run("page.now.textContent")
    assert "forks.jsonl, line 2, record" in browser.run("page.place.textContent")
    assert browser.run(f"{CLICK}(0)") == MATCH
    assert browser.run("[at, page.now.textContent]") == [step, told]
    assert browser.complaints == []


def test_a_link_keeps_the_view_of_a_seat(browser: Browser, forked: tuple[Path, list[str]]) -> None:
    browser.open(forked[0], f"#{MATCH}")
    browser.run("show(2)")
    browser.run(f"{CLICK}(0)")
    assert browser.run(f"{CLICK}(0)") == f"{MATCH}~1"
    assert browser.run("view") == 2


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844), (844, 390)])
def test_the_row_of_branches_fits_and_moves_nothing(
    browser: Browser, forked: tuple[Path, list[str]], width: int, height: int
) -> None:
    browser.look(width=width, height=height, phone=width < 1000)
    browser.open(forked[0], f"#{MATCH}")
    tops = set()
    for _ in range(8):
        browser.run("go(at + 1)")
        assert browser.run(FITS)
        tops.add(browser.run("page.play.getBoundingClientRect().top"))
    assert len(tops) == 1
    assert browser.run("go(stops.length - 1), page.curve.querySelectorAll('.at.branch').length") == 3


def test_a_match_without_branches_is_as_before(browser: Browser, forked: tuple[Path, list[str]]) -> None:
    browser.open(forked[0], "#1.1.2.1")
    assert browser.run("page.branches.hidden")
