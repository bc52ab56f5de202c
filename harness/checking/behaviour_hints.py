"""Chooses hints by what a bot did when it was asked again: it was silent, slow, or ended; pure."""

from __future__ import annotations

import signal

from harness.checking.answers import quoted
from harness.checking.asked import Question
from harness.checking.hints import GivenHint, hint_of
from harness.checking.probe import (
    AGAIN,
    ASKED,
    ASLEEP,
    CLOSED,
    MANY_LINES,
    ONE_LINE,
    READ_ALL,
    Behaviour,
)
from harness.checking.traces import ENDED_READING, error_line, recognised
from harness.model import span

FASTER = 2
"""Only the first answer is slow if the same answer is so many times faster the second time."""


def silence(question: Question, seen: Behaviour, language: str, limit_us: int) -> GivenHint | None:
    """The hint for a bot that was silent when it was asked; None if it answered or is only slow."""
    ask = quoted(question.line)
    if seen.too_much_memory:
        return None
    if seen.partial and seen.came != ASKED:
        return hint_of("no-newline", language, said=quoted(seen.partial))
    if not seen.came and seen.busy:
        return hint_of("computes", span=span(seen.us), limit=span(limit_us))
    if seen.came == ONE_LINE:
        return hint_of("waits-for-line", ask=ask, more=" before one more line came")
    if seen.came == MANY_LINES:
        return hint_of("reads-blocks", language, ask=ask)
    if seen.came == AGAIN:
        return hint_of("no-flush", language, ask=ask, when="the buffer was full")
    if seen.came == CLOSED:
        return hint_of("no-flush", language, ask=ask, when="its input was closed")
    if seen.came == READ_ALL:
        return hint_of("reads-all", language, ask=ask)
    if seen.came == ASLEEP:
        return hint_of("sleeps", span=f"more than {span(seen.us)}")
    if not seen.came:
        name = {"hello": "no-hello", "ready": "no-ready"}.get(question.word, "waits-for-line")
        return hint_of(name, ask=ask, more="")
    return None


def slow(seen: Behaviour, language: str, limit_us: int, start_ms: int) -> GivenHint | None:
    """The hint for a bot that answers, but too late."""
    if seen.came != ASKED or seen.us <= limit_us:
        return None
    if not seen.busy:
        return hint_of("sleeps", span=span(seen.us))
    if 0 < seen.again_us < min(limit_us, seen.us // FASTER):
        start = span(start_ms * 1000)
        return hint_of("slow-first", span=span(seen.us), again=span(seen.again_us), start=start)
    return hint_of("slow", language, span=span(seen.us), limit=span(limit_us))


def ending(told: str, seen: Behaviour, language: str, memory_mb: int, phase: str = "") -> GivenHint | None:
    """The hint for what a bot wrote to stderr before it ended; None if it says nothing known."""
    if seen.too_much_memory:
        return hint_of("memory", language, limit=str(memory_mb), phase=phase)
    found = recognised(told)
    if found is None:
        return None
    filled = {"limit": str(memory_mb), "phase": phase, "who": "It", "file": ""} | found.filled
    if found.hint == "crlf":
        filled["file"] = "with its program"
    return hint_of(found.hint, language, **filled)


def exited(text: str, status: int) -> GivenHint | None:
    """The hint for a bot that ended before it answered `hello`, if nothing known is on stderr."""
    if error := error_line(text):
        return hint_of("exception", error=quoted(error))
    if status == 0 or ENDED_READING.search(text):
        return hint_of("ends-early", after=" before it answered `hello`")
    return hint_of("signal", signal=signal_name(-status)) if status < 0 else None


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
