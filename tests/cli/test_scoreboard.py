"""Owns the proof that `run --watch` shows the standings and the matches that are being played."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import trio
from rich.console import Console, RenderableType
from rich.live import Live
from trio.testing import MockClock

from harness.cli.progress import Counter
from harness.cli.scoreboard import PlainScoreboard, Scoreboard, _Newest, scoreboard
from harness.events import InTournament
from harness.job import Entrant, Job, PlainRules
from harness.play.conduct import UnderWay
from harness.record.history import History
from harness.results.standings import Standings, standings
from tests.cli.door import STARTER, TINY, a_bot
from tests.record.recorded import began, faulty, history, played
from tests.report.played import plan_of


def _job(encounter: int) -> Job:
    entrants = tuple(Entrant(bot, ("true",), "/") for bot in ("anna", "bert"))
    return Job(1, 1, encounter, 1, 1, PlainRules("sevens", {}), entrants, (1,), ((1, 2),))


def _under_way(told: History, *jobs: Job) -> UnderWay:
    plan = plan_of("sevens", 2, 1, {}, ("a", "b", "c"))
    running = {(job.encounter, job.sitting): (job, time.monotonic()) for job in jobs}
    return UnderWay(plan, told, running, lambda: None, lambda: None)


def _drawn(told: History, *records: InTournament, jobs: Sequence[Job] = (), height: int = 40) -> str:
    console = Console(file=StringIO(), width=110, height=height)
    under_way = _under_way(told, *jobs)
    board = Scoreboard(under_way, Live(console=console))
    for record in records:
        told.add(record)
        board.see(record)
    return _text(board.drawn(standings(told, under_way.plan.policy, None)), height)


def _text(drawn: RenderableType, height: int = 40) -> str:
    with (console := Console(file=StringIO(), width=110, height=height)).capture() as captured:
        console.print(drawn)
    return captured.get()


def test_the_board_shows_standings_and_how_far_it_is() -> None:
    text = _drawn(history(began(1, "abc")), played("1.1.1", "ab"), faulty("1.1.2", "ba", "b"))
    assert "run 1: 2 of 18 matches" in text
    rows = [line.split() for line in text.splitlines() if line.split()[1:2] in (["a"], ["b"], ["c"])]
    assert [row[:3] for row in rows] == [["1", "a", "2"], ["2", "b", "2"], ["3", "c", "0"]]
    assert rows[1][-1] == "1"


def test_the_board_shows_what_is_being_played() -> None:
    text = _drawn(history(began(1, "abc")), jobs=[_job(1), _job(2)])
    rows = [line.split() for line in text.splitlines() if "anna" in line]
    assert [row[0] for row in rows] == ["1.1.1", "1.2.1"]
    assert rows[0][-2:] == ["anna", "bert"]
    assert "playing" not in _drawn(history(began(1, "abc")))


def test_the_board_has_the_present_names_of_renamed_teams() -> None:
    under_way = _under_way(history(began(1, "abc")), _job(1))._replace(present=lambda bot: f"new-{bot}")
    board = Scoreboard(under_way, Live(console=Console(file=StringIO())))
    text = _text(board.drawn(_Newest(under_way).standings()))
    assert "new-anna  new-bert" in text
    assert {row.split()[1] for row in text.splitlines() if row.split()[1:2]} >= {"new-a", "new-b", "new-c"}


def test_a_low_screen_shows_the_best_and_how_many_more_there_are() -> None:
    text = _drawn(history(began(1, "abcdef")), height=20)
    assert "and 3 more" in text


def test_where_no_terminal_is_lines_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    told = history(began(1, "abc"))
    with scoreboard(_under_way(told)) as seen:
        assert isinstance(seen, PlainScoreboard)
        seen.say("a remark")
    assert capsys.readouterr().err == "a remark\n"
    assert Counter(told).total == 18


def test_a_tournament_goes_on_while_standings_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    told, computed = history(began(1, "abc")), threading.Event()

    def slowly(*given: Any, **options: Any) -> Standings:
        assert computed.wait(60)
        return standings(*given, **options)

    monkeypatch.setattr("harness.cli.scoreboard.standings", slowly)
    console = Console(file=StringIO(), width=110)
    board = Scoreboard(_under_way(told), Live(console=console, auto_refresh=False))

    async def watched() -> list[str]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(board.keep)
            shown = []
            for record in (played("1.1.1", "ab"), played("1.1.2", "ba")):
                told.add(record)
                board.see(record)
                await trio.sleep(3)
                shown.append(_text(board.drawn(board.table)))
            computed.set()
            while board.table is None:
                await trio.sleep(1)
            shown.append(_text(board.drawn(board.table)))
            nursery.cancel_scope.cancel()
        return shown

    first, second, third = trio.run(watched, clock=MockClock(autojump_threshold=0))
    assert "1 of 18 matches" in first
    assert "2 of 18 matches" in second
    assert "95 % interval" not in second
    assert "95 % interval" in third


def test_a_tournament_is_watched_on_a_terminal_and_told_in_the_end(tmp_path: Path) -> None:
    gate, plan = tmp_path / "gate", tmp_path / "cup.toml"
    os.mkfifo(gate)
    closed = os.open(gate, os.O_RDWR)
    # Each bot waits at the gate until the screen has shown that the bot plays.
    bot = a_bot(tmp_path, f'#!/bin/sh\ncat "{gate}"\nexec "{sys.executable}" "{STARTER}/main.py"\n')
    bots = f'["{bot}", {{path = "{bot}", name = "other"}}]'
    plan.write_text(
        f'game = "{TINY}"\nseats = 2\nseed = 1\nisolation = "none"\nbots = {bots}\nlimits.start_ms = 60_000\n'
    )
    screen, terminal = os.openpty()
    command = [sys.executable, "-m", "harness", "run", str(plan), "--watch", "--workers", "1"]
    command += ["--logs", str(tmp_path / "logs")]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=terminal, text=True
    )
    os.close(terminal)
    shown = b""
    with os.fdopen(screen, "rb", buffering=0) as file:
        try:
            while part := file.read(65_536):
                shown += part
                if b"playing" in shown and gate.is_fifo():
                    a_bot(tmp_path, "", "open").rename(gate)
                    os.close(closed)
        except OSError:  # Nobody writes to the terminal any more.
            pass
    table, _ = process.communicate(timeout=120)
    assert process.returncode == 0, shown.decode(errors="replace")
    assert b"of 2 matches" in shown
    assert "other" in table
    assert not gate.is_fifo()
