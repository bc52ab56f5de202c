"""Tests the options for shards: when a shard stops by itself, and which options it refuses."""

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from harness.cli.commands.run import ShareType
from harness.cli.screen import end_in_time
from harness.errors import InputError
from harness.events import InTournament
from harness.job import Job, PlainRules
from harness.play.conduct import UnderWay
from harness.record.history import History, Key
from tests.cli.door import harness
from tests.report.played import plan_of


class Said:
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def see(self, record: InTournament) -> None:
        pass

    def say(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.parametrize(("takes", "begun"), [(10, 5), (25, 1), (70, 1)])
def test_no_sitting_begins_that_may_not_end_in_time(takes: float, begun: int) -> None:
    """Sittings come one after another, each takes `takes` seconds, and there is one minute for all of
    them."""
    stopped, was_cut, said = trio.Event(), trio.Event(), Said()
    running: dict[Key, tuple[Job, float]] = {}
    job = Job(1, 1, 1, 1, 1, PlainRules("sevens", {}), (), (), ())

    async def played() -> tuple[int, int]:
        under_way = UnderWay(plan, History(), running, stopped.set, was_cut.set)
        began = ended = 0
        async with trio.open_nursery() as nursery:
            nursery.start_soon(end_in_time, under_way, said, 60.0, trio.current_time)
            while not stopped.is_set():
                began += 1
                running[began, 1] = job, trio.current_time()
                with trio.move_on_after(takes) as scope:
                    await was_cut.wait()
                del running[began, 1]
                ended += scope.cancelled_caught
            nursery.cancel_scope.cancel()
        assert trio.current_time() <= 60
        return began, ended

    plan = plan_of("sevens", 2, 1, {}, ("a", "b"))
    clock = MockClock(autojump_threshold=0)
    assert trio.run(played, clock=clock) == (begun, begun if takes < 60 else 0)
    assert was_cut.is_set() == (takes > 60)
    assert said.lines == ["the time is nearly over: running matches will end"]


def test_shards_are_numbered_from_0_or_from_1() -> None:
    read = ShareType().convert
    assert [str(read(each, None, None)) for each in ("0/3", "1/3", "3/3")] == ["0/3", "1/3", "0/3"]


@pytest.mark.parametrize("written", ["3", "3/2", "1/0", "x/y", "-1/2", "1/2/3", "1/100001", ""])
def test_a_shard_that_does_not_exist_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="--shard"):
        ShareType().convert(written, None, None)


@pytest.mark.parametrize("option", ["--fresh", "--json"])
def test_a_shard_has_no_options_of_a_whole_tournament(tmp_path: Path, option: str) -> None:
    for name in ("anna", "bert"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    plan = tmp_path / "cup.toml"
    plan.write_text('game = "sevens"\nseats = 2\nbots = ["anna", "bert"]\n')
    done = harness("run", plan, "--logs", tmp_path / "logs", "--shard", "1/2", option)
    assert done.exit_code == 2
    assert f"{option}: this option is for a whole tournament" in done.stderr
    assert not (tmp_path / "logs").exists()
