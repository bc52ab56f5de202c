"""Runs docs/python.md: all of its code, as one plain script in a small workspace."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness.record.run_folder import history_of
from tests.cli.workshop import Workshop

pytestmark = pytest.mark.whole

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text()


def test_all_code_of_the_page_runs_in_its_order(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 3, deals=2)
    plan = tmp_path / "tournaments" / "first.toml"
    plan.parent.mkdir()
    plan.write_text(re.sub(r'"(bot\d)"', r'"../\1"', shop.plan.read_text()))
    script = tmp_path / "script.py"
    script.write_text("\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)))
    ran = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "0 matches could not be played" in ran.stdout
    assert "run 1: 12 matches of bot1, bot2, bot3" in ran.stdout
    assert "mean_ms" in ran.stdout
    assert "12 matches follow from the rules" in ran.stdout
    assert history_of(tmp_path / "logs" / "first~1").ended == history_of(tmp_path / "logs" / "first").ended
