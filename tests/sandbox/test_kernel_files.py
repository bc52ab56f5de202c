"""Tests that files of the kernel, such as those in /proc, are read to their end."""

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
    """One call of `read` gets only about a page of such a file."""
    assert kernel_files.read("/proc/crypto") == Path("/proc/crypto").read_bytes()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        kernel_files.read(f"{tmp_path}/file")


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="this system has no files in memory")
def test_a_sandbox_that_becomes_ready_during_the_look_is_not_charged_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, all files on the disk of the machine would count as memory of the bot."""
    root, of = tmp_path / "root", kernel_files._device
    root.symlink_to("/")

    def ready(path: str) -> int:
        root.unlink(missing_ok=True)
        root.symlink_to("/dev/shm/..")
        return of("/dev/shm" if path.startswith(str(root)) else path)

    monkeypatch.setattr(kernel_files, "_device", ready)
    assert kernel_files._files(f"{root}", str(tmp_path.parent)) == 0
