"""Tests that `harness grade` makes complete and private gradebooks and pages from logs, in little memory."""

import base64
import csv
import gc
import html
import json
import re
import shutil
import subprocess
import tracemalloc
from pathlib import Path

import jsonschema
import pytest

from harness.config.scheme import read_scheme
from harness.errors import RecordError
from harness.grading import grades
from harness.grading.grade_folder import check_grades
from harness.record.masking import unmasked
from harness.record.run_folder import history_of, plan_of
from harness.report import feedback
from harness.verify import verify
from tests.cli.workshop import NOISY, Workshop, harness
from tests.grading.test_gradebook import RESULTS
from tests.verify import forger

pytestmark = pytest.mark.whole

SCHEME = """
title = "Tiny"
staff = ["carl"]
disqualified_cap = 5
[[item]]
kind = "start"
points = 10
[[item]]
kind = "beats"
points = 10
bots = ["carl"]
[[item]]
kind = "rank"
points = [10, 5]
[letters]
A = 18
F = 0
"""
TEAMS = ("anna", "bert", "violator")


@pytest.fixture
def scheme(tmp_path: Path) -> Path:
    path = tmp_path / "scheme.toml"
    path.write_text(SCHEME)
    return path


def graded(logs: Path, scheme: Path, *more: str) -> Path:
    """The folder of grades."""
    told = harness("grade", str(logs), "--scheme", str(scheme), *more)
    assert told.returncode == 0, told.stderr
    return logs / "grades"


def test_a_record_becomes_a_gradebook_results_and_pages(copy: Path, scheme: Path) -> None:
    folder = graded(copy, scheme)
    rows = list(csv.DictReader((folder / "grades.csv").read_text().splitlines()))
    assert [row["team"] for row in rows] == list(TEAMS)
    assert [row["disqualified"][:9] for row in rows] == ["", "", "malformed"]
    assert float(rows[2]["score"]) == 5
    for team in TEAMS:
        jsonschema.validate(json.loads((folder / "gradescope" / team / "results.json").read_text()), RESULTS)
    page = (folder / "feedback" / "violator.html").read_text()
    assert "Disqualified" in page
    assert "nonsense" in page
    assert "coins 4 4" in page
    assert folder.stat().st_mode & 0o077 == 0


def test_a_team_that_the_scheme_also_names_as_a_bot_to_beat_is_told(copy: Path, scheme: Path) -> None:
    scheme.write_text(SCHEME.replace('bots = ["carl"]', 'bots = ["carl", "anna"]'))
    told = harness("grade", str(copy), "--scheme", str(scheme), "--no-pages")
    named = [line for line in told.stdout.splitlines() if "no bot beats itself" in line]
    assert named == ['anna gets a grade, but an item of the kind "beats" names it too; no bot beats itself.']


def test_no_page_and_no_result_holds_what_another_team_wrote_or_is(copy: Path, scheme: Path) -> None:
    """Each bot writes its own word to stderr. The record has the paths and the seeds of all bots."""
    plan = plan_of(copy)
    for path in copy.rglob("*.stderr"):
        number, sitting, seat = path.name.removesuffix(".stderr").split(".")
        run = int(path.parent.parent.name.removeprefix("run-"))
        seated = history_of(copy).runs[run - 1].played[int(number), int(sitting)].bots
        path.write_text(f"word-of-{seated[int(seat) - 1]}\n")
    folder = graded(copy, scheme)
    for team in TEAMS:
        page = (folder / "feedback" / f"{team}.html").read_text()
        result = (folder / "gradescope" / team / "results.json").read_text()
        assert f"word-of-{team}" in page
        for other in {"anna", "bert", "carl", "violator"} - {team}:
            assert f"word-of-{other}" not in page + result
        for bot in plan.bots:
            assert bot.digest not in page + result
    # The journal quotes the wrong answer of the violator, but no page of another team shows it.
    assert "nonsense" not in (folder / "feedback" / "anna.html").read_text()


def test_what_a_page_offers_to_run_at_home_makes_the_bot_err_again(copy: Path, scheme: Path) -> None:
    page = (graded(copy, scheme) / "feedback" / "violator.html").read_text()
    [(data, name), *_] = re.findall(r'href="data:text/plain;base64,([^"]*)" download="([^"]*)"', page)
    home = Workshop(copy.parent, 0).add_bot("violator", NOISY)
    (home / name).write_bytes(base64.b64decode(data))
    [command, *_] = re.findall(rf"<pre[^>]*>(.* &lt; {re.escape(name)})", page)
    line = ["sh", "-c", html.unescape(command)]
    done = subprocess.run(line, cwd=home, capture_output=True, text=True, timeout=30)
    run = history_of(copy).runs[0]
    assert (run.disqualified[0].bot, run.disqualified[0].said) == ("violator", done.stdout.splitlines()[-1])


def test_masked_pages_and_results_name_no_team_and_the_key_stays_with_the_logs(
    copy: Path, scheme: Path
) -> None:
    folder = graded(copy, scheme, "--mask")
    masks = json.loads((copy / "mask.json").read_text())["names"]
    published = [*folder.glob("feedback/*"), *folder.glob("gradescope/*/*")]
    assert len(published) == 2 * len(TEAMS)
    for path in published:
        text = path.read_text() + str(path.relative_to(folder))
        assert not any(team in text for team in TEAMS)
        assert "carl" in text or path.suffix == ".json"
    assert {masks[path.stem] for path in folder.glob("feedback/*")} == set(TEAMS)
    assert "anna" in (folder / "grades.csv").read_text()
    assert verify(copy).grades


def test_grades_for_canvas_and_moodle_want_a_roster(copy: Path, scheme: Path, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("team,student,id,email\nanna,Doe,17,a@x\nbert,Roe,18,b@x\n")
    folder = graded(copy, scheme, "--canvas", str(roster), "--moodle", str(roster))
    assert (folder / "canvas.csv").read_text().splitlines()[0] == (
        "Student,ID,SIS User ID,SIS Login ID,Section,Tiny"
    )
    assert (folder / "moodle.csv").read_text().splitlines()[1].startswith(",,a@x,")
    roster.write_text("team,id\nAnna,1\n")
    told = harness("grade", str(copy), "--scheme", str(scheme), "--canvas", str(roster))
    assert (told.returncode, "roster.csv:2: team: no team is called" in told.stderr) == (2, True)
    told = harness("grade", str(copy), "--scheme", str(scheme), "--moodle", str(tmp_path / "none.csv"))
    assert (told.returncode, "none.csv: there is no such file" in told.stderr) == (2, True)


def test_a_team_of_the_roster_without_a_bot_gets_no_points_and_a_remark(
    copy: Path, scheme: Path, tmp_path: Path
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("team,student,id,email\nanna,Doe,17,a@x\nzoe,Zoe,18,z@x\n")
    folder = graded(copy, scheme, "--canvas", str(roster), "--moodle", str(roster))
    rows = list(csv.DictReader((folder / "grades.csv").read_text().splitlines()))
    assert (rows[-1]["team"], rows[-1]["score"], rows[-1]["letter"]) == ("zoe", "0", "F")
    assert [row["remark"] for row in rows] == ["", "", "", "the team did not hand in"]
    assert (folder / "canvas.csv").read_text().splitlines()[-1] == "Zoe,18,,,,0"
    assert (folder / "moodle.csv").read_text().splitlines()[-1].endswith(": the team did not hand in")
    page = (folder / "feedback" / "zoe.html").read_text()
    assert "<b>0</b> of " in page
    assert "The team has no bot in this tournament: the team did not hand in." in page
    assert not any(team in page for team in TEAMS)
    verify(copy)
    assert check_grades(copy)
    (folder / "teams.json").write_text('{"absent": {"zoe": "was ill"}}')
    with pytest.raises(RecordError, match=r"grades\.csv"):
        check_grades(copy)
    graded(copy, scheme)
    assert not (folder / "teams.json").exists()


def test_a_team_without_a_bot_is_masked_too(copy: Path, scheme: Path, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("team,student,id,email\nanna,Doe,17,a@x\nzoe,Zoe,18,z@x\n")
    folder = graded(copy, scheme, "--canvas", str(roster), "--mask")
    masks = json.loads((copy / "mask.json").read_text())["names"]
    assert {masks[path.stem] for path in folder.glob("feedback/*")} == {*TEAMS, "zoe"}
    assert not any("zoe" in page.read_text() for page in folder.glob("feedback/*"))
    # A later call keeps the masks of the earlier call in mask.json, also without the roster.
    graded(copy, scheme, "--mask")
    assert json.loads((copy / "mask.json").read_text())["names"] == masks


def test_grading_twice_leaves_nothing_of_the_first_time(copy: Path, scheme: Path) -> None:
    graded(copy, scheme)
    folder = graded(copy, scheme, "--mask", "--no-pages")
    assert not (folder / "feedback").exists()
    assert not (folder / "gradescope" / "anna").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(copy: Path, scheme: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("long\n")
    told = harness("grade", str(copy), "--scheme", str(scheme), "--out", str(mine))
    assert (told.returncode, "this folder holds something else" in told.stderr) == (2, True)
    assert [path.name for path in mine.iterdir()] == ["thesis.txt"]


def test_the_json_says_all_and_the_table_what_is_open(copy: Path, scheme: Path) -> None:
    told = harness("grade", str(copy), "--scheme", str(scheme), "--json")
    found = json.loads(told.stdout)
    assert found["record"] == verify(copy).digest
    assert [each["team"] for each in found["grades"]] == list(TEAMS)
    table = harness("grade", str(copy), "--scheme", str(scheme)).stdout
    assert "why it is open" in table
    assert table.splitlines()[-1] == f"Digest of the whole record: {found['record']}"
    assert found["record"] in table


def test_a_slip_in_the_scheme_is_one_sentence(copy: Path, scheme: Path) -> None:
    scheme.write_text(SCHEME.replace('"carl"]\ndis', '"karl"]\ndis'))
    told = harness("grade", str(copy), "--scheme", str(scheme))
    assert told.returncode == 2
    assert 'scheme.toml:3: staff: no bot has the name "karl"' in told.stderr


def test_a_record_with_a_hole_is_told_in_a_sentence(copy: Path, scheme: Path) -> None:
    folder = copy / "run-1" / "000"
    path = min(path for path in folder.glob("*.jsonl") if b'"said":"nonsense"' in path.read_bytes())
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"said":"nonsense"', b'"said":"nonsens!"'))
    told = harness("grade", str(copy), "--scheme", str(scheme))
    assert (told.returncode, "`harness verify` says more" in told.stderr) == (1, True)
    path.write_bytes(whole[:100])
    told = harness("grade", str(copy), "--scheme", str(scheme))
    assert (told.returncode, f"{path}: " in told.stderr) == (1, True)


# -- verify holds them too -------------------------------------------------------------------------


def test_verify_makes_the_grades_again(copy: Path, scheme: Path) -> None:
    assert not verify(copy).grades
    graded(copy, scheme)
    assert verify(copy).grades
    assert "The grades beside the record follow" in harness("verify", str(copy)).stdout


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        ("grades.csv", "violator,5,", "violator,9,", 4),
        ("scheme.toml", "points = 10", "points = 11", None),
        ("gradescope/anna/results.json", '"score": 10.0', '"score": 11.0', None),
    ],
)
def test_a_grade_that_was_changed_is_found(
    copy: Path, scheme: Path, name: str, old: str, new: str, line: int | None
) -> None:
    path = graded(copy, scheme) / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(RecordError, match="but the record and the scheme give") as caught:
        verify(copy)
    assert caught.value.place.startswith(str(path.parent.parent if line is None else path))
    if line is not None:
        assert caught.value.place == f"{path}:{line}"


def test_a_grade_for_nobody_and_a_lost_scheme_are_found(copy: Path, scheme: Path) -> None:
    folder = graded(copy, scheme)
    shutil.copytree(folder / "gradescope" / "anna", folder / "gradescope" / "zoe")
    with pytest.raises(RecordError, match="no graded team has a file of this name"):
        verify(copy)
    (folder / "scheme.toml").unlink()
    with pytest.raises(RecordError, match="is missing"):
        verify(copy)


# -- memory ----------------------------------------------------------------------------------------


def peak(logs: Path, scheme: Path, pages: Path) -> int:
    """The largest number of bytes that are in memory at once while the pages of all teams are written."""
    plan, history = plan_of(logs), history_of(logs)
    made = grades(history, plan, read_scheme(scheme, "cup", [bot.name for bot in plan.bots]))
    mask = unmasked(bot.name for bot in plan.bots)
    # Otherwise objects of earlier tests would decide how often the garbage collector runs.
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        feedback.write(logs, plan, history, made, mask, pages)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def test_standings_read_nothing_but_the_journal(copy: Path) -> None:
    told = harness("standings", str(copy), "--json").stdout
    shutil.rmtree(copy / "run-1")
    shutil.rmtree(copy / "run-2")
    assert harness("standings", str(copy), "--json").stdout == told


def longer(logs: Path, files: list[Path]) -> None:
    """Repeats each event 1,000 times in these files, so that they need more memory than the
    model that decides the places."""
    for path in files:
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(line * (1_000 if b'"is":"event"' in line else 1) for line in lines))
    forger.seal(logs)


def test_memory_does_not_grow_with_the_length_of_the_log(copy: Path, scheme: Path, tmp_path: Path) -> None:
    """Compares a log with one long encounter and a log with only long encounters: only one match at a
    time is in memory."""
    first, *rest = sorted((copy / "run-2" / "000").glob("*.jsonl"))
    # The first call also makes what is made only once, such as the template of the pages.
    peak(copy, scheme, tmp_path / "first")
    none = peak(copy, scheme, tmp_path / "none")
    longer(copy, [first])
    one = peak(copy, scheme, tmp_path / "one")
    longer(copy, rest)
    every = peak(copy, scheme, tmp_path / "every")
    assert len(rest) >= 2
    assert one - none > 50_000
    assert every - one < (one - none) / 4
