"""Tests that the pages work in a browser, opened from disk: every replay from start to end, no errors in the
console, nothing hidden in a seat's view. Skipped without Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from harness import games
from harness.cli.workspace import TEMPLATES
from harness.events import Match, Result
from harness.record.masking import unmasked
from harness.report import opponents, scenes
from harness.report.assets import packed
from harness.report.names import Names
from harness.report.replay import heard, steps
from harness.report.replays import TOGETHER
from harness.report.results import Met
from harness.report.survey import MatchLines
from tests.cli.door import harness
from tests.report import played
from tests.report.browser import Browser
from tests.report.packed import unpacked
from tests.report.planted import SECRET, SECRETS

TINY = str(TEMPLATES / "game" / "tiny.py")
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "sevens": (3, {}),
    "stratego": (2, {"quiet": 40, "plies": 120}),
    "squash": (4, {"variant": "cards"}),
    "squadron": (3, {"battles": 2, "turns": 8}),
    "biplane": (3, {"turns": 30, "tree": True}),
    "chess": (2, {"plies": 40}),
    TINY: (2, {"rounds": 2, "coins": 4}),
}
PRESS = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '%s', bubbles: true }))"
PICTURES = """
new Promise((done) => {
  const all = () => document.querySelectorAll("match-picture");
  const drawn = () => document.querySelectorAll("[data-drawn]");
  document.querySelector("#list").scrollIntoView();
  const look = () => (drawn().length === all().length ? done(drawn().length) : setTimeout(look, 20));
  setTimeout(() => done(-1), 60000);
  look();
})
"""
THROUGH = """
((button) => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const seen = [];
  for (const viewer of new Set([0, 1, match.bots.length])) {
    show(viewer);
    for (const key of ["End", "Home"]) press(key);
    const clicks = button === page.on ? stops.length - 1 : beats.filter((stop) => stop > 0).length;
    for (let click = 0; click < clicks; click += 1) button.click();
    seen.push([at, stops.length, clicks, page.board.childElementCount, page.story.childElementCount]);
  }
  return seen;
})
"""


def _report(folder: Path, game: str, **more: Any) -> Path:
    seats, options = GAMES[game]
    logs = played.write(folder, game, seats, options=options, **more)
    done = harness("report", logs)
    assert done.exit_code == 0, done.output
    return logs / "report"


def _on_a_phone(browser: Browser, folder: Path, **more: Any) -> None:
    """Opens the first page of the report of a tournament of Sevens, on a phone."""
    pages = _report(folder, "sevens", **more)
    browser.look(width=390, height=844, phone=True)
    browser.open(pages / "index.html")


def test_every_game_with_a_scene_is_looked_at_here() -> None:
    assert scenes.names() <= GAMES.keys()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).stem)
def test_every_replay_steps_from_start_to_end_for_every_viewer(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    pages = _report(tmp_path, game, fault_at=4)
    browser.complaints.clear()
    for sitting, button in ((1, "after"), (2, "on")):  # Sitting 2 has the fault, and is short.
        browser.open(pages / "match.html", f"#1.1.{sitting}.1")
        for at, stops, clicks, drawn, told in browser.run(f"{THROUGH}(page.{button})"):
            assert at == stops - 1 > 0
            assert clicks
            assert drawn
            assert told
    browser.open(pages / "index.html")
    assert browser.run(PICTURES) >= GAMES[game][0], "each match in a list has a small picture"
    assert browser.complaints == []


def test_the_first_page_lists_matches_and_sorts_tables(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens", deals=2, fault_at=4)
    browser.complaints.clear()
    browser.open(pages / "index.html")
    assert browser.run("document.querySelectorAll('#list tbody tr').length") == 6
    browser.run("document.querySelectorAll('#list select')[3].value = 'any'")
    browser.run("document.querySelectorAll('#list select')[3].dispatchEvent(new Event('input'))")
    assert browser.run("document.querySelectorAll('#list tbody tr').length") == 2
    headers = browser.run("[...document.querySelectorAll('#standings th')].map((cell) => cell.innerText)")
    [place] = [place for place, header in enumerate(headers) if header.startswith("Points")]
    order = f"[...document.querySelector('#standings tbody').rows].map((row) => row.cells[{place}].innerText)"
    sort = f"document.querySelectorAll('#standings th')[{place}].querySelector('button').click()"
    browser.run(sort)
    points = [int(text.replace(" ", "")) for text in browser.run(order)]
    assert points == sorted(points)
    browser.run(sort)
    assert [int(text.replace(" ", "")) for text in browser.run(order)] == sorted(points, reverse=True)
    assert browser.complaints == []


def test_the_fault_is_one_key_away_and_the_log_line_is_named(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens", fault_at=4)
    browser.open(pages / "match.html", "#1.1.2.1")
    browser.run(PRESS % "f")
    assert "Fault of" in browser.run("page.now.textContent")
    place = browser.run("page.place.textContent")
    file, _, line = place.removeprefix("In the log: ").partition(", line ")
    assert '"is":"fault"' in (pages.parent / file).read_text().splitlines()[int(line) - 1]
    assert browser.run("document.querySelector('#place a').getAttribute('href')") == f"../{file}"


def test_a_seat_sees_no_card_of_another_hand(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens")
    browser.open(pages / "match.html", "#1.1.1.1")
    browser.run(PRESS % "1")
    faces = (
        "[...document.querySelectorAll('.hand')]"
        ".map((hand) => hand.querySelectorAll('.card:not(.back)').length)"
    )
    assert browser.run(faces) == [17, 0, 0]
    browser.run(PRESS % "0")
    assert browser.run(faces) == [17, 17, 17]


def test_a_match_that_is_not_there_is_said_to_be_missing(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens")
    browser.open(pages / "match.html", "#9.9.9.9")
    assert "no match 9.9.9.9" in browser.run(
        "new Promise((done) => setTimeout(() => done(document.getElementById('now').textContent), 50))"
    )


WORDS = """
[...document.querySelectorAll(".plot:not(details .plot) svg text")]
  .filter((each) => each.checkVisibility()).map((each) =>
  parseFloat(getComputedStyle(each).fontSize) * Math.hypot(each.getScreenCTM().a, each.getScreenCTM().b))
"""


def test_no_word_of_a_plot_is_tiny_and_a_column_or_a_phone_has_room_for_a_plot(
    browser: Browser, tmp_path: Path
) -> None:
    pages = _report(tmp_path, "sevens", fault_at=4)
    for width in (390, 1024, 1200, 1440):
        browser.look(width=width, phone=width < 500)
        browser.open(pages / "index.html")
        assert min(browser.run(WORDS)) >= 11, width
        over = "[...document.querySelectorAll('.plot')].map((each) => each.scrollWidth - each.clientWidth)"
        assert max(browser.run(over)) <= 0, width


def test_a_long_name_in_the_list_is_cut_and_the_keyboard_shows_all_of_it(
    browser: Browser, tmp_path: Path
) -> None:
    pages = _report(tmp_path, "sevens", names=("a-bot-with-a-rather-long-name-of-40-chars", "b", "c", "d"))
    browser.look(width=390, height=844, phone=True)
    browser.open(pages / "index.html")
    name = "document.querySelector('#list .seat a[title^=a-bot]')"
    cut = f"((link) => link.scrollWidth > link.clientWidth)({name})"
    assert browser.run(cut)
    assert not browser.run(f"{name}.focus({{ focusVisible: true }}), {cut}")


def test_no_page_is_wider_than_a_phone(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens", fault_at=4)
    browser.look(width=390, height=844, phone=True)
    for page, anchor in (("index.html", ""), ("match.html", "#1.1.1.1")):
        browser.open(pages / page, anchor)
        assert browser.run("document.documentElement.scrollWidth") <= 390, page


def test_a_phone_shows_the_place_the_bot_the_rank_and_its_interval_at_once(
    browser: Browser, tmp_path: Path
) -> None:
    _on_a_phone(browser, tmp_path, names=("a-name-of-twenty-eight-signs", "b", "c", "d"))
    shown = browser.run(
        "[...document.querySelector('#standings table').rows].map((row) => [row.cells[3].textContent,"
        " row.cells[3].getBoundingClientRect().right])"
    )
    assert shown[0][0].startswith("95 % interval")
    assert max(right for _, right in shown) <= 390


def test_on_a_phone_the_reason_of_a_disqualification_has_room(browser: Browser, tmp_path: Path) -> None:
    _on_a_phone(browser, tmp_path, fault_at=4, policy="disqualify")
    rooms = browser.run(
        "[...document.querySelectorAll('#faults td:nth-child(6)')].map((td) => td.offsetWidth)"
    )
    assert rooms
    assert min(rooms) >= 150


def test_on_a_phone_a_sentence_of_a_match_to_watch_is_not_broken_after_its_link(
    browser: Browser, tmp_path: Path
) -> None:
    _on_a_phone(browser, tmp_path, names=("a-name-of-twenty-eight-signs", "b", "c", "d"))
    ends = browser.run(
        "[...document.querySelectorAll('.watch span')].map((said) => {"
        " const words = document.createRange(); words.selectNode(said.lastChild);"
        " return [[...said.firstChild.getClientRects()].at(-1).bottom, words.getClientRects()[0].bottom]; })"
    )
    assert ends
    for link, words in ends:
        assert abs(link - words) < 12, "the words after the link begin in its last line"


def test_the_standings_fill_a_wide_window_and_no_name_of_a_bot_is_broken(
    browser: Browser, tmp_path: Path
) -> None:
    pages = _report(tmp_path, "sevens", names=("a-name-of-twenty-eight-signs", "b", "c", "d"))
    for width in (1024, 1440):
        browser.look(width=width)
        browser.open(pages / "index.html")
        over, rows = browser.run(
            "(([box]) => [box.scrollWidth - box.clientWidth, [...box.querySelectorAll('td a')]"
            ".map((name) => name.offsetHeight)])(document.querySelectorAll('#standings .scroll'))"
        )
        assert over <= 0, width
        assert max(rows) < 30, width


def test_a_seat_sees_no_piece_that_has_not_collided(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "stratego")
    browser.open(pages / "match.html", "#1.1.1.1")
    named = (
        "[...document.querySelectorAll('svg [aria-label^=Blue]')]"
        ".filter((one) => !/hidden/.test(one.ariaLabel)).length"
    )
    browser.run(PRESS % "1")
    assert browser.run(named) == 0
    browser.run(PRESS % "2")
    assert browser.run(named) == 40
    browser.run(PRESS % "0")
    assert browser.run(named) == 40


def test_an_address_names_a_match_and_a_step(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens", fault_at=4)
    browser.open(pages / "match.html", "#1.1.2.1/fault")
    assert "Fault of" in browser.run("page.now.textContent")
    browser.open(pages / "match.html", "#1.1.1.1/59")
    assert browser.run("page.place.textContent").endswith("line 59")


def test_playing_goes_to_the_end_and_stops(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens", fault_at=4)
    browser.open(pages / "match.html", "#1.1.2.1")
    browser.run("page.speed.value = '60'; page.play.click()")
    ended = (
        "new Promise((done) => { const look = () =>"
        " timer ? setTimeout(look, 20) : done(page.on.disabled); look(); })"
    )
    assert browser.run(ended) is True


def test_the_match_after_is_one_key_away(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "sevens")
    browser.open(pages / "match.html", "#1.1.1.1")
    assert browser.run("page.neighbours.textContent").strip() == "1.1.2.1 →"
    browser.run(PRESS % "n")
    loaded = (
        "new Promise((done) => { const look = () =>"
        " match.id === '1.1.2.1' ? done(page.title.innerText) : setTimeout(look, 20); look(); })"
    )
    assert browser.run(loaded) == "Match 1.1.2.1"
    assert browser.run("page.neighbours.textContent") == "← 1.1.1.1 1.1.3.1 →"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_board_is_saved_as_a_picture_and_the_link_is_told(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    pages = _report(tmp_path, game)
    browser.open(pages / "match.html", "#1.1.1.1")
    clicked = (
        "new Promise((done) => { HTMLAnchorElement.prototype.click = function () { window.saved = this; };"
        " page.%s.click(); const look = () => page.done.textContent"
        " ? done([page.done.textContent, window.saved?.href.length ?? 0]) : setTimeout(look, 20); look(); })"
    )
    told, size = browser.run(clicked % "picture")
    assert told.startswith("Saved as match-1.1.1.1-line-")
    assert size > 10_000
    told, _ = browser.run("page.done.textContent = '', " + clicked % "copy")
    assert "copied" in told or "match.html#1.1.1.1/" in told


def test_a_page_finds_its_match_among_those_of_a_file(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "squash", deals=TOGETHER + 2)
    named = (
        "new Promise((done) => { const look = () => match ? done(match.id) : setTimeout(look, 20); look(); })"
    )
    for match in ("1.1.1.1", f"1.1.1.{TOGETHER}", f"1.1.2.{TOGETHER + 2}"):
        browser.open(pages / "match.html", f"#{match}")
        assert browser.run(named) == match
    assert len(list((pages / "matches" / "1").rglob("*.js"))) == 2 * GAMES["squash"][0]


def test_a_file_without_the_match_of_the_address_is_said_to_lack_it(browser: Browser, tmp_path: Path) -> None:
    pages = _report(tmp_path, "squash", deals=2)
    script = pages / "matches" / "1" / "000" / "1.1.1.js"
    script.write_text(script.read_text().splitlines(keepends=True)[1])
    browser.open(pages / "match.html", "#1.1.1.1")
    told = (
        "new Promise((done) => { const look = () => document.body.classList.contains('missing')"
        " ? done(page.now.textContent) : setTimeout(look, 20); look(); })"
    )
    assert browser.run(told) == "This report has no match 1.1.1.1."


@pytest.mark.parametrize("game", sorted(scenes.names()))
def test_a_planted_secret_is_seen_by_the_referee_and_its_seat_alone(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    pages = _report(tmp_path, game)
    script = pages / "matches" / "1" / "000" / "1.1.1.js"
    made = unpacked(script)
    seats = scenes.of_match(game, games.find(game).options(), 2)
    lines: Any = tuple(enumerate((Match("1.1.1.1", ("a", "b")), *SECRETS, Result((1, 2), (1, 0), "x"))))
    names = Names(unmasked(("a", "b")), False)
    made |= {"bots": ["a", "b"], "sides": [[1], [2]], "opening": seats.first.opening()}
    made["steps"] = steps(MatchLines(lines[0][1], 1, "x", lines), heard(seats), names, {})
    script.write_bytes(packed(made))
    browser.open(pages / "match.html", "#1.1.1.1")
    told = (
        "[0, 1, 2].map((viewer) => { let text = ''; show(viewer); go(0);"
        " do { page.on.click(); text += document.body.innerHTML; } while (!page.on.disabled);"
        f" return text.split('{SECRET}').length - 1; }})"
    )
    referee, other, own = browser.run(told)
    assert referee >= len(SECRETS)
    assert own >= 3
    assert other == 0


def test_a_game_of_another_library_is_told_by_the_names_of_its_moves(
    browser: Browser, tmp_path: Path
) -> None:
    logs = played.write(tmp_path, "openspiel:leduc_poker", 2)
    assert harness("report", logs).exit_code == 0
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    last = "go(stops.length - 1), [...page.story.children].map((item) => item.textContent)"
    *moves, end = (line.split(". The slowest answer: ")[0] for line in browser.run(last))
    assert all(re.fullmatch("(anna|bert) plays (Call|Raise|Fold)", move) for move in moves)
    assert end.startswith("The end: ")
    # The picture at the first stop of the viewer shows the position after the first move.
    first = moves[0].split()[-1]
    assert f"Round 1 sequence: {first}\n" in browser.run("go(1), allFrames[stops[at]].picture.text")
    browser.look(width=390, height=844, phone=True)
    browser.open(logs / "report" / "match.html", "#1.1.1.1")
    text = "document.querySelector('.board pre')"
    over, size = browser.run(
        f"[{text}.scrollWidth - {text}.clientWidth, parseFloat(getComputedStyle({text}).fontSize)]"
    )
    assert over <= 0, "no line is cut"
    assert size >= 11


def test_a_map_of_many_bots_cuts_none_of_their_names(browser: Browser, tmp_path: Path) -> None:
    bots = [f"{'a-wide-bot-' * (number % 2)}{number}-mmm" for number in range(20)]
    pairs = {(one, other): Met(4, 2) for one in bots for other in bots if one != other}
    svg = opponents.beats(pairs, bots, bots, str).svg("Head to head")
    style = "<style>text { font-family: 'DejaVu Sans', sans-serif !important }</style>"
    (tmp_path / "map.html").write_text(f"<!doctype html>{style}{svg}")
    browser.open(tmp_path / "map.html")
    outside = """(() => {
      const { top, left, right } = document.querySelector("svg").getBoundingClientRect();
      const boxes = [...document.querySelectorAll("svg text")].map((one) => one.getBoundingClientRect());
      return [boxes.length, boxes.filter((box) => box.top < top || box.left < left || box.right > right)];
    })()"""
    count, cut = browser.run(outside)
    assert count >= 2 * len(bots)
    assert cut == []
