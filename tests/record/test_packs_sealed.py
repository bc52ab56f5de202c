"""Tests that every command reads a record with packs in the same way as the record without packs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from harness.errors import RecordError
from harness.record import log, packs
from harness.results.rows import read_log
from harness.verify import verify
from tests.cli.door import harness

pytestmark = pytest.mark.whole

FOLDERS = ("run-1/000", "run-2/000")


@pytest.fixture
def sealed(copy: Path) -> Path:
    """A copy of the record in which every folder is sealed."""
    for folder in FOLDERS:
        packs.seal(copy / folder)
        assert not (copy / folder).exists()
    return copy


def test_it_is_verified_and_has_the_same_digest(record: Path, sealed: Path) -> None:
    assert verify(sealed, workers=1).digest == log.whole(record)


def test_every_command_tells_the_same(record: Path, sealed: Path, tmp_path: Path) -> None:
    for command in ("standings", "status", "show"):
        assert harness(command, record).output == harness(command, sealed).output
    assert list(read_log(record)) == list(read_log(sealed))
    for name, logs in (("one", record), ("other", sealed)):
        assert harness("export", logs, tmp_path / name, "--csv").exit_code == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "other" / path.name).read_bytes()


def test_a_match_is_shown_and_the_place_of_its_stderr_is_told(record: Path, sealed: Path) -> None:
    one, other = (harness("show", logs, "2.1.1.1").output for logs in (record, sealed))
    turns = one.partition("All that seat")[0]
    assert other.startswith(turns)
    assert re.search(rf"000001.1.\d.stderr in {sealed / 'run-2' / '000.zip'}", other)


def test_a_report_has_the_same_replays_but_no_link_to_a_file_that_is_not_there(
    record: Path, sealed: Path, tmp_path: Path
) -> None:
    for name, logs in (("one", record), ("other", sealed)):
        assert harness("report", logs, "--out", tmp_path / name).exit_code == 0
    assert (tmp_path / "one" / "matches.js").read_bytes() == (tmp_path / "other" / "matches.js").read_bytes()
    one, other = (
        "".join(path.read_text() for path in sorted((tmp_path / name).glob("*.html")))
        for name in ("one", "other")
    )
    assert 'href="../run-1/000/' in one
    assert re.search(r"run-1/000/00000\d.jsonl:\d+", other)
    assert 'href="../run-1/000/' not in other


def test_the_grades_are_the_same(record: Path, sealed: Path, tmp_path: Path) -> None:
    scheme = tmp_path / "scheme.toml"
    scheme.write_text('[[item]]\nkind = "rank"\npoints = [3, 2, 1]\n')
    # The grades are written elsewhere, because other tests use the same record.
    out = ("--out", tmp_path / "grades")
    one, other = (harness("grade", logs, "--scheme", scheme, *out, "--json") for logs in (record, sealed))
    assert one.exit_code == 0, one.output
    assert json.loads(one.output) == json.loads(other.output)


def test_a_run_that_has_ended_goes_on_with_packs(record: Path, sealed: Path, tmp_path: Path) -> None:
    logs = sealed.rename(tmp_path / "demo")
    plan = record.parent.parent / "demo.toml"
    for watch in ((), ("--watch",)):
        done = harness("run", plan, "--logs", tmp_path, "--workers", "1", *watch)
        assert done.exit_code == 0, done.output
        assert log.whole(record) in done.output
    assert [path.name for path in logs.glob("run-*/*")] == ["000.zip"] * 2


@pytest.mark.parametrize("damage", [b"", b"PK", b"\0" * 300])
def test_each_command_that_reads_a_damaged_pack_says_so(sealed: Path, tmp_path: Path, damage: bytes) -> None:
    (sealed / "run-1" / "000.zip").write_bytes(damage)
    for command in (
        ("show", sealed, "1.1.1.1"),
        ("export", sealed, tmp_path / "out", "--csv"),
        ("report", sealed, "--out", tmp_path / "report"),
        ("report", sealed, "--out", tmp_path / "watched", "--watch"),
        ("verify", sealed),
    ):
        done = harness(*command)
        assert (done.exit_code, type(done.exception)) == (1, SystemExit), command
        assert "000.zip: this pack is damaged: " in done.output, command


def test_a_byte_changed_in_a_pack_is_found(sealed: Path) -> None:
    pack = sealed / "run-1" / "000.zip"
    data = bytearray(pack.read_bytes())
    data[len(data) // 2] ^= 1
    pack.write_bytes(data)
    with pytest.raises(RecordError, match=r"damaged|not as it was written|no line"):
        verify(sealed, workers=1)


def test_a_file_too_many_in_a_pack_is_found(sealed: Path) -> None:
    folder = sealed / "run-2" / "000"
    packs.unseal(packs.pack_of(folder))
    shutil.copy(folder / "000001.jsonl", folder / "000900.jsonl")
    packs.seal(folder)
    with pytest.raises(RecordError, match=r"run-2/000/000900.jsonl: the journal does not name this file"):
        verify(sealed, workers=1)


def test_a_file_missing_in_a_pack_is_found(sealed: Path) -> None:
    folder = sealed / "run-2" / "000"
    packs.unseal(packs.pack_of(folder))
    (folder / "000002.jsonl").unlink()
    packs.seal(folder)
    with pytest.raises(RecordError, match="does not exist"):
        verify(sealed, workers=1)
