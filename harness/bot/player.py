"""Owns one live bot in one seat: writes a question, times the answer; knows no rules and no log.

The hot path is `Player.ask`. Per move it makes four system calls: a look whether anything was said unasked,
a write, a yield in which a bot on the same core answers, and a read. Where there is nothing yet it yields
again, and only then waits in trio, which costs as much as a move. (So does `poll`, which sets a timer.) There
is no time-out around it: one `Watchdog` for all players of a loop wakes those that wait too long.
"""

from __future__ import annotations

import select
from os import read, sched_yield, write
from time import monotonic_ns

import trio
from msgspec.structs import replace
from trio.lowlevel import notify_closing, wait_writable

from harness import protocol
from harness.bot import excuse
from harness.bot.end_faults import closed, ending, unanswered
from harness.bot.excuse import NEVER
from harness.bot.meter import Meter
from harness.bot.process import READ, Process
from harness.bot.stderr import read_last
from harness.bot.stderr_buffer import StderrBuffer
from harness.bot.watchdog import Watchdog
from harness.model import Limits, Reply
from harness.protocol import Inbox, Problem, Wants
from harness.sandbox import Launch

GRACE_NS = 5_000_000
"""The watchdog waits this much longer than the verdict, so that no answer in time is cut off."""
ANSWER = 448
"""Bytes that most answers are shorter than, for which Python has room at hand; of others more is read."""
BRISK_US = 100
"""A bot that took longer has had its share of the core: asked again at once, it would wait for it."""
LAST_WORDS = 0.1
"""Seconds that a bot has to write to stderr after its fault."""


class Player:
    """A bot's process in a seat: `start` it, `ask` it, `tell` it, `stop` it."""

    def __init__(self, name: str, launch: Launch, limits: Limits, watchdog: Watchdog) -> None:
        """Raises Void when the machine cannot start the process."""
        self.name = name
        self.wants = Wants()
        self.fresh = True
        self.alive = True
        self.errors = StderrBuffer(limits.stderr_bytes)
        self._limits = limits
        self._watchdog = watchdog
        self._inbox = Inbox(limits)
        self._process = Process(launch)
        self._meter = Meter(self._process, limits)
        self._over: Problem | None = None
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        answers = select.poll()
        answers.register(self._stdout, select.POLLIN)
        self._look = answers.poll
        self._asked = NEVER
        self._limit_us = 0
        self._noted = excuse.NOTHING
        self._asked_us = 0
        self._cpu_before = 0
        self._leaves_by = float(NEVER)
        watchdog.add(self)
        watchdog.listener.add(self._process.stderr, self.errors)  # A bot must never hang for being unheard.

    # -- the life of a player

    async def start(self, game: str) -> Reply | None:
        """Asks `hello`, after which `wants` is known; gives the reply if it failed."""
        limit_us = self._limits.start_ms * 1000
        reply = await self.ask(protocol.block([protocol.hello(game)]), limit_us, 0)
        if reply.said is not None and reply.us <= limit_us:
            wants = protocol.read_hello(reply.said)
            if isinstance(wants, Wants):
                self.wants = wants
                return None
            return replace(reply, failed="no-start", why=wants.reason)
        return replace(reply, why=f"at `hello`: {reply.why}") if reply.failed else reply

    def begin(self) -> None:
        """A match begins: from here its CPU time is compared with the time it was asked."""
        self.fresh = False
        self._asked_us = 0
        self._cpu_before = self._process.cpu_us()
        self._meter.begin()

    def unasked_cpu_us(self) -> int:
        """CPU time of this match that cannot have been used while the bot was asked."""
        self._meter.end()
        seen_us = self._process.cpu_us() - self._cpu_before - self._asked_us
        return max(0, seen_us, self._meter.unasked_us)

    async def tell(self, block: bytes) -> None:
        """Writes what needs no answer; a bot that does not read it within its shutdown limit misses it."""
        try:
            sent = self._sent(block)
            if sent < len(block):
                with trio.move_on_after(self._limits.shutdown_ms / 1000):
                    await self._send_rest(block, sent)
        except OSError:
            pass  # It has ended, or reads nothing: nobody is left to be told.

    async def bye(self) -> None:
        """Says `bye`, once, from which on the process has its shutdown limit to end by itself."""
        if self._leaves_by == NEVER:
            await self.tell(protocol.block([protocol.BYE]))
            self._process.close_stdin()
            self._leaves_by = trio.current_time() + self._limits.shutdown_ms / 1000

    async def stop(self) -> None:
        """Says `bye`, and ends the process when it has ended by itself or has had its time to."""
        await self.bye()
        with trio.CancelScope(deadline=self._leaves_by):
            await self._process.wait()
        await self.kill()

    async def dismiss(self) -> str:
        """After a fault: a moment to write to stderr, then the end; gives the last it wrote there."""
        self._process.close_stdin()
        with trio.move_on_after(LAST_WORDS):
            await self._process.wait()
        await self.kill()
        return self.errors.last()

    async def kill(self) -> None:
        """Ends the process and its group now."""
        self.alive = False
        self._watchdog.remove(self)
        self._watchdog.listener.remove(self._process.stderr)
        with trio.CancelScope(shield=True):
            read_last(self._process.stderr, self.errors)
            await self._process.kill()

    # -- the hot path

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """The answer to a block, timed from the block written to the newline read; never an exception.

        `began` is the moment (monotonic nanoseconds) from which the reply's `at` counts.
        """
        look, inbox, watchdog = self._look, self._inbox, self._watchdog
        if look(0) and (early := await self._said_early(began)):
            return early
        self._limit_us = limit_us
        self._asked = started = monotonic_ns()
        try:
            try:
                sent = write(self._stdin, block)
            except BlockingIOError:
                sent = 0
            if sent < len(block):
                # Only a bot that does not read gets here; its time begins when it has read all but 64 KiB.
                await self._send_rest(block, sent)
                self._asked = started = monotonic_ns()
            sched_yield()
            looks = 0
            while True:
                try:
                    data = read(self._stdout, ANSWER)
                except BlockingIOError:
                    looks += 1
                    await watchdog.wait_for_answer(self._stdout, looks)
                    continue
                now = monotonic_ns()
                if not data:
                    return await self._ended(started, began)
                found = inbox.answer(data)
                if found is not None:
                    break
        except trio.ClosedResourceError:  # The watchdog called time.
            return await self._silent(block, started, limit_us, began)
        except BrokenPipeError:
            return await self._ended(started, began, pipe="input")
        finally:
            self._asked = NEVER
        us, at = (now - started) // 1000, (started - began) // 1000
        self._asked_us += us
        if now > watchdog.rest_due or us > BRISK_US:
            await watchdog.rest()
        if type(found) is str and us <= limit_us and not inbox.noted:
            return Reply(found, us, at)
        if isinstance(found, Problem):
            return self._failure(found, us, at)
        excused_us = await self._excused_us(started, now, us) if us > limit_us else 0
        return Reply(found, us, at, "", "", excused_us, inbox.take_comments())

    # -- off the hot path

    def tick(self, now: int, late: int) -> None:
        """The watchdog passes: of whoever has not answered by then it keeps account what time is not the
        bot's own, at the end it wakes whoever waits for the bot. It gives back that time first, so that a bot
        which is silent even then is late by any account."""
        asked, limit_ns = self._asked, self._limit_us * 1000
        if now > asked and self._noted.asked != asked:
            # Not later: a bot that was kept from the CPU until then would be charged for it.
            self._noted = excuse.note(asked, now, late, self._process.scheduled())
        elif late:
            self._noted = self._noted.later(late)
        deadline = asked + limit_ns + GRACE_NS
        if now > deadline and now > deadline + self._given_back_us(asked, (now - asked) // 1000) * 1000:
            notify_closing(self._stdout)
            notify_closing(self._stdin)

    def check_limits(self) -> None:
        """The watchdog passes with its scales: whoever is past a limit is ended, and told so when asked.

        Who has ended by itself does not live on in its children.
        """
        if self._over is None:
            asked = self._asked != NEVER
            self._over = self._meter.read(self._asked_us, asked)
            if asked and self._over is None and (which := self._process.closed()):
                self._over = closed(which)
            self._process.kill_leftovers()
            if self._over is not None:
                self._process.kill_now()

    def _sent(self, data: bytes) -> int:
        """Writes what the pipe takes at once, and gives how many bytes that were."""
        try:
            return write(self._stdin, data)
        except BlockingIOError:
            return 0

    async def _send_rest(self, block: bytes, sent: int) -> None:
        while sent < len(block):
            await wait_writable(self._stdin)
            sent += self._sent(block[sent:])

    async def _said_early(self, began: int) -> Reply | None:
        now = monotonic_ns()
        try:
            data = read(self._stdout, READ)
        except BlockingIOError:
            return None
        if not data:
            return await self._ended(now, began)
        problem = self._inbox.before_question(data)
        return self._failure(problem, 0, (now - began) // 1000) if problem else None

    async def _ended(self, started: int, began: int, pipe: str = "output") -> Reply:
        """Standard output is at its end, or nobody reads the input: has the program ended?"""
        us = (monotonic_ns() - started) // 1000
        status: int | None = None
        with trio.move_on_after(LAST_WORDS):
            status = await self._process.wait()
        at = (started - began) // 1000
        if self._process.out_of_memory():
            problem = self._meter.too_much_memory()
        else:
            problem = ending(status, pipe, self._inbox.left_over())
        return self._failure(problem, us, at)

    async def _silent(self, block: bytes, started: int, limit_us: int, began: int) -> Reply:
        now = monotonic_ns()
        us = (now - started) // 1000
        problem = unanswered(limit_us, self._inbox.left_over(), protocol.due(block))
        excused_us = self._given_back_us(started, us)
        return replace(self._failure(problem, us, (started - began) // 1000), excused_us=excused_us)

    async def _excused_us(self, asked: int, now: int, us: int) -> int:
        """The part of a lateness that was not the bot's own: the loop did not look, or no CPU was free."""
        given_back_us = self._given_back_us(asked, us)
        unseen_us = await self._watchdog.lateness(now) // 1000
        return max(given_back_us, self._given_back_us(asked, us, unseen_us))

    def _given_back_us(self, asked: int, us: int, unseen_us: int = 0) -> int:
        """The part of this time that was not the bot's own; its answer lay there for `unseen_us` of it."""
        if self._noted.asked != asked:
            return excuse.before_first_tick_us(us, unseen_us)
        return excuse.given_back_us(us, self._noted, self._process.scheduled(), unseen_us)

    def _failure(self, problem: Problem, us: int, at: int) -> Reply:
        problem = self._over or problem
        why = problem.reason
        if problem.name == "long-line":
            why += f", which begins {self._inbox.left_over()!r}"
        return Reply(None, us, at, problem.name, why, 0, self._inbox.take_comments())
