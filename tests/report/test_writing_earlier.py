"""Tests that a second report of a record makes only new replays, and keeps no replay of another record."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.chance import Seeded
from harness.report.writing import LIST
from tests.cli.door import harness
from tests.report import played
from tests.report.packed import all_unpacked, listed

FILES = 2
"""The number of files with the replays of `cup`: one file for each sitting, with two matches."""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    folder = played.write(tmp_path, deals=2)
    _report(folder)
    return folder


def _report(folder: Path, *options: str) -> None:
    done = harness("report", folder, *options)
    assert done.exit_code == 0, done.output


def _files(folder: Path) -> dict[str, int]:
    """Each file of replays with its inode number. A file that is written again gets another number."""
    replays = (folder / "report" / "matches").rglob("*.js")
    return {path.name.removesuffix(".js"): path.stat().st_ino for path in replays}


def _new(folder: Path, change: Callable[[], object]) -> set[str]:
    """The files of replays that a change makes harness write again."""
    # The files stay open, so that no new file gets the number of an old one.
    held = [path.open() for path in (folder / "report" / "matches").rglob("*.js")]
    before = _files(folder)
    change()
    now = _files(folder)
    for file in held:
        file.close()
    return {match for match, number in now.items() if before.get(match) != number}


def test_a_second_report_makes_no_replay_again_and_has_the_same_list(cup: Path) -> None:
    before = listed(cup / "report")
    assert any(row[8] or row[9] for row in before["rows"])
    assert _new(cup, lambda: _report(cup)) == set()
    assert listed(cup / "report") == before


def test_a_report_of_a_record_that_has_grown_makes_what_is_new(tmp_path: Path) -> None:
    new: list[set[str]] = []
    folder = played.write(
        tmp_path,
        seats=3,
        after=lambda logs, sitting: new.append(_new(logs, lambda: _report(logs))),
    )
    assert new == [{"1.1.1"}, {"1.2.1"}, {"1.3.1"}]
    assert _new(folder, lambda: _report(folder)) == set()


def test_a_replay_that_is_gone_is_made_again(cup: Path) -> None:
    gone = next((cup / "report" / "matches").rglob("1.2.1.js"))

    def again() -> None:
        gone.unlink()
        _report(cup)

    assert _new(cup, again) == {"1.2.1"}


@pytest.mark.parametrize("option", ["--mask", "--replays=all", "--replays=3"])
def test_a_report_with_another_option_makes_all_replays(cup: Path, option: str) -> None:
    assert len(_new(cup, lambda: _report(cup, option))) == FILES


def test_masked_pages_after_open_ones_name_nobody(cup: Path) -> None:
    _report(cup, "--mask")
    for path in (cup / "report" / "matches").rglob("*.js"):
        assert "anna" not in str(all_unpacked(path))


def test_another_program_makes_all_replays(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.report.writing.digest_of_folder", lambda folder: "another")
    assert len(_new(cup, lambda: _report(cup))) == FILES


def test_another_record_of_the_same_plan_makes_all_replays(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(played, "Seeded", lambda seed: Seeded(seed + 7))
    other = played.write(tmp_path / "other", deals=2)
    (cup / "report").rename(other / "report")
    assert len(_new(other, lambda: _report(other))) == FILES


@pytest.mark.parametrize("text", ["", "matches({});\n", 'matches(JSON.parse("{\\"rows\\":[[]]}"));\n'])
def test_a_list_that_cannot_be_read_is_no_earlier_report(cup: Path, text: str) -> None:
    (cup / "report" / LIST).write_text(text)
    assert len(_new(cup, lambda: _report(cup))) == FILES
