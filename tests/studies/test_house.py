"""Tests that the table of house bots in docs/games.md has all house bots, and that each answers in time."""

from __future__ import annotations

import re
from pathlib import Path

from harness.cli.workspace import house_bots
from harness.config import read_bot
from studies.house import AGAINST, BEGIN, END, FIELDS, MOST_MS, PAGE, HouseBot, kept

ROW = re.compile(r"\| (\S+) \| (\S+) \| [\d.]+ of \d+ \| [\d,]+ \| ([\d.]+) ms \|")


def test_the_table_replaces_the_old_one_and_nothing_else() -> None:
    found = [HouseBot("tiny", "best", 2.5, 4, 1200, 7.26)]
    page = kept(f"before\n{BEGIN}old\n{END}\nafter\n", found)
    row = "| tiny | best | 2.5 of 4 | 1,200 | 7.3 ms |"
    assert page.splitlines()[-3:] == [row, END, "after"]
    assert page.startswith(f"before\n{BEGIN}| game | bot | points against `{AGAINST}` |")
    assert kept(page, found) == page


def test_the_page_has_every_house_bot_and_its_slowest_answer_is_in_time() -> None:
    rows = ROW.findall(PAGE.read_text())
    house = [(game, read_bot(Path(bot)).name) for game in FIELDS for bot in house_bots(game)]
    assert sorted((game, bot) for game, bot, _ in rows) == sorted(house)
    assert all(float(ms) < MOST_MS for *_, ms in rows)
