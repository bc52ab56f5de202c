"""Finds what rogues left behind on this machine: processes, files, mounts and control groups."""

from __future__ import annotations

import os
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 10.0


class Machine:
    """The state of this machine that a careless sandbox would change."""

    def __init__(self) -> None:
        self.mounts = Path("/proc/self/mountinfo").read_text()


def left(place: Path, before: Machine) -> list[str]:
    """A sentence for each process, file, mount and control group that is still left after some seconds."""
    until = time.monotonic() + PATIENCE
    while (trouble := [*processes(place), *groups()]) and time.monotonic() < until:
        time.sleep(0.1)
    trouble += [f"a file is left: {path}" for path in (place / "tmp").iterdir()]
    for path in (place / "bots").rglob("*"):
        there = ROOT / path.relative_to(place)
        if "__pycache__" not in path.parts and not there.exists():
            trouble.append(f"a file is left: {path}")
    if Machine().mounts != before.mounts:
        trouble.append("a mount is left")
    return trouble


def processes(place: Path) -> list[str]:
    """A sentence for each live process with this folder in its environment or in its mounts."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        for file in ("environ", "mountinfo"):
            try:
                told = Path("/proc", entry, file).read_bytes()
            except OSError:
                continue
            if f"{place}/".encode() in told:
                found.append(f"a process is left: {entry}")
    return found


def groups() -> list[str]:
    """A sentence for each control group whose owner process has ended."""
    from harness.sandbox import cgroup

    found = []
    for home in cgroup.homes():
        for name in os.listdir(home):
            owner = name.removeprefix(cgroup.PREFIX).partition("-")[0]
            if name.startswith(cgroup.PREFIX) and not os.path.exists(f"/proc/{owner}"):
                found.append(f"a control group is left: {home}/{name}")
    return found
