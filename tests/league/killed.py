"""Kills `collect` at each of its steps on disk, and checks what is left; a test runs it as a program."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

from harness.config import Bot
from harness.league.collecting import Checked, Collecting, collect
from harness.league.league import read_league
from tests.record.killing import killed_at


def collected(league: Path, sources: Sequence[Path]) -> None:
    def check(bots: Sequence[Bot]) -> Iterator[tuple[int, Checked]]:
        for number, bot in enumerate(bots):
            yield number, Checked("" if bot.name != "Bees" else "it is too slow", "it was looked at")

    wanted = Collecting(read_league(league), check, datetime(2026, 1, 2, tzinfo=UTC), {}, False)
    for _ in collect(wanted, sources):
        pass


def state(league: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.relative_to(league).as_posix(): (
            path.stat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in league.rglob("*")
    }


def main(place: Path, stride: int, sources: Sequence[Path]) -> None:
    """Kills `collect` at its first step, then at every `stride`-th step. Prints the first of these steps
    that `collect` no longer reaches."""
    empty, whole = place / "empty", place / "whole"
    empty.mkdir()
    (empty / "league.toml").write_text('game = "sevens"\n')
    shutil.copytree(empty, whole)
    collected(whole, sources)
    expected = state(whole)
    for step in count(1, stride):
        league = place / "league"
        shutil.copytree(empty, league)
        killed = killed_at(step, partial(collected, league, sources))
        for version in league.glob("entries/*/[0-9]*"):
            assert state(version) == state(whole / version.relative_to(league)), version
        collected(league, sources)
        assert state(league) == expected, f"after step {step}"
        shutil.rmtree(league)
        if not killed:
            print(step)
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), [Path(each) for each in sys.argv[3:]])
