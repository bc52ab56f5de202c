"""Tests that a kill at any step on files, while a folder is sealed or unsealed or shards are merged, costs
nothing: all that is on record can be read at once, and the next start makes the same files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from harness.events import Played
from harness.play.conduct import conduct
from harness.record import log, packs
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.log import JOURNAL, digest, encounter_path, read_journal
from harness.record.run_folder import check_files, clear_left_over
from tests.play.scripted import AnyOrder, World
from tests.play.test_shard import Hall, a_plan, everything, merged
from tests.record.killing import killed_at
from tests.record.test_packs import FILES, play, sitting

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
SHARDS = 2
EACH = pytest.param(1, marks=pytest.mark.soak)


class AtOnce:
    """Seals in the thread that asks for it. So a step has the same number in each run."""

    def __init__(self, *_: object) -> None: ...

    def submit(self, work: Callable[..., object], *arguments: object) -> Future[object]:
        done = Future[object]()
        done.set_result(work(*arguments))
        return done

    def shutdown(self, **_: object) -> None: ...


@pytest.fixture(autouse=True)
def small_folders_sealed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "PER_FOLDER", 2)
    monkeypatch.setattr("harness.record.journal.ThreadPoolExecutor", AtOnce)


def each_kill(
    begun: Path, work: Callable[[Path], object], look: Callable[[Path], object], stride: int = 1
) -> int:
    """Runs the work on copies of a folder. Kills it at its first step, and then at every `stride`-th step,
    until it ends. Calls `look` after each kill. Returns the number of steps."""
    for step in count(1, stride):
        folder = begun.with_name(f"step-{step}")
        shutil.copytree(begun, folder)
        killed = killed_at(step, partial(work, folder))
        look(folder)
        shutil.rmtree(folder)
        if not killed:
            return step - 1
    raise AssertionError


def check_record(folder: Path) -> None:
    """Checks that all files of the sittings on record are there and complete."""
    if not (folder / JOURNAL).is_file():
        return
    for line in read_journal(folder):
        if isinstance(record := line.record, Played):
            data = packs.read_file(encounter_path(folder, record.run, record.encounter))
            assert digest(data[: record.size]) == record.file


def test_a_kill_while_a_folder_is_sealed(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    (begun / "run-1" / "000").mkdir(parents=True)
    for name, data in FILES.items():
        (begun / "run-1" / "000" / name).write_bytes(data)
    sealed = tmp_path / "sealed"
    shutil.copytree(begun, sealed)
    packs.seal(sealed / "run-1" / "000")

    def look(folder: Path) -> None:
        place = folder / "run-1" / "000"
        assert {name: packs.read_file(place / name) for name in FILES} == FILES
        packs.clear_unfinished(folder)
        if place.is_dir():
            packs.seal(place)
        assert everything(folder) == everything(sealed)

    assert each_kill(begun, lambda folder: packs.seal(folder / "run-1" / "000"), look) > 2 * len(FILES)


def gone_on(folder: Path) -> None:
    """Does what a start does before it plays, and then adds the sitting that the journal has lost."""
    history = History()
    journal = Journal(folder, history.add)
    check_files(folder, history)
    clear_left_over(folder, history)
    journal.sealing.begin(ended=False)
    if (2, 2) not in history.runs[0].played:
        journal.append_sitting(sitting(2, 2), history.runs[0].encounters[2].size)
    journal.close()


@pytest.mark.parametrize("stride", [4, EACH])
def test_a_kill_while_a_folder_is_unsealed(tmp_path: Path, stride: int) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    play(whole, range(1, 3))
    begun = tmp_path / "begun"
    shutil.copytree(whole, begun)
    lines = (begun / JOURNAL).read_bytes().splitlines(keepends=True)
    (begun / JOURNAL).write_bytes(b"".join(lines[:-1]))

    def look(folder: Path) -> None:
        check_record(folder)
        gone_on(folder)
        assert everything(folder) == everything(whole)

    assert each_kill(begun, gone_on, look, stride) > 10


@pytest.mark.parametrize("stride", [23, EACH])
def test_a_kill_while_shards_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stride: int) -> None:
    plan, hall = a_plan(tmp_path, "abcd", seats=2, meet=1), Hall(monkeypatch, "abcd")
    begun, home = tmp_path / "begun", tmp_path / "home"
    hall.runner = AnyOrder(World())
    assert conduct(plan, home).ended is not None
    assert len(list(home.glob("run-1/*.zip"))) > 1
    for number in range(SHARDS):
        hall.shard(plan, begun, number, AnyOrder(World()), of=SHARDS)

    def look(folder: Path) -> None:
        check_record(folder)
        assert merged(folder).ended is not None
        assert everything(folder) == everything(home)

    assert each_kill(begun, merged, look, stride) > 100
