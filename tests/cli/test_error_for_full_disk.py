"""Tests that a command that cannot write a file, because the disk is full, names the file in one sentence."""

import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.sandbox.isolation import missing
from tests.cli.door import STARTER, TINY, harness
from tests.league.handed import a_folder, a_zip

TOLD = "File too large (`ulimit -f` says how large a file may be)"
LEAGUE = f'game = "{TINY}"\nisolation = "none"\nseats = 2\nhouse = ["calm"]\n'
COMMANDS = {
    "grade logs --scheme scheme.toml --no-pages": "logs/grades/grades.csv",
    "report logs --no-replays": "logs/report/",
    "export logs made --csv": "made/",
    "show logs 1.1.1.1 --html": "match-1.1.1.1.html",
    "init made": "made/",
    "cluster keys made": "made/key.pem",
    "autograder league.toml --out made.zip": "harness-autograder-",
    f"check bot {STARTER} --game {TINY}": "harness-copies-",
    f"run --game {TINY} {STARTER} b={STARTER} --write made.toml": "made.toml",
}


@contextmanager
def full_disk() -> Iterator[None]:
    """Stands for a full disk: no file can grow, not even one in memory. So the test of the sandbox,
    which needs files, comes before that."""
    missing()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told_with_the_path(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    shutil.copytree(record, tmp_path / "logs")
    (tmp_path / "scheme.toml").write_text('[[item]]\nkind = "start"\npoints = 1\n')
    (tmp_path / "league.toml").write_text(LEAGUE)
    a_folder(tmp_path / "calm")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with full_disk():
        done = harness(*command.split())
    last = done.stderr.splitlines()[-1]
    assert done.exit_code == 3, last
    assert last.removeprefix(f"Error: {tmp_path}/").removeprefix("Error: ").startswith(COMMANDS[command])
    assert last.endswith(f": {TOLD}")
    assert not [*tmp_path.glob("made/*")] or "cluster" not in command, "some of the keys, but not all"


def test_a_full_disk_makes_no_version_of_a_hand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> Path:
        raise OSError(28, "No space left on device", "the room")

    a_folder(tmp_path / "calm")
    (tmp_path / "league.toml").write_text(LEAGUE)
    monkeypatch.setattr("harness.league.collecting.unpack_bot", fails)
    done = harness("collect", tmp_path, a_zip(tmp_path / "bees.zip"))
    assert done.exit_code == 3
    assert done.stderr.endswith("the room: No space left on device (delete something, or write elsewhere)\n")
    assert not [*tmp_path.glob("entries/*/[0-9]*")]
