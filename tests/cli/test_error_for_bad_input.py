"""Owns the proof that any wrong file or folder that a user names leads to one sentence and an exit code."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli import logs
from tests.cli.door import STARTER, TINY, harness

PLAN = f'game = "{TINY}"\nseats = 2\nseed = 1\nbots = ["{STARTER}", {{path = "{STARTER}", name = "b"}}]\n'
SCHEME = '[[item]]\nkind = "start"\npoints = 1\n'

# -- what a user may name --------------------------------------------------------------------------


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endpoint(path: Path) -> None:
    with contextlib.chdir(path.parent), socket.socket(socket.AF_UNIX) as one:
        one.bind(path.name)


def zipped(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("main.py", "pass")


def tarred(path: Path) -> None:
    with tarfile.open(path, "w:gz") as archive:
        archive.add(__file__, "main.py")


def unreadable(path: Path) -> None:
    path.write_text(PLAN)
    path.chmod(0)


def closed(path: Path) -> None:
    path.mkdir(mode=0)


def in_closed(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(PLAN)
    path.parent.chmod(0)


def below_a_file(path: Path) -> None:
    path.parent.write_text(PLAN)


def nothing(path: Path) -> None:
    pass


def holding(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def link_to(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


NAMED: dict[str, tuple[str, Callable[[Path], object]]] = {
    "nothing": ("gone", nothing),
    "a folder": ("folder", Path.mkdir),
    "an empty file": ("empty", holding(b"")),
    "text in UTF-16": ("wide", holding(PLAN.encode("utf-16"))),
    "text in Latin-1": ("latin", holding(b'game = "caf\xe9"\n')),
    "no text": ("nul", holding(b"\0\1\2\xff" * 99)),
    "another text": ("foreign", holding(b'{"game": "sevens"}\n')),
    "deep nesting": ("deep", holding(b"a = " + b"[" * 100_000)),
    "a number of many digits": ("digits", holding(b"seats = " + b"9" * 10_000)),
    "a pipe": ("pipe", fifo),
    "a socket": ("socket", endpoint),
    "a device": ("/dev/zero", nothing),
    "a link to itself": ("loop", link_to("loop")),
    "a link to nothing": ("dangling", link_to("gone")),
    "a file that may not be read": ("unreadable", unreadable),
    "a folder that may not be read": ("closed", closed),
    "a file in one": ("shut/file", in_closed),
    "a path below a file": ("file/below", below_a_file),
    "too long a name": ("n" * 300, nothing),
    "a zip file": ("bot.zip", zipped),
    "a tar file": ("bot.tar.gz", tarred),
    "an empty path": ("", nothing),
}

# The commands. Each thing of the table `NAMED` is put in the place of the word NAMED. The set of a command
# names those things that are no error for it.
COMMANDS: dict[str, set[str]] = {
    "run NAMED --logs out": set(),
    "run plan.toml --logs NAMED": {"nothing", "a folder"},
    "check plan NAMED --no-trial": set(),
    f"check bot NAMED --game {TINY}": set(),
    f"check bot {STARTER} --game {TINY} --against NAMED": set(),
    f"check bot {STARTER} --game NAMED.py": set(),
    "check game NAMED.py": set(),
    "games NAMED.py": set(),
    f"play {TINY} {STARTER} NAMED": set(),
    f"play NAMED.py {STARTER} {STARTER}": set(),
    "init NAMED": {"nothing", "a folder"},
    "bots NAMED": set(),
    "status NAMED": set(),
    "standings NAMED": set(),
    "show NAMED": set(),
    "show NAMED 1.1.1.1": set(),
    f"replay NAMED 1.1.1.1 --bot {STARTER}": set(),
    "replay logs/tiny 1.1.1.1 --seat 1 --bot NAMED": set(),
    "report NAMED": set(),
    "report logs/tiny --no-replays --out NAMED": {"nothing", "a folder"},
    "grade NAMED --scheme scheme.toml": set(),
    "grade logs/tiny --scheme NAMED": set(),
    "grade logs/tiny --scheme scheme.toml --canvas NAMED": set(),
    "verify NAMED": set(),
}


# -- how it is named -------------------------------------------------------------------------------


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Powers(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("kept", ctypes.c_uint32))


@contextlib.contextmanager
def as_anybody() -> Iterator[None]:
    """Takes from root the power to read and write files against their permissions."""
    libc, header, powers = ctypes.CDLL(None), _Header(0x20080522, 0), (_Powers * 2)()
    assert libc.capget(ctypes.byref(header), powers) == 0
    before = powers[0].effective
    powers[0].effective &= ~0b110
    assert libc.capset(ctypes.byref(header), powers) == 0
    try:
        yield
    finally:
        powers[0].effective = before
        assert libc.capset(ctypes.byref(header), powers) == 0


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder of the commands, with a good plan and a good record."""
    monkeypatch.chdir(tmp_path)
    logs.write(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "scheme.toml").write_text(SCHEME)
    yield tmp_path
    for path in tmp_path.iterdir():
        if not path.is_symlink():
            path.chmod(0o700)


def told(*arguments: str) -> Result:
    """Runs a command. A command that hangs fails the test."""

    def hangs(number: int, frame: object) -> None:
        raise TimeoutError(f"it hangs: {arguments}")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(60)
    try:
        with as_anybody() if sys.platform == "linux" else contextlib.nullcontext():
            return harness(*arguments)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def is_one_sentence(result: Result, *codes: int) -> None:
    said = f"{result.exit_code}: {result.output}"
    assert result.exit_code in codes, said
    assert "Traceback" not in result.output, said
    assert "bug of the harness" not in result.output, said
    if result.exit_code == 2:
        assert "Error: " in result.stderr, said
        assert len(result.stderr.partition("Error: ")[2].strip()) > 9, said


@pytest.mark.parametrize("command", COMMANDS)
def test_whatever_a_user_names_is_refused_in_a_sentence(workspace: Path, command: str) -> None:
    for kind, (name, make) in NAMED.items():
        if kind in COMMANDS[command]:
            continue
        path = Path(f"{name}.py" if "NAMED.py" in command and not name.startswith("/") and name else name)
        make(path)
        words = [
            (str(path) if name else "") if word.startswith("NAMED") else word for word in command.split()
        ]
        result = told(*words)
        print(kind, result.exit_code, result.output[-200:])
        is_one_sentence(result, 2)


def test_of_an_archive_it_is_said_what_to_do_with_it(workspace: Path) -> None:
    zipped(workspace / "bot.zip")
    (workspace / "bot.zip").chmod(0o755)
    said = told("check", "bot", "bot.zip", "--game", TINY).stderr
    assert said == "Error: bot.zip: this is an archive; unpack it, and give the folder that it contains\n"


# -- records ---------------------------------------------------------------------------------------

READERS = (
    "status logs/tiny",
    "standings logs/tiny",
    "show logs/tiny",
    "show logs/tiny 1.1.1.1",
    f"replay logs/tiny 1.1.1.1 --bot {STARTER} --seat 1 --isolation none",
    "report logs/tiny --no-replays",
    "report logs/tiny --mask --no-replays",
    "grade logs/tiny --scheme scheme.toml",
    "verify logs/tiny",
)
PARTS = ("plan.json", "tournament.jsonl", "run-1/000/000001.jsonl", "mask.json")
INSTEAD: dict[str, Callable[[Path], object]] = {
    "nothing": nothing,
    "a folder": Path.mkdir,
    "an empty file": holding(b""),
    "no text": holding(b"\0\1\2\xff" * 99),
    "text in UTF-16": holding('{"is":"opened"}\n'.encode("utf-16")),
    "a byte order mark": holding(b'\xef\xbb\xbf{"is":"opened"}\n'),
    "another text": holding(b"Dear diary,\n"),
    "other JSON": holding(b'{"is":"opened","name":7}\n[]\nnull\n'),
    "deep nesting": holding(b"[" * 100_000),
    "a number of many digits": holding(b'{"is":"ended","unplayed":' + b"9" * 10_000 + b"}\n"),
    "a pipe": fifo,
    "a device": link_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a file that may not be read": unreadable,
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("command", READERS)
def test_a_record_with_something_else_in_it_is_refused_in_a_sentence(
    workspace: Path, command: str, part: str
) -> None:
    """If a command does not use this part of the record, it may also read the record without an error."""
    path = workspace / "logs" / "tiny" / part
    for kind, make in INSTEAD.items():
        shutil.rmtree(workspace / "logs")
        logs.write(workspace)
        path.unlink(missing_ok=True)
        make(path)
        result = told(*command.split())
        print(f"{kind}: {result.exit_code}: {result.output[-300:]}")
        is_one_sentence(result, 0, 1, 2)


# -- options ---------------------------------------------------------------------------------------

HUGE = "9" * 40
WRONG = (
    "run plan.toml --workers 0",
    "run plan.toml --workers -1",
    f"run plan.toml --workers {HUGE}",
    "run plan.toml --workers many",
    "run plan.toml --at-once 0",
    f"run plan.toml --at-once {HUGE}",
    "run plan.toml --seed -1",
    f"run plan.toml --seed {HUGE}",
    "run",
    "run plan.toml plan.toml",
    "standings logs/tiny --policy strikes",
    "standings logs/tiny --policy strikes=0",
    f"standings logs/tiny --policy strikes={HUGE}",
    "standings logs/tiny --policy strikes=\u0663",
    "standings logs/tiny --format yaml",
    "show logs/tiny 0",
    "show logs/tiny -1",
    "show logs/tiny 1.1.1",
    "show logs/tiny 1.1.1.1.1",
    "show logs/tiny 1.1.1.\u0661",
    "show logs/tiny \udcff",
    f"show logs/tiny {HUGE}",
    f"show logs/tiny 1.1.1.{HUGE}",
    "show logs/tiny 1.1.1.1 --seat 0",
    "show logs/tiny 1.1.1.1 --seat 3",
    f"show logs/tiny 1.1.1.1 --seat {HUGE}",
    "verify logs/tiny --workers 0",
    f"verify logs/tiny --workers {HUGE}",
    f"play {TINY} {STARTER}",
    f"play {TINY} {STARTER} {STARTER} --seed -1",
    f"play {TINY} {STARTER} {STARTER} --option rounds={HUGE}",
    f"play {TINY} {STARTER} {STARTER} --option rounds=1e999",
    f"play {TINY} {STARTER} {STARTER} --option rounds=nan",
    f"play {TINY} {STARTER} {STARTER} --option =",
    f"play {TINY} {STARTER} {STARTER} --option \udcff=1",
    f"play {TINY} {STARTER} {STARTER} --option rounds={'[' * 20_000}",
    f"play {TINY} {STARTER} {STARTER} --limit move_ms={HUGE}",
    f"play {TINY} {STARTER} {STARTER} --limit move_ms=-1",
    f"play {TINY} {STARTER} {STARTER} --limit move_ms=0.5",
    f"play {TINY} {STARTER} {STARTER} --limit moves_ms=1",
    f"play {TINY} {STARTER} {STARTER} --seat {HUGE}",
    f"check bot {STARTER}",
    f"check bot {STARTER} --game nonesuch",
    f"check bot {STARTER} --game \udcff",
    f"check bot {STARTER} --game {TINY} --seats {HUGE}",
    "check game nonesuch",
    "check machine --seconds -1",
    "check machine --seconds nan",
    "games \x1b[31m",
    "init",
    "nonesuch",
)


@pytest.mark.parametrize("command", WRONG, ids=range(len(WRONG)))
def test_an_option_that_cannot_be_is_refused_in_a_sentence(workspace: Path, command: str) -> None:
    is_one_sentence(told(*command.split(" ")), 2)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("runn plan.toml", "there is no command 'runn'; did you mean run?"),
        ("standing logs", "there is no command 'standing'; did you mean standings?"),
        ("check bto .", "there is no command 'bto'; did you mean bot?"),
        ("check . --game sevens", "there is no command '.'; write bot or game or plan or machine before ."),
    ],
)
def test_a_mistyped_command_gets_the_nearest(typed: str, said: str) -> None:
    told = harness(*typed.split())
    assert told.exit_code == 2
    assert f"Error: {said}\n" in told.stderr


def test_a_mistyped_folder_of_a_record_gets_the_nearest(tmp_path: Path) -> None:
    logs.write(tmp_path / "friday")
    told = harness("verify", tmp_path / "firday")
    assert told.exit_code == 2
    assert "there is no such folder; did you mean" in told.stderr
    assert "friday?" in told.stderr
