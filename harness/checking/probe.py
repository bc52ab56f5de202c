"""If a bot has failed, asks this bot the questions again, outside a match, to find out why it failed. Nothing
that the bot does here is a fault.

If a bot is silent, nobody can see from outside why. So the probe waits as long as the bot computes. When the
bot is idle, the probe changes one thing after the other until the missing answer comes:

    one more line           the bot answers only when one more line has come
    many more lines         the bot reads its input in blocks of some size
    the question many times the bot leaves its answers in a buffer, and now the buffer is full
    the end of the input    the bot leaves its answers in a buffer, and now the end flushes it. If the answers
                            are larger than any buffer, the bot reads all of its input before it answers

Lines with an unknown word are harmless, because a bot must ignore them (protocol.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.bot.process import Process
from harness.checking.ear import ENDING, IDLE_US, Ear, Patience
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import launch_of
from harness.sandbox.removal import temporary_folder

AFTERWARDS = 0.3
"""The probe changes something and waits for an answer. If the bot is then idle for this number of seconds,
the change has had no effect."""
REST = 0.03
"""The time, in seconds, between an answer and the next question. In this time, a bot may write more lines, or
end."""
LINE_BY_LINE = 3
"""The number of blocks that are sent line by line. These blocks are the last of all blocks to send."""
FILLER = b"unknown line, which a bot passes over: a later version of harness may send more\n"
MANY_BYTES = 1 << 16
AGAIN_TIMES, AGAIN_BYTES = 10_000, 1 << 22
BUFFER = 70_000
"""A number of bytes that is larger than any usual buffer for output. The buffer of OCaml holds 65,536
bytes."""

ASKED, ONE_LINE, MANY_LINES, AGAIN, CLOSED, READ_ALL = (
    "asked",
    "one line",
    "many lines",
    "again",
    "closed",
    "all at the end",
)
"""The changes after which a missing answer can come. ASKED means that the question came, and no change was
needed."""
ASLEEP = "asleep"
"""This value means that no answer came, and that the bot does not even read. Such a bot sleeps, or it is
still starting."""


class SentBlock(NamedTuple):
    """A block: lines that a bot receives together. `expects` is true if the bot must answer the last line."""

    block: bytes
    expects: bool = True


class Behaviour(NamedTuple):
    """The behaviour of a bot during a probe."""

    answered: int
    """The number of questions that the bot answered before the probe changed anything."""
    heard: tuple[tuple[str, ...], ...] = ()
    """The lines that the bot wrote after each block and before the next block, without comments."""
    partial: str = ""
    """The last text that the bot wrote, if this text has no newline at its end."""
    came: str = ""
    """The change after which the missing answer came. ASKED means that no change was needed, "" that no
    change helped, and ASLEEP that the bot does not read."""
    us: int = 0
    """The time from the last question until its answer, or until the probe stopped waiting, in
    microseconds."""
    busy: bool = False
    """True if the bot used the CPU for much of the time `us`, or still used the CPU when the probe stopped
    waiting."""
    again_us: int = 0
    """The time for the answer when the last question was asked a second time, in microseconds; 0 if it was
    not asked again, or if no answer came."""
    status: int | None = None
    """The exit status of the bot, if it ended by itself."""
    ended_after: str = ""
    """The last line that the bot received before it ended, if this line is known."""
    too_much_memory: bool = False
    stderr: str = ""
    heard_bytes: int = 0
    """The number of bytes that the bot wrote."""
    first: bytes = b""
    """The first line that the bot wrote and that is not a comment, with its line end."""


async def probe(
    entrant: Entrant,
    asked: Sequence[SentBlock],
    limits: Limits,
    patience: Patience,
    *,
    slowly: bool = False,
    again: bool = False,
) -> Behaviour:
    """Starts the bot and sends it all these blocks, one after the other.

    With `slowly`, the bot receives the last blocks line by line, so that the probe knows at which line the
    bot ends. With `again`, the last question is repeated. Raises Void if the bot cannot be started.
    """
    with temporary_folder("harness-") as scratch:
        ear = Ear(Process(launch_of(entrant, limits, str(scratch))), limits)
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
        if await ear.wait(patience):  # On a busy machine, harness may read a quick answer late.
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
        ear.heard_bytes(),
        ear.first(),
    )


async def _changes(ear: Ear, block: bytes) -> str:
    """Tries the changes that are named at the top of this file, one after the other, until an answer comes.
    Returns the change that helped."""
    if ear.unread():
        return ASLEEP  # The bot has not even read the question: perhaps it is still starting.
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
            # If the bot has ended now, the answer was in the buffer of the bot. The bot wrote the buffer when
            # it ended.
            return change if ear.status() is None else CLOSED
        if change == ONE_LINE and ear.unread():
            return ASLEEP
    if ear.status() is None:
        ear.restart()
        ear.close()
        await ear.wait(patience)
        # On a busy machine a bot may wait for a core for longer than REST between two of its answers.
        await ear.rest(AFTERWARDS)
    if not ear.has_answer():
        return ""
    return READ_ALL if ear.heard_bytes() > BUFFER else CLOSED
