"""Tests that builds run side by side, are named while they run, and end when nobody needs their results."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.config import Bot, read_bot
from harness.sandbox.builds import side_by_side
from harness.sandbox.builds.build import BuildError, BuildSettings
from harness.sandbox.builds.side_by_side import Building, built_side_by_side, say_if_long
from tests.play.seated import needs


@pytest.fixture(autouse=True)
def two_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(side_by_side, "cores", lambda: [0, 1])


def a_bot(tmp_path: Path, name: str, build: str) -> tuple[Bot, Path]:
    """A bot whose build command is this shell script, and the folder for its copy."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f"name = '{name}'\nrun = './made'\nbuild = ['sh', '-c', '''{build}; echo x > made''']\n"
    )
    return read_bot(folder), tmp_path / f"copy-of-{name}"


def nothing(_: Sequence[Building]) -> None:
    pass


def test_a_build_that_waits_for_another_one_ends_because_they_run_side_by_side(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    bots = [
        a_bot(tmp_path, "reads", f"read line < {tmp_path / 'pipe'}"),
        a_bot(tmp_path, "writes", f"echo x > {tmp_path / 'pipe'}"),
    ]
    done = dict(built_side_by_side(bots, BuildSettings(), nothing))
    assert [done[number].result().ran for number in (0, 1)] == [True, True]


def test_what_is_built_first_is_told_first_and_each_result_has_its_place(tmp_path: Path) -> None:
    """The build of the first bot waits until the results of the other two builds have arrived."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    bots = [
        a_bot(tmp_path, "waits", f"read line < {pipe}"),
        a_bot(tmp_path, "fails", "exit 3"),
        a_bot(tmp_path, "works", "true"),
    ]
    order = []
    for number, made in built_side_by_side(bots, BuildSettings(), nothing):
        order.append(number)
        if sorted(order) == [1, 2]:
            pipe.write_text("x\n")
        if number == 1:
            with pytest.raises(BuildError, match="exit status 3"):
                made.result()
        else:
            assert made.result().bot.name == bots[number][0].name
    assert order[-1] == 0


def test_builds_with_the_same_files_at_once_are_one_build(tmp_path: Path) -> None:
    build = f"echo x >> {tmp_path / 'calls'}"
    bots = [a_bot(tmp_path, "one", build)]
    bots += [(bots[0][0], tmp_path / str(number)) for number in range(5)]
    done = dict(built_side_by_side(bots, BuildSettings(), nothing))
    assert [done[number].result().ran for number in range(6)] == [True] * 6
    assert (tmp_path / "calls").read_text() == "x\n"
    assert {(place / "made").read_text() for _, place in bots} == {"x\n"}


def test_a_build_is_named_while_it_runs(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    seen: list[list[Building]] = []

    def watch(builds: Sequence[Building]) -> None:
        seen.append([*builds])
        if builds and len(seen) == 2:
            pipe.write_text("x\n")

    [(_, made)] = built_side_by_side(
        [a_bot(tmp_path, "foxes", f"read line < {pipe}")], BuildSettings(), watch
    )
    assert made.result().ran
    [first, second, *_] = seen
    assert [each.bot for each in (*first, *second)] == ["foxes", "foxes"]
    assert first[0].seconds < second[0].seconds < first[0].most_seconds == 120
    assert seen[-1] == []


def test_a_bot_without_a_build_is_not_named(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text("run = 'python3 main.py'\n")
    seen: list[Sequence[Building]] = []
    [(_, made)] = built_side_by_side(
        [(read_bot(tmp_path / "bot"), tmp_path / "copy")], BuildSettings(), seen.append
    )
    assert not made.result().ran
    assert not any(seen)


def test_one_line_tells_of_a_build_that_takes_long() -> None:
    said: list[str] = []
    watch = say_if_long(said.append)
    watch([Building("foxes", 4.9, 120), Building("geese\x1b", 5.1, 120)])
    watch([Building("foxes", 5.1, 120), Building("geese\x1b", 5.3, 120)])
    watch([])
    assert said == [
        "building geese\\x1b takes long; it may take at most 120 s",
        "building foxes takes long; it may take at most 120 s",
    ]


def test_if_nobody_takes_the_results_any_more_all_builds_end_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build of the bot `spins` holds the lock until the build ends."""
    needs("flock")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    pipe, lock = tmp_path / "pipe", tmp_path / "lock"
    os.mkfifo(pipe)
    bots = [
        a_bot(tmp_path, "waits", f"read line < {pipe}"),
        a_bot(tmp_path, "spins", f'flock {lock} sh -c "echo x > {pipe}; exec sleep 1000"'),
        a_bot(tmp_path, "begins-perhaps", f"echo x >> {lock}; exec sleep 1000"),
        a_bot(tmp_path, "never-begins", f"echo x >> {lock}; exec sleep 1000"),
    ]
    builds = built_side_by_side(bots, BuildSettings(), nothing)
    assert next(builds)[0] == 0
    builds.close()
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert os.listdir(tmp_path / "tmp") == []
