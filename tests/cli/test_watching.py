"""Owns the proof that `run --watch` shows who stands where and what is being played."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path

import pytest
import trio
from rich.console import Console
from rich.live import Live

from harness.cli.progress import Counter
from harness.cli.watching import Board, Plain, Watched, watching
from harness.events import InTournament
from harness.job import Done, Entrant, Job, PlainRules
from harness.play.runner import Runner
from harness.record.history import History
from tests.cli.door import STARTER, TINY, a_bot
from tests.recorded import began, faulty, history, played
from tests.report.played import plan_of


def _job(encounter: int) -> Job:
    entrants = tuple(Entrant(bot, ("true",), "/") for bot in ("anna", "bert"))
    return Job(1, 1, encounter, 1, 1, PlainRules("sevens", {}), entrants, (1,), ((1, 2),))


class Slow:
    """A runner that gives back the first seating when it has been asked for the third."""

    def __init__(self) -> None:
        self.was_cut = False

    @asynccontextmanager
    async def play(self, feed: Callable[[], Job | None]) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        async def work(send: trio.MemorySendChannel[Done]) -> None:
            async with send:
                jobs = [job for _ in range(3) if (job := feed())]
                for job in jobs:
                    await send.send(Done(job))

        send, receive = trio.open_memory_channel[Done](0)
        async with receive, trio.open_nursery() as nursery:
            nursery.start_soon(work, send)
            yield receive

    def cut(self) -> None:
        self.was_cut = True


async def test_what_is_fed_and_not_back_is_running() -> None:
    jobs = iter([_job(1), _job(2), _job(3)])
    runner: Runner = Slow()
    watched = Watched(runner)
    left = []
    async with watched.play(lambda: next(jobs, None)) as results:
        async for done in results:
            left.append((done.job.encounter, sorted(key[0] for key in watched.running)))
    assert [encounter for encounter, _ in left] == [1, 2, 3]
    assert all(encounter not in running for encounter, running in left)
    assert left[0][1]
    assert not watched.running
    watched.cut()
    assert isinstance(runner, Slow)
    assert runner.was_cut


def _drawn(told: History, *records: InTournament, height: int = 40) -> str:
    console = Console(file=StringIO(), width=110, height=height)
    board = Board(told, plan_of("sevens", 2, 1, {}, ("a", "b", "c")), Live(console=console))
    board.over(Slow())
    for record in records:
        told.add(record)
        board.see(record)
    console.print(board.drawn())
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_the_board_shows_standings_and_how_far_it_is() -> None:
    text = _drawn(history(began(1, "abc")), played("1.1.1", "ab"), faulty("1.1.2", "ba", "b"))
    assert "run 1: 2 of 18 matches" in text
    rows = [line.split() for line in text.splitlines() if line.split()[1:2] in (["a"], ["b"], ["c"])]
    assert [row[:3] for row in rows] == [["1", "a", "2"], ["2", "b", "2"], ["3", "c", "0"]]
    assert rows[1][-1] == "1"


def test_a_low_screen_shows_the_best_and_how_many_more_there_are() -> None:
    text = _drawn(history(began(1, "abcdef")), height=20)
    assert "and 3 more" in text


def test_where_no_terminal_is_lines_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    told = history(began(1, "abc"))
    with watching(told, plan_of("sevens", 2, 1, {}, ("a", "b", "c"))) as seen:
        assert isinstance(seen, Plain)
        seen.say("a remark")
    assert capsys.readouterr().err == "a remark\n"
    assert Counter(told).total == 18


def test_a_tournament_is_watched_on_a_terminal_and_told_in_the_end(tmp_path: Path) -> None:
    gate, plan = tmp_path / "gate", tmp_path / "cup.toml"
    os.mkfifo(gate)
    closed = os.open(gate, os.O_RDWR)
    # No bot says a word before the screen has shown that it plays.
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
        except OSError:  # A terminal that nobody writes to any more.
            pass
    table, _ = process.communicate(timeout=120)
    assert process.returncode == 0, shown.decode(errors="replace")
    assert b"of 2 matches" in shown
    assert "other" in table
    assert not gate.is_fifo()
