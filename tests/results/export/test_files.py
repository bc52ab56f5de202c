"""Tests of `harness export`: the tables that it writes, as CSV and as Parquet, and what it refuses."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import duckdb
import pytest
from pyarrow import parquet

from harness.errors import RecordError
from harness.record.log import JOURNAL, encounter_path
from harness.results.export import files
from harness.results.export.files import TABLES, as_markdown
from harness.results.rows import read_log
from tests.cli import logs as small
from tests.cli.door import harness

PAGE = (Path(__file__).parents[3] / "docs" / "export.md").read_text()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return small.write(tmp_path)


def exported(logs: Path, *options: str) -> Path:
    """Exports these logs, and returns the folder of the export."""
    out = logs.parent / f"out{len(list(logs.parent.iterdir()))}"
    done = harness("export", logs, out, *options)
    assert done.exit_code == 0, done.output
    return out


def rows(out: Path, table: str) -> list[dict[str, str]]:
    with (out / f"{table}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_each_match_and_each_of_its_seats_is_a_row(logs: Path) -> None:
    out = exported(logs, "--csv")
    matches = rows(out, "matches")
    assert [row["match"] for row in matches] == list(small.SAID)
    third = matches[2]
    assert (third["sitting"], third["number"], third["faults"], third["counts"]) == ("2", "1", "1", "true")
    seats = [row for row in rows(out, "seats") if row["match"] == "1.1.2.1"]
    assert [(row["bot"], row["rank"], row["win"], row["fault"]) for row in seats] == [
        ("bert", "1", "1", ""),
        ("anna", "2", "0", "malformed"),
    ]
    assert [row["idle_cpu_us"] for row in seats] == ["0", "1234"]
    assert [(row["questions"], row["us"], row["start_us"]) for row in seats] == [("1", "1500", "1500")] * 2


def test_turns_are_those_of_the_log(logs: Path) -> None:
    found = rows(exported(logs, "--csv"), "turns")
    known = list(read_log(logs, "turn"))
    assert len(found) == len(known)
    for row, turn in zip(found, known, strict=True):
        assert [row["match"], row["bot"], row["ask"]] == [turn["match"], turn["bot"], turn["ask"]]
        assert [row["at_us"], row["us"], row["limit_us"]] == [
            str(turn[key]) for key in ("at", "us", "limit_us")
        ]
        assert row["word"] == turn["ask"].split()[0]


def test_numbers_in_comments_are_rows_and_a_masked_export_has_none(logs: Path) -> None:
    found = rows(exported(logs, "--csv"), "numbers")
    assert {(row["name"], row["value"]) for row in found} == {("money", "12.0")}
    turns = {(row["match"], row["turn"]): row for row in rows(exported(logs, "--csv"), "turns")}
    commented = [key for key, row in turns.items() if row["comments"]]
    assert [(row["match"], row["turn"]) for row in found] == commented != []
    assert all(row["bot"] == turns[row["match"], row["turn"]]["bot"] for row in found)
    assert rows(exported(logs, "--csv", "--mask"), "numbers") == []


def test_a_fault_has_its_evidence_in_one_line_without_control_characters(logs: Path) -> None:
    out = exported(logs, "--csv")
    [fault] = rows(out, "faults")
    assert (fault["bot"], fault["name"], fault["disqualified"]) == ("anna", "malformed", "false")
    assert fault["said"] == r"bid 5\x1b[31m"
    assert fault["stderr"] == r"I only\nmeant \x1b[2J well"
    assert len((out / "faults.csv").read_text().splitlines()) == 2


def test_parquet_has_the_same_rows_with_exact_texts_and_the_meaning_of_each_column(logs: Path) -> None:
    as_csv, as_parquet = exported(logs, "--csv"), exported(logs)
    for table, columns in TABLES.items():
        found = parquet.read_table(as_parquet / f"{table}.parquet")
        assert [(field.name, field.metadata[b"meaning"].decode()) for field in found.schema] == [
            (column.name, column.meaning) for column in columns
        ]
        assert found.num_rows == len(rows(as_csv, table))
    [fault] = parquet.read_table(as_parquet / "faults.parquet").to_pylist()
    assert fault["said"] == "bid 5\x1b[31m"
    numbers = "SELECT match, seat, rank, score, win, us, counts FROM '{}/seats.{}' ORDER BY ALL"
    with duckdb.connect() as base:
        one = base.execute(numbers.format(as_csv, "csv")).fetchall()
        other = base.execute(numbers.format(as_parquet, "parquet")).fetchall()
    assert len(one) == 8
    assert one == other


def test_batches_together_are_the_whole_table(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = exported(logs)
    monkeypatch.setattr(files, "BATCH", 3)
    in_batches = exported(logs)
    for table in TABLES:
        name = f"{table}.parquet"
        assert parquet.read_table(at_once / name).equals(parquet.read_table(in_batches / name)), table


def test_the_same_record_gives_the_same_bytes(logs: Path) -> None:
    one, other = exported(logs, "--csv"), exported(logs, "--csv")
    assert {path.name for path in one.iterdir()} == {f"{table}.csv" for table in TABLES}
    for path in one.iterdir():
        assert path.read_bytes() == (other / path.name).read_bytes()


def test_only_the_tables_that_were_named_are_written(logs: Path) -> None:
    out = exported(logs, "--csv", "--only", "seats", "--only", "faults")
    assert {path.name for path in out.iterdir()} == {"seats.csv", "faults.csv"}
    assert len(rows(out, "seats")) == 8


def test_masked_tables_name_no_team_and_have_nothing_that_is_for_a_team(logs: Path) -> None:
    out = exported(logs, "--csv", "--mask")
    text = "".join(path.read_text() for path in out.iterdir())
    for secret in ("anna", "bert", "meant", "# hm", "money"):
        assert secret not in text
    assert text.count("team-") > 20
    assert "# hm" in (exported(logs, "--csv") / "turns.csv").read_text()


def test_a_record_that_still_grows_is_exported_up_to_its_last_whole_line(logs: Path) -> None:
    whole = exported(logs, "--csv")
    journal = logs / JOURNAL
    *before, last = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(before) + last[:-5])
    part = exported(logs, "--csv")
    assert rows(part, "turns") == [row for row in rows(whole, "turns") if row["match"] < "1.1.2"]


def test_a_damaged_record_leaves_no_file(logs: Path, tmp_path: Path) -> None:
    path = encounter_path(logs, 1, 1)
    path.write_bytes(path.read_bytes().replace(b'"id":"1.1.2.1"', b'"id":"1.1.2.9"'))
    out = tmp_path / "out"
    done = harness("export", logs, out)
    assert (done.exit_code, list(out.iterdir())) == (1, [])
    assert re.search(r"000001.jsonl:\d+: the journal has match 1.1.2.1 of bert, anna", done.output)


@pytest.mark.parametrize("seat", [b"0", b"3"])
def test_a_seat_that_does_not_exist_is_told(logs: Path, tmp_path: Path, seat: bytes) -> None:
    path = encounter_path(logs, 1, 1)
    path.write_bytes(path.read_bytes().replace(b'"is":"turn","seat":1', b'"is":"turn","seat":' + seat))
    done = harness("export", logs, tmp_path / "out")
    assert (done.exit_code, "but the match has 2 seats" in done.output) == (1, True)


def test_a_number_that_does_not_fit_is_told(tmp_path: Path) -> None:
    bot = ("anna", None, False, 2**63)
    with pytest.raises(RecordError, match="does not fit into its column"):
        files.export([("bots", bot)], tmp_path, as_csv=False)
    assert list(tmp_path.iterdir()) == []
    assert files.export([("bots", bot)], tmp_path, as_csv=True)[tmp_path / "bots.csv"] == 1


def test_only_a_new_or_empty_folder_is_taken(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert harness("export", logs, out, "--csv").exit_code == 0
    again = harness("export", logs, out, "--csv")
    assert (again.exit_code, again.output.strip()) == (
        2,
        f"Error: {out}: this folder is not empty; name a new one",
    )
    file = tmp_path / "file"
    file.write_text("mine")
    assert harness("export", logs, file).exit_code == 2
    assert file.read_text() == "mine"
    inside = harness("export", logs, logs / "run-1" / "out", "--csv")
    assert (inside.exit_code, (logs / "run-1" / "out").exists()) == (2, False)


def test_without_pyarrow_a_sentence_has_the_command_that_installs_it(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LIBRARY", "pyarrow_that_nobody_has")
    done = harness("export", logs, tmp_path / "out")
    assert done.exit_code == 2
    assert re.search("pip install --upgrade pyarrow.*\n.*--csv", done.output)
    assert not (tmp_path / "out").exists()
    assert harness("export", logs, tmp_path / "out", "--csv").exit_code == 0


@pytest.mark.parametrize("table", TABLES)
def test_the_page_has_the_columns_of_each_table(table: str) -> None:
    assert as_markdown(table) in PAGE, f"put this table into docs/export.md:\n{as_markdown(table)}"
