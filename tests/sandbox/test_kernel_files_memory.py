"""Tests that files of the machine do not count as memory of a bot; starts no process."""

import os

import pytest

from harness.sandbox import kernel_files


@pytest.mark.skipif(not os.path.exists("/proc/self/root"), reason="no /proc here")
def test_a_sandbox_that_is_not_made_yet_holds_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the file systems of a sandbox are mounted, its paths lead to the files of the machine."""
    monkeypatch.setattr(kernel_files, "OF_A_SOCKET", 0)
    assert kernel_files.held(os.getpid()) == 0
