"""Tests that files of the kernel are read whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.sandbox import kernel_files
from harness.sandbox.kernel_files import PART, SIZE


@pytest.mark.parametrize("length", [0, 1, PART - 1, PART, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE + PART])
def test_a_file_of_any_length_is_read_whole(tmp_path: Path, length: int) -> None:
    content = bytes(number % 251 for number in range(length))
    (tmp_path / "file").write_bytes(content)
    assert kernel_files.read(f"{tmp_path}/file") == content


@pytest.mark.skipif(not Path("/proc/crypto").exists(), reason="this system has no long file of the kernel")
def test_a_long_file_of_the_kernel_is_read_whole() -> None:
    """The kernel hands it out in parts of about a page."""
    assert kernel_files.read("/proc/crypto") == Path("/proc/crypto").read_bytes()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        kernel_files.read(f"{tmp_path}/file")
