"""Plays a tournament in two shards by commands; `merge` makes the same record as one machine."""

import shutil
from pathlib import Path

import pytest

from harness.record import log, packs
from harness.verify import verify
from tests.cli.workshop import harness, timeless

pytestmark = pytest.mark.whole


def _others(logs: Path) -> dict[str, bytes]:
    """The files of a record that contain no times."""
    return {
        path.relative_to(logs).as_posix(): path.read_bytes()
        for path in (logs / "plan.json", *logs.glob("run-*/*/*.stderr"))
    }


def test_two_shards_with_a_disqualification_make_the_record_of_one_machine(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, logs = record.parent.parent / "demo.toml", tmp_path / "demo"
    run = ("run", str(plan), "--logs", str(tmp_path), "--workers", "1")
    for shard in ("1/2", "2/2"):
        done = harness(*run, "--shard", shard, "--minutes", "5")
        assert done.returncode == 0, done.stderr
        assert "none left" in done.stderr
        assert f"harness merge {logs}" in done.stderr
    first = harness("merge", str(logs))
    assert first.returncode == 3
    assert "of run 2 are missing" in first.stderr
    for shard in ("1/2", "0/2"):
        assert harness(*run, "--shard", shard).returncode == 0
    last = harness("merge", str(logs))
    assert last.returncode == 0, last.stderr
    assert "violator" in last.stdout
    assert timeless(logs) == timeless(record)
    assert _others(logs) == _others(record)
    assert verify(logs, workers=1).ended is not None
    again = tmp_path / "again"
    shutil.copytree(logs / "shards", again / "shards")
    shutil.copy(logs / "plan.json", again)
    monkeypatch.setattr(log, "PER_FOLDER", 1)
    assert harness("merge", str(again)).returncode == 0
    assert log.whole(again) == log.whole(logs)
    assert not [*again.glob("run-*/*/")]
    # PER_FOLDER is 1 now, so each encounter of `again` is in a pack of its own.
    for path in logs.glob("run-*/*/*"):
        number = int(path.name.partition(".")[0]) - 1
        assert (
            packs.read_file(again / path.parent.parent.name / f"{number:03}" / path.name) == path.read_bytes()
        )
