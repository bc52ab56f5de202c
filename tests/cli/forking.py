"""Runs commands whose streams are closed, full or unread, each in a fork of one process; asserts nothing.

    python -m tests.cli.forking < JOBS

To start Python and import harness for each command would take ten times as long. A fork ends like any other
process: Python flushes the streams at its end.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FULL, UNREAD = ">/dev/full", "2>&1 | true"
CLOSED = {"<&-": 0, ">&-": 1, "2>&-": 2}
CASES = (*CLOSED, FULL, UNREAD)
SHORT_DEMO = Path("demo.toml")
"""The plan that `harness demo` plays here. It is in the folder in which the command runs."""


class Forked(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str


class ForkJob(NamedTuple):
    """A command, the folder in which it runs, and what is wrong with its streams. Its output goes to the
    files FOLDER.out and FOLDER.err."""

    folder: str
    argv: list[str]
    case: str


HANG = 1_200
"""If the commands take more seconds than this, they hang, even on a busy machine."""


def fork(jobs: Sequence[ForkJob]) -> list[Forked]:
    """Runs these commands. Returns their results in the same order."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.cli.forking"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG,
    )
    return [
        Forked(code, *(Path(f"{job.folder}.{name}").read_text() for name in ("out", "err")))
        for job, code in zip(jobs, json.loads(told.stdout), strict=True)
    ]


def _load() -> None:
    import click

    from harness.cli.commands import demo
    from harness.cli.main import main

    demo.PLAN = SHORT_DEMO
    context = click.Context(main)
    for name in main.list_commands(context):
        main.get_command(context, name)
    gc.freeze()  # Without this, the garbage collector of each fork would copy all memory.


def _streams(job: ForkJob) -> None:
    """Gives this process the standard streams that a new Python process would have in this case."""
    files = [os.open(os.devnull, os.O_RDONLY)]
    files += [
        os.open(f"{job.folder}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in ("out", "err")
    ]
    if job.case == FULL:
        files[1] = os.open("/dev/full", os.O_WRONLY)
    elif job.case == UNREAD:
        reading, files[1] = os.pipe()
        files[2] = files[1]
        os.close(reading)
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(3, 256)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))  # noqa: SIM115
    if job.case in CLOSED:
        os.close(CLOSED[job.case])
        setattr(sys, ("stdin", "stdout", "stderr")[CLOSED[job.case]], None)


def main() -> None:
    jobs = [ForkJob(*each) for each in json.load(sys.stdin)]
    _load()
    codes = []
    for job in jobs:
        pid = os.fork()
        if not pid:
            os.chdir(job.folder)
            sys.argv = ["harness", *job.argv]
            _streams(job)
            from harness.__main__ import main as command

            command()
        codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    print(json.dumps(codes))


if __name__ == "__main__":
    main()
