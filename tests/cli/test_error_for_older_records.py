"""Tests that each command that reads a record says in one sentence that an older version made it."""

import json
import shutil
from pathlib import Path

import pytest

from harness.record.frames import FRAMES, SHARDS
from tests.cli import logs
from tests.cli.door import STARTER, TINY, harness
from tests.verify import forger

PLAN = f'game = "{TINY}"\nseats = 2\nseed = 1\nbots = ["{STARTER}", {{path = "{STARTER}", name = "b"}}]\n'
COMMANDS = [
    "verify RECORD",
    "standings RECORD",
    "standings RECORD --json",
    "standings RECORD RECORD",
    "show RECORD",
    "show RECORD 1.1.1.1",
    "report RECORD",
    "export RECORD out",
    "pgn RECORD",
    "grade RECORD --scheme scheme.toml",
    "sign RECORD --key key",
    "merge RECORD",
    f"replay RECORD 1.1.1.1 --bot {STARTER}",
    "run tiny.toml",
    "run tiny.toml --shard 1/2",
    "status RECORD",
]


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a plan, and with a record of an older version that also has the record of a shard."""
    home = tmp_path_factory.mktemp("older")
    plan = logs.write(home) / "plan.json"
    keys = json.loads(plan.read_bytes())
    del keys["rulings"]
    plan.write_text(json.dumps(keys))
    forger.seal(plan.parent)
    (home / "tiny.toml").write_text(PLAN)
    (home / "scheme.toml").write_text('[[item]]\nkind = "start"\npoints = 1\n')
    shard = plan.parent / SHARDS / "1-of-2"
    shard.mkdir(parents=True)
    (shard / FRAMES).touch()
    return home


@pytest.mark.parametrize("command", COMMANDS)
def test_an_older_record_makes_one_sentence(
    older: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    shutil.copytree(older, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    said = harness(*command.replace("RECORD", "logs/tiny").split())
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr.splitlines()[-1] == (
        "Error: logs/tiny/plan.json: an older version of harness made this record before version 1.0: "
        "only the commit of harness that made the record can read and verify it"
    )
    assert not (tmp_path / "out").exists()
