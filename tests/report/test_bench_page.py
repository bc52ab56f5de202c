"""Tests the page of a bench: what it says of each version, and that text of a bot stays plain text in it."""

import re
from pathlib import Path

from harness import report
from harness.record.bench import BenchState, BenchVersion
from harness.report.bench_page import bench_page
from tests.report.browser import Browser

WEB = Path(report.__file__).parent / "web"
FIRST = BenchVersion(number=1, bot="ann", version=1, digest="1", found="2026-11-28T09:05:00+00:00")
NEXT = BenchVersion(
    number=2,
    bot="ann",
    version=2,
    digest="2",
    found="2026-11-28T10:00:00+00:00",
    state="not promoted",
    why="worse than ann@1: 40 % of 100 matches.",
    evidence=("To `<b>` it answered `\x1b[31m`, and the champion answered `1`.",),
    against="ann@1",
    matches=100,
    share=0.4,
    base=0.6,
    elo=-70.0,
    error=30.0,
    faults=3,
    logs="logs/<bench>",
)
STATE = BenchState("tiny", "ann@1", (FIRST, NEXT))


def test_the_newest_version_comes_first_with_its_numbers_and_the_reason() -> None:
    page = bench_page(STATE, "mine", "The command waits.", [], "")
    assert page.index("#version-2") < page.index("#version-1")
    told = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Champion ann@1 Versions 2" in told
    assert "ann@2 not promoted ann@1 40 % -70 ± 30 100 3 2026-11-28 10:00 UTC" in told
    assert "worse than ann@1: 40 % of 100 matches." in told
    assert "It is not judged yet." in told


def test_texts_of_bots_are_escaped_and_troubles_are_shown() -> None:
    page = bench_page(STATE, "mine", "now", ["Not a version: x<y"], "")
    assert "&lt;b&gt;" in page
    assert r"\x1b[31m" in page
    assert "\x1b" not in page
    assert "harness report logs/&lt;bench&gt;" in page
    assert "Not a version: x&lt;y" in page


def test_only_a_page_with_a_stamp_updates_itself() -> None:
    assert 'src="watch.js" data-stamp="abc"' in bench_page(STATE, "mine", "now", [], "abc")
    assert "watch.js" not in bench_page(STATE, "mine", "now", [], "")


def test_a_bench_without_versions_says_so() -> None:
    page = bench_page(BenchState("tiny"), "mine", "now", [], "")
    assert "No version has been found yet." in page
    assert "none yet" in page


def test_on_a_phone_an_interval_stands_in_one_line(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text(bench_page(STATE, "mine", "now", [], ""))
    (tmp_path / "style.css").write_bytes((WEB / "style.css").read_bytes())
    browser.look(width=390, height=844, phone=True)
    browser.open(page)
    [(top, bottom)] = browser.run(
        "[...document.querySelectorAll('td:has(> .band)')].map((cell) => {"
        " const words = document.createRange(); words.selectNodeContents(cell.lastChild);"
        " const boxes = [...words.getClientRects()]; return [boxes[0].top, boxes.at(-1).top]; })"
    )
    assert top == bottom
