"""Tests that no System V object (such as a message queue) of a bot stays in the kernel after its end."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from harness.sandbox.own_user import end_all
from harness.sandbox.system_v import KINDS, LISTS, made_by, remove_all

ROOT = os.geteuid() == 0
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not LISTS.is_dir(), reason="this kernel has no objects of System V"),
]
TAKES = """
import ctypes, os, sys
os.setuid(int(sys.argv[1]))
library = ctypes.CDLL(None)
library.msgget(0, 0o600), library.semget(0, 1, 0o600), library.shmget(0, 4096, 0o600)
"""


@pytest.mark.skipif(not ROOT, reason="only root starts processes as other users")
def test_the_objects_of_a_bot_end_with_its_processes() -> None:
    user = 1_000_000 + os.getpid()
    subprocess.run((sys.executable, "-c", TAKES, str(user)), check=True)
    assert all(made_by(user, kind) for kind in KINDS)
    end_all(user)
    assert not any(made_by(user, kind) for kind in KINDS)


def test_a_user_without_objects_has_nothing_to_remove() -> None:
    remove_all(1_000_000 + os.getpid())
