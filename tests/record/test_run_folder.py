"""Tests the folder of a tournament: an older version of harness may have begun it."""

from pathlib import Path

import pytest

from harness.errors import VersionError
from harness.record.run_folder import begin
from harness.schedule.plan import read_plan
from tests.cli.door import STARTER, TINY

PLAN = f"""
game = "{TINY}"
seats = 2
seed = 1
format = "knock-out"
bots = ["{STARTER}", {{path = "{STARTER}", name = "b"}}]
"""


def test_a_knock_out_of_an_older_edition_is_not_continued(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(PLAN)
    plan = read_plan(tmp_path / "cup.toml")
    begun = begin(plan, tmp_path)
    assert begin(plan, tmp_path) == begun
    record = tmp_path / "plan.json"
    record.write_bytes(record.read_bytes().replace(b'  "knock_outs": 2,\n', b""))
    with pytest.raises(VersionError, match=r"plan\.json: an older version of harness made this record"):
        begin(plan, tmp_path)
