"""Tests that the viewer of a match fits into one screen, that its parts do not change their places, and that
its text is large enough. Needs Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from harness.model import ACCOUNTS
from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser

SIZES = ((1440, 900, False), (1024, 768, False), (390, 844, True))
LOW = ((1280, 720, False), (844, 390, True), (720, 450, False))
"""Low screens: a usual window, a phone on its side, and a window of 1440 x 900 at a zoom of 200 %."""
LEAST = 11
"""The smallest size of a text on a board, in pixels."""
NAMES = (
    "anna",
    "bert",
    "carl",
    "dora",
    "a-bot-with-a-rather-long-name-of-40-chars",
    "fritz",
    "gus",
    "hal",
    "ida",
)
GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "sevens": ("sevens", 4, {}),
    "sevens for nine": ("sevens", 9, {}),
    "stratego": ("stratego", 2, {"quiet": 40, "plies": 120}),
    "chess": ("chess", 2, {"plies": 40}),
    "squash": ("squash", 4, {}),
    "squash with cards": ("squash", 4, {"variant": "cards"}),
    "squadron": ("squadron", 2, {"battles": 1, "turns": 20}),
    "squadron for six": ("squadron", 6, {"battles": 1, "turns": 40}),
    "biplane": ("biplane", 2, {"turns": 20, "tree": True}),
    "biplane for four": ("biplane", 4, {"turns": 30, "alliance": "two-on-two"}),
}
LOOK = """
(() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom].map((side) => Math.round(side * 2) / 2);
  };
  // The size of the smallest text in an element as the reader sees it, and the text.
  const smallest = (root) => {
    const found = [[99, ""]], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { data, parentElement: element } = walk.currentNode;
      if (!data.trim() || !element.checkVisibility() || element.closest("title")) continue;
      const scale = element.ownerSVGElement ? Math.hypot(element.getScreenCTM().a, element.getScreenCTM().b)
        : Number(element.closest(".fit")?.dataset.scale ?? 1);
      found.push([parseFloat(getComputedStyle(element).fontSize) * scale, data.trim()]);
    }
    return found.sort(([one], [other]) => one - other)[0];
  };
  const seen = [];
  for (const viewer of innerWidth < 500 ? [0, 1] : [0]) {
    show(viewer);
    for (let part = 0; part <= 5; part += 1) {
      go(Math.round((part * (stops.length - 1)) / 5));
      const fit = document.querySelector("#board .fit"), chart = document.querySelector("#board > svg");
      const mover = page.seats.querySelectorAll("[aria-current]");
      const controls = [...document.querySelectorAll(".keys > button, #slider, #board, #settings")];
      const keys = [...document.querySelectorAll(".keys button")].filter((one) => one.checkVisibility());
      const root = document.documentElement;
      seen.push({
        inside: [page.board, page.now, page.slider, chart, mover[0], ...keys].filter(Boolean).map(box),
        controls: controls.map((one) => box(one).join(" ")).join("; "),
        wide: fit ? fit.scrollWidth - fit.clientWidth : 0,
        text: smallest(page.board),
        moving: mover.length, now: page.now.textContent,
        scrolls: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
      });
    }
  }
  return seen;
})()
"""


SIGNS = """
(page.settings.click(), page.legend.open = true, [...page.signs.children].map((line) => {
  const sign = line.querySelector(".board > span").firstElementChild;
  const { width, height } = sign.getBoundingClientRect();
  const sizes = [...sign.querySelectorAll("text")].filter((text) => text.checkVisibility())
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
  return [width, height, line.lastChild.data, Math.min(99, ...sizes)];
}))
"""
DASHES = """
[[...page.curve.querySelectorAll(".stands")],
 match.bots.map((_, place) => page.seats.querySelector(`[data-key="${place + 1}"] .stands`))].map((lines) =>
  lines.map((line) => line.getAttribute("stroke-dasharray")))
"""
TEMPOS = """
(() => {
  const rows = standingsOf(match, allFrames, stops);
  const moves = (stop) => stop > 0 && rows.some((row) => row[stop] !== row[stop - 1]);
  const event = (stop) => allFrames[stops[stop]].record.is === "event";
  const plain = (stop) => event(stop) && !marks.some((mark) => mark.stop === stop);
  const of = (kind) => tempos.filter((_, stop) => plain(stop) && moves(stop) === kind);
  return [tempos.reduce((sum, each) => sum + each, 0), Math.min(...of(true)), Math.max(...of(false))];
})()
"""
RAW = """
[...page.story.querySelectorAll("button")].map((line) => line.textContent)
  .filter((text) => match.quiet.includes(text.split(" ", 1)[0]))
"""


@pytest.mark.parametrize("case", GAMES)
def test_everything_is_inside_the_window_and_the_controls_keep_their_place(
    browser: Browser, tmp_path: Path, case: str
) -> None:
    game, seats, options = GAMES[case]
    logs = played.write(tmp_path, game, seats, options=options, names=NAMES)
    assert harness("report", logs).exit_code == 0
    browser.complaints.clear()
    for width, height, phone in (*SIZES, *LOW):
        browser.look(width=width, height=height, phone=phone)
        browser.open(logs / "report" / "match.html", "#1.1.1.1")
        seen = browser.run(LOOK)
        for each in seen:
            for left, top, right, bottom in each["inside"]:
                assert 0 <= left < right <= width, (width, each)
                assert 0 <= top < bottom <= height, (width, each)
            assert each["wide"] <= 1, (width, each)
            assert each["text"][0] >= LEAST - 0.05, (width, each)
            assert each["now"]
            assert not each["scrolls"]
        assert {each["moving"] for each in seen[:-1]} <= {0, 1}
        assert seen[0]["moving"] == 1
        assert len({each["controls"] for each in seen}) == 1, width
    curve, row = browser.run(DASHES)  # The dashes are the same at any size of the screen.
    assert curve == row
    assert len(set(curve)) == seats, "a line of the curve can be told without its colour"
    assert not browser.run(RAW), "a line that the picture shows anyway"
    signs = browser.run(SIGNS)
    assert signs
    for width, height, words, least in signs:
        assert min(width, height) > 10
        assert words
        assert least >= LEAST - 0.05
    assert browser.complaints == []


@pytest.fixture(scope="module")
def sevens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logs = played.write(tmp_path_factory.mktemp("viewer"), "sevens", 3, fault_at=20)
    assert harness("report", logs).exit_code == 0
    return logs / "report" / "match.html"


def test_escape_closes_the_settings_although_the_speed_has_the_focus(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    for key, hidden in (("?", False), ("Escape", True)):
        _press(browser, key)
        assert browser.run("document.getElementById('panel').hidden") is hidden


def test_keys_do_nothing_in_the_match_while_the_settings_are_open(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    now = "[at, view, page.speed.value, timer !== null]"
    before = browser.run(now)
    _press(browser, "?")
    browser.run("page.panel.querySelector('dl').click(), document.activeElement.blur()")
    for key in (" ", "+", "1", "ArrowRight", "."):
        _press(browser, key)
    assert browser.run(now) == before
    _press(browser, "Escape")
    _press(browser, "ArrowRight")
    assert browser.run("at") == before[0] + 1


def test_space_plays_after_the_mouse_has_pressed_a_button(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    browser.use(lambda page: page.click("#settings"))
    _press(browser, "Escape")
    _press(browser, " ")
    assert browser.run("[page.panel.hidden, timer !== null]") == [True, True]
    _press(browser, " ")
    browser.use(lambda page: page.click("#later"))
    moment = browser.run("at")
    _press(browser, " ")
    assert browser.run("[at, timer !== null]") == [moment, True]
    browser.run("page.play.click()")


def test_the_script_of_the_viewer_has_one_scope(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    kinds = "(0, eval)('[typeof stopsOf, typeof boards, typeof make, typeof packed, typeof viewer.go]')"
    assert browser.run(kinds) == ["undefined", "undefined", "undefined", "function", "function"]


def test_allies_stand_together_and_their_planes_have_the_same_frame(browser: Browser, tmp_path: Path) -> None:
    logs = played.write(tmp_path, "biplane", 4, options={"turns": 8, "alliance": "two-on-two"}, names=NAMES)
    assert harness("report", logs).exit_code == 0
    browser.look(width=1280, height=720)
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    frames = """stops.map((_, stop) => (go(stop), Object.fromEntries([1, 2, 3, 4].map((seat) =>
      [seat, document.querySelector(`[data-key="plane ${seat}"] .halo`)?.nodeName]))))
      .find((each) => Object.values(each).every(Boolean))"""
    assert browser.run(frames) == {"1": "circle", "2": "rect", "3": "circle", "4": "rect"}
    order, gaps = browser.run(
        "((items) => [items.map((one) => one.dataset.key), items.slice(1).map((one, place) =>"
        " one.getBoundingClientRect().left - items[place].getBoundingClientRect().right)])"
        "([...page.seats.children])"
    )
    assert order == ["1", "3", "2", "4"]
    assert gaps[1] > 2 * max(gaps[0], gaps[2])
    boxes = "[...page.board.querySelectorAll('.player')].map((one) => one.className.match(/side-./)[0])"
    assert browser.run(boxes) == ["side-A", "side-A", "side-B", "side-B"]
    assert browser.run("page.view.options[2].textContent") == "seat 2, bert, side B"
    browser.look(width=390, height=844, phone=True)
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    hidden = """stops.flatMap((_, stop) => (go(stop), [...document.querySelectorAll('[data-key^="plane"]')])
      .filter((plane) => {
        const [tag, craft] = [".tag", ".craft"].map((part) => plane.querySelector(part))
          .map((part) => part.getBoundingClientRect());
        const middles = [tag, craft].map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
        const apart = Math.hypot(middles[0][0] - middles[1][0], middles[0][1] - middles[1][1]);
        return apart < tag.width / 2 + 0.3 * Math.min(craft.width, craft.height);
      })).length"""
    assert browser.run(hidden) == 0, "no plane is under the number of its seat"


def test_a_large_step_goes_to_the_next_card_that_earns(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    told = []
    while not browser.run("page.after.disabled"):
        browser.run("page.after.click()")
        told.append(browser.run("page.now.textContent"))
    assert len(told) > 3
    assert all(": +" in line or ": -" in line for line in told[:-1])
    assert "The end" in told[-1]
    browser.run("page.before.click()")
    assert browser.run("page.now.textContent") == told[-2]


def test_a_click_on_a_line_of_the_story_goes_to_its_step(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    browser.run("go(30)")
    line = browser.run("[...page.story.querySelectorAll('li:not([hidden]) button')].at(-5).textContent")
    browser.run("[...page.story.querySelectorAll('li:not([hidden]) button')].at(-5).click()")
    assert browser.run("page.now.textContent") == line
    assert browser.run("at") == 26


def test_the_story_leaves_the_protocol_out_until_it_is_asked_for(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.2.1")
    browser.run("go(10)")
    shown = "page.story.textContent + page.now.textContent"
    assert "is asked" not in browser.run(shown)
    line = browser.run("allFrames.find(({ record }) => record.ask?.startsWith('play')).line")
    browser.run(f"location.hash = '#1.1.2.1/{line}'; new Promise((done) => setTimeout(done, 50))")
    assert "is asked" not in browser.run(shown)
    browser.run("page.protocol.click()")
    assert "is asked" in browser.run("page.now.textContent")
    browser.run("go(10)")
    assert "is asked" in browser.run("page.story.textContent")
    browser.open(sevens, "#1.1.2.1/fault")
    assert "is asked" in browser.run("page.story.textContent")


@pytest.mark.parametrize("account", ACCOUNTS)
def test_the_account_of_time_is_told_beside_the_story(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, account: str
) -> None:
    monkeypatch.chdir(tmp_path)
    logs = played.write(tmp_path, account=account)
    assert harness("report", logs).exit_code == 0
    assert harness("show", logs, "1.1.1.1", "--html").exit_code == 0
    for file in (logs / "report" / "match.html", tmp_path / "match-1.1.1.1.html"):
        for width, height, phone in SIZES:
            browser.look(width=width, height=height, phone=phone)
            if (width, height, phone) != SIZES[1]:  # SIZES[1] tests a page that is open already.
                browser.open(file, "#1.1.1.1")
            if phone:
                browser.run("page.telling.click()")
            assert browser.run("page.account.textContent") == f"CPU time: {ACCOUNTS[account]}."
            assert browser.run("page.account.checkVisibility()")
            assert 0 < browser.run("page.account.getBoundingClientRect().bottom") <= height


def test_results_are_shown_at_the_end_only(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    assert "1st" not in browser.run("page.seats.textContent")
    browser.run("page.results.click()")
    assert "1st" in browser.run("page.seats.textContent")
    browser.run("page.results.click()")
    browser.run("page.last.click()")
    assert "1st" in browser.run("page.seats.textContent")
    assert "wins" in browser.run("page.now.textContent")


def test_the_address_names_the_seat_and_the_step(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1/59/2")
    assert browser.run("[view, page.view.value]") == [2, "2"]
    assert browser.run("addressNow()") == "#1.1.1.1/59/2"


def test_two_views_stand_side_by_side(browser: Browser, sevens: Path) -> None:
    browser.look(width=1900, height=1200)
    browser.open(sevens, "#1.1.1.1")
    browser.run("page.beside.value = '2'; page.beside.dispatchEvent(new Event('change')); go(9)")
    faces = "[...page.%s.querySelectorAll('.hand')].map((one) => one.querySelector('.card').matches('.back'))"
    assert browser.run(faces % "board") == [False, False, False]
    assert browser.run(faces % "second") == [True, False, True]
    boxes = browser.run("[page.board, page.second].map((one) => one.getBoundingClientRect().width > 300)")
    assert boxes == [True, True]


def test_a_phone_shows_the_whole_name_of_who_is_to_move_and_the_view(
    browser: Browser, tmp_path: Path
) -> None:
    logs = played.write(tmp_path, "sevens", 9, names=("random 10", *NAMES[1:4], *NAMES[5:], "joe"))
    assert harness("report", logs).exit_code == 0
    browser.look(width=390, height=844, phone=True)
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    mover = "[...page.seats.querySelectorAll('[aria-current] .name')]"
    cut = f"{mover}.map((name) => name.scrollWidth > name.clientWidth)"
    seen = [browser.run(f"go({stop}), {cut}") for stop in range(9)]
    assert [True] not in seen
    assert seen.count([False]) == 9
    assert browser.run("page.title.scrollWidth <= page.title.clientWidth"), "the number of the match"
    drawn = "document.createElement('canvas').getContext('2d')"
    style = "getComputedStyle(page.view)"
    words = f"((pen) => (pen.font = {style}.font, pen.measureText('the referee').width))({drawn})"
    padding = f"parseFloat({style}.paddingLeft) + parseFloat({style}.paddingRight)"
    arrow = 20
    assert browser.run(f"page.view.clientWidth - ({padding}) - {words}") > arrow


def test_a_phone_cuts_neither_a_name_of_19_letters_nor_a_sentence(browser: Browser, tmp_path: Path) -> None:
    names = tuple(f"biplane-sensible-1{number}" for number in range(4))
    logs = played.write(tmp_path, "sevens", 4, names=names)
    assert harness("report", logs).exit_code == 0
    browser.look(width=390, height=844, phone=True)
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    cut = """(() => {
      const text = document.createRange(), { now, seats } = page;
      const wide = (name) => (text.selectNodeContents(name), text.getBoundingClientRect().width);
      return stops.flatMap((_, stop) => {
        go(stop);
        const names = [...seats.querySelectorAll(".name")].map((one) => wide(one) - one.clientWidth);
        return [now.scrollHeight - now.clientHeight, ...names].filter((over) => over > 1);
      });
    })()"""
    seen = "stops.map((_, stop) => (go(stop), page.now.textContent)).filter((text) => text.length > 100)"
    assert browser.run(seen), "a long sentence"
    assert browser.run(cut) == []


def test_the_last_square_of_squash_has_a_frame(browser: Browser, tmp_path: Path) -> None:
    logs = played.write(tmp_path, "squash", 2, options={"turns": 5})
    assert harness("report", logs).exit_code == 0
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    frames = (
        "[...page.board.querySelectorAll('.square')].map((one) => getComputedStyle(one).stroke !== 'none')"
    )
    assert browser.run(frames) == [False] * 63 + [True]


def test_each_army_of_stratego_is_told_once(browser: Browser, tmp_path: Path) -> None:
    logs = played.write(tmp_path, "stratego", 2, options={"quiet": 40, "plies": 120})
    assert harness("report", logs).exit_code == 0
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    story = browser.run("[...page.story.querySelectorAll('button')].map((one) => one.textContent)")
    told = [line for line in story if "set up" in line]
    assert len(told) == len(set(told)) == 2


def test_a_usual_start_of_crazyhouse_is_not_told(browser: Browser, tmp_path: Path) -> None:
    logs = played.write(tmp_path, "chess", 2, options={"variant": "crazyhouse", "plies": 40})
    assert harness("report", logs).exit_code == 0
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    assert "starts at" not in browser.run("page.story.textContent")


def test_a_swipe_is_a_step(browser: Browser, sevens: Path) -> None:
    browser.look(width=390, height=844, phone=True)
    browser.open(sevens, "#1.1.1.1")
    swipe = """(([from, to]) => {
      const touch = (clientX) => new Touch({ identifier: 1, target: page.board, clientX, clientY: 300 });
      page.board.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)] }));
      page.board.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)] }));
      return at;
    })"""
    assert browser.run(f"{swipe}([300, 200])") == 1
    assert browser.run(f"{swipe}([200, 190])") == 1
    assert browser.run(f"{swipe}([200, 300])") == 0


def test_a_phone_names_the_moments_of_a_match(browser: Browser, sevens: Path) -> None:
    browser.look(width=390, height=844, phone=True)
    browser.open(sevens, "#1.1.1.1")
    shown = "[...page.moments.querySelectorAll('button')].filter((one) => one.offsetParent)"
    assert "◆ Decided" in browser.run(f"{shown}.map((one) => one.innerText)")
    browser.run(f"{shown}.find((one) => one.innerText.endsWith('Decided')).click()")
    assert 0 < browser.run("at") < browser.run("stops.length")


def test_a_step_does_not_bring_back_the_match_that_the_reader_has_just_left(
    browser: Browser, sevens: Path
) -> None:
    browser.open(sevens, "#1.1.1.1")
    browser.run("location.hash = '1.1.2.1', writeAddress()")
    assert browser.run("location.hash") == "#1.1.2.1"


def test_an_empty_or_wrong_address_is_said_to_name_no_match(browser: Browser, sevens: Path) -> None:
    browser.complaints.clear()
    browser.open(sevens)
    assert "names no match" in browser.run("page.now.textContent")
    browser.open(sevens, "#nonsense")
    assert "no match nonsense" in browser.run("page.now.textContent")
    assert browser.run("getComputedStyle(page.play).visibility") == "hidden"
    assert browser.complaints == []


def test_a_match_is_one_file_that_loads_nothing(
    browser: Browser, sevens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = harness("show", sevens.parents[1], "1.1.2.1", "--html")
    assert (done.exit_code, done.stdout) == (0, "match-1.1.2.1.html\n")
    browser.complaints.clear()
    for _ in range(2):
        browser.open(tmp_path / "match-1.1.2.1.html", "#1.1.2.1/fault/1")
        assert "Fault of" in browser.run("page.now.textContent")
        assert browser.run("[view, performance.getEntriesByType('resource').length]") == [1, 0]
    assert browser.complaints == []
    refused = harness("show", sevens.parents[1], "--html")
    assert refused.exit_code == 2


def test_a_match_as_one_file_for_a_seat_has_nothing_that_the_seat_could_not_know(
    browser: Browser, sevens: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    logs = sevens.parents[1]
    done = harness("show", logs, "1.1.1.1", "--html", "--seat", "2")
    assert (done.exit_code, done.stdout) == (0, "match-1.1.1.1-seat-2.html\n")
    hands = (
        "allFrames.filter(({ record }) => record.line?.startsWith('hand ')).map(({ record }) => record.to)"
    )
    browser.open(tmp_path / "match-1.1.1.1-seat-2.html")
    assert browser.run(hands) == [[2]]
    assert browser.run("[view, page.view.options.length, page.beside.options.length]") == [2, 1, 2]
    for key in "013":
        _press(browser, key)
    assert browser.run(f"page.seats.querySelector('button').click(), [view, {hands}.length]") == [2, 1]
    assert browser.run("match.steps.every(([, views]) => views.every(([viewers]) => viewers === null))")
    assert browser.run("stops.length") > 20
    refused = harness("show", logs, "1.1.1.1", "--html", "--seat", "9")
    assert refused.exit_code == 2
    assert "the match has 3 seats, so there is no seat 9" in refused.stderr


def _press(browser: Browser, key: str) -> None:
    browser.use(lambda page: page.keyboard.press(key))


@pytest.fixture(scope="module")
def biplane(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logs = played.write(tmp_path_factory.mktemp("air"), "biplane", 4, options={"turns": 60}, names=NAMES)
    assert harness("report", logs).exit_code == 0
    return logs / "report" / "match.html"


LOST = re.compile(
    r"(On \w+, (?P<a>\w+) flies with [A-G]\d+ into (the ground|the plane of \w+"
    r"|(its own shot [BS]\w+|the shot [BS]\w+ of \w+) from .+)"
    r"|On \w+, (?P<b>\w+) loses its plane too: \w+ flew into it"
    r"|The shot [BS]\w+ of \w+ from (this turn|turn \d+) hits the plane of (?P<c>\w+) on \w+)"
    r" \((?P<loser>\w+) has lost \d+\)"
)


MOMENTS = re.compile(r"(\. (The slowest answer|The largest swing|Decided): .*|\. [\w-]+ takes the lead)+$")


def test_each_change_of_the_lead_is_told_at_its_step_and_in_the_story(
    browser: Browser, biplane: Path
) -> None:
    browser.open(biplane, "#1.1.1.1")
    leads = browser.run("marks.filter(({ kind }) => kind === 'lead').map(({ stop, seat }) => [stop, seat])")
    assert leads
    for stop, seat in leads:
        browser.run(f"go({stop})")
        now, line = browser.run(
            "[page.now.textContent, page.story.querySelector('[aria-current]').textContent]"
        )
        assert now == line
        assert f". {NAMES[seat - 1]} takes the lead" in now


def test_the_first_step_shows_the_whole_set_up(browser: Browser, biplane: Path) -> None:
    for seat in range(5):
        browser.open(biplane, f"#1.1.1.1/0/{seat}")
        picture, line = browser.run("[allFrames[stops[0]].picture, allFrames[stops[0]].record.line]")
        assert line == f"deck {picture['deck']}" != "deck 0"
        assert all(picture[f"plane {each}"] for each in range(1, 5))
        own, others = [f"permanent {seat}"], [f"permanent {each}" for each in range(1, 5) if each != seat]
        assert all(picture[each] for each in (own if seat else others))
        assert not (seat and any(picture[each] for each in others))


def test_the_story_says_whose_shot_or_plane_destroyed_each_plane(browser: Browser, biplane: Path) -> None:
    browser.open(biplane, "#1.1.1.1")
    losses = browser.run(
        "allFrames.filter(({ record }) => record.line?.startsWith('lost '))"
        ".map(({ record }) => match.bots[record.line.split(' ')[1] - 1])"
    )
    told = browser.run("[...page.story.querySelectorAll('button')].map((line) => line.textContent)")
    story = [MOMENTS.sub("", line) for line in told]
    found = [LOST.fullmatch(line) for line in story if " has lost " in line]
    assert len(losses) > 10
    assert [each and each["loser"] for each in found] == losses
    assert all(each and each["loser"] in (each["a"], each["b"], each["c"]) for each in found)
    shots = [line for line in story if " shoots with " in line]
    ends = r"; the shot (flies to \w+|leaves the board at once)| and hits the plane of \w+ at once"
    assert shots
    assert all(re.fullmatch(rf"\w+ shoots with \w+ from \w+ facing \w+({ends})", line) for line in shots)
    flights = [line.split(". Shots: ")[1] for line in story if ". Shots: " in line]
    flown = r"[BS]\w+ of \w+ (flies to [A-G]\d+|is gone)"
    assert len(flights) > 20
    assert all(re.fullmatch(f"{flown}(, {flown})*", flight) for flight in flights)
    assert browser.run("stops.every((stop) => !allFrames[stop].record.line?.startsWith('shots '))")


def test_shots_on_the_same_space_do_not_cover_each_other(browser: Browser, biplane: Path) -> None:
    browser.look(width=1280, height=900)
    browser.open(biplane, "#1.1.1.1")
    for shots in (["E5RY", "E5LO"], ["E5RY", "E5UY"], ["E5DY", "E5DY"], ["E5RY", "G3RY"]):
        picture = f"Object.assign(allFrames[stops[9]].picture, {{ shots: {shots}, owners: [1, 2] }})"
        browser.run(f"{picture}; go(8); go(9)")
        drawn = browser.run(
            "[...page.board.querySelectorAll('.shot')].map((shot) => shot.getBoundingClientRect())"
            ".map(({ left, right, top, bottom }) => [left, right, top, bottom])"
        )
        (left, right, top, bottom), other = drawn
        wide = min(right, other[1]) - max(left, other[0])
        high = min(bottom, other[3]) - max(top, other[2])
        assert min(wide, high) < (right - left) / 4, shots


def test_keys_and_buttons_go_from_one_moment_to_the_next(browser: Browser, biplane: Path) -> None:
    browser.open(biplane, "#1.1.1.1")
    seen = []
    while not browser.run("page.later.disabled"):
        _press(browser, ".")
        seen.append(browser.run("[allFrames[stops[at]].record.line ?? '', page.now.textContent]"))
    losses = [line for line, _ in seen if line.startswith("lost ")]
    assert losses == browser.run(
        "allFrames.flatMap(({ record }) => (record.line?.startsWith('lost ') ? [record.line] : []))"
    )
    assert seen[-1][1].startswith("The end")
    _press(browser, ",")
    assert browser.run("page.now.textContent") == seen[-2][1]
    assert browser.run("page.earlier.click(), page.now.textContent") == seen[-3][1]
    assert browser.run("go(0), page.earlier.disabled")


def test_the_controls_are_few_tabs_away_late_in_a_long_match(browser: Browser, biplane: Path) -> None:
    browser.open(biplane, "#1.1.1.1")
    assert browser.run("go(stops.length - 1), stops.length") > 200
    seen: list[str] = []
    for _ in range(16):
        _press(browser, "Tab")
        seen.append(browser.run("document.activeElement.id || document.activeElement.className"))
    assert seen.index("slider") < 10
    assert browser.run("page.story.querySelectorAll('[tabindex=\"0\"]').length") == 1


def test_up_and_down_walk_in_the_story_without_the_mouse(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    browser.run("go(20), page.story.querySelector('[aria-current] button').focus()")
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        _press(browser, key)
    assert browser.run("at") == 18


def test_the_curve_shows_the_past_and_is_clicked(browser: Browser, sevens: Path) -> None:
    browser.look(width=1280, height=720)
    browser.open(sevens, "#1.1.1.1")
    end = "Math.max(...[...page.curve.querySelectorAll('.stands')].map((line) => line.getBBox().width))"
    assert browser.run(f"go(0), {end}") == 0
    assert browser.run("page.curve.querySelectorAll('.at').length") == 0
    half = browser.run(f"go(Math.round((stops.length - 1) / 2)), {end}")
    assert half == pytest.approx(500, abs=15)
    assert not browser.run("[...page.moments.children].some((one) => /leads from here/.test(one.title))")
    assert browser.run(f"page.results.click(), {end}") == pytest.approx(1000)
    browser.run("page.results.click()")
    assert browser.run("page.curve.getBoundingClientRect().height") >= 96
    numbers = browser.run("[...page.curve.querySelectorAll('span')].map((one) => one.textContent)")
    assert len(set(numbers)) == 3
    left, top, width, height = browser.run(
        "(({ left, top, width, height }) => [left, top, width, height])"
        "(page.curve.querySelector('svg').getBoundingClientRect())"
    )
    browser.use(lambda page: page.mouse.click(left + width / 4, top + height / 2))
    assert browser.run("at / (stops.length - 1)") == pytest.approx(0.25, abs=0.03)


def test_the_curve_shows_the_scores_of_engines_if_they_say_any(browser: Browser, tmp_path: Path) -> None:
    logs = played.write(tmp_path, "chess", 2, options={"plies": 20})
    assert harness("report", logs).exit_code == 0
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    noun = "page.curve.querySelector('b').textContent"
    assert browser.run(noun) == "material"
    say = """allFrames.forEach(({ picture }, place) => {
      picture["score 1"] = place / 10;
      picture["score 2"] = -place / 10;
    }), curve.fill(match, allFrames, stops, beats), go(stops.length - 1)"""
    assert browser.run(f"{say}, {noun}").startswith("scores of the engines in pawns")
    paths = browser.run("[...page.curve.querySelectorAll('.stands')].map((line) => line.getAttribute('d'))")
    white, black = (float(path.rsplit("V", 1)[1].split("H")[0]) for path in paths)
    assert white < black, "the larger score is higher up"


def test_a_click_on_a_seat_shows_the_match_as_this_seat_sees_it(browser: Browser, sevens: Path) -> None:
    browser.open(sevens, "#1.1.1.1")
    press = "page.seats.querySelectorAll('button')[1].click()"
    pressed = "[view, page.view.value, page.seats.querySelectorAll('[aria-pressed=true]').length]"
    assert browser.run(f"{press}, {pressed}") == [2, "2", 1]
    assert browser.run(f"{press}, {pressed}") == [0, "0", 0]


def test_a_long_clock_takes_nothing_from_the_names_of_the_bots(browser: Browser, sevens: Path) -> None:
    browser.look(width=1280)
    browser.open(sevens, "#1.1.2.1/fault")
    room = """(() => {
      const clocks = page.seats.querySelectorAll(".clock");
      for (const clock of clocks) clock.textContent = "1.00 s of 1.00 s ".repeat(9);
      return [...page.seats.querySelectorAll(".name")].map((name) => {
        const text = document.createRange();
        text.selectNodeContents(name);
        return name.getBoundingClientRect().width - text.getBoundingClientRect().width;
      });
    })()"""
    assert min(browser.run(room)) >= 0


def test_a_folded_hand_opens_with_a_click_and_stays_open(browser: Browser, sevens: Path) -> None:
    browser.look(width=844, height=390, phone=True)
    browser.open(sevens, "#1.1.1.1")
    folded = "document.querySelectorAll('#board .folded').length"
    before = browser.run(f"go(5), {folded}")
    assert before == 2, "the hand of the seat that acts next is open"
    browser.run("document.querySelector('#board [data-fold]').click()")
    assert browser.run(folded) == 1
    assert browser.run(f"go(6), {folded}") <= 2


@pytest.mark.parametrize("case", ["stratego", "chess", "squadron for six", "biplane for four", "squash"])
def test_a_match_plays_slowly_where_it_matters_and_ends_within_three_minutes(
    browser: Browser, tmp_path: Path, case: str
) -> None:
    game, seats, options = GAMES[case]
    long = {"turns": 150} if "turns" in options else {}
    logs = played.write(tmp_path, game, seats, options={**options, **long}, names=NAMES)
    assert harness("report", logs).exit_code == 0
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    total, heavy, light = browser.run(TEMPOS)
    assert total <= 180_000
    assert heavy > light


def test_a_match_is_printed_whole_with_its_story(browser: Browser, tmp_path: Path) -> None:
    logs = played.write(tmp_path, "sevens", 9, names=NAMES)
    assert harness("report", logs).exit_code == 0
    browser.look(width=844, height=390)
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    paper = """(() => {
      dispatchEvent(new Event("beforeprint"));
      const board = page.board.getBoundingClientRect();
      const cut = [...page.board.querySelectorAll(".fit *")].map((one) => one.getBoundingClientRect())
        .filter(({ right, bottom }) => right > board.right + 1 || bottom > board.bottom + 1);
      const story = [...page.story.children], cards = page.board.querySelectorAll(".hand .card");
      return [cards.length, cut.length, story.filter((one) => one.checkVisibility()).length, story.length];
    })()"""
    browser.use(lambda page: page.emulate_media(media="print"))
    try:
        cards, cut, told, lines = browser.run(paper)
    finally:
        browser.use(lambda page: page.emulate_media(media="screen"))
    assert cards == 9 * 5
    assert cut == 0
    assert told == lines > 40
