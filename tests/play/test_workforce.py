"""Plays with workers of which some are broken: these are dismissed, and their attempts do not count."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from harness.errors import MachineError, cause
from harness.events import Played, Voided
from harness.job import Done, Entrant, Job
from harness.play.local import LocalRunner
from harness.play.tournament import Tournament
from harness.play.worker import Tether
from harness.play.workforce import Workforce
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.run_folder import opened
from tests.play.scripted import SEVENS, AnyOrder, World, a_plan, but_voids, of, on_record, played

pytestmark = pytest.mark.virtual

Hand = Callable[[Job], Done]


def well(job: Job) -> Done:
    return World().play(job)


def broken(job: Job) -> Done:
    return Done(job, void="no space left on device")


def unlucky(times: int) -> Hand:
    """A worker that fails this number of times, and then plays."""
    left = [None] * times

    def play(job: Job) -> Done:
        return broken(job) if left and left.pop() is None else well(job)

    return play


class Hands(LocalRunner):
    """A local runner whose workers are these functions: one that fails is quick, the others are slow."""

    def __init__(self, folder: Path, hands: list[Hand], said: list[str]) -> None:
        tether = Tether(str(folder), "")
        Path(tether.lifeline).touch()
        super().__init__([None] * len(hands), [], 1, tether, said.append)
        self._hands = hands

    async def _worked(self, slot: int, batch: list[Job]) -> list[Done]:
        done = [self._hands[slot](job) for job in batch]
        await trio.sleep(0.001 if done[0].void else 1 + slot / 7)
        return done


def conducted(folder: Path, said: list[str], *hands: Hand, **terms: Any) -> None:
    """Plays a tournament to its end with these workers."""
    folder.mkdir()
    plan, history = a_plan("abcdefgh", 3, meet=2, **terms), History()
    journal = Journal(folder, history.add)
    journal.append(opened(plan))
    history.add(opened(plan))
    entrants = {bot.name: Entrant(bot.name, ("true",), "/") for bot in plan.bots}
    tournament = Tournament(plan, SEVENS, entrants, journal, history, lambda record: None)
    runner = Hands(folder.parent, list(hands), said)
    try:
        ended = trio.run(tournament.conduct, runner, clock=MockClock(autojump_threshold=0))
    except BaseExceptionGroup as group:
        raise cause(group) from None
    finally:
        runner.cut()
        journal.close()
    assert ended is not None


@pytest.mark.parametrize("deal", ["fresh", "same"])
@pytest.mark.parametrize("hands", [(broken, well), (well, broken), (broken, broken, well, broken)])
def test_a_broken_worker_is_dismissed_and_its_void_attempts_count_for_nobody(
    tmp_path: Path, hands: tuple[Hand, ...], deal: str
) -> None:
    said: list[str] = []
    conducted(tmp_path / "apart", said, *hands, deal=deal)
    (tmp_path / "calm").mkdir()
    calm = played(a_plan("abcdefgh", 3, meet=2, deal=deal), tmp_path / "calm", AnyOrder(World()))
    assert on_record(tmp_path / "apart") == calm
    assert len(said) == hands.count(broken)
    assert all("dismissed" in line and "no space left" in line for line in said)


def test_a_worker_that_fails_twice_is_kept_and_the_attempts_count(tmp_path: Path) -> None:
    said: list[str] = []
    conducted(tmp_path / "cup", said, unlucky(2), well)
    assert said == []
    assert len(of(Voided, on_record(tmp_path / "cup"))) == 2
    assert of(Played, on_record(tmp_path / "cup"))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_if_nobody_can_play_the_machine_is_the_cause(tmp_path: Path, count: int) -> None:
    said: list[str] = []
    with pytest.raises(MachineError, match="sittings failed"):
        conducted(tmp_path / "cup", said, *[broken] * count)
    assert said == []


def test_a_sitting_that_fails_everywhere_dismisses_nobody(tmp_path: Path) -> None:
    def odd(job: Job) -> Done:
        return broken(job) if job.encounter == 3 and job.attempt < 3 else well(job)

    said: list[str] = []
    conducted(tmp_path / "cup", said, odd, odd, deal="fresh")
    records = on_record(tmp_path / "cup")
    assert said == []
    assert [(each.encounter, each.attempt) for each in of(Voided, records)] == [(3, 1), (3, 2)]
    assert len(but_voids(records)) == len(records) - 2


async def test_idle_workers_do_not_wake_each_other(autojump_clock: MockClock) -> None:
    """If two idle workers woke each other while the third is at work, the command would keep a core busy."""
    workforce, looks = Workforce(3, print), [0, 0]
    over = trio.Event()

    async def idle(worker: int) -> None:
        while not over.is_set():
            looks[worker] += 1
            assert looks[worker] < 10
            assert workforce.release(worker) == []
            await workforce.rest(over)

    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(idle, 0)
            nursery.start_soon(idle, 1)
            await trio.sleep(1)
            over.set()
    assert looks == [1, 1]
