"""Runs the examples of docs/export.md on a tournament with a disqualification."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from harness.record import run_folder
from harness.results.discipline import counted, ruling
from harness.results.standings import standings
from tests.cli.door import harness

pytestmark = pytest.mark.whole

PAGE = (Path(__file__).parents[2] / "docs" / "export.md").read_text()


def test_the_matches_that_count_are_those_of_the_standings(record: Path, tmp_path: Path) -> None:
    assert harness("export", record, tmp_path / "data").exit_code == 0
    matches = parquet.read_table(tmp_path / "data" / "matches.parquet").to_pylist()
    history = run_folder.history_of(record)
    assert len(history.runs) == 2
    known = {match.id for match in counted(history, ruling(history, "disqualify"))}
    assert {row["match"] for row in matches if row["counts"]} == known
    assert len(matches) == sum(run.matches for run in history.runs)
    faults = parquet.read_table(tmp_path / "data" / "faults.parquet").to_pylist()
    out = [(row["match"], row["bot"]) for row in faults if row["disqualified"]]
    assert out == [(each.match, each.bot) for each in history.disqualified]


def test_all_examples_of_the_page_run_and_agree_with_the_standings(record: Path, tmp_path: Path) -> None:
    assert harness("export", record, tmp_path / "data").exit_code == 0
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    assert len(examples) == 5
    script = tmp_path / "script.py"
    script.write_text("\n".join(examples))
    ran = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for row in standings(run_folder.history_of(record), "disqualify", None).rows:
        found = re.search(rf"│ {row.bot} +│ +(\d+) │ +([\d.]+) │", ran.stdout)
        assert found is not None
        assert int(found[1]) == row.matches
        assert float(found[2]) == pytest.approx(row.average_rank, abs=0.006)
