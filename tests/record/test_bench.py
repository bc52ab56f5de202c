"""Tests the file of a bench: numbers of versions, the champion, a damaged file, a bench of another game."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from harness.errors import InputError, RecordError
from harness.record.bench import FILE, Bench

TIME = "2026-11-28T12:00:00+00:00"


def test_versions_are_counted_for_each_bot_and_stay_after_a_crash(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "tiny")
    for bot, digest in (("ann", "1"), ("bob", "1"), ("ann", "2")):
        (home := bench.next_home()).mkdir(parents=True)
        assert bench.files(bench.add(bot, digest, "", TIME)) == home
    again = Bench(tmp_path, "tiny")
    assert [each.name for each in again.waiting()] == ["ann@1", "bob@1", "ann@2"]
    assert again.known("ann", "2")
    assert not again.known("bob", "2")


def test_a_promoted_version_is_the_champion_until_the_next_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "tiny")
    one, two, three = (bench.add("ann", digest, "", TIME) for digest in "123")
    assert bench.state.champion is None
    bench.judge(replace(one, state="promoted"))
    bench.judge(replace(two, state="not promoted"))
    assert bench.champion == replace(one, state="promoted")
    bench.judge(replace(three, state="promoted"))
    assert Bench(tmp_path, "tiny").champion == replace(three, state="promoted")
    assert not [*bench.waiting()]


def test_a_long_name_is_cut_and_the_version_stays(tmp_path: Path) -> None:
    assert Bench(tmp_path, "tiny").add("a" * 40, "1", "", TIME).name == "a" * 38 + "@1"


def test_a_damaged_file_and_another_game_are_refused(tmp_path: Path) -> None:
    Bench(tmp_path, "tiny").add("ann", "1", "", TIME)
    with pytest.raises(InputError, match="this bench is for the game tiny, not sevens; name other logs"):
        Bench(tmp_path, "sevens")
    (tmp_path / FILE).write_bytes(b'{"game": 1}')
    with pytest.raises(RecordError, match="this file is damaged"):
        Bench(tmp_path, "tiny")
