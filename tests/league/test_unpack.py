"""Tests that an honest hand-in is unpacked unchanged, and that an attack is refused and writes nothing."""

from __future__ import annotations

import os
import stat
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from harness.config.folder import Bounds
from harness.errors import InputError
from harness.league import packed
from harness.league.unpack import unpack
from tests.league.handed import BOT, a_bomb, a_folder, a_gzip_bomb, a_liar, a_link, a_tar, a_zip, member


def below(folder: Path) -> set[str]:
    """The paths of all that is in a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.mark.parametrize("name", ["bot.zip", "bot.tar", "bot.tar.gz", "bot.tar.bz2", "bot.tar.xz", "bot"])
def test_a_hand_in_is_unpacked_with_its_files(tmp_path: Path, name: str) -> None:
    files = {**BOT, "src/deep/data.txt": "x\r\n"}
    make: Callable[..., Path] = a_zip if name.endswith("zip") else a_tar if "tar" in name else a_folder
    unpack(make(tmp_path / name, files), tmp_path / "place")
    assert below(tmp_path / "place") == {*files, "src", "src/deep"}
    assert (tmp_path / "place" / "src/deep/data.txt").read_bytes() == b"x\r\n"


def test_modes_are_reduced_to_whether_a_file_runs(tmp_path: Path) -> None:
    modes = {"runs": stat.S_IFREG | 0o6777, "does-not": stat.S_IFREG | 0o666}
    unpack(a_zip(tmp_path / "bot.zip", {"runs": "", "does-not": ""}, modes), tmp_path / "place")
    found = {path.name: path.stat().st_mode & 0o7777 for path in (tmp_path / "place").iterdir()}
    assert found == {"runs": 0o755, "does-not": 0o644}
    assert (tmp_path / "place").stat().st_mode & 0o777 == 0o700


def test_what_computers_add_by_themselves_is_left_out(tmp_path: Path) -> None:
    junk = ("__MACOSX/._main.py", ".git/config", "src/.DS_Store", "src/._x", ".venv/bin/python", "Thumbs.db")
    unpack(a_zip(tmp_path / "bot.zip", {**BOT, **dict.fromkeys(junk, "x")}), tmp_path / "place")
    assert below(tmp_path / "place") == set(BOT)


def test_a_zip_of_windows_has_folders_too(tmp_path: Path) -> None:
    unpack(a_zip(tmp_path / "bot.zip", {"bot\\bot.toml": "x", "bot\\src\\main.py": "y"}), tmp_path / "place")
    assert below(tmp_path / "place") == {"bot", "bot/bot.toml", "bot/src", "bot/src/main.py"}


def test_a_link_that_stays_inside_is_kept(tmp_path: Path) -> None:
    unpack(a_link(tmp_path / "bot.zip", "main.py"), tmp_path / "place")
    assert os.readlink(tmp_path / "place" / "data") == "main.py"


def named(*names: str) -> Callable[[Path], Path]:
    return lambda path: a_zip(path, dict.fromkeys(names, "x"))


def in_tar(*members: tarfile.TarInfo) -> Callable[[Path], Path]:
    return lambda path: a_tar(path, BOT, *members)


def twice(path: Path) -> Path:
    a_zip(path, {"main.py": "one", "main.px": "two"})
    path.write_bytes(path.read_bytes().replace(b"main.px", b"main.py"))
    return path


def locked(path: Path) -> Path:
    a_zip(path)
    data = bytearray(path.read_bytes())
    at = -1
    while (at := data.find(b"PK\x01\x02", at + 1)) >= 0:
        data[at + 8] |= 1
    path.write_bytes(bytes(data))
    return path


def cut(path: Path) -> Path:
    path.write_bytes(a_zip(path).read_bytes()[:-40])
    return path


def cut_tar(path: Path) -> Path:
    made = a_tar(path.with_suffix(".gz"), {**BOT, "data": "".join(map(str, range(9_999)))})
    path.write_bytes(made.read_bytes()[:-3_000])
    return path


def spoilt(path: Path) -> Path:
    data = bytearray(a_zip(path).read_bytes())
    data[60] ^= 0xFF
    path.write_bytes(bytes(data))
    return path


def linked(path: Path) -> Path:
    path.symlink_to(a_zip(path.with_name("other.zip")))
    return path


OUT = "leaves the folder"
ATTACKS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "up": (named("../evil"), OUT),
    "up in the middle": (named("a/../../evil"), OUT),
    "up by backslashes": (named("..\\evil"), OUT),
    "up into junk": (named("../.git/evil"), OUT),
    "from the root": (named("/tmp/evil"), OUT),
    "from a drive": (named("C:\\evil"), OUT),
    "from a drive, relative": (named("C:evil"), OUT),
    "up in a tar": (in_tar(member("../evil")), OUT),
    "from the root in a tar": (in_tar(member("/tmp/evil")), OUT),
    "a link to a file of the machine": (lambda path: a_link(path, "/etc/passwd"), "leads to /etc/passwd"),
    "a link up": (lambda path: a_link(path, "../../evil"), "out of the folder"),
    "a link to the folder itself": (lambda path: a_link(path, "data"), "in a circle"),
    "a link that is a long text": (lambda path: a_link(path, "x" * 5_000), "leads nowhere"),
    "a link out in a tar": (
        in_tar(member("data", tarfile.SYMTYPE, "/etc/passwd")),
        "leads to /etc/passwd",
    ),
    "a way through a link": (
        lambda path: a_zip(path, {"way": "..", "way/evil": "x"}, {"way": stat.S_IFLNK | 0o777}),
        "inside something that is not a folder",
    ),
    "a way through a link in a tar": (
        in_tar(member("way", tarfile.SYMTYPE, "/tmp"), member("way/evil")),
        "inside something that is not a folder",
    ),
    "a hard link": (in_tar(member("data", tarfile.LNKTYPE, "etc/passwd")), "a hard link to another file"),
    "a device": (in_tar(member("data", tarfile.CHRTYPE)), "a device"),
    "a disk": (in_tar(member("data", tarfile.BLKTYPE)), "a device"),
    "a named pipe": (in_tar(member("data", tarfile.FIFOTYPE)), "a named pipe"),
    "a device in a zip": (
        lambda path: a_zip(path, {"data": ""}, {"data": stat.S_IFCHR | 0o666}),
        "a device",
    ),
    "an unknown type": (in_tar(member("data", b"Z")), "data"),
    "a name that stands twice": (twice, "two files have the name"),
    "names that differ in capitals": (named("Main.py", "main.py"), "two files have the name"),
    "names that differ in how they are coded": (named("caf\u00e9", "cafe\u0301"), "two files have the name"),
    "a file that is a folder too": (named("a", "a/b"), "inside something that is not a folder"),
    "folders that differ in capitals": (named("A/x", "a/y"), "two files have the name"),
    "folders that differ in how they are coded": (
        named("caf\u00e9/x", "cafe\u0301/y"),
        "two files have the name",
    ),
    "an empty name": (named(""), "one of its files has no name"),
    "an empty name in a tar": (in_tar(member("")), "one of its files has no name"),
    "only a slash": (named("/"), OUT),
    "only a dot": (named("."), r"'\.' is no name of a file"),
    "only a dot in a tar": (in_tar(member(".")), r"'\.' is no name of a file"),
    "only two dots": (named(".."), OUT),
    "only two dots in a tar": (in_tar(member("..")), OUT),
    "only spaces": (named("  "), "ends with a dot or a space"),
    "only spaces in a tar": (in_tar(member("  ")), "ends with a dot or a space"),
    "a name of a device": (named("src/NUL"), "is a device on some systems"),
    "a name with a line end": (named("a\nb"), "not printable"),
    "a name that ends with a dot": (named("main.py."), "ends with a dot"),
    "a name that is too long": (named("x" * 300), "is too long"),
    "a path that is too deep": (named("a/" * 80 + "b"), "is too long"),
    "a bomb": (a_bomb, "this is a bomb"),
    "too much data": (lambda path: a_bomb(path, 300), "300 MB; at most 256 are allowed"),
    "a lie about a size": (a_liar, "broken"),
    "a bomb in a tar": (lambda path: a_gzip_bomb(path, 16, 1 << 40), "expands to more than 1024 MB"),
    "half a bomb in a tar": (lambda path: a_gzip_bomb(path, 320, 300 << 20), "300 MB; at most 256"),
    "a password": (locked, "has a password"),
    "an archive that was cut off": (cut, "is broken"),
    "a tar that was cut off": (cut_tar, "is broken"),
    "wrong bytes": (spoilt, "is broken"),
    "a link to an archive": (linked, "this is a link"),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_refused_with_a_sentence_and_writes_nothing(tmp_path: Path, attack: str) -> None:
    make, said = ATTACKS[attack]
    packed_by_student = make(tmp_path / "bot.zip")
    (tmp_path / "room").mkdir()
    before = below(tmp_path)
    with pytest.raises(InputError, match=said):
        unpack(packed_by_student, tmp_path / "room" / "place")
    assert below(tmp_path) == before
    assert not Path("/tmp/evil").exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no zip or tar"),
        (b"Rar!\x1a\x07\x00", "this is a rar archive; only zip and tar"),
        (b"7z\xbc\xaf\x27\x1c", "this is a 7z archive"),
        (b"hello", "no zip or tar"),
        (b"PK\x03\x04", "is broken"),
        (b"\x1f\x8b", "is broken"),
        (b"BZh", "is broken"),
        (b"\xfd7zXZ\x00", "is broken"),
    ],
)
def test_what_is_no_archive_is_told(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "bot.zip").write_bytes(data)
    with pytest.raises(InputError, match=said):
        unpack(tmp_path / "bot.zip", tmp_path / "place")


def test_too_many_files_are_told_with_the_folder_that_has_them(tmp_path: Path) -> None:
    path = named(*(f"node_modules/{number}" for number in range(30)))(tmp_path / "bot.zip")
    with pytest.raises(InputError, match="30 of them in 'node_modules'; at most 20"):
        unpack(path, tmp_path / "place", Bounds(1, 20))


def test_folders_that_an_archive_does_not_list_count(tmp_path: Path) -> None:
    path = named(*(f"{number}/{'d/' * 50}x" for number in range(5)))(tmp_path / "bot.zip")
    with pytest.raises(InputError, match="at most 100 are allowed"):
        unpack(path, tmp_path / "place", Bounds(1, 100))
    assert not (tmp_path / "place").exists()


def test_a_folder_of_a_zip_is_known_by_its_name(tmp_path: Path) -> None:
    """Some packers give each member the type of a plain file."""
    unpack(a_zip(tmp_path / "bot.zip", {"src/": "", "src/main.py": "x"}), tmp_path / "place")
    assert below(tmp_path / "place") == {"src", "src/main.py"}


@pytest.mark.parametrize(
    ("name", "deep", "said"),
    [("d", 70, "is too long"), ("d" * 200, 30, "cannot be read: File name too long")],
)
def test_a_folder_that_is_very_deep_is_refused(tmp_path: Path, name: str, deep: int, said: str) -> None:
    home = os.open(tmp_path, os.O_RDONLY)
    # With the name of 200 letters, the whole path is too long for the system.
    for _ in range(deep):
        os.mkdir(name, dir_fd=home)
        home, above = os.open(name, os.O_RDONLY, dir_fd=home), home
        os.close(above)
    os.close(home)
    with pytest.raises(InputError, match=said):
        unpack(tmp_path / name, tmp_path / "place")
    assert not (tmp_path / "place").exists()


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_folder_is_checked_as_an_archive_is(tmp_path: Path, kind: str) -> None:
    folder = a_folder(tmp_path / "bot")
    if kind == "link":
        (folder / "data").symlink_to("/etc/passwd")
    else:
        os.mkfifo(folder / "data")
    with pytest.raises(InputError, match="etc/passwd" if kind == "link" else "a named pipe"):
        unpack(folder, tmp_path / "place")
    assert not (tmp_path / "place").exists()


@given(some.binary(max_size=300), some.integers(0, 2_000))
def test_no_bytes_in_an_archive_crash_the_reader(data: bytes, at: int) -> None:
    """Whatever bytes of an archive change, the archive is refused and nothing is written, or it is unpacked,
    perhaps with other content."""
    with tempfile.TemporaryDirectory() as place:
        for make, name in ((a_zip, "bot.zip"), (a_tar, "bot.tar"), (a_tar, "bot.tar.gz")):
            path = make(Path(place, name))
            whole = path.read_bytes()
            at %= len(whole)
            path.write_bytes(whole[:at] + data + whole[at + len(data) :])
            try:
                unpack(path, Path(place, f"{name}-place"))
            except InputError:
                assert not Path(place, f"{name}-place").exists()
        assert {path.name for path in Path(place).iterdir()} <= {
            *("bot.zip", "bot.tar", "bot.tar.gz"),
            *("bot.zip-place", "bot.tar-place", "bot.tar.gz-place"),
        }


def test_the_list_of_an_archive_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_LISTED", 5)
    with pytest.raises(InputError, match="more than 5 members"):
        unpack(named(*map(str, range(9)))(tmp_path / "bot.zip"), tmp_path / "place")
