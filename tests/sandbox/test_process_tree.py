"""Tests which processes count as hidden from a counter of events."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox import process_tree
from harness.sandbox.own_user import STRANGERS

pytestmark = [pytest.mark.real, pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")]
IN_A_NAMESPACE = ("unshare", "--user", "--map-root-user", "setpriv", "--securebits=+noroot")
"""Runs a command as the root of a new user namespace, but without the rights of root."""
SAYS = ("-c", "echo started; read line")


def can_make_namespaces() -> bool:
    return not subprocess.run((*IN_A_NAMESPACE, "true"), check=False, capture_output=True).returncode


@pytest.fixture
def shell() -> Iterator[Path]:
    """A shell of an ordinary user, who can reach and change its folder."""
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        file = Path(shutil.copy(os.path.realpath("/bin/sh"), name))
        if not os.geteuid():
            for path in (file.parent, file):
                os.chown(path, STRANGERS[0], STRANGERS[0])
        yield file


def hides(*argv: str) -> bool:
    """Runs this command as an ordinary user, and asks whether its process hides."""
    user = None if os.geteuid() else STRANGERS[0]
    groups = None if user is None else ()
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, user=user, group=user, extra_groups=groups
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        return process_tree.hides(process.pid)


def test_a_usual_process_does_not_hide(shell: Path) -> None:
    shell.chmod(0o755)
    assert not hides(str(shell), *SAYS)


def test_a_process_that_executes_what_it_cannot_read_hides(shell: Path) -> None:
    shell.chmod(0o111)
    assert hides(str(shell), *SAYS)


@pytest.mark.skipif(not can_make_namespaces(), reason="this machine gives users no namespaces")
def test_a_process_that_hides_in_a_namespace_of_its_own_hides(shell: Path) -> None:
    """Its files in /proc belong to its own user, who is root there."""
    shell.chmod(0o111)
    assert hides(*IN_A_NAMESPACE, str(shell), *SAYS)
