"""Tests of `conduct`: a tournament played from Python, stopped, interrupted and continued."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.events import Ended, InTournament, Opened, Played, RunBegan
from harness.play import conduct as conducting
from harness.play.conduct import Conducted, UnderWay, conduct, ready
from harness.play.shard import Share, play_shard
from harness.record.log import read_journal
from harness.sandbox import closing
from harness.sandbox.isolation import Isolation
from harness.schedule.plan import read_plan
from harness.verify import verify
from tests.cli.workshop import Workshop, timeless

pytestmark = pytest.mark.whole


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path, 3, deals=2)


def play(shop: Workshop, **options: object) -> Conducted:
    return conduct(read_plan(shop.plan, workers=1), shop.logs, **options)  # type: ignore[arg-type]


def test_a_program_plays_a_tournament_and_sees_each_record(shop: Workshop) -> None:
    seen: list[InTournament] = []
    done = play(shop, on_record=seen.append)
    assert seen == [line.record for line in read_journal(shop.logs)]
    assert [type(record) for record in seen[:3]] == [Opened, RunBegan, Played]
    assert done.ended == seen[-1]
    assert done.plan.seed == 5
    assert verify(done.folder).ended == done.ended


def test_the_same_call_plays_nothing_once_the_tournament_has_ended(shop: Workshop) -> None:
    first = play(shop)
    seen: list[InTournament] = []
    assert play(shop, on_record=seen.append).ended == first.ended
    assert seen == []


def test_fresh_keeps_the_old_record_beside_the_new_one(shop: Workshop) -> None:
    play(shop)
    said: list[str] = []
    play(shop, say=said.append, fresh=True)
    assert timeless(shop.logs) == timeless(shop.logs.with_name("demo~1"))
    assert f"the old record is now in {shop.logs}~1" in said


def test_a_program_sees_what_is_running_and_stops_it(shop: Workshop) -> None:
    running: list[list[str]] = []
    known: list[UnderWay] = []

    @asynccontextmanager
    async def beside(under_way: UnderWay) -> AsyncIterator[None]:
        known.append(under_way)
        yield

    def stop(record: InTournament) -> None:
        if isinstance(record, Played):
            running.append([job.names()[0] for job, _ in known[0].running.values()])
            known[0].stop()

    assert play(shop, on_record=stop, beside=beside).ended is None
    assert not known[0].running
    assert verify(shop.logs).matches < 12
    assert isinstance(play(shop).ended, Ended)
    assert verify(shop.logs).matches == 12


def test_an_exception_of_the_caller_comes_out_as_it_is_and_the_record_is_whole(shop: Workshop) -> None:
    def fail(record: InTournament) -> None:
        if isinstance(record, Played):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play(shop, on_record=fail)
    assert verify(shop.logs).matches == 4
    assert isinstance(play(shop).ended, Ended)


def test_an_interrupt_comes_out_as_one_and_the_record_is_whole(shop: Workshop) -> None:
    def interrupt(record: InTournament) -> None:
        if isinstance(record, Played):
            signal.raise_signal(signal.SIGINT)

    # If the parent of the tests ignores SIGINT, as a shell does for background jobs, the harness would too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(shop, on_record=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert 2 <= verify(shop.logs).matches < 12
    assert isinstance(play(shop).ended, Ended)


def test_it_works_in_a_notebook_whose_event_loop_is_running(shop: Workshop) -> None:
    async def cell() -> Conducted:
        return play(shop)

    assert isinstance(asyncio.run(cell()).ended, Ended)


SCRIPT = """
from harness.sandbox import closing
from harness.sandbox.isolation import Isolation
from harness.schedule.plan import read_plan
from harness.play.conduct import conduct
from harness.verify import verify

print("once")
print(conduct(read_plan({plan!r}, workers=1), {logs!r}).ended.unplayed, verify({logs!r}, workers=2).matches)
"""


def test_a_script_needs_no_guard_against_being_imported_by_workers(shop: Workshop) -> None:
    script = shop.folder / "script.py"
    script.write_text(SCRIPT.format(plan=str(shop.plan), logs=str(shop.logs)))
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("once\n0 12\n", "")


def test_bots_that_are_missing_are_told_in_one_sentence(shop: Workshop) -> None:
    (shop.bots[0] / "bot.toml").write_text('run = ["no-such-program"]\n')
    with pytest.raises(InputError, match="no-such-program"):
        play(shop)
    assert not shop.logs.exists()


def test_a_record_inside_of_a_bot_is_refused_before_it_is_made(shop: Workshop) -> None:
    inside = shop.bots[1] / "logs" / "demo"
    with pytest.raises(InputError, match=r"demo would be inside the folder of this bot.* with --logs"):
        conduct(read_plan(shop.plan, workers=1), inside)
    with pytest.raises(InputError, match="demo would be inside the folder of this bot"):
        play_shard(read_plan(shop.plan, workers=1), inside, Share(1, 2), on_record=print, say=print)
    assert not inside.parent.exists()


def test_a_fresh_start_renames_no_bot(shop: Workshop) -> None:
    with pytest.raises(InputError, match="is in the folder of the old record"):
        conduct(read_plan(shop.plan, workers=1), shop.bots[0].parent, fresh=True)
    assert shop.bots[0].is_dir()


@pytest.mark.parametrize(("level", "closed"), [("user", True), ("bwrap", False)])
def test_a_workspace_and_the_copies_are_closed_before_bots_start_as_other_users(
    level: str, closed: bool, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conducting, "achieved", lambda *_: Isolation(level))
    # Other users cannot enter pytest's folders. This makes harness believe that they can.
    monkeypatch.setattr(closing, "barred", lambda _: "")
    (shop.folder / "league.toml").write_text("")
    shop.folder.chmod(0o755)
    said: list[str] = []
    with ready(read_plan(shop.plan), said.append) as bots:
        modes = {stat.S_IMODE(os.stat(bot.folder).st_mode) for bot in bots.copies.values()}
    assert said[0].startswith(f"isolation: {level}")
    assert sum(line.startswith(f"closed the workspace {shop.folder} ") for line in said) == closed
    assert stat.S_IMODE(shop.folder.stat().st_mode) == (0o750 if closed else 0o755)
    assert modes == ({0o700} if closed else {0o755})
