"""Tests the reading of the stolen time, from files as the kernel writes them and from the kernel itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.bot.stolen import FILE, LINE, Stolen

pytestmark = pytest.mark.real

SECOND = 1_000_000_000


def write(file: Path, *steps: int) -> None:
    """Writes a file like /proc/stat, in which each core has the next of these numbers of stolen steps."""
    lines = [f"cpu  1 2 3 4 5 6 7 {sum(steps)} 0 0"]
    lines += [f"cpu{core} 10 20 30 40 50 60 70 {each} 0 0" for core, each in enumerate(steps)]
    file.write_text("\n".join([*lines, "intr " + "7 " * 1000, ""]))


def test_only_the_time_since_the_start_and_on_these_cores_counts(tmp_path: Path) -> None:
    write(tmp_path / "stat", 900, 5, 70)
    stolen = Stolen({1}, str(tmp_path / "stat"))
    write(tmp_path / "stat", 950, 8, 99)
    assert stolen.us(SECOND) == 30_000
    stolen.close()


def test_of_several_cores_the_one_counts_that_lost_most(tmp_path: Path) -> None:
    write(tmp_path / "stat", 0, 0, 0)
    stolen = Stolen({0, 2}, str(tmp_path / "stat"))
    write(tmp_path / "stat", 1, 9, 3)
    first = stolen.us(SECOND)
    write(tmp_path / "stat", 6, 9, 4)
    assert (first, stolen.us(2 * SECOND)) == (30_000, 80_000)
    stolen.close()


def test_it_reads_no_more_often_than_its_share_allows(tmp_path: Path) -> None:
    write(tmp_path / "stat", 0)
    stolen = Stolen({0}, str(tmp_path / "stat"))
    write(tmp_path / "stat", 1)
    first = stolen.us(SECOND)
    write(tmp_path / "stat", 2)
    assert (first, stolen.us(SECOND + 1), stolen.us(2 * SECOND)) == (10_000, 10_000, 20_000)
    stolen.close()


def test_it_never_falls(tmp_path: Path) -> None:
    write(tmp_path / "stat", 0)
    stolen = Stolen({0}, str(tmp_path / "stat"))
    write(tmp_path / "stat", 4)
    first = stolen.us(SECOND)
    write(tmp_path / "stat", 3)
    assert (first, stolen.us(2 * SECOND)) == (40_000, 40_000)
    stolen.close()


def test_a_machine_that_does_not_tell_it_has_none(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("cpu0 1 2 3 4\nintr 5\n")
    for file in ("old", "missing"):
        stolen = Stolen({0}, str(tmp_path / file))
        assert stolen.us(SECOND) == 0
        stolen.close()


def test_the_lines_of_the_kernel_have_room() -> None:
    with open(FILE, "rb") as file:
        about = [line for line in file.read().splitlines() if line.startswith(b"cpu")]
    assert max(map(len, about)) < LINE
