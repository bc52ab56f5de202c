"""Tests which workspaces are closed to bots with users of their own, and the warnings about the others."""

from __future__ import annotations

import pwd
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox import closing
from harness.sandbox.closing import close_workspaces, is_open, readable


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can read. It is not in pytest's folder, which other users cannot enter."""
    with tempfile.TemporaryDirectory(prefix="harness-test-") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        yield folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def made(folder: Path, *files: str) -> Path:
    """A workspace that every user can read and its group can change."""
    for name in ("league.toml", *files):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o644)
    for each in (folder, *filter(Path.is_dir, folder.rglob("*"))):
        each.chmod(0o775)
    return folder


def test_a_workspace_is_closed_to_others_and_this_is_told_once(place: Path) -> None:
    course = made(place / "course", "roster.csv", "tournaments/first.toml")
    plan = course / "tournaments" / "first.toml"
    [told] = close_workspaces([plan, course / "roster.csv"])
    assert told == (
        f"closed the workspace {course} to other users, because each bot runs as another user; to open it: "
        f"chmod o+rx {course}"
    )
    assert mode(course) == 0o770, "its owner and its group keep their rights"
    assert not is_open(plan)
    assert list(close_workspaces([plan])) == []
    subprocess.run(("/bin/sh", "-c", told.partition("to open it: ")[2]), check=True)
    assert mode(course) == 0o775


def test_a_hand_in_that_looks_like_a_workspace_keeps_the_real_one_not_open(place: Path) -> None:
    course = made(place / "course")
    hand_in = made(course / "entries" / "Ants" / "1" / "files")
    assert len(list(close_workspaces([hand_in]))) == 1
    assert (mode(course), mode(hand_in)) == (0o770, 0o775)


def test_what_is_in_no_workspace_keeps_its_modes(place: Path) -> None:
    (place / "plan.toml").write_text("")
    before = mode(place), mode(place / "plan.toml")
    (place / "loop").symlink_to("loop")
    assert list(close_workspaces([place / "plan.toml", place / "absent", place / "loop"])) == []
    assert not is_open(place / "loop")
    assert (mode(place), mode(place / "plan.toml")) == before


def test_a_workspace_with_packages_for_bots_stays_open_and_its_parts_can_be_closed(place: Path) -> None:
    course = made(place / "course", "roster.csv", "logs/x", "entries/x", "bots/packages/x.py", "bots/mine")
    packages = course / "bots" / "packages"
    [told] = close_workspaces([course], [str(packages)])
    assert f"bots can read the workspace {course}, and it stays open, because other users need" in told
    assert mode(course) == 0o775
    subprocess.run(("/bin/sh", "-c", told[told.index("chmod ") :]), check=True)
    shut = [name for name in ("league.toml", "roster.csv", "logs", "entries") if not is_open(course / name)]
    assert len(shut) == 4
    assert is_open(packages / "x.py")


@pytest.mark.parametrize("above", ["home", "python"])
def test_a_folder_that_other_users_need_stays_open(
    above: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(place)
    if above == "home":
        account = pwd.struct_passwd(("ann", "x", 1000, 1000, "", str(place), "/bin/sh"))
        monkeypatch.setattr(pwd, "getpwall", lambda: [account])
    else:
        monkeypatch.setattr(sys, "base_prefix", str(place / "python"))
    [told] = close_workspaces([place])
    assert "it stays open, because other users need" in told
    assert mode(place) == 0o775


def test_a_workspace_that_cannot_be_closed_is_told(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = made(place / "my course")

    def refused(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    for chmod, why in (
        (refused, "closed (Operation not permitted)"),
        (lambda *_: None, "stores no rights of users"),
    ):
        monkeypatch.setattr(Path, "chmod", chmod)
        [told] = close_workspaces([course])
        assert told.startswith(f"bots can read the workspace {course}, because ")
        assert told.endswith(f"{why}; to close it: chmod o-rwx '{course}'")


def test_packages_that_bots_cannot_reach_are_told(place: Path) -> None:
    course = made(place / "course", "packages/x.py")
    course.chmod(0o750)
    [told] = close_workspaces([course], [str(course / "packages"), str(course / "absent")])
    assert told == (
        f"bots cannot use {course / 'packages'}: other users cannot reach {course / 'packages'}, because "
        f"{course} is closed to them"
    )


# -- outside of workspaces -------------------------------------------------------------------------


def test_what_bots_can_read_outside_of_workspaces_is_told_with_the_command(place: Path) -> None:
    course = made(place / "course", "roster.csv")
    bots = [place / "bots" / name for name in ("ants", "bees")]
    for bot in bots:
        bot.mkdir(parents=True)
        bot.chmod(0o755)
    bots[0].parent.chmod(0o755)
    [told] = readable([*bots, course / "roster.csv", place / "absent", Path(closing.__file__)])
    folder = place / "bots"
    assert told == f"bots can read {folder}, because every user can; to change this: chmod o-rwx {folder}"
    [told] = readable(bots[:1])
    assert told.endswith(f"chmod o-rwx {bots[0]}")
    folder.chmod(0o750)
    assert list(readable(bots)) == []


def test_paths_without_a_folder_of_their_own_are_closed_one_by_one(place: Path) -> None:
    paths = [place / "a", Path("/bin/sh")]
    paths[0].write_text("")
    paths[0].chmod(0o644)
    [told] = readable(paths)
    assert told.endswith(f"chmod o-rwx {paths[0]} {paths[1]}")
