"""Tests `harness similar` as a whole: it finds copies, also a translated copy, but no honest bot."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.door import STARTER, TINY, harness
from tests.league.handed import a_folder

pytestmark = [pytest.mark.whole, pytest.mark.skipif(not shutil.which("cc"), reason="a bot in C needs it")]

ALIKE = Path(__file__).parents[2] / "league" / "alike"
PYTHON = 'run = ["python3", "-I", "-S", "main.py"]\n'
C = 'build = ["cc", "-o", "bot", "main.c"]\nrun = ["./bot"]\n'
LEAGUE = f"""game = "{TINY}"
isolation = "none"
seats = 2
workers = 1
options = {{rounds = 9, coins = 99}}
house = ["{STARTER}"]
"""
PLANTED = {"ants": "alpha", "bees": "renamed", "cats": "translated", "dogs": "honest", "elks": "alpha"}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("similar")
    a_folder(home / "course", {"league.toml": LEAGUE})
    for team, name in PLANTED.items():
        main, manifest = ("main.c", C) if name == "translated" else ("main.py", PYTHON)
        a_folder(home / team, {main: (ALIKE / f"{name}.txt").read_text(), "bot.toml": manifest})
    a_folder(home / "fish", {"main.c": (ALIKE / "translated.txt").read_text(), "bot.toml": C})
    done = harness("collect", home / "course", *(home / team for team in (*PLANTED, "fish")))
    assert done.exit_code == 0, done.output
    (home / "fish" / "main.c").unlink()
    starter = (Path(STARTER) / "main.py").read_text()
    # The next version of fish is no copy, so now only an earlier version is a copy.
    a_folder(home / "fish", {"main.py": starter, "bot.toml": PYTHON})
    assert harness("collect", home / "course", home / "fish").exit_code == 0
    return home / "course"


def test_planted_copies_are_found_and_an_honest_bot_is_not(course: Path) -> None:
    done = harness("similar", course, "--json")
    assert done.exit_code == 0, done.output
    found = {(each["one"], each["two"]): each for each in json.loads(done.stdout)}
    copies = [("ants@1", other) for other in ("bees@1", "cats@1", "elks@1")]
    assert {*found}.issuperset(copies)
    assert not any("dogs@1" in pair for pair in found)
    assert found["ants@1", "elks@1"]["equal"]
    assert found["ants@1", "bees@1"]["code"] > 0.7
    translated = found["ants@1", "cats@1"]
    assert (translated["code"], translated["answers"]) == (0, 1)
    assert translated["questions"] > 12 * 9, "12 matches of 9 questions are too few"
    earlier = found["ants@1", "fish@1"]
    assert (earlier["code"], earlier["answers"], earlier["asked"]) == (0, 1, ["ants@1", "fish@1"])


def test_the_page_shows_the_pairs_to_its_owner_only(course: Path) -> None:
    done = harness("similar", course, "--no-answers")
    assert done.exit_code == 0, done.output
    assert "no proof" in done.stdout
    page = course / "similar" / "index.html"
    assert page.stat().st_mode & 0o077 == 0 or page.parent.stat().st_mode & 0o077 == 0
    text = page.read_text()
    assert "ants@1 and elks@1" in text
    assert "dogs" not in text


def test_an_earlier_term_is_compared_and_all_code_is_exported(course: Path, tmp_path: Path) -> None:
    a_folder(tmp_path / "now", {"league.toml": LEAGUE})
    assert harness("collect", tmp_path / "now", course.parent / "bees").exit_code == 0
    done = harness(
        "similar",
        tmp_path / "now",
        "--no-answers",
        "--earlier",
        course,
        "--export",
        tmp_path / "out",
    )
    assert done.exit_code == 0, done.output
    assert "ants@1 (course)" in done.stdout
    assert (tmp_path / "out" / "dolos" / "info.csv").is_file()
    assert (tmp_path / "out" / "jplag" / "submissions" / "bees-1" / "main.py").is_file()
    [code] = tmp_path.glob("now/entries/bees/1/**/main.py")
    code.rename(code.with_name("main"))
    done = harness("similar", tmp_path / "now", "--no-answers")
    assert (done.exit_code, "bees@1 has no code that can be compared." in done.stderr) == (0, True)
    assert "bees@1 has no code" in (tmp_path / "now" / "similar" / "index.html").read_text()


def test_a_folder_that_is_no_league_is_refused(tmp_path: Path) -> None:
    done = harness("similar", tmp_path)
    assert done.exit_code == 2
    assert "this is not a league" in done.output
