"""Tests control groups without a kernel that has them: plain files replace the files of the kernel."""

import os
import sys
from pathlib import Path

import pytest

from harness.model import Limits
from harness.sandbox import cgroup
from harness.sandbox.cgroup import OUR_OWN, Group, _unified

LIMITS = Limits(memory_mb=100, processes=7)
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux pins processes to cores")


def written(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_group_of_the_second_version_is_one_folder(tmp_path: Path) -> None:
    home = tmp_path / "bot"
    group = Group(dict.fromkeys(("unified", "memory", "pids"), str(home)))
    group.limit(LIMITS)
    group.enter(42)
    assert written(home) == {
        "pids.max": str(7 + OUR_OWN),
        "memory.max": str(100 << 20),
        "memory.swap.max": "0",
        "cgroup.procs": "42",
    }
    (home / "cpu.stat").write_text("usage_usec 1234\nuser_usec 1000\n")
    (home / "cpu.pressure").write_text(
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=900\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=345\n"
    )
    assert group.waited_us() == 345
    (home / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    assert (group.cpu_us(), group.kills()) == (1234, 2)


def test_a_group_of_the_first_version_has_a_folder_for_each_controller(tmp_path: Path) -> None:
    group = Group({name: str(tmp_path / name) for name in ("memory", "pids", "cpuacct")})
    group.limit(LIMITS)
    group.enter(42)
    assert written(tmp_path / "pids") == {"pids.max": str(7 + OUR_OWN), "cgroup.procs": "42"}
    assert written(tmp_path / "memory")["memory.limit_in_bytes"] == str(100 << 20)
    assert written(tmp_path / "cpuacct") == {"cgroup.procs": "42"}
    (tmp_path / "cpuacct" / "cpuacct.usage").write_text("5000000\n")
    (tmp_path / "memory" / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert (group.cpu_us(), group.kills()) == (5000, 1)


def test_a_group_of_the_first_version_may_count_the_wait_in_the_tree_of_the_second(tmp_path: Path) -> None:
    group = Group({name: str(tmp_path / name) for name in ("memory", "pids", "pressure")})
    group.enter(42)
    assert written(tmp_path / "pressure") == {"cgroup.procs": "42"}
    (tmp_path / "pressure" / "cpu.pressure").write_text("some avg10=0.00 total=9\nfull avg10=0.00 total=7\n")
    assert (group.cpu_us(), group.waited_us()) == (-1, 7)


def test_a_thread_enters_a_group_of_the_first_version_alone(tmp_path: Path) -> None:
    group = Group({name: str(tmp_path / name) for name in ("memory", "pids", "cpuacct")})
    with group.around():
        assert written(tmp_path / "pids") == written(tmp_path / "cpuacct") == {"tasks": "0"}


def test_our_process_enters_a_group_of_the_second_version_and_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, home = tmp_path / "ours", tmp_path / "bot"
    ours.mkdir()
    monkeypatch.setattr(cgroup, "_own_group", lambda: str(ours))
    group = Group(dict.fromkeys(("unified", "memory", "pids"), str(home)))
    group.limit(LIMITS)
    with group.around():
        inside = written(home)
        assert (inside["cgroup.procs"], inside["pids.max"]) == ("0", "max"), "our threads do not count"
        assert written(ours) == {}
    assert written(home)["pids.max"] == str(7 + OUR_OWN)
    assert written(ours) == {"cgroup.procs": "0"}


@pytest.mark.parametrize(
    ("ours", "home"), [("/user/leaf", "user"), ("/user/leaf/", "user"), ("/leaf", ""), ("/", "")]
)
def test_groups_of_the_second_version_are_beside_our_own_or_in_the_root(
    tmp_path: Path, ours: str, home: str
) -> None:
    (tmp_path / "user" / "leaf").mkdir(parents=True)
    control = tmp_path / home / "cgroup.subtree_control"
    control.write_text("cpu\n")
    assert dict(_unified(str(tmp_path), ours)) == {}
    control.write_text("cpu memory pids\n")
    place = str(tmp_path / home)
    assert dict(_unified(str(tmp_path), ours)) == {"unified": place, "memory": place, "pids": place}


def test_a_group_that_only_counts_has_no_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "_own_group", lambda: str(tmp_path))
    group = Group({"unified": str(tmp_path / "bot")})
    group.limit(LIMITS)
    with group.around():
        assert written(tmp_path / "bot") == {"cgroup.procs": "0"}
    (tmp_path / "bot" / "cpu.stat").write_text("usage_usec 1234\n")
    assert (group.limited, group.cpu_us(), group.kills()) == (False, 1234, 0)


@linux
@pytest.mark.parametrize(("handed_on", "can"), [("", True), ("cpu io\n", False)])
def test_groups_below_our_own_count_if_no_group_can_have_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handed_on: str, can: bool
) -> None:
    (tmp_path / "cgroup.subtree_control").write_text(handed_on)
    monkeypatch.setattr(cgroup, "_found", lambda: iter([("cpu", "/cpu"), ("memory", "/memory")]))
    monkeypatch.setattr(cgroup, "_mounts", lambda: iter([("unified", str(tmp_path))]))
    monkeypatch.setattr(cgroup, "_own_group", lambda: str(tmp_path))
    assert cgroup._allowed() == ({"unified": str(tmp_path)} if can else {})


@linux
def test_a_group_pins_its_processes_to_our_cores(tmp_path: Path) -> None:
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    second = Group(dict.fromkeys(("unified", "memory", "pids", "cpuset"), str(tmp_path / "second")))
    second.pin()
    assert written(tmp_path / "second") == {"cpuset.cpus": cores}
    (tmp_path / "cpuset.mems").write_text("0-3\n")
    first = Group({name: str(tmp_path / name) for name in ("memory", "pids", "cpuset")})
    first.pin()
    assert written(tmp_path / "cpuset") == {"cpuset.mems": "0-3", "cpuset.cpus": cores}


@linux
@pytest.mark.parametrize(("pinned", "able"), [(True, True), (True, False), (False, True)])
def test_a_machine_that_cannot_pin_still_makes_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pinned: bool, able: bool
) -> None:
    for name in ("memory", "pids", "cpuset"):
        (tmp_path / name).mkdir()
    if able:
        (tmp_path / "cpuset" / "cpuset.mems").write_text("0\n")
    homes = {name: str(tmp_path / name) for name in ("memory", "pids", "cpuset")}
    monkeypatch.setattr(cgroup, "_homes", lambda: homes)
    group = cgroup.make(LIMITS, pinned)
    assert ("cpuset" in group._folders) == (pinned and able)


def test_what_is_not_told_is_not_known(tmp_path: Path) -> None:
    group = Group({"memory": str(tmp_path / "memory"), "pids": str(tmp_path / "pids")})
    assert (group.cpu_us(), group.waited_us(), group.kills()) == (-1, -1, 0)
    group.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_group_that_cannot_be_made_whole_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        Group({"memory": str(tmp_path / "memory"), "pids": str(tmp_path / "no" / "pids")})
    assert list(tmp_path.iterdir()) == []
