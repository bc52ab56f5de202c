"""Tests the page of a report that shows the rules of the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from harness.report.rules_page import rules_page
from tests.report import played


def _page(game: str, find: str = "") -> str:
    plan = played.plan_of(game, 2, 1, {}, ("a", "b"))
    return rules_page(replace(plan, game=replace(plan.game, find=find or game)), "cup", "A Game")


@pytest.mark.parametrize("game", ["sevens", "squadron", "squash", "stratego", "biplane", "chess"])
def test_each_link_of_the_rules_leads_somewhere(game: str) -> None:
    page = _page(game)
    assert "<h1" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for href in re.findall(r'href="([^"]+)"', page):
        assert href in ("style.css", "index.html") or href.startswith("https://") or href[1:] in ids, href


def test_what_stands_in_the_page_of_a_game_is_no_html_and_no_picture(tmp_path: Path) -> None:
    (tmp_path / "toy.md").write_text(
        "# Toy\n<script>x</script> and ![a board](board.png), as [here](there.md) and [there](https://a.b)\n\n"
        "| | what |\n|---|---|\n| a | b |\n"
    )
    page = _page("sevens", str(tmp_path / "toy.py"))
    assert "&lt;script&gt;x&lt;/script&gt; and a board, as here and " in page
    assert '<a href="https://a.b">there</a>' in page
    assert "<img" not in page
    assert "<td></td>\n<th>what</th>" in page


def test_a_game_without_a_page_and_a_game_of_a_world_have_no_rules_here(tmp_path: Path) -> None:
    assert _page("sevens", str(tmp_path / "toy.py")) == ""
    (tmp_path / "toy.md").write_bytes(b"\xff")
    assert _page("sevens", str(tmp_path / "toy.py")) == ""
    assert _page("sevens", "openspiel:leduc_poker") == ""
