"""Asks one live bot in one seat: writes a question, and measures the time of the answer. This file knows no
rules and no log.

**The life of a player.** The upper row shows the lines that the bot receives, and the lower row shows the
methods that are called:

    spawned    `hello`    `new`      question   question   `over`              `bye`     exit
    Player()   start()    begin()    ask()      ask()      unasked_cpu_us()    bye()     stop()
                                                  |
                                                  after a fault: dismiss() waits 0.1 s, then kills the bot

**The hot path is `ask`.** A move needs four system calls and no switch of tasks in trio:

    poll     `_look(0)`: did the bot write anything before the question? If so, `_said_early` judges it.
    write    the question; `started` is the moment just before this call
    yield    `sched_yield`: the bot, on the same core, reads, thinks and answers
    read     the answer; `now` is the moment just after this call, and the bot is charged `us = now - started`

If there is no answer yet, `ask` gives up the CPU and reads again. After LOOKS reads in all, `ask` waits in
trio (harness/bot/watchdog.py). `ask` does not wait after fewer reads, because a wait in trio costs as much as
a move. With LOOKS reads before the wait, a move takes 21 µs instead of 43 µs. `ask` does not use a time-out
of trio, because this would take too long: an empty `trio.fail_after` takes 10 µs, and a whole move takes 17
to 24 µs (docs/design.md, section 8).

**The watchdog ends the wait.** One Watchdog serves all players of an event loop. The Watchdog calls `tick` of
each player about every 10 ms:

    _asked                limit_us      its waits for a CPU
      |------ in time -------|------- excused -------|  tick() wakes `ask`; `_silent` replies "late"
         |       |       |       |       |       |
         ticks: `_account` reads for how long the bot waited (harness/bot/excuse.py)

The watchdog only ends the wait for a silent bot, and judges no answer. An answer is late if its time minus
its excused time is longer than the limit. If a bot had to wait for a CPU, its answer may still be in time
although its limit has passed. So the watchdog adds the waits of the bot to the limit. When the limit and the
waits are over, the watchdog looks into the pipe. If the pipe is empty, the bot is certainly late.

**Races, and how each race ends.**

- The bot does not read, so the question does not fit into its pipe (64 KiB). Then `_send_rest` waits, and the
  bot's time starts again when all bytes are written. `_asked` is set before this wait, so the watchdog can
  end the wait.
- The bot exits while it is asked. The pipe of the bot ends before its exit status is known, so `_ended` waits
  up to LAST_WORDS for the status.
- The bot exceeds a limit of memory or CPU time. Then `check_limits` keeps the fault in `_over` and kills the
  process. After that the pipe ends, and `_failure` reports the fault in `_over`, not a crash.
- The loop was busy while the answer was in the pipe. If the answer seems late, `_reply` asks the watchdog
  for the moment of the loop's last look. `_reply` asks this before the match lets other tasks run, because a
  delay after the answer excuses nothing.
- The answer arrives while `tick` ends the wait. Then `tick` sees the answer in the pipe and leaves it to
  `ask`. If the pipe did not contain a whole line, the next tick ends the wait.
- The loop loses its core after `tick` has ended the wait, and the next tick reads the waits before `ask` goes
  on. So `tick` stores the waits in `_waited_us` when the bot's time is over, because later waits excuse
  nothing.
- Other matches of the loop wait too. So in two cases `ask` first lets the loop run other tasks, and then
  returns. The first case is that the answer took longer than BRISK_US and another match waits for an answer.
  The second case is that the moment `rest_due` of the watchdog has passed.

`ask` returns a Reply for everything that a bot does. `ask` raises Void only if the sandbox failed.
"""

from __future__ import annotations

import select
from collections.abc import Callable
from os import read, sched_yield, write
from time import monotonic_ns, thread_time_ns

import trio
from msgspec.structs import replace
from trio.lowlevel import notify_closing

from harness import protocol
from harness.bot.excuse import NEVER, NO_EXCUSE, Account
from harness.bot.meter import Meter
from harness.bot.process import READ
from harness.bot.running_bot import LAST_WORDS, RunningBot, closed, ending, unanswered
from harness.bot.watchdog import Watchdog
from harness.judge.lateness import own_us
from harness.model import Limits, Reply
from harness.protocol import Misspelt, Problem, Wants
from harness.protocol.inbox import Inbox
from harness.sandbox import Launch

ANSWER = 448
"""The number of bytes to read at once. Most answers are shorter, and Python's fast allocator for small
objects can hold a buffer of this size."""
BRISK_US = 100
"""A bot that thought for more microseconds than this has used its share of the core. If the harness asked
this bot again at once, the bot would have to wait until a thinking bot of another match leaves the core."""
LONG_US = 500
"""After an answer that took more microseconds than this, the CPU time of the bot is read. With a bank, the
excused time of this answer is computed too, because the bank does not pay for excused time."""


class Player(RunningBot):
    """A bot's process in a seat, with the methods `start`, `ask`, `tell` and `stop`."""

    def __init__(self, name: str, launch: Launch, limits: Limits, watchdog: Watchdog) -> None:
        """Starts the process. Raises Void if the machine cannot start it."""
        super().__init__(name, launch, limits, watchdog.listener)
        self.wants = Wants()
        self.fresh = True
        self._watchdog = watchdog
        self._inbox = Inbox(limits)
        self._meter = Meter(self._process, limits)
        self._over: Problem | None = None
        answers = select.poll()
        answers.register(self._stdout, select.POLLIN)
        self._poll: Callable[..., list[tuple[int, int]]] = answers.poll
        self._look = self._poll
        self._asked = NEVER
        self._limit_us = 0
        self._ended_at = 0
        self._waited_us = 0  # how long the bot had waited for a CPU at `_ended_at`
        self._sending = False
        self._overtime = NEVER
        self._account = Account(self._process, watchdog, thread_time_ns, limits.bank_ms > 0)
        self._asked_us = 0
        self._cpu_before = 0
        watchdog.add(self)

    # -- the life of a player

    async def start(self, game: str) -> Reply | None:
        """Sends `hello` and sets `wants` from the answer. Returns None if the bot has started, else its
        reply."""
        limit_us = self._limits.start_ms * 1000
        reply = await self.ask(protocol.block([protocol.hello(game)]), limit_us, 0)
        self._account.rest(monotonic_ns())
        if reply.said is not None and own_us(reply) <= limit_us:
            wants = protocol.read_hello(reply.said)
            if isinstance(wants, Wants):
                self.wants = wants
                return None
            return replace(reply, failed="no-start", why=wants.reason)
        return replace(reply, why=f"at `hello`: {reply.why}") if reply.failed else reply

    def begin(self) -> None:
        """Begins a match: from now on, the bot's CPU time is compared with the time of its answers."""
        self.fresh = False
        self._asked_us = 0
        self._cpu_before = self._process.cpu_us()
        self._meter.begin()

    def unasked_cpu_us(self) -> int:
        """Returns the CPU time in this match that the bot certainly used while it was not asked."""
        if self._look != self._poll:
            self._meter.gaps.question(self._asked_us)
        self._meter.end()
        seen_us = self._process.cpu_us() - self._cpu_before - self._asked_us
        return max(0, seen_us, self._meter.unasked_us)

    async def kill(self) -> None:
        """Kills the process and its group now."""
        self._watchdog.remove(self)
        # A bound method in `_look` would make a reference cycle. Then the player would stay in memory until
        # the garbage collector runs, which is rare.
        self._look = self._poll
        await super().kill()

    # -- the hot path

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """Writes a block, waits for the answer and measures its time. A late answer is returned too.

        The measured time ends when the newline of the answer is read. `began` is in monotonic nanoseconds.
        The reply's `at` is the time from `began` to the question. Raises Void if a sandbox fails.
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
                # The time of the answer starts when the rest of the block is in the pipe.
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
        except trio.ClosedResourceError:  # `tick` ended the wait, because the time is over.
            return self._silent(block, started, limit_us, began)
        except BrokenPipeError:
            return await self._ended(started, began, pipe="input")
        finally:
            self._asked = NEVER
        us, at = (now - started) // 1000, (started - began) // 1000
        self._asked_us += us
        if now > watchdog.rest_due or us > BRISK_US:
            if us > limit_us or us > LONG_US:
                return await self._rested(self._reply(found, started, now, at), now)
            await watchdog.rest_if_due(now)
        if type(found) is str and us <= limit_us and not inbox.noted:
            return Reply(found, us, at)
        return self._reply(found, started, now, at)

    # -- off the hot path

    def tick(self, now: int) -> None:
        """While the bot is asked, reads for how long it waited for a CPU. When the bot's time is over, ends
        the wait for its answer."""
        asked, limit_us = self._asked, self._limit_us
        if now <= asked or not self._account.tick(asked, now):
            return
        self._meter.gaps.early(self._asked_us, (now - asked) // 1000)
        if now - asked <= limit_us * 1000 or self._account.has_time(asked, now, limit_us):
            return
        if self._poll(0) and not self._sending and self._overtime != asked:
            self._overtime = asked  # `ask` reads the pipe before the next tick.
            return
        self._ended_at, self._waited_us = now, self._account.waited_us(asked, now, limit_us)
        notify_closing(self._stdout)
        notify_closing(self._stdin)

    def check_limits(self) -> None:
        """Kills the bot if it exceeds a limit. The next reply that `ask` returns has this fault.

        If the bot has exited by itself, kills its child processes that still run.
        """
        asked = self._asked != NEVER
        if not asked:
            self._account.rest(monotonic_ns())
        if self._over is None:
            self._over = self._meter.read(self._asked_us, asked)
            if asked and self._over is None and (which := self._process.closed()):
                self._over = closed(which)
            self._process.kill_leftovers()
            if self._over is not None:
                self._process.kill_now()

    async def _send_rest(self, block: bytes, sent: int) -> None:
        self._sending = True
        await super()._send_rest(block, sent)
        self._sending = False

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
        """Returns the reply after the bot's output has ended or its input was closed. The exit status decides
        which fault the bot has."""
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

    def _silent(self, block: bytes, started: int, limit_us: int, began: int) -> Reply:
        ended_at = max(self._ended_at, started)
        us = (ended_at - started) // 1000
        problem = unanswered(limit_us, self._inbox.left_over(), protocol.due(block))
        waited_us = self._waited_us if ended_at > started else 0
        reply = self._failure(problem, us, (started - began) // 1000)
        return replace(reply, excused_us=waited_us, waited_us=waited_us)

    def _look_carefully(self, timeout: float | None = None, /) -> list[tuple[int, int]]:
        """Counts the CPU time of the gap since the last answer, and then calls `_poll`."""
        if not self._meter.gaps.question(self._asked_us):
            self._look = self._poll
        return self._poll(timeout)

    async def _rested(self, reply: Reply, now: int) -> Reply:
        await self._watchdog.rest_if_due(now)
        return reply

    def _reply(self, found: str | Misspelt | Problem, started: int, now: int, at: int) -> Reply:
        """Returns the reply for the bytes that were read at `now`, with the excused time of the answer."""
        us = (now - started) // 1000
        if isinstance(found, Problem):
            return self._failure(found, us, at)
        said, failed, why = (found, "", "") if type(found) is str else (found[0], "malformed", found[1])
        unseen_us, waited_us = NO_EXCUSE
        gaps, late = self._meter.gaps, us > self._limit_us
        if (late or us > LONG_US) and gaps.answer(us, self._asked_us, late):
            self._look = self._look_carefully
            if late or self._limits.bank_ms:
                unseen_us, waited_us = self._account.excused(started, now, self._limit_us, gaps.ran_us)
        comments = self._inbox.take_comments()
        return Reply(said, us, at, failed, why, unseen_us + waited_us, comments, unseen_us, waited_us)

    def _failure(self, problem: Problem, us: int, at: int) -> Reply:
        problem = self._over or problem
        why = problem.reason
        if problem.name == "long-line":
            why += f", which begins {self._inbox.left_over()!r}"
        return Reply(None, us, at, problem.name, why, 0, self._inbox.take_comments())
