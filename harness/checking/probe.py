"""Asks a bot questions again, outside a match, to find out why it failed; judges nothing.

A silent bot looks the same from outside, whatever the reason. So the probe waits as long as the bot computes,
and when it is idle, the probe changes one thing after the other until the missing answer comes:

    one more line           the bot has read a line more than there was
    many more lines         the bot reads blocks of some size
    the question many times the bot leaves its answers in a buffer, which is full at last
    the end of the input    the bot leaves its answers in a buffer. If more comes out at once than a buffer
                            holds, it reads all of its input first

Lines with an unknown word are harmless: a bot must pass over them (protocol.md).
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import NamedTuple

from harness.bot.process import Process
from harness.checking.ear import ENDING, IDLE_US, Ear, Patience
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import launch_of

AFTERWARDS = 0.3
"""If a bot is idle for this number of seconds after something was changed, the change has no effect."""
REST = 0.03
"""The seconds in which a bot may write something besides its answer, or end, before it is asked again."""
LINE_BY_LINE = 3
"""So many of the last blocks are sent line by line."""
FILLER = b"unknown line, which a bot passes over: a later version of harness may send more\n"
MANY_BYTES = 1 << 16
AGAIN_TIMES, AGAIN_BYTES = 10_000, 1 << 22
BUFFER = 70_000
"""More bytes than any usual buffer for output holds; that of OCaml holds 65,536."""

ASKED, ONE_LINE, MANY_LINES, AGAIN, CLOSED, READ_ALL = (
    "asked",
    "one line",
    "many lines",
    "again",
    "closed",
    "all at the end",
)
"""The change after which the last answer came."""
ASLEEP = "asleep"
"""No answer came, and the bot does not even read: it sleeps, or it still starts."""


class SentBlock(NamedTuple):
    """A block that a bot receives, and whether it must answer it."""

    block: bytes
    expects: bool = True


class Behaviour(NamedTuple):
    """What a bot did when it was asked."""

    answered: int
    """The number of questions that it answered while they were asked in the ordinary way."""
    heard: tuple[tuple[str, ...], ...] = ()
    """For each block that it received, the lines that it wrote before the next one; no comments."""
    partial: str = ""
    """The beginning of a line without an end."""
    came: str = ""
    """The change after which the missing answer came; ASKED means that none was needed, "" that none
    helped, and ASLEEP that the bot does not read."""
    us: int = 0
    """The time from the last question until its answer, or until the probe gave up, in microseconds."""
    busy: bool = False
    """Whether it needed the CPU most of that time, or still needed it when the probe gave up."""
    again_us: int = 0
    """The time for the same question once more; 0 if it was not asked or not answered again."""
    status: int | None = None
    """Its exit status, if it ended by itself."""
    ended_after: str = ""
    """The line that it received before it ended, if this is known."""
    too_much_memory: bool = False
    stderr: str = ""
    first: bytes = b""
    """The first line that it wrote, with its end; no comments."""


async def probe(
    entrant: Entrant,
    asked: Sequence[SentBlock],
    limits: Limits,
    patience: Patience,
    *,
    slowly: bool = False,
    again: bool = False,
) -> Behaviour:
    """Starts the bot and asks it all of this, one question after the other.

    With `slowly` it receives the last two blocks line by line, so that the line is known at which it ends.
    With `again` it is asked the last question once more. Raises Void if the bot cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="harness-") as scratch:
        ear = Ear(Process(launch_of(entrant, limits, scratch)), limits)
        try:
            return await _conversation(ear, asked, patience, slowly, again)
        finally:
            await ear.process.kill()


async def _conversation(
    ear: Ear, asked: Sequence[SentBlock], patience: Patience, slowly: bool, again: bool
) -> Behaviour:
    answered, came, again_us = 0, ASKED, 0
    questions = sum(each.expects for each in asked)
    heard: list[tuple[str, ...]] = []
    for number, (block, expects) in enumerate(asked, start=1):
        near = questions - answered <= 2
        ear.restart()
        if slowly and number > len(asked) - LINE_BY_LINE:
            await ear.send_slowly(block, REST)
        else:
            ear.send(block)
        if expects and not await ear.wait(patience):
            came = ""
            break
        answered += expects
        if near:
            await ear.rest(REST)
        heard.append(tuple(ear.lines()[sum(map(len, heard)) :]))
    seen_us = ear.passed_us
    busy = ear.seen_cpu_us > max(IDLE_US, seen_us // 4) if came else not ear.is_idle
    if came and again and ear.status() is None:
        ear.restart()
        used_us = ear.process.total_cpu_us()
        ear.send(asked[-1].block)
        if await ear.wait(patience):  # On a busy machine, the answer may come late although it took no time.
            own_us = ear.process.total_cpu_us() - used_us if used_us else ear.passed_us
            again_us = max(1, min(own_us, ear.passed_us))
    status, partial = await ear.end_of(came), ear.partial()
    if not came and status is None and not busy and not ear.too_much_memory:
        came = await _changes(ear, asked[answered].block if asked else b"")
        status = None
    return Behaviour(
        answered,
        tuple(heard),
        partial,
        came,
        seen_us,
        busy,
        again_us,
        status,
        ear.ended_after if status is not None else "",
        ear.too_much_memory,
        ear.errors.last(),
        ear.first(),
    )


async def _changes(ear: Ear, block: bytes) -> str:
    """Changes one thing after the other until an answer comes. Returns the change that helped."""
    if ear.unread():
        return ASLEEP  # It has not even read the question: perhaps it still starts.
    patience = Patience(ENDING, AFTERWARDS)
    size = max(1, len(block))
    more = (
        (ONE_LINE, FILLER),
        (MANY_LINES, FILLER * (MANY_BYTES // len(FILLER))),
        (AGAIN, block * min(AGAIN_TIMES, AGAIN_BYTES // size)),
    )
    for change, data in more:
        ear.restart()
        ear.send(data)
        if await ear.wait(patience):
            # What comes because the bot ended was in its buffer.
            return change if ear.status() is None else CLOSED
        if change == ONE_LINE and ear.unread():
            return ASLEEP
    if ear.status() is None:
        ear.restart()
        ear.close()
        await ear.wait(patience)
        await ear.rest(REST)
    if not ear.has_answer():
        return ""
    return READ_ALL if ear.heard_bytes() > BUFFER else CLOSED
