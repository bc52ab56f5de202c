"""Tests that the program goes on if a standard stream is closed or full, or if nobody reads the stream."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.workshop import TINY, Workshop, command, timeless

ROOT = Path(__file__).parents[1]
KEEPS = "import os, sys\nfrom harness import streams\nstreams.keep()\n"
PIPE = subprocess.PIPE


@pytest.fixture
def unread() -> Iterator[int]:
    """The writing end of a pipe whose reading end is closed."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.fixture
def full() -> Iterator[int]:
    """A file to which nothing can be written, as on a full disk."""
    file = os.open("/dev/full", os.O_WRONLY)
    yield file
    os.close(file)


def keeping(
    code: str, out: int = PIPE, err: int = PIPE, streams: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Runs a program that calls `keep` on its streams and then runs `code`. `streams` closes some of the
    streams, in the syntax of a shell."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {streams}', sys.executable, KEEPS + code],
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=err,
        cwd=ROOT,
        text=True,
        check=False,
        timeout=60,
    )


def on_terminal(*command: str, out: bool, err: bool) -> bytes:
    """What a command writes to a terminal, which is its standard output or error."""
    screen, terminal = os.openpty()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=terminal if out else subprocess.DEVNULL,
        stderr=terminal if err else subprocess.DEVNULL,
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    ):
        os.close(terminal)
        seen = b""
        with os.fdopen(screen, "rb", buffering=0) as file:
            try:
                while part := file.read(65_536):
                    seen += part
            except OSError:  # A terminal that nobody writes to any more.
                pass
    return seen


def test_only_a_terminal_gets_marks_around_words_from_right_to_left() -> None:
    name = "\u05d0\u05d1"
    command = (sys.executable, "-m", "harness", "standings", f"{name} 7")
    assert f"\u2068{name}\u2069 7".encode() in on_terminal(*command, out=False, err=True)
    told = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert f"{name} 7".encode() in told.stderr
    printing = f"{KEEPS.replace('keep()', 'keep(str.upper)')}print('words', flush=True)"
    assert b"WORDS" in on_terminal(sys.executable, "-c", printing, out=True, err=False)


@pytest.mark.parametrize("streams", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_no_file_gets_the_number_of_a_closed_stream(streams: str) -> None:
    done = keeping(
        'assert open("setup.cfg").fileno() > 2 and sys.stdin.read() == ""\n'
        'print("out")\nprint("err", file=sys.stderr)\n'
        'sys.exit(os.waitstatus_to_exitcode(os.system("exec 3<&0 4>&1 5>&2")))',  # A child has them too.
        streams=streams,
    )
    assert done.returncode == 0
    assert done.stdout == ("" if " >&-" in f" {streams}" else "out\n")
    assert done.stderr == ("" if "2>&-" in streams else "err\n")


@pytest.mark.parametrize("broken", ["unread", "full"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_cannot_be_printed_is_dropped(request: pytest.FixtureRequest, broken: str, stream: str) -> None:
    file = request.getfixturevalue(broken)
    done = keeping(
        f'for _ in range(9): print("x" * 40_000, file=sys.{stream})\n'
        f'sys.{stream}.flush()\nsys.exit(40 + os.system("echo y >&{1 if stream == "stdout" else 2}"))',
        *((file, PIPE) if stream == "stdout" else (PIPE, file)),
    )
    assert (done.returncode, done.stdout or "", done.stderr or "") == (40, "", "")


def test_only_a_reader_that_went_away_is_no_loss(unread: int, full: int) -> None:
    told = 'print("x")\nprint(streams.lost(), file=sys.stderr)'
    assert keeping(told, unread).stderr == keeping(told).stderr == "None\n"
    assert keeping(told, full).stderr == "[Errno 28] No space left on device: 'standard output'\n"


def test_a_process_that_only_prints_ends_with_its_reader(unread: int, full: int) -> None:
    code = 'streams.end_with_reader()\nprint("x", flush=True)\nprint("more", file=sys.stderr)'
    found = [(done.returncode, done.stderr) for done in (keeping(code, unread), keeping(code, full))]
    assert found == [(0, ""), (0, "more\n")]


def test_a_character_that_cannot_be_shown_is_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert keeping("print(chr(0x2713))").stdout == "\\u2713\n"


@pytest.mark.whole
def test_a_tournament_is_played_to_its_end_without_a_reader(tmp_path: Path, unread: int) -> None:
    """The game of this tournament prints text too, in a worker process."""
    game = tmp_path / "tiny.py"
    game.write_text(f'{TINY.read_text()}\nprint("x" * 40_000, flush=True)\n')
    shop = Workshop(tmp_path, 2, game="tiny.py", workers=1)
    plain = shop.run()
    assert plain.returncode == 0
    assert "x" * 40_000 in plain.stdout
    for logs, streams in (("out", (unread, PIPE)), ("err", (PIPE, unread))):
        done = subprocess.run(
            command("run", "demo.toml", "--logs", logs),
            stdout=streams[0],
            stderr=streams[1],
            cwd=tmp_path,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0
        assert timeless(tmp_path / logs / "demo") == timeless(shop.logs)
