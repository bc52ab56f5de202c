"""Measures how long it takes to build and to start a bot in each language, with a sandbox and without one.

    python -m benchmarks.languages           # prints the figures
    python -m benchmarks.languages --keep    # also writes them into docs/languages.md

The time of a start lasts from the start of the process until its answer to `hello`. The table has the
shortest of eleven starts, because other load disturbs this one least. The memory is that of the processes
without a sandbox after this answer, counted in the same way as for the limit on memory. If this machine lacks
a language, the table keeps the old figures of this language. `make docs` writes the rest of the table.
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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from harness import config
from harness.checking.machine import version
from harness.cli.workspace import STARTERS
from harness.config import Bot, needs
from harness.config.languages import Language, with_starter
from harness.config.programs import packages_of
from harness.model import MEGABYTE, Limits
from harness.protocol import block, hello
from harness.sandbox import Launch, launch_of, process_tree
from harness.sandbox.builds.build import BuildSettings, built
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.isolation import achieved, entrant
from harness.sandbox.spawn import Pipes, Spawned

PAGE = Path(__file__).parent.parent / "docs" / "languages.md"
BEGIN, END = (
    "<!-- the table: written by `make docs`; the figures by benchmarks/languages.py -->\n",
    "<!-- the end of the table -->\n",
)
HEAD = (
    "| language | Debian packages | version | build | start, bare | start, isolated | memory |",
    "|---|---|---|---|---|---|---|",
)
MEASURED = 2
"""The index of the first column of the table that has measured values."""
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

    def cells(self) -> tuple[str, ...]:
        build = f"{self.build_s:.1f} s" if self.build_s else "-"
        starts = f"{self.bare_ms:.0f} ms", f"{self.isolated_ms:.0f} ms"
        return (self.version, build, *starts, f"{self.memory_mb:.0f} MB")


def measured(bot: Bot, place: Path) -> Row:
    """Builds this bot in the new folder `place`, and starts it several times."""
    level = achieved("bwrap").level
    with tempfile.TemporaryDirectory() as caches:  # With empty caches the bot is really built.
        os.environ["XDG_CACHE_HOME"] = caches
        began = perf_counter()
        ready = built(bot, place, BuildSettings(level)).bot
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
    """Starts a bot once. Returns the milliseconds until its first answer, and the megabytes of memory that
    its processes had then."""
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


def table(measured: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The lines of the table. `measured` has the measured cells by language; a language without measured
    cells gets empty cells."""
    empty = [""] * (len(HEAD[0].split(" | ")) - MEASURED)
    yield from HEAD
    for language in with_starter():
        packages = " ".join(packages_of(needs(starter(language)))) or "-"
        yield f"| {' | '.join((language.name, packages, *measured.get(language.name, empty)))} |"


def starter(language: Language) -> Bot:
    return config.read_bot(STARTERS / language.folder)


def kept(page: str) -> dict[str, Sequence[str]]:
    """The measured cells that the table of this page has, by language."""
    lines = page.partition(BEGIN)[2].partition(END)[0].splitlines()[len(HEAD) :]
    rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|"))
    return {language: cells for language, _, *cells in rows}


def with_table(page: str, measured: Mapping[str, Sequence[str]], told: str = "") -> str:
    """The page with the new table. `told` replaces the sentence that says how the figures were measured."""
    before, _, rest = page.partition(BEGIN)
    old, _, after = rest.partition(END)
    told = told or old.rstrip().rpartition("\n")[2]
    return "".join((before, BEGIN, "\n".join(table(measured)), f"\n\n{told}\n", END, after))


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m benchmarks.languages")
    parser.add_argument("--keep", action="store_true", help="write the table into docs/languages.md")
    keep = parser.parse_args(arguments).keep
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    page = PAGE.read_text()
    cells = kept(page)
    with folder_of_copies() as place:
        for language in with_starter():
            bot = starter(language)
            if not config.missing(bot, shutil.which):
                cells[language.name] = measured(bot, place / language.folder).cells()
                print(language.name, *cells[language.name], sep=" | ", flush=True)
    if keep:
        machine = f"{os.cpu_count()} cores, {platform.system()} {platform.release().partition('-')[0]}"
        PAGE.write_text(with_table(page, cells, f"Measured on {machine}: the shortest of {STARTS} starts."))


if __name__ == "__main__":
    main(sys.argv[1:])
