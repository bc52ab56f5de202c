"""Tests how the file of a shard is read, also if somebody has changed it."""

import tracemalloc
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.record.frames import FRAMES, Frame, FrameFile, read_frames, shard_of

FRAME = Frame(1, 1, 1, 1, 1, ("a", "b"), log=b"{}\n")


@pytest.mark.parametrize("length", [100, 2**32 - 1])
def test_a_frame_that_claims_to_be_longer_than_the_file_ends_it_and_takes_no_memory(
    tmp_path: Path, length: int
) -> None:
    path = tmp_path / FRAMES
    with FrameFile(path, "plan", lambda frame: None) as file:
        file.append(FRAME)
    with path.open("ab") as torn:
        torn.write(length.to_bytes(4, "little") + bytes(16) + b"some data")
    tracemalloc.start()
    try:
        assert [part.frame for part in read_frames(path, "plan")] == [FRAME]
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["x", "3-of-abc", "3-of-0", "1-of--1", "1-of-10000000", "٣-of-٤", "3-of-4~"])
def test_a_folder_that_is_not_that_of_a_shard_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(InputError, match="its name is not like 3-of-100"):
        shard_of(Path("shards") / name / FRAMES)


def test_the_folder_of_a_shard_says_which_one_it_is() -> None:
    assert shard_of(Path("shards") / "3-of-100" / FRAMES) == (3, 100)
