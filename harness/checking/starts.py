"""Starts each bot of a plan once, outside a match, and says which bots do not answer `hello`."""

from __future__ import annotations

from collections.abc import Iterable

import trio

from harness.checking.asked import Question, greeting
from harness.checking.check import IDLE_PART, not_greeted, wrong_greeting
from harness.checking.ear import Patience
from harness.checking.probe import probe
from harness.checking.traces import error_line
from harness.config.sparring import play_outs_of
from harness.errors import Void
from harness.job import Entrant
from harness.judge.rules import Rules


async def unable(entrants: Iterable[Entrant], rules: Rules, at_once: int) -> dict[str, str]:
    """Starts these bots, at most `at_once` at the same time. The result has the name of each bot that does
    not start or answers `hello` wrongly, with a sentence that says why. A bot that is only slow is not in the
    result."""
    found: dict[str, str] = {}
    limiter = trio.CapacityLimiter(at_once)

    async def one(entrant: Entrant) -> None:
        async with limiter:
            if told := entrant.broken or await _trouble(entrant, rules):
                found[entrant.name] = told

    async with trio.open_nursery() as nursery:
        for entrant in entrants:
            if not play_outs_of(entrant.argv):
                nursery.start_soon(one, entrant)
    return found


async def _trouble(entrant: Entrant, rules: Rules) -> str:
    """Returns the reason why this bot does not play; "" if it answers `hello`, or if it is only slow."""
    hello, longest = greeting(rules), rules.limits.start_ms / 1000
    question = Question(hello.block.decode().strip())
    try:
        seen = await probe(entrant, [hello], rules.limits, Patience(longest, longest / IDLE_PART))
    except Void as why:
        return str(why)
    if seen.answered:
        wrong = wrong_greeting(seen.first)
        return f"its answer to `hello` is wrong: {wrong}" if wrong else ""
    step = not_greeted(question, seen, "", rules.limits)
    if step is None:
        return ""
    error = error_line(step.stderr)
    return f"{step.told}: {error}" if error else step.told
