"""Checks the teaching pack: its schemes can grade, its rubrics agree with the schemes, its programs run."""

import re
from pathlib import Path

import pytest

import harness
from harness.config.scheme import read_scheme
from tests.cli.door import harness as command
from tests.docs.test_guides import BLOCK, run

ROOT = Path(__file__).parents[2]
PACK = ROOT / "docs" / "teaching"
SCHEMES = sorted(PACK.glob("*.toml"))
HOUSE = ("random", "greedy", "planner")
RUNG = "rung 6"
"""The name of the sparring bot that a new course has in addition to its house bots."""
BOTS = (*HOUSE, RUNG)


def blocks(page: str, language: str) -> list[str]:
    return [text for _, kind, text in BLOCK.findall((PACK / page).read_text()) if kind == language]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record in which the house bots and a team's bot play."""
    folder = tmp_path_factory.mktemp("teaching")
    homes = {name: str(ROOT / "bots" / "sevens" / name) for name in HOUSE}
    bots = homes | {RUNG: "spar:1", "team": str(ROOT / "bots" / "starters" / "python")}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        harness.run(bots, "sevens", seats=2, isolation="none", limits={"move_ms": 10_000})
    return folder / "logs" / "sevens"


def test_a_new_workspace_has_the_sparring_bot_that_the_pages_name(tmp_path: Path) -> None:
    assert command("init", tmp_path / "course", "--game", "sevens").exit_code == 0
    plan, league = (tmp_path / "course" / file for file in ("tournaments/first.toml", "league.toml"))
    [entry] = [line.strip() for line in plan.read_text().splitlines() if '"spar:' in line]
    assert f'name = "{RUNG}"' in entry
    assert RUNG in league.read_text()
    assert entry in (ROOT / "docs" / "start.md").read_text()


def test_each_assignment_has_its_scheme_and_each_scheme_its_assignment() -> None:
    pages = {path.stem for path in PACK.glob("assignment-*.md")}
    assert {path.stem for path in SCHEMES} == pages
    assert len(pages) == 4
    for name in pages:
        assert f"]({name}.toml)" in (PACK / f"{name}.md").read_text()


@pytest.mark.whole
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda path: path.stem)
def test_a_scheme_grades_the_teams_and_not_the_staff(scheme: Path, logs: Path, tmp_path: Path) -> None:
    done = command("grade", logs, "--scheme", scheme, "--out", tmp_path / "grades", "--no-pages")
    assert done.exit_code == 0, done.output
    header, *rows = (tmp_path / "grades" / "grades.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["team"], header


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda path: path.stem)
def test_the_rubric_on_the_page_is_the_scheme(scheme: Path) -> None:
    read = read_scheme(scheme, "", [*BOTS, "team"])
    _, _, rubric = scheme.with_suffix(".md").read_text().partition("## Rubric")
    told = [int(points) for points in re.findall(r"^\| (\d+) \|(?!.*by hand)", rubric, re.M)]
    assert sum(told) == read.out_of
    assert len(told) == len(read.items)


def test_who_looks_often_is_fooled_more_often(capsys: pytest.CaptureFixture[str]) -> None:
    _interval, looks = blocks("lab.md", "python")
    exec(compile(looks, "looks.py", "exec"), {})
    once, ten, hundred = map(int, re.findall(r"wrong in (\d+) %", capsys.readouterr().out))
    assert 2 <= once <= 8
    assert once < ten < hundred


@pytest.mark.soak
def test_the_commands_of_the_lab_and_the_lectures(tmp_path: Path) -> None:
    first, more, export, real = blocks("lab.md", "sh")
    interval, _looks = blocks("lab.md", "python")
    run(first, tmp_path)
    lab = tmp_path / "lab"
    run(more.replace("--deals 18", "--deals 4"), lab)
    run(export, lab)
    (lab / "interval.py").write_text(interval)
    assert re.match(r"16 matches, average \d\.\d+, about ", run("python interval.py", lab))
    assert " planner " in run(real.replace("--deals 2", "--deals 1"), lab)
    begin, check = blocks("lecture-1.md", "sh")
    run(begin, tmp_path)
    run(check, tmp_path / "lecture")
    [ahead] = blocks("lecture-2.md", "sh")
    run(ahead.replace("--deals 5", "--deals 1"), tmp_path)
