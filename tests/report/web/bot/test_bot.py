"""Tests the page of a bot: its matches, seats and times, and the decisions that cost it most."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.events import Turn
from harness.record.one_match import RecordedMatch
from harness.results.habits import CostlyAnswer, CostlyDecision, DiagnosedBot, Habit
from harness.results.kept_diagnoses import keep
from harness.results.statistics.paired import MeanDifference
from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser
from tests.report.forked import fork

SECTIONS = "[...document.querySelectorAll('h2')].map((title) => title.textContent)"
DRAWN = """
new Promise((done) => {
  document.querySelector(".costliest").scrollIntoView();
  const look = () => (document.querySelector(".costliest [data-drawn]") ? done(true) : setTimeout(look, 20));
  setTimeout(() => done(false), 5000);
  look();
})
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The report of a tournament with a diagnosis of the bot anna, and the line of anna's costly answer."""
    logs = played.write(tmp_path_factory.mktemp("coach"), "sevens", 3, deals=2)
    match = RecordedMatch(logs, "1.1.1.1")
    seat = match.head.bots.index("anna") + 1
    asked = [(line, turn) for line, turn in match.numbered if isinstance(turn, Turn)]
    own = [
        (number, line, turn.said or "")
        for number, (line, turn) in enumerate(asked[len(match.head.bots) :], start=1)
        if turn.seat == seat
    ]
    cost = MeanDifference(0.31, 0.2, 0.42, 200)
    _, move = fork(logs, "1.1.1.1", own[0][0])
    costly = tuple(
        CostlyDecision("1.1.1.1", number, line, seat, said, instead, cost, "what it knew")
        for (number, line, said), instead in zip(own, (move, "play 2C 1 0"), strict=False)
    )
    habits = (
        Habit("seat 1", 12, 0.4, 0.1, 0.7, True, 0.15, True, CostlyAnswer("play 1 1", "play 2 2", 7, 0.5)),
        Habit("seat 2", 12, 0.1, 0.05, 0.3, True, -0.15),
    )
    keep(DiagnosedBot("anna", 6, 102, habits, costly), logs)
    assert harness("report", logs).exit_code == 0
    return logs / "report", own[0][1]


def test_a_diagnosis_is_on_the_page_with_the_position_as_a_picture(
    browser: Browser, cup: tuple[Path, int]
) -> None:
    report, line = cup
    browser.complaints.clear()
    browser.open(report / "bot.html", "#anna")
    found = browser.run("document.querySelector('#coach').textContent")
    assert "Where it loses" in found
    assert "102 decisions of 6 matches were compared" in found
    assert "0.31 (0.20 – 0.42)" in found
    assert '--move "play 2C 1 0" --keep' in found
    branches = browser.run("[...document.querySelectorAll('.branch')].map((each) => each.hash)")
    assert len(branches) == 1, "the other decision has no branch, but a command that makes one"
    assert branches[0].startswith("#1.1.1.1~1/")
    assert "seat 1: the answer play 1 1 has 50 % of the cost (7 times). " in found
    assert "Better, most often: play 2 2." in found
    assert "seat 2" not in found, "it costs no more than the average decision"
    href = browser.run("document.querySelector('.costliest .picture').getAttribute('href')")
    assert href.startswith(f"match.html#1.1.1.1/{line}/")
    assert browser.run(DRAWN)
    assert browser.complaints == []


def test_the_page_has_a_strip_the_seats_and_the_times(browser: Browser, cup: tuple[Path, int]) -> None:
    browser.open(cup[0] / "bot.html", "#bert")
    titles = browser.run(SECTIONS)
    assert {"By seat", "Answer time by turn", "Against each opponent"} <= set(titles)
    assert "Where it loses" not in titles
    assert browser.run("document.querySelectorAll('.strip rect').length") == 6
    rows = browser.run(
        "[...document.querySelectorAll('section')].find((each) => each.textContent.startsWith('By seat'))"
        ".querySelectorAll('tbody tr').length"
    )
    assert rows == 3


ESSENTIAL = """
[...document.querySelectorAll("#coach > *, .costliest .picture")].map((each) => {
  const { left, right, bottom } = each.getBoundingClientRect();
  return [left >= 0, right <= innerWidth, bottom <= innerHeight].every(Boolean);
})
"""


def test_what_a_coach_looks_at_is_on_one_screen(browser: Browser, cup: tuple[Path, int]) -> None:
    browser.look(width=1440, height=900)
    browser.open(cup[0] / "bot.html", "#anna")
    fits = browser.run(ESSENTIAL)
    assert len(fits) == 8
    assert all(fits)


@pytest.mark.parametrize("width", [390, 1024])
def test_a_narrow_screen_never_scrolls_to_the_side(
    browser: Browser, cup: tuple[Path, int], width: int
) -> None:
    browser.look(width=width, phone=width < 500)
    browser.open(cup[0] / "bot.html", "#anna")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


TEXTS = """
[...document.querySelectorAll("svg.progress text")].map((each) =>
  parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)
"""


@pytest.mark.parametrize("width", [390, 1200, 1440])
def test_the_words_of_its_plots_are_never_tiny(browser: Browser, cup: tuple[Path, int], width: int) -> None:
    browser.look(width=width)
    browser.open(cup[0] / "bot.html", "#anna")
    sizes = browser.run(TEXTS)
    assert sizes
    assert min(sizes) >= 11


OUTSIDE = """
[...document.querySelectorAll("svg.turns text")].map((each) => {
  const [svg, words] = [each.ownerSVGElement, each].map((one) => one.getBoundingClientRect());
  return [each.textContent, words.left >= svg.left && words.right <= svg.right];
})
"""


def test_a_long_time_beside_the_plot_of_turns_is_whole(browser: Browser, cup: tuple[Path, int]) -> None:
    browser.look(width=1440)
    browser.open(cup[0] / "bot.html", "#anna")
    slow = "(data) => { data.bots.anna.turns = [[1, 128400, 128400], [2, 5, 5]]; }"
    script = (cup[0] / "bots.js").read_text()
    browser.run(
        f"((put, slow) => {{ globalThis.bots = (data) => {{ slow(data); put(data); }}; {script} }})"
        f"(globalThis.bots, {slow})"
    )
    found = dict(browser.run(f"new Promise((done) => setTimeout(() => done({OUTSIDE.strip()}), 50))"))
    assert found == {"128.4 ms": True, "64.2 ms": True, "0 µs": True, "answer 1": True, "answer 2": True}


PLACES = """
(list) => [...document.querySelectorAll(`${list} li:first-child bdi`)].slice(0, 2)
  .map((name) => [name.textContent, Math.round(name.getBoundingClientRect().left)])
"""


def test_a_name_written_from_right_to_left_moves_no_other_name_and_no_score(
    browser: Browser, tmp_path: Path
) -> None:
    bots = ("\u05d0\u05d1", "\u05d2\u05d3-7")
    report = played.write(tmp_path, "sevens", 2, names=bots)
    assert harness("report", report).exit_code == 0
    browser.look(width=1280, height=900)
    for page, anchor, names in (("index.html", "", ".watch"), ("bot.html", f"#{bots[0]}", ".few")):
        browser.open(report / "report" / page, anchor)
        (first, left), (second, right) = browser.run(f"({PLACES})({names!r})")
        assert {first, second} == set(bots)
        assert left < right, page
