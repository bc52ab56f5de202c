"""Measures how long bots in each language need to build and to start, bare and isolated.

    python -m benchmarks.languages           # prints the table
    python -m benchmarks.languages --keep    # also writes it into docs/languages.md

A start is the time from the start of the process until its answer to `hello`; the table has the shortest of
eleven, which other load disturbs least.
Memory is what the bare processes have in memory after this answer, as the limit on memory counts it.
A language that this machine lacks keeps its row.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from harness import config
from harness.checking.machine import version
from harness.cli.commands.new import starters
from harness.config import Bot
from harness.config.programs import install
from harness.model import MEGABYTE, Limits
from harness.protocol import block, hello
from harness.sandbox import Launch, launch_of, process_tree
from harness.sandbox.builds.build import built
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.isolation import achieved, entrant
from harness.sandbox.spawn import Pipes, Spawned

PAGE = Path(__file__).parent.parent / "docs" / "languages.md"
BEGIN, END = "<!-- the table: written by benchmarks/languages.py -->\n", "<!-- the end of the table -->\n"
HEAD = (
    "| language | Debian packages | version | build | start, bare | start, isolated | memory |",
    "|---|---|---|---|---|---|---|",
)
STARTS = 11
WARM_UP = 2
ENOUGH = 4_096 * MEGABYTE
LIMITS = Limits(start_ms=60_000)


class Row(NamedTuple):
    """What was measured for one language."""

    version: str
    build_s: float
    bare_ms: float
    isolated_ms: float
    memory_mb: float

    def __str__(self) -> str:
        build = f"{self.build_s:.1f} s" if self.build_s else "-"
        return (
            f"{self.version} | {build} | {self.bare_ms:.0f} ms | {self.isolated_ms:.0f} ms | "
            f"{self.memory_mb:.0f} MB"
        )


def measured(bot: Bot, place: Path) -> Row:
    """Builds this bot in the new folder `place`, and starts it several times."""
    level = achieved("bwrap").level
    with tempfile.TemporaryDirectory() as caches:  # With empty caches the bot is really built.
        os.environ["XDG_CACHE_HOME"] = caches
        began = perf_counter()
        ready = built(bot, place, level).bot
        build_s = perf_counter() - began if bot.build else 0.0
    starts: dict[str, list[tuple[float, float]]] = {"none": [], level: []}
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(WARM_UP + STARTS):
            for each, found in starts.items():
                found.append(_started(launch_of(entrant(ready, each), LIMITS, scratch)))
    bare, isolated = ([ms for ms, _ in found[WARM_UP:]] for found in (starts["none"], starts[level]))
    memory = max(megabytes for _, megabytes in starts["none"])
    return Row(version(bot), build_s, min(bare), min(isolated), memory)


def _started(launch: Launch) -> tuple[float, float]:
    """Starts a bot once. Returns the milliseconds until its first answer, and the megabytes that it had."""
    began = perf_counter()
    spawned = Spawned(launch, Pipes(stderr=subprocess.DEVNULL))
    stdin, stdout = spawned.popen.stdin, spawned.popen.stdout
    assert stdin is not None
    assert stdout is not None
    try:
        stdin.write(block([hello("squash")]))
        line = stdout.readline()
        took = (perf_counter() - began) * 1000
        assert line.startswith(b"hello 1"), line
        return took, process_tree.memory(process_tree.members(spawned.root()), ENOUGH) / MEGABYTE
    finally:
        stdin.close()
        stdout.close()
        spawned.end()


def table() -> Iterator[str]:
    """Yields the lines of the table as they are measured."""
    yield from HEAD
    with folder_of_copies() as place:
        for name, bot in starters().items():
            packages = " ".join(install(bot, lambda program: None).split()[3:]) or "-"
            if config.missing(bot, shutil.which):
                yield f"| {bot.language} | {packages} | | | | | |"
            else:
                yield f"| {bot.language} | {packages} | {measured(bot, place / name)} |"


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m benchmarks.languages")
    parser.add_argument("--keep", action="store_true", help="write the table into docs/languages.md")
    keep = parser.parse_args(arguments).keep
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    lines = []
    for line in table():
        print(line, flush=True)
        lines.append(line)
    if keep:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        _, _, after = rest.partition(END)
        machine = f"{os.cpu_count()} cores, {platform.system()} {platform.release().partition('-')[0]}"
        told = f"Measured on {machine}; of {STARTS} starts the shortest.\n"
        PAGE.write_text(before + BEGIN + "\n".join(lines) + "\n\n" + told + END + after)


if __name__ == "__main__":
    main(sys.argv[1:])
