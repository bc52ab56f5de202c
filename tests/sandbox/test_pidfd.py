"""Tests that harness notices the end of a process, also if its descriptor has a large number."""

from __future__ import annotations

import fcntl
import os
import resource
import subprocess
import sys
from collections.abc import Iterator

import pytest

from harness.sandbox.pidfd import has_ended

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pidfds")]
LARGE = 1024
"""`select.select` refuses this descriptor and all larger ones."""


@pytest.fixture
def many() -> Iterator[None]:
    """Allows descriptors with large numbers, or skips the test if the machine does not allow them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard <= 2 * LARGE:
        pytest.skip("this machine allows too few descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * LARGE), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many")
def test_the_end_of_a_process_with_a_large_descriptor_is_noticed() -> None:
    with subprocess.Popen(("/bin/cat",), stdin=subprocess.PIPE) as process:
        small = os.pidfd_open(process.pid)
        large = fcntl.fcntl(small, fcntl.F_DUPFD_CLOEXEC, LARGE)
        try:
            assert not has_ended(large)
            process.kill()
            assert has_ended(large, 60.0)
        finally:
            os.close(small)
            os.close(large)
