"""Plays tournaments in shards that are stopped, killed, torn and merged at any time: the record is the same.

The results are invented, as in test_tournament. So records have no times, and equal records have equal bytes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import trio

from harness import config
from harness.config import FrozenPlan, Plan
from harness.errors import InputError, RecordError
from harness.events import Brief, Ended, InTournament, Played, RunBegan
from harness.job import Entrant
from harness.play.conduct import Ready, conduct
from harness.play.merge import Merged, merge
from harness.play.runner import Runner
from harness.play.shard import Sharded, Share, play_shard
from harness.play.tournament import Tournament, unchanged
from harness.record.frames import _HEAD as HEAD
from harness.record.frames import FRAMES, SHARDS, FrameFile, read_frames
from harness.record.log import JOURNAL
from harness.schedule.plan import read_plan
from tests.play.scripted import AnyOrder, Killed, World, but_voids, of, on_record

pytestmark = pytest.mark.virtual

SEVERAL = 4


class Hall:
    """Replaces the start of runners: every tournament and shard of a test is played with `runner`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, bots: str) -> None:
        self.runner: Runner = AnyOrder(World())
        self._entrants = {bot: Entrant(bot, ("true",), "/", account="counter") for bot in bots}
        for room in ("conduct", "shard"):
            monkeypatch.setattr(f"harness.play.{room}.ready", self._ready)
            monkeypatch.setattr(f"harness.play.{room}.play_with", self._play)

    @contextmanager
    def _ready(self, plan: Plan, say: Callable[[str], object], *_: object) -> Iterator[Ready]:
        yield Ready(self._entrants, {}, unchanged)

    def _play(self, tournament: Tournament, *_: object) -> Ended | None:
        ended = None
        try:
            ended = trio.run(tournament.conduct, self.runner)
        except* Killed:
            pass
        return ended

    def shard(self, plan: Plan, folder: Path, number: int, runner: Runner, of: int = SEVERAL) -> Sharded:
        self.runner = runner
        return play_shard(plan, folder, Share(number, of), on_record=len_of, say=len_of)


def len_of(_: object) -> None:
    """A listener that does nothing."""


def merged(folder: Path) -> Merged:
    return merge(folder, on_record=len_of, say=len_of)


def a_plan(folder: Path, bots: str = "abcdefgh", **keys: Any) -> Plan:
    for bot in bots:
        (folder / f"{bot}.sh").write_text("#!/bin/sh\n")
        (folder / f"{bot}.sh").chmod(0o755)
    keys = {"game": "sevens", "seats": 3, "seed": 11, "deals": 2, "isolation": "none", **keys}
    keys |= {} if "rounds" in keys else {"meet": 2}
    keys["bots"] = [f"{bot}.sh" for bot in bots]
    file = folder / "cup.toml"
    written = [
        f"{key} = {str(value).lower() if isinstance(value, bool) else value!r}" for key, value in keys.items()
    ]
    file.write_text("\n".join(written) + "\n")
    return read_plan(file)


def everything(folder: Path) -> dict[str, bytes]:
    """The files of a record, without those of shards."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    names = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
    return {name: data for name, data in names.items() if not name.startswith(SHARDS)}


def at_home(hall: Hall, plan: Plan, folder: Path, world: World) -> list[InTournament]:
    hall.runner = AnyOrder(world)
    assert conduct(plan, folder).ended is not None
    return on_record(folder)


CUPS: dict[str, tuple[dict[str, Any], dict[str, int]]] = {
    "blameless": ({}, {}),
    "same deals": ({"deal": "same"}, {}),
    "cut sittings": ({"deal": "fresh", "sitting": 2}, {}),
    "disqualified": ({"policy": "disqualify"}, {"c": 40, "f": 60}),
    "kept": ({"policy": "strikes", "strikes": 3, "rerun": "keep"}, {"c": 5, "f": 9}),
    "swiss": ({"format": "swiss", "rounds": 3}, {}),
}


@pytest.mark.parametrize("cup", CUPS)
def test_shards_that_are_killed_torn_and_merged_at_any_time_make_the_same_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cup: str
) -> None:
    keys, cheats = CUPS[cup]
    plan = a_plan(tmp_path, **keys)
    hall, random = Hall(monkeypatch, "abcdefgh"), Random(cup)
    home, apart = tmp_path / "home", tmp_path / "apart"
    records = at_home(hall, plan, home, World(cheats))
    assert len(of(RunBegan, records)) > (1 if cheats else 0)
    commands = 0
    while (found := merged(apart) if commands else None) is None or found.ended is None:
        commands += 1
        assert commands < 200
        assert found is None or found.missing
        number = random.randrange(SEVERAL)
        if found is not None and found.missing and random.random() < 0.7:
            number = int(random.choice(list(found.missing)).partition("/")[0])
        hall.shard(plan, apart, number, AnyOrder(World(cheats), commands, 3, random.choice([2, 5, None])))
        file = apart / SHARDS / f"{number}-of-{SEVERAL}" / FRAMES
        # Sometimes the file is cut short, as by a broken copy or by a process that was killed on a full disk.
        if random.random() < 0.3:
            file.write_bytes(file.read_bytes()[: -random.randrange(1, 90)])
    assert everything(apart) == everything(home)
    assert commands > SEVERAL
    assert {played.account for played in of(Played, on_record(apart))} == {"counter"}


def test_void_attempts_of_shards_are_in_the_record_and_change_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, hall = a_plan(tmp_path), Hall(monkeypatch, "abcdefgh")
    home, apart = tmp_path / "home", tmp_path / "apart"
    records = at_home(hall, plan, home, World())
    for number in range(SEVERAL):
        assert not hall.shard(plan, apart, number, AnyOrder(World(void_for=2), number, 3)).left
    assert merged(apart).ended is not None
    assert len(on_record(apart)) > len(records)
    assert but_voids(on_record(apart)) == records


def test_what_stays_void_in_a_shard_is_unplayed_until_it_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, hall = a_plan(tmp_path), Hall(monkeypatch, "abcdefgh")
    home, apart = tmp_path / "home", tmp_path / "apart"
    records = at_home(hall, plan, home, World())
    left = sum(hall.shard(plan, apart, number, AnyOrder(World(void_for=3))).left for number in range(SEVERAL))
    found = merged(apart)
    assert left == sum(found.missing.values()) > 0
    assert found.ended is None
    for number in range(SEVERAL):
        assert not hall.shard(plan, apart, number, AnyOrder(World(void_for=3))).left
    assert merged(apart).ended is not None
    again = [each for each in but_voids(on_record(apart)) if not isinstance(each, Ended) or not each.unplayed]
    assert sorted(map(repr, again)) == sorted(map(repr, records))


def test_the_missing_shards_are_named_and_another_division_may_play_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, hall = a_plan(tmp_path), Hall(monkeypatch, "abcdefgh")
    home, apart = tmp_path / "home", tmp_path / "apart"
    at_home(hall, plan, home, World())
    for number in (0, 1, 3):
        hall.shard(plan, apart, number, AnyOrder(World()))
    found = merged(apart)
    assert list(found.missing) == ["2/4"]
    assert found.ended is None
    hall.shard(plan, apart, 0, AnyOrder(World()), of=1)
    assert merged(apart).ended is not None
    assert everything(apart) == everything(home)


def test_a_record_that_one_machine_began_is_ended_by_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, hall = a_plan(tmp_path), Hall(monkeypatch, "abcdefgh")
    home, apart = tmp_path / "home", tmp_path / "apart"
    at_home(hall, plan, home, World())
    hall.runner = AnyOrder(World(), life=5)
    assert conduct(plan, apart).ended is None
    begun = (apart / JOURNAL).read_bytes()
    for number in range(SEVERAL):
        hall.shard(plan, apart, number, AnyOrder(World()))
    assert (apart / JOURNAL).read_bytes() == begun, "only a merge writes the record"
    assert merged(apart).ended is not None
    assert everything(apart) == everything(home)
    assert hall.shard(plan, apart, 0, AnyOrder(World(), life=0)).ended is not None


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"bots": ("x", "y", "z")}, "other bots played there"),
        ({"matches": ()}, "the number of matches is 0, not 6"),
        ({"log": b""}, "the log has no end"),
        ({"stderr": ((4, b"x"),)}, "a bot that did not play wrote to stderr"),
        (
            {"matches": (Brief((1, 2, 3), (0, inf, 0)),) * 6},
            "a match has a score or a luck that is no number",
        ),
    ],
)
def test_a_result_that_cannot_be_one_comes_not_into_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], why: str
) -> None:
    """The record stays sound: after the right shard is put in place, the same command continues."""
    plan, hall = a_plan(tmp_path), Hall(monkeypatch, "abcdefgh")
    home, apart = tmp_path / "home", tmp_path / "apart"
    at_home(hall, plan, home, World())
    for number in range(SEVERAL):
        hall.shard(plan, apart, number, AnyOrder(World()))
    file = apart / SHARDS / "1-of-4" / FRAMES
    true = file.read_bytes()
    first = next(read_frames(file, config.digest(frozen_of(apart))))
    file.write_bytes(true[: first.begin - HEAD.size])
    with FrameFile(file, config.digest(frozen_of(apart)), len_of) as forged:
        forged.append(msgspec.structs.replace(first.frame, **changed))
    with pytest.raises(RecordError, match=f"1-of-4.*: this is no result of sitting 1.1.1: {why}"):
        merged(apart)
    file.write_bytes(true)
    assert merged(apart).ended is not None
    assert everything(apart) == everything(home)


def test_an_attempt_below_1_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With such a result, harness would wait for ever for the result of this sitting, although no shard is
    missing."""
    plan, apart = a_plan(tmp_path), tmp_path / "apart"
    hall = Hall(monkeypatch, "abcdefgh")
    hall.shard(plan, apart, 1, AnyOrder(World()))
    file = apart / SHARDS / "1-of-4" / FRAMES
    digest = config.digest(frozen_of(apart))
    first = next(read_frames(file, digest))
    file.write_bytes(file.read_bytes()[: first.begin - HEAD.size])
    with FrameFile(file, digest, len_of) as forged:
        forged.append(msgspec.structs.replace(first.frame, attempt=0))
    with pytest.raises(RecordError, match=r"1-of-4.*: attempt 0 at sitting 1.1.1 is not possible; remove"):
        merged(apart)


def test_shards_of_a_forged_plan_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = tmp_path / "apart"
    Hall(monkeypatch, "abcdefgh").shard(a_plan(tmp_path), apart, 1, AnyOrder(World()))
    forged = msgspec.structs.replace(frozen_of(apart), seats=0)
    (apart / "plan.json").write_bytes(config.encoded(forged))
    with pytest.raises(RecordError, match=r"apart/plan\.json: seats: expected a whole number"):
        merged(apart)


def test_a_shard_speaks_for_no_other_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a shard could forge results of another shard, which would count before the true ones."""
    plan, apart = a_plan(tmp_path), tmp_path / "apart"
    hall = Hall(monkeypatch, "abcdefgh")
    for number in range(SEVERAL):
        hall.shard(plan, apart, number, AnyOrder(World()))
    digest = config.digest(frozen_of(apart))
    first, second = (apart / SHARDS / f"{number}-of-{SEVERAL}" / FRAMES for number in (0, 1))
    with FrameFile(first, digest, len_of) as file:
        for part in read_frames(second, digest):
            turned = [msgspec.structs.replace(each, ranks=each.ranks[::-1]) for each in part.frame.matches]
            file.append(msgspec.structs.replace(part.frame, matches=tuple(turned)))
    with pytest.raises(RecordError, match=r"0-of-4.*: encounter 1 does not belong to the shard 0/4"):
        merged(apart)
    first.unlink()
    hall.shard(plan, apart, 0, AnyOrder(World()))
    assert merged(apart).ended is not None


def frozen_of(folder: Path) -> FrozenPlan:
    return config.thaw((folder / "plan.json").read_bytes())


def test_a_shard_of_another_plan_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, hall = a_plan(tmp_path), Hall(monkeypatch, "abcdefgh")
    one, other = tmp_path / "one", tmp_path / "other"
    hall.shard(plan, one, 1, AnyOrder(World()))
    hall.shard(a_plan(tmp_path, seed=12), other, 2, AnyOrder(World()))
    (other / SHARDS / "2-of-4").rename(one / SHARDS / "2-of-4")
    with pytest.raises(InputError, match="played by another plan"):
        merged(one)
    with pytest.raises(InputError, match="no shards"):
        merged(tmp_path / "nothing")
    with pytest.raises(InputError, match="not the one that"):
        hall.shard(a_plan(tmp_path, seed=13), one, 1, AnyOrder(World()))


def test_shards_that_begin_together_without_a_seed_have_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = a_plan(tmp_path).file
    Path(file).write_text(Path(file).read_text().replace("seed = 11\n", ""))
    plan, hall, apart = read_plan(Path(file)), Hall(monkeypatch, "abcdefgh"), tmp_path / "apart"
    for number in range(SEVERAL):
        hall.shard(plan, apart, number, AnyOrder(World()))
    assert merged(apart).ended is not None
    assert [path.name for path in apart.iterdir() if path.suffix == ".new"] == []
