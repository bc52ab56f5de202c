"""Tests that a live bot is charged the right time and the right fault."""

from __future__ import annotations

import gc
import os
import sys
import time
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from harness.bot.excuse import Account
from harness.bot.player import Player
from harness.bot.watchdog import LOOKS, Watchdog
from harness.model import Limits, Reply
from harness.sandbox import launch
from tests.bot.spinners import spinners
from tests.play.live_sittings import HANG, one_core

pytestmark = pytest.mark.real

DEFAULT = Limits()
BOTH = pytest.mark.parametrize("alone", [False, True], ids=["with others", "alone"])
"""Whether the match is the only one of its event loop, or other matches need turns of the loop too."""
PATIENT_US = 60_000_000
HELLO = 'read -r hello; echo "hello 1"; '
ASKED = "read -r question; "


@asynccontextmanager
async def live(
    script: str, folder: Path, limits: Limits = DEFAULT, watchdog: Watchdog | None = None
) -> AsyncIterator[Player]:
    """A player whose bot is this shell script."""
    async with trio.open_nursery() as background:
        watchdog = watchdog or Watchdog()
        background.start_soon(watchdog.run)
        with trio.fail_after(HANG):
            player = Player("bot", launch(("/bin/sh", "-c", script), folder, folder), limits, watchdog)
            try:
                yield player
            finally:
                await player.kill()
        background.cancel_scope.cancel()


def stall(seconds: float) -> None:
    """Keeps the controller busy with something else: meanwhile no other task of the loop runs."""
    time.sleep(seconds)


async def asked(player: Player, limit_us: int = PATIENT_US, block: bytes = b"question\n") -> Reply:
    return await player.ask(block, limit_us, 0)


def own_us(reply: Reply) -> int:
    """The own time of the answer: its time without the excused time."""
    return reply.us - reply.excused_us


# -- the start -------------------------------------------------------------------------------------


async def test_a_bot_says_in_its_hello_what_it_wants(tmp_path: Path) -> None:
    async with live('read -r hello; echo "hello 1 legal state"', tmp_path) as player:
        assert await player.start("sevens") is None
        assert player.wants == (True, True)


async def test_a_hello_that_comes_too_late_is_no_hello(tmp_path: Path) -> None:
    limits = Limits(start_ms=50)
    # The bot is late by more than the time in which a busy machine may fail to look for the answer.
    async with live('read -r hello; sleep 0.8; echo "hello 1"', tmp_path, limits) as player:
        failure = await player.start("sevens")
        assert failure is not None
        assert failure.us > 50_000


@pytest.mark.parametrize(
    ("block", "due"),
    [
        (b"hello 1 tiny\n", "; `hello 1` is due"),
        (b"option rounds 1\nnew 1 1 2 7\n", "; `ready` is due"),
        (b"bid 50 -1\n", ""),
        (b"newest 50 -1\n", ""),
    ],
)
async def test_who_says_nothing_is_told_what_the_harness_waited_for(
    tmp_path: Path, block: bytes, due: str
) -> None:
    async with live("sleep 1000", tmp_path) as player:
        reply = await player.ask(block, 20_000, 0)
    assert reply.why == f"no answer within 20.0 ms{due}"


# -- time ------------------------------------------------------------------------------------------


@BOTH
async def test_a_bot_that_says_nothing_is_late_however_busy_the_controller_was(
    tmp_path: Path, alone: bool
) -> None:
    async with (
        live(HELLO + "sleep 1000", tmp_path, watchdog=Watchdog(alone)) as player,
        trio.open_nursery() as nursery,
    ):
        await player.start("sevens")
        nursery.start_soon(stalled, 0.03, 0.1)
        reply = await asked(player, 50_000)
        assert (reply.said, reply.failed) == (None, "late")
        assert own_us(reply) > 50_000


async def test_a_bot_that_says_nothing_is_late_however_busy_its_core_was(tmp_path: Path) -> None:
    with one_core(), spinners(1):
        async with live(f"{HELLO}while :; do :; done", tmp_path) as player:
            await player.start("sevens")
            reply = await asked(player, 100_000)
    assert (reply.said, reply.failed) == (None, "late")
    assert own_us(reply) > 100_000


async def test_waits_after_the_end_of_its_time_excuse_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process takes the core of the harness, two ticks can come before `ask` goes on."""
    waits = iter((0, 900_000))
    waited_us = 0

    def reads(account: Account, asked: int, now: int) -> bool:
        nonlocal waited_us
        waited_us = next(waits)
        return True

    watchdog, replies = Watchdog(), []

    async def ask(player: Player) -> None:
        replies.append(await asked(player, 500_000))

    async with live(HELLO + "sleep 1000", tmp_path, watchdog=watchdog) as player:
        await player.start("sevens")
        watchdog.remove(player)
        monkeypatch.setattr(Account, "tick", reads)
        monkeypatch.setattr(Account, "waited_us", lambda *_: waited_us)
        monkeypatch.setattr(Account, "has_time", lambda *_: waited_us > 0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask, player)
            await wait_all_tasks_blocked()
            for seconds in (1, 2):
                player.tick(time.monotonic_ns() + seconds * 1_000_000_000)
    [reply] = replies
    assert (reply.failed, reply.excused_us) == ("late", 0)
    assert 1_000_000 <= reply.us < 2_000_000


@BOTH
async def test_an_answer_that_lay_there_while_nobody_looked_is_excused(tmp_path: Path, alone: bool) -> None:
    async with live(HELLO + ASKED + "cat go; echo answer", tmp_path, watchdog=Watchdog(alone)) as player:
        os.mkfifo(tmp_path / "go")
        await player.start("sevens")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(let_go_and_stall, tmp_path / "go", 0.5)
            reply = await asked(player, 200_000)
        assert (reply.said, reply.failed) == ("answer", "")
        assert own_us(reply) <= 200_000 < reply.us


async def let_go_and_stall(go: Path, seconds: float) -> None:
    go.write_text("")  # This write waits until the bot reads.
    stall(seconds)


async def stalled(after: float, seconds: float) -> None:
    await trio.sleep(after)
    stall(seconds)


@BOTH
async def test_a_stall_before_the_last_look_excuses_nothing(tmp_path: Path, alone: bool) -> None:
    async with live(
        HELLO + ASKED + "sleep 0.42; echo answer; read -r bye", tmp_path, watchdog=Watchdog(alone)
    ) as player:
        await player.start("sevens")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(stalled, 0.05, 0.3)
            reply = await asked(player, 380_000)
        assert reply.said or reply.failed == "late"
        # If the 300 ms of the stall were excused, at most 120 ms would be left. A busy machine can
        # add another gap between two looks for the answer.
        assert own_us(reply) > 250_000


async def test_a_stall_after_the_answer_excuses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the answer is read, many other matches go on in the loop, and each of them takes some time."""
    async with live(HELLO + ASKED + "sleep 0.2; echo answer; read -r bye", tmp_path) as player:
        await player.start("sevens")
        monkeypatch.setattr(Watchdog, "rest", stalls)
        reply = await asked(player, 180_000)
        assert reply.said or reply.failed == "late"
        assert own_us(reply) > 180_000


async def stalls(watchdog: Watchdog) -> None:
    stall(0.1)


async def test_a_bot_that_is_slow_to_read_is_not_excused_for_it(tmp_path: Path) -> None:
    """The question does not fit into the pipe. The bot's time starts when it has read most of the text."""
    reads_late = HELLO + "sleep 0.15; head -c 100000 >/dev/null; sleep 1000"
    async with live(reads_late, tmp_path) as player:
        await player.start("sevens")
        reply = await asked(player, 250_000, b"x" * 99_999 + b"\n")
        assert (reply.said, reply.failed) == (None, "late")
        assert own_us(reply) > 250_000


@BOTH
async def test_a_bot_that_does_not_read_at_all_is_late(tmp_path: Path, alone: bool) -> None:
    async with live(HELLO + "sleep 1000", tmp_path, watchdog=Watchdog(alone)) as player:
        await player.start("sevens")
        reply = await asked(player, 100_000, b"x" * 99_999 + b"\n")
        assert (reply.said, reply.failed) == (None, "late")
        assert own_us(reply) > 100_000


async def test_a_bot_that_kept_the_loop_from_its_core_is_not_excused_for_it(tmp_path: Path) -> None:
    spins = "import time; end = time.thread_time() + 0.3\nwhile time.thread_time() < end: pass"
    with one_core():
        async with live(
            f"{HELLO}{ASKED}{sys.executable} -I -S -c '{spins}'; echo answer", tmp_path
        ) as player:
            await player.start("sevens")
            reply = await asked(player, 250_000)
    assert (reply.said or reply.failed) in ("answer", "late")
    assert own_us(reply) > 250_000


async def test_the_time_for_which_a_bot_computes_comes_off_its_bank(tmp_path: Path) -> None:
    """The bot and the loop share a core. The bot keeps it for less time than the scheduler gives at once."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import time\nprint(input() and 'hello 1', flush=True)\nwhile input():\n"
        "    end = time.thread_time() + 0.002\n    while time.thread_time() < end: pass\n"
        "    print('answer', flush=True)"
    )
    with one_core():
        async with live(f"exec {sys.executable} -I -S {bot}", tmp_path, Limits(bank_ms=1_000)) as player:
            await player.start("sevens")
            player.begin()
            replies = [await asked(player) for _ in range(50)]
    assert own_us(replies[0]) >= 2_000, "there was no reading at the question before"
    assert sum(map(own_us, replies)) >= 50 * 2_000


async def test_a_bot_that_was_kept_from_the_cpu_from_the_first_is_excused_for_all_of_it(
    tmp_path: Path,
) -> None:
    """Three other processes keep the bot's core busy, so the bot's work takes about four times as long."""
    spins = "import time; end = time.thread_time() + 0.4\nwhile time.thread_time() < end: pass"
    bot = tmp_path / "bot.py"
    bot.write_text(f"print(input() and 'hello 1', flush=True); input()\n{spins}\nprint('answer', flush=True)")
    with one_core(), spinners(3):
        async with live(f"exec {sys.executable} -I -S {bot}", tmp_path) as player:
            await player.start("sevens")
            reply = await asked(player, 500_000)
    assert (reply.said, reply.failed) == ("answer", "")
    assert own_us(reply) < 500_000 < reply.us


async def test_a_bot_is_told_bye_once(tmp_path: Path) -> None:
    async with live(HELLO + "exec cat > heard", tmp_path) as player:
        assert await player.start("sevens") is None
        await player.bye()
        await player.stop()
    assert (tmp_path / "heard").read_text() == "bye\n"


async def test_a_bot_that_has_ended_leaves_the_memory_at_once(tmp_path: Path) -> None:
    # The bot starts programs, which takes longer than LONG_US. So the next question would begin with
    # `_look_carefully`.
    programs = "$(command -v true); " * 5
    async with live(f"{programs} {HELLO} read -r stay", tmp_path) as player:
        await player.start("game")
    known = weakref.ref(player)
    gc.disable()
    try:
        del player
        assert known() is None
    finally:
        gc.enable()


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("alone", [True, False])
async def test_after_a_bot_that_took_long_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool
) -> None:
    rests = []

    async def counted(self: Watchdog) -> None:
        rests.append(self)

    monkeypatch.setattr(Watchdog, "rest", counted)
    for name in ("QUIET_NS", "TURN_NS"):  # So no rest is due, even on a busy machine.
        monkeypatch.setattr(f"harness.bot.watchdog.{name}", HANG * 1_000_000_000)
    # The bot starts a program for its answer, which takes longer than BRISK_US.
    script = f"{HELLO} {ASKED} $(command -v true); echo done; read -r stay"
    watchdog = Watchdog()
    async with live(script, tmp_path, watchdog=watchdog) as player, trio.open_nursery() as others:
        await player.start("game")
        reading, writing = os.pipe()
        if not alone:
            others.start_soon(watchdog.wait_for_answer, reading, LOOKS)
        await wait_all_tasks_blocked()  # Now the watchdog runs, and any other match waits.
        await trio.sleep(0)
        rests.clear()
        assert (await asked(player)).said == "done"
        assert bool(rests) != alone
        others.cancel_scope.cancel()
    os.close(reading)
    os.close(writing)


async def test_the_beginning_of_a_line_that_is_too_long_is_kept(tmp_path: Path) -> None:
    async with live(HELLO + ASKED + "head -c 5000 /dev/zero | tr '\\0' x", tmp_path) as player:
        await player.start("sevens")
        reply = await asked(player)
        assert reply.failed == "long-line"
        assert reply.why == f"a line of more than 4096 bytes, which begins '{'x' * 80}...'"


async def test_the_beginning_of_a_line_that_is_never_ended_is_kept(tmp_path: Path) -> None:
    async with live(HELLO + ASKED + "printf 'play 5D'; exit 3", tmp_path) as player:
        await player.start("sevens")
        reply = await asked(player)
        assert reply.failed == "crash"
        assert reply.why == "ended with exit status 3, having begun the line 'play 5D' without ending it"


@BOTH
async def test_who_floods_stderr_before_its_answer_is_heard(tmp_path: Path, alone: bool) -> None:
    flood = "head -c 1000000 /dev/zero >&2; echo answer; read -r bye"
    async with live(HELLO + ASKED + flood, tmp_path, watchdog=Watchdog(alone)) as player:
        await player.start("sevens")
        assert (await asked(player)).said == "answer"


# -- ends ------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("end", "failed"), [("exit 3", "crash"), ("kill -9 $$", "crash"), ("exec >&-; sleep 1000", "closed")]
)
async def test_a_bot_that_ends_while_it_is_awaited_is_noticed(
    tmp_path: Path, end: str, failed: str, alone: bool
) -> None:
    async with live(f"{HELLO}{ASKED}sleep 0.03; {end}", tmp_path, watchdog=Watchdog(alone)) as player:
        await player.start("sevens")
        assert (await asked(player)).failed == failed


async def test_a_bot_that_closes_its_input_is_said_to_have_done_so(tmp_path: Path) -> None:
    async with live(HELLO + "exec <&-; echo answer; sleep 1000", tmp_path) as player:
        await player.start("sevens")
        await player.ask(b"question\n", PATIENT_US, 0)
        reply = await asked(player)
        assert (reply.failed, reply.why) == ("closed", "closed its standard input and runs on")
