"""Loads a game of OpenSpiel in a process of its own first, and plays up to its first question.

A wrong parameter does not always raise an exception: it can end the process, take hours, or print lines of
its own. All of that stays in the process of the attempt, and an error says what happened.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import cache

from harness.chance import Seeded
from harness.errors import InputError
from harness.escape import fitted
from harness.games import Options

WIDTH = 200
SECONDS = 20
LONGEST_VIEW = 100_000
"""The most characters of the first position for one seat. With the usual parameters no game has 1,000."""
CHILD = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from harness.worlds.attempt import obstacle; sys.exit(obstacle(sys.argv[1]) or 0)"
)


@cache
def attempt(call: str) -> None:
    """Raises InputError with the reason if this game of OpenSpiel cannot begin."""
    command = [sys.executable, "-c", CHILD, call, *sys.path]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(f"OpenSpiel cannot begin {call!r} within {SECONDS} s") from None
    last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        last = f"OpenSpiel cannot begin {call!r}: it ended with {name}" + f": {last}" * bool(last)
    if done.returncode:
        raise InputError(fitted(last, WIDTH + len(call)))


def obstacle(call: str) -> str:
    """Why this game of OpenSpiel cannot begin in this process; "" if it can."""
    from harness.worlds.openspiel import OpenSpielGame

    try:
        game = OpenSpielGame(call)
        state, _ = game.start(Options(), game.seats[0], Seeded(1))
        for seat in state.to_act():
            size = sum(map(len, state.view(seat)))
            if size > LONGEST_VIEW:
                most = f"the most for a match are {LONGEST_VIEW:,}"
                return f"the first position of {call!r} has {size:,} characters; {most}"
            [*state.legal(seat)]
    except InputError as error:
        return error.message
    except Exception as error:
        words = " ".join(str(error).split()) or type(error).__name__
        return f"OpenSpiel cannot begin {call!r}: {words}"
    return ""
