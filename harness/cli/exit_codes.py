"""The exit codes of the command `harness`, and what each means. It imports nothing."""

from __future__ import annotations

NO = 1
"""A check says no, a record contradicts itself, or harness has a bug."""
WRONG_INPUT = 2
MACHINE = 3
REMAIN = 3
INTERRUPTED = 130
MEANINGS = {
    0: "all is well",
    NO: "a check says no",
    WRONG_INPUT: "a file or a flag is wrong",
    REMAIN: "matches remain to be played, or the machine failed",
    INTERRUPTED: "interrupted",
}
