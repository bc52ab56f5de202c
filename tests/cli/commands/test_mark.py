"""Tests that marks reveal no deal: a changed bot plays other deals, and an unchanged bot the same deals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from harness.cli.main import main
from harness.config import read_bot
from harness.config.folder import BOUNDS
from harness.league.league import HAND_IN
from harness.league.marks_seed import MARKS_SEED, marks_seed, seed_of_hand_in
from harness.league.mending import unpack_bot
from harness.verify import verify
from tests.league.handed import PLAYS, a_folder

PLAN = """game = "sevens"
seats = 2
seed = 2003
deals = 2
isolation = "none"
workers = 1
bots = ["house"]
"""
TELLS = """import os, pathlib, sys
seen = open({path!r}, "a", buffering=1)
print(os.environ, sys.argv, os.listdir(), file=seen)
class Lines:
    def __iter__(self):
        for line in iter(sys.__stdin__.readline, ""):
            seen.write(line)
            yield line
sys.stdin = Lines()
"""
"""The beginning of a bot that copies each line that it reads into a file. Without a sandbox it can do so."""


class Marked(NamedTuple):
    """The marks of a hand-in, all text that its author can read, and all that its bot saw in its matches."""

    score: float
    against: list[str]
    told: str
    seen: str

    @property
    def seeds(self) -> list[str]:
        """The SEEDs that the bot got: the last words of the questions `new`."""
        return re.findall(r"^new .* (\d+)$", self.seen, re.M)

    @property
    def hands(self) -> list[str]:
        return re.findall(r"^hand .*$", self.seen, re.M)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    a_folder(tmp_path / "house", {"bot.toml": 'run = ["python3", "-I", "-S", "main.py"]\n', "main.py": PLAYS})
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


def hand_in(plan: Path, name: str, more: str = "") -> Path:
    text = TELLS.format(path=str(plan.parent / "seen")) + PLAYS + more
    run = 'run = ["python3", "-I", "-S", "main.py"]\n'
    return a_folder(plan.parent / name, {"bot.toml": run, "main.py": text})


def marked(plan: Path, bot: Path) -> Marked:
    seen, out, summary = (plan.parent / name for name in ("seen", "results.json", "summary.md"))
    for path in (seen, out, summary):
        path.unlink(missing_ok=True)
    done = CliRunner().invoke(
        main, ["mark", str(plan), str(bot), "--out", str(out), "--summary", str(summary)]
    )
    assert done.exit_code == 0, done.output
    found = json.loads(out.read_text())
    against = [test["output"] for test in found["tests"] if test["name"].startswith("against")]
    told = done.output + out.read_text() + summary.read_text()
    return Marked(found["score"], against, told, seen.read_text())


def test_the_same_bytes_play_the_same_deals_and_get_the_same_marks(plan: Path) -> None:
    one, again = (marked(plan, hand_in(plan, name)) for name in ("one", "again"))
    assert len(set(one.seeds)) > 4
    assert (one.seeds, one.hands) == (again.seeds, again.hands)
    assert (one.score, one.against) == (again.score, again.against)


def test_a_byte_more_plays_other_deals_with_other_seeds(plan: Path) -> None:
    one, other = marked(plan, hand_in(plan, "one")), marked(plan, hand_in(plan, "other", "\n"))
    assert len(one.hands) == len(other.hands) > 4
    assert not {*one.hands}.intersection(other.hands)
    assert not {*one.seeds}.intersection(other.seeds)


def test_nothing_that_a_student_can_read_has_the_seed(plan: Path) -> None:
    bot = hand_in(plan, "bot")
    found = marked(plan, bot)
    own = seed_of_hand_in(
        marks_seed(plan.parent), read_bot(unpack_bot(bot, plan.parent / "room", BOUNDS), HAND_IN)
    )
    for seed in (marks_seed(plan.parent), own):
        for form in (str(seed), f"{seed:x}"):
            assert form not in found.told
            assert form not in found.seen
    assert "hand " in found.seen
    assert [path.name for path in plan.parent.glob("*.seed")] == [MARKS_SEED]


def test_the_record_is_kept_on_request(plan: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    bot = a_folder(tmp_path / "hand-in")
    done = CliRunner().invoke(main, ["mark", str(plan), str(bot), "--keep", str(keep)])
    assert done.exit_code == 0, done.output
    assert verify(keep).matches == 4
    again = CliRunner().invoke(main, ["mark", str(plan), str(bot), "--keep", str(keep)])
    assert again.exit_code == 2
    assert f"{keep}: there is such a file or folder already; give a new one" in again.output


def test_the_instructor_sees_how_much_of_a_score_is_luck(plan: Path) -> None:
    bot = hand_in(plan, "bot")
    assert re.search(r"- luck of the deals\n +±\d+\.\d points", marked(plan, bot).told)
    [luck] = [
        test
        for test in json.loads((plan.parent / "results.json").read_text())["tests"]
        if test["name"] == "luck of the deals"
    ]
    assert luck["visibility"] == "hidden"
    assert "score" not in luck
