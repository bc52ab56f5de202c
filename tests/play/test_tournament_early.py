"""Tests tournaments in which one sitting is slow: how many results wait for it, and what the record has."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from harness.job import Done, Job, PlainRules
from harness.play import tournament
from harness.play.runner import Feed
from harness.play.tournament import EarlyResults
from tests.play.scripted import AnyOrder, World, a_plan, but_voids, carried_on, on_record

pytestmark = pytest.mark.virtual


class OneSlow(AnyOrder):
    """A runner whose first sitting ends only when there is nothing else to play."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.before = 0
        """How many sittings ended before the first one."""

    @asynccontextmanager
    async def play(self, feed: Feed) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        send, receive = trio.open_memory_channel[Done](0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._others, feed, send)
            yield receive

    async def _others(self, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        slow: Job | None = None
        async with send:
            while (job := feed()) is not None or slow:
                if isinstance(job, Job) and slow is None and not self.before:
                    slow = job
                elif isinstance(job, Job):
                    await send.send(self._world.play(job))
                    await trio.testing.wait_all_tasks_blocked()
                    self.before += slow is not None
                elif slow:
                    await send.send(self._world.play(slow))
                    await trio.testing.wait_all_tasks_blocked()
                    slow = None
                elif job is not None:
                    await job.wait()


@pytest.mark.parametrize("deal", ["fresh", "same"])
@pytest.mark.parametrize("void_for", [0, 2])
def test_no_later_sitting_begins_while_too_many_results_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deal: str, void_for: int
) -> None:
    plan = a_plan("abcdefghi", 3, meet=3, deal=deal)
    free, bounded = OneSlow(World(void_for=void_for)), OneSlow(World(void_for=void_for))
    records = []
    for name, runner, most in (("free", free, tournament.MOST_BYTES), ("bounded", bounded, 20_000)):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(tournament, "MOST_BYTES", most)
        assert carried_on(plan, tmp_path / name, runner) is not None
        records.append(but_voids(on_record(tmp_path / name)))
    assert 0 < bounded.before < free.before / 2
    assert records[0] == records[1]


def test_results_that_were_taken_need_no_memory_any_more() -> None:
    results = EarlyResults()
    job = Job(1, 1, 1, 1, 1, PlainRules("sevens", {}), (), (), ())
    done = Done(job, b"x" * tournament.MOST_BYTES)
    results.keep((1, 1), done)
    assert results.full
    assert (1, 1) in results
    assert results.take((1, 1)) is done
    assert results.take((1, 1)) is None
    assert not results.full
