"""Lists the exit codes of the command `harness`, and their meanings. This file imports no other file."""

from __future__ import annotations

NO = 1
"""The exit code if a check says no, if a record contradicts itself, or if harness has a bug."""
WRONG_INPUT = 2
MACHINE = 3
REMAIN = 3
INTERRUPTED = 130
NO_MEMORY = "there is not enough memory (`ulimit -v` says how much a process may use)"
"""The sentence that harness prints before it ends with exit code MACHINE, if there is not enough memory. This
text is here, and not in `error_for`, because there may be too little memory to import `error_for`."""
MEANINGS = {
    0: "all is well",
    NO: "a check says no",
    WRONG_INPUT: "a file or a flag is wrong",
    REMAIN: "matches remain to be played, or the machine failed",
    INTERRUPTED: "interrupted",
}
