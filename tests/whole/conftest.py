"""Owns the small record that tests of whole runs look at, and copies of it to be tampered with."""

import shutil
from pathlib import Path

import pytest

from harness.cli.workspace import TEMPLATES
from tests.whole.workshop import Workshop

TINY = TEMPLATES / "game" / "tiny.py"
NOISY = """
import sys
moves = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "hello":
        print("hello 1 legal", flush=True)
    elif words[0] == "new":
        print("ready", flush=True)
        print("I am seat", words[2], file=sys.stderr)
    elif words[0] == "move":
        moves.append(line[5:].strip())
    elif words[0] == "bye":
        break
    elif moves:
        print(moves[0] if "violator" not in open(".home").read() else "nonsense", flush=True)
        moves.clear()
"""


def with_violator(folder: Path) -> Workshop:
    """A small tournament of a small game: a violator, two runs, something on stderr."""
    shop = Workshop(folder, 0)
    shop.bots += [shop.add_bot(name, NOISY) for name in ("anna", "bert", "carl", "violator")]
    shop.write_plan(game=str(TINY), sitting=1, workers=1)  # two sittings in each encounter
    return shop


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of this tournament."""
    shop = with_violator(tmp_path_factory.mktemp("verify"))
    assert shop.run().returncode == 0
    return shop.logs


@pytest.fixture
def copy(record: Path, tmp_path: Path) -> Path:
    """Logs to be tampered with."""
    return Path(shutil.copytree(record, tmp_path / "logs"))
