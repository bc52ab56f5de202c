"""Tests the scope that systemd lends: plain files replace files of the kernel, and a script replaces busctl.

The soak tests use a real systemd, in an emulated machine.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.sandbox import cgroup, scope

ROOT = Path(__file__).resolve().parents[2]
NO_MACHINE = 77
"""The exit code with which .ci/in-machine says that it cannot emulate a machine here."""
NAME = f"harness-{os.getpid()}.scope"


def group(folder: Path, controllers: str = "io pids\n") -> Path:
    folder.mkdir(parents=True)
    (folder / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (folder / "cgroup.controllers").write_text(controllers)
    return folder


def systemd(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Replaces the program busctl by this script, as on a machine whose systemd lends scopes."""
    (folder / "busctl").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "busctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(scope, "PATIENCE", 5.0)
    monkeypatch.setattr(scope, "_address", lambda: "unix:path=/bus")
    monkeypatch.setattr(scope, "_may_move", lambda: True)


def test_a_scope_hands_the_controllers_on_to_the_groups_below_it(tmp_path: Path) -> None:
    lent = group(tmp_path / "lent")
    scope.divide(lent)
    assert (lent / scope.CONTROLLER / "cgroup.procs").read_text() == str(os.getpid())
    assert (lent / "cgroup.subtree_control").read_text() == "+pids"


@pytest.mark.real
def test_systemd_is_asked_for_a_scope_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent = group(tmp_path / "tree" / NAME)
    systemd(tmp_path, monkeypatch, f'printf "%s\\n" "$@" >{tmp_path}/told')
    monkeypatch.setattr(scope, "own_path", lambda: f"/{NAME}")
    assert scope.enter(str(tmp_path / "tree"))
    assert (lent / scope.CONTROLLER / "cgroup.procs").read_text() == str(os.getpid())
    told = (tmp_path / "told").read_text().split()
    assert told[0] == "--address=unix:path=/bus"
    assert told[-11:] == [NAME, *f"fail 2 PIDs au 1 {os.getpid()} Delegate b true 0".split()]


@pytest.mark.real
@pytest.mark.parametrize("script", ["exit 1", "exit 0", "kill -9 $$"])
def test_without_a_scope_all_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    systemd(tmp_path, monkeypatch, script)
    if script == "exit 0":  # systemd says yes, but moves no process.
        monkeypatch.setattr(scope, "PATIENCE", 0.5)
    before = Path("/proc/self/cgroup").read_text()
    assert not scope.enter(str(tmp_path))
    assert Path("/proc/self/cgroup").read_text() == before


def test_nobody_is_asked_if_there_is_no_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "_address", lambda: "")
    monkeypatch.setattr(subprocess, "run", None)
    assert not scope.enter(str(tmp_path))


@pytest.mark.parametrize(
    ("uid", "path", "lingers", "may"),
    [
        (0, "/", False, True),
        (4711, "/user.slice/user-4711.slice/session-2.scope", False, False),
        (4711, "/user.slice/user-4711.slice/session-2.scope", True, True),
        (4711, "/user.slice/user-4711.slice/user@4711.service/app.slice/a.scope", False, True),
    ],
)
def test_a_process_that_outlives_its_terminal_is_not_moved_to_where_it_would_end_at_the_logout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uid: int, path: str, lingers: bool, may: bool
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(scope, "_name", lambda user: "student")
    monkeypatch.setattr(scope, "own_path", lambda: path)
    monkeypatch.setattr(scope, "LINGERING", tmp_path)
    monkeypatch.setattr(scope, "_in_foreground", lambda: True)
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    if lingers:
        (tmp_path / "student").touch()
    assert scope._may_move() == may


@pytest.mark.parametrize("offered", ["cpu memory pids", "cpu", ""])
def test_systemd_is_asked_only_if_version_2_has_the_needed_controllers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offered: str
) -> None:
    (tmp_path / "cgroup.controllers").write_text(offered)
    monkeypatch.setattr(cgroup, "_mounts", lambda: iter([("unified", str(tmp_path))]))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(scope, "enter", lambda tree: True)
    assert cgroup._lent() == ("memory" in offered)


@pytest.mark.real
@pytest.mark.soak
@pytest.mark.parametrize("user", ["root", "student"])
def test_each_user_of_a_machine_with_systemd_gets_control_groups(user: str) -> None:
    code = "from harness.sandbox import cgroup; print('groups:', cgroup.available())"
    command = (str(ROOT / ".ci" / "in-machine"), user, ".venv/bin/python", "-c", code)
    ended = subprocess.run(command, env=os.environ | {"EMULATE": "1"}, capture_output=True, check=False)
    if ended.returncode == NO_MACHINE:
        pytest.skip(ended.stdout.decode())
    assert b"groups: True" in ended.stdout
