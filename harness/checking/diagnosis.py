"""Finds out why a bot failed: looks at the bot's answer and stderr, and asks the bot again under other
conditions."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness import protocol
from harness.checking.answers import example, quoted, wrong_answer
from harness.checking.asked import Question, greeting
from harness.checking.ear import Patience
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
    SentBlock,
    probe,
)
from harness.checking.signs import CONFUSED, careless, has_daemons
from harness.checking.traces import ENDED_READING, WARNING, error_line, recognised, uncaught
from harness.checking.trial import Failed, PlayedMatch, Trial
from harness.model import span

PATIENCE, LEAST_PATIENCE = 10.0, 2.0
"""The longest and the shortest time, in seconds, for finding out why a bot was late."""
LEAST_IDLE = 0.3
SLOWER = 3
"""If a bot is idle for longer than this number times the limit for a move, the bot is not slow, but has
another error."""
SILENT = frozenset(("late", "overdue", "no-start"))
NEW = re.compile(rb"^new (\d+) (\d+) ", re.M)


class Case(NamedTuple):
    """A bot that failed, and all facts that are known about its failure."""

    trial: Trial
    language: str
    failed: Failed
    exchanges: tuple[SentBlock, ...]
    """All blocks that the process received, up to the question at which the bot failed."""
    questions: tuple[Question, ...]
    """All questions to the bot. The bot failed at the last question."""

    @property
    def match(self) -> PlayedMatch:
        """Returns the match in which the bot failed."""
        return self.failed.matches[-1]

    @property
    def question(self) -> Question:
        """Returns the question at which the bot failed."""
        return self.questions[-1]


def case_of(trial: Trial, language: str, failed: Failed) -> Case:
    """Collects the questions to the bot in all matches of its process."""
    hello = greeting(trial.rules)
    exchanges = [hello]
    questions = [Question(hello.block.decode().strip())]
    for match in failed.matches:
        found = match.asked(trial.rules)
        exchanges += found.exchanges
        questions += found.questions
    if protocol.asked(failed.fault.ask, failed.fault.name, failed.fault.reason) == "hello":
        return Case(trial, language, failed, (hello,), tuple(questions[:1]))
    # After the question at which the bot failed, the bot gets the lines `fault` and `over`. These lines are
    # left out, because they cannot be the cause of the failure.
    while len(exchanges) > 1 and not exchanges[-1].expects:
        exchanges.pop()
    return Case(trial, language, failed, tuple(exchanges), tuple(questions))


async def diagnosed(case: Case) -> GivenHint | None:
    """Returns the hint for this failure; None if no hint fits."""
    hint = await _seen(case)
    if hint and hint.name in CONFUSED:
        folder, ask = Path(case.trial.entrant.folder), quoted(case.question.line)
        return careless(folder, case.language, ask) or hint
    return hint


async def _seen(case: Case) -> GivenHint | None:
    """Returns the hint for the mistake that the bot made; None if no hint fits."""
    fault = case.failed.fault
    if fault.name in ("memory", "cpu", "pondered", "closed", "nul", "encoding", "long-line", "flood"):
        return _by_name(case)
    if fault.said is not None:
        return await _answered(case)
    if fault.name == "unasked":
        return _unasked(case, await _probed(case))
    if fault.name in SILENT:
        behaviour = await _probed(case)
        if behaviour.status is None:
            return await _silent(case, behaviour)
    return await _ended(case, await _probed(case, slowly=True))


async def _probed(case: Case, slowly: bool = False) -> Behaviour:
    limits = case.trial.rules.limits
    idle = max(LEAST_IDLE, min(PATIENCE / 2, SLOWER * limits.move_ms / 1000))
    longest = max(LEAST_PATIENCE, min(PATIENCE, SLOWER * idle))
    again = len(case.questions) > 2
    return await probe(
        case.trial.entrant, case.exchanges, limits, Patience(longest, idle), slowly=slowly, again=again
    )


# -- faults that say what is wrong -----------------------------------------------------------------


def _by_name(case: Case) -> GivenHint | None:
    name, language, limits = case.failed.fault.name, case.language, case.trial.rules.limits
    if name == "memory":
        return hint_of("memory", language, limit=str(limits.memory_mb), phase="")
    if name == "cpu":
        return hint_of("computes", span="all its CPU time", limit=span(limits.cpu_ms * 1000))
    if name == "pondered":
        return pondered(case.failed.fault.reason, limits.ponder_ms, language)
    if name == "closed":
        return hint_of("closed")
    return hint_of("encoding" if name in ("nul", "encoding") else "long-output", language)


def pondered(reason: str, ponder_ms: int, language: str) -> GivenHint:
    """Returns the hint for a bot that computed while it had no question to answer."""
    used = re.search(r"CPU for ([\d.]+ ms)", reason)
    return hint_of("ponders", language, span=used[1] if used else "too long", limit=f"{ponder_ms} ms")


# -- wrong answers ---------------------------------------------------------------------------------


async def _answered(case: Case) -> GivenHint | None:
    """Returns the hint for a bot that answered, but wrongly or late."""
    fault, question = case.failed.fault, case.question
    if fault.name == "late":
        return _slow(case, await _probed(case))
    said = fault.said or ""
    form = wrong_answer(question, said, (), case.language)
    if form and form.name not in ("hello", "ready", "no-word"):
        return form
    seen = await _probed(case)
    if found := _warned(case, seen) or _announced(case, seen) or await _otherwise(case):
        return found
    found = wrong_answer(question, said, case.questions[:-1], case.language)
    if found or question.state is None or fault.name != "illegal":
        return found
    if not any("legal" in line for line in _wants(case)):
        return hint_of("not-asked-legal", said=quoted(said), right=example(question))
    listed = question.state.complete(question.seat)
    return hint_of("not-listed", said=quoted(said)) if listed else None


def _announced(case: Case, seen: Behaviour) -> GivenHint | None:
    """Returns the hint for a bot that writes a line before the right answer. This first line counts as the
    answer."""
    if len(seen.heard) < len(case.exchanges):
        return None
    first, *others = [line.rstrip("\r") for line in seen.heard[-1]] or [""]
    if case.question.takes(first) or not any(map(case.question.takes, others)):
        return None
    return hint_of("debug-stdout", case.language, extra=quoted(first))


def _warned(case: Case, seen: Behaviour) -> GivenHint | None:
    """Returns the hint for a bot whose language writes warnings to standard output."""
    found = next(filter(None, (WARNING.match(line) for lines in seen.heard for line in lines)), None)
    return hint_of("warns-stdout", case.language, said=quoted(found[1])) if found else None


def _wants(case: Case) -> Sequence[str]:
    head = case.match.records[0]
    wants: tuple[str, ...] = getattr(head, "wants", ())
    return wants[case.match.seat - 1 : case.match.seat]


async def _otherwise(case: Case) -> GivenHint | None:
    """Starts the bot again, and asks it only the questions of this match: first unchanged, and then as if the
    bot had another seat. If the bot now gives the right answer, returns a hint."""
    if case.question.state is None and case.match.number == 1:
        return None
    match, seat = case.match, case.match.seat
    alone = (greeting(case.trial.rules), *match.asked(case.trial.rules, number=1).exchanges)
    while not alone[-1].expects:
        alone = alone[:-1]
    if match.number > 1 and await _is_right(case, alone):
        return hint_of("not-reset", number=str(match.number))
    if seat > 1 or case.failed.seats > 1:
        for other in (seat - 1, seat + 1):
            if await _is_right(case, [_reseated(each, other) for each in alone]):
                return hint_of("seat", seat=str(seat), other=str(other))
    return None


async def _is_right(case: Case, exchanges: Sequence[SentBlock]) -> bool:
    """Tells whether the bot answers the last of these questions correctly, and does not end."""
    limits = case.trial.rules.limits
    patience = Patience(PATIENCE, LEAST_IDLE)
    seen = await probe(case.trial.entrant, exchanges, limits, patience)
    alive = seen.came == ASKED and seen.status is None and not seen.partial
    return alive and [case.question.takes(line.rstrip("\r")) for line in seen.heard[-1]] == [True]


def _reseated(exchange: SentBlock, seat: int) -> SentBlock:
    return exchange._replace(block=NEW.sub(rb"new \1 %d " % seat, exchange.block))


# -- too many lines --------------------------------------------------------------------------------


def _unasked(case: Case, seen: Behaviour) -> GivenHint | None:
    """Returns the hint for a bot that wrote more than one answer to each question."""
    if seen.partial:
        return hint_of("prompt", case.language, extra=quoted(seen.partial))
    if warned := _warned(case, seen):
        return warned
    for exchange, lines in reversed(list(zip(case.exchanges, seen.heard, strict=False))):
        lines = tuple(line.rstrip("\r") for line in lines)
        notes = [line for line in lines if not any(each.takes(line) for each in case.questions)]
        if notes and not any(notes):
            return hint_of("empty-line", case.language)
        if notes:
            return hint_of("debug-stdout", case.language, extra=quoted(notes[0]))
        if lines and not exchange.expects:
            return hint_of("answers-events", extra=quoted(lines[0]))
        if len(lines) > 1:
            return hint_of("answers-twice", said=quoted(lines[0]), extra=quoted(lines[1]))
    return None


# -- silence ---------------------------------------------------------------------------------------


async def _silent(case: Case, seen: Behaviour) -> GivenHint | None:
    """Returns the hint for a bot that did not answer, and did not end."""
    # Some bots assume that one read returns exactly one line. If a read returns many lines, chance decides
    # whether such a bot answers.
    if (
        seen.came in ("", MANY_LINES, AGAIN)
        and not seen.busy
        and (await _probed(case, slowly=True)).came == ASKED
    ):
        return hint_of("reads-chunks", case.language)
    return silence(case.question, seen, case.language, _limit_us(case)) or _slow(case, seen)


def _slow(case: Case, seen: Behaviour) -> GivenHint | None:
    """Returns the hint for a bot that answered, but too late."""
    return slow(seen, case.language, _limit_us(case), case.trial.rules.limits.start_ms)


def _limit_us(case: Case) -> int:
    limits = case.trial.rules.limits
    return (limits.start_ms if case.question.state is None else limits.move_ms) * 1000


# -- ends ------------------------------------------------------------------------------------------


async def _ended(case: Case, seen: Behaviour) -> GivenHint | None:
    """Returns the hint for a bot whose process ended."""
    told = f"{case.failed.stderr}\n{seen.stderr}"
    if found := ending(told, seen, case.language, case.trial.rules.limits.memory_mb):
        return found
    line = seen.ended_after
    if line and line != case.question.line and (error := error_line(told)):
        return hint_of("unknown-line", line=quoted(line), error=quoted(error))
    if seen.status == 0 and has_daemons(Path(case.trial.entrant.folder)):
        return hint_of("daemon-thread")
    if seen.status == 0 and not error_line(told):
        return hint_of("ends-early", after=f", when it had read {quoted(line)}" if line else "")
    if found := await _otherwise(case):
        return found
    if thrown := uncaught(told):
        return hint_of("exception", error=quoted(thrown))
    if seen.status is not None and seen.status < 0:
        return hint_of("signal", case.language, signal=signal_name(-seen.status))
    if not (error := error_line(told)) and seen.status:
        error = f"exit status {seen.status}"
    return hint_of("exception", error=quoted(error)) if error else None


# -- hints for what a bot did when it was asked again ------------------------------------------------


LEAST_BUFFER = 1_024
"""No usual buffer for output is smaller than this number of bytes."""
FASTER = 2
"""A slow bot gets the same question a second time. If the second answer comes faster by at least this factor,
only the first answer of the bot is slow."""


def silence(question: Question, seen: Behaviour, language: str, limit_us: int) -> GivenHint | None:
    """Returns the hint for a bot that did not answer a question; None if the bot answered, or if the bot is
    only slow."""
    ask = quoted(question.line)
    if seen.too_much_memory:
        return None
    if seen.partial and seen.came != ASKED:
        return hint_of("no-newline", language, said=quoted(seen.partial))
    if not seen.came and seen.busy:
        return hint_of("computes", span=span(seen.us), limit=span(limit_us))
    if seen.came == ONE_LINE:
        return hint_of("waits-for-line", ask=ask, more=" before one more line came")
    if seen.came == MANY_LINES and seen.heard_bytes >= LEAST_BUFFER:
        # The bot wrote something after each of the many lines, until its buffer was full.
        return hint_of("no-flush", language, ask=ask, when="the buffer was full")
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
    """Returns the hint for a bot that answers, but too late."""
    if seen.came != ASKED or seen.us <= limit_us:
        return None
    if not seen.busy:
        return hint_of("sleeps", span=span(seen.us))
    if 0 < seen.again_us < min(limit_us, seen.us // FASTER):
        start = span(start_ms * 1000)
        return hint_of("slow-first", span=span(seen.us), again=span(seen.again_us), start=start)
    return hint_of("slow", language, span=span(seen.us), limit=span(limit_us))


def ending(told: str, seen: Behaviour, language: str, memory_mb: int, phase: str = "") -> GivenHint | None:
    """Returns the hint for the text that a bot wrote to stderr before it ended; None if the text has no known
    error."""
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
    """Returns the hint for a bot that ended before it answered `hello`, if its stderr has no known error."""
    if error := uncaught(text) or error_line(text):
        return hint_of("exception", error=quoted(error))
    if status == 0 or ENDED_READING.search(text):
        return hint_of("ends-early", after=" before it answered `hello`")
    return hint_of("signal", signal=signal_name(-status)) if status < 0 else None


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
