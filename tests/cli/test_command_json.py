"""Tests that the output of each command with --json has the form of its schema in docs/schemas."""

import json
import shutil
from pathlib import Path
from typing import Any

import click
import jsonschema
import msgspec
import pytest

from harness.cli.command import Command
from harness.cli.commands.nodes import ListedNode
from harness.cluster.listing import NodeRow
from harness.league.marks_seed import write_marks_seed
from tests.cli.door import TINY, harness
from tests.docs.commands_page import commands
from tests.docs.json_schemas import FOLDER, PAGE, page, printed, schema
from tests.league.handed import a_folder, a_zip
from tests.report import played

pytestmark = pytest.mark.whole

KEYS = f"""game = "{TINY}"
isolation = "none"
seats = 2
workers = 1
options = {{rounds = 1}}
"""
PLAN = f'{KEYS}seed = "{1:032x}"\nbots = ["course/calm", {{path = "course/calm", name = "bert"}}]\n'
RUNS = {
    "rungs": f"rungs {TINY} --play-outs 1 --play-outs 2 --meet 1",
    "better": f"better bots/ann course/calm --game {TINY} --isolation none --matches 8",
    "bench": f"bench bots/ann --game {TINY} --isolation none",
    "bots": "bots .",
    "check-bot": f"check bot course/calm --game {TINY} --isolation none --against course/calm",
    "check-game": f"check game {TINY} --matches 1",
    "check-machine": "check machine --seconds 0.1 --no-languages",
    "check-plan": "check plan tiny.toml --no-trial",
    "collect": "collect course bees.zip",
    "diagnose": "diagnose logs/tiny bert",
    "compare": "compare logs/tiny bert bert --other logs/other",
    "entries": "entries course",
    "games": "games",
    "game": "games sevens",
    "grade": "grade logs/demo --scheme scheme.toml --no-pages",
    "mark": "mark tiny.toml bees.zip",
    "play": f"play {TINY} course/calm course/calm --isolation none --seed 1",
    "replay": "replay logs/demo 1.1.1.1 --bot course/calm --seat 1",
    "season": "standings logs/tiny logs/other",
    "show": "show logs/demo",
    "show-match": "show logs/demo 1",
    "similar": "similar course --no-answers",
    "standings": "standings logs/demo --rating elo",
    "status": "status logs/demo",
    "teams": "teams course",
    "verify": "verify logs/demo --workers 1",
    "whatif": "whatif logs/tiny 1 --from 1 --isolation none",
}
"""For each schema, a command whose output has this form. The command `nodes` needs a cluster, so its
test makes the output by hand."""


@pytest.fixture(scope="module")
def home(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record, a plan, a league, a scheme and a hand-in."""
    folder = tmp_path_factory.mktemp("json")
    shutil.copytree(record, folder / "logs" / "demo")
    a_folder(folder / "course" / "calm")
    a_folder(folder / "bots" / "ann")
    a_zip(folder / "bees.zip")
    (folder / "scheme.toml").write_text('[[item]]\nkind = "start"\npoints = 1\n')
    (folder / "course" / "league.toml").write_text(f'{KEYS}house = ["calm"]\n')
    (folder / "tiny.toml").write_text(PLAN)
    (folder / "other.toml").write_text(PLAN.replace('01"', '02"'))
    write_marks_seed(folder, 0xC0FFEE << 100)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for plan in ("tiny.toml", "other.toml"):
            assert harness("run", plan).exit_code == 0
    return folder


def strict(found: Any) -> Any:
    """The same schema, but it forbids keys that it does not name. Only later versions of harness may add
    keys."""
    if isinstance(found, list):
        return [strict(each) for each in found]
    if not isinstance(found, dict):
        return found
    closed = {"additionalProperties": False} if "properties" in found else {}
    return {key: strict(value) for key, value in found.items()} | closed


def check(name: str, told: str) -> None:
    """Checks that this output has the form of this schema."""
    jsonschema.validate(json.loads(told), strict(json.loads((FOLDER / f"{name}.json").read_bytes())))


@pytest.mark.parametrize("name", printed())
def test_a_schema_is_that_of_the_types(name: str) -> None:
    made = schema(*printed()[name])
    assert (FOLDER / f"{name}.json").read_bytes() == made, "the types have changed: `make docs` writes it"


def test_the_page_of_the_promise_lists_the_schemas() -> None:
    assert PAGE.read_text() == page(), "`make docs` writes the table"


def test_no_schema_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(printed())
    assert {*RUNS, "nodes"} == set(printed())


def test_each_command_with_json_says_what_it_prints() -> None:
    for name, command in commands():
        assert isinstance(command, Command)
        has = any("--json" in each.opts for each in command.params if isinstance(each, click.Option))
        assert has == bool(command.prints), name


@pytest.mark.parametrize("name", RUNS)
def test_a_command_prints_what_its_schema_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(home)
    done = harness(*RUNS[name].split(), "--json")
    assert done.exit_code in (0, 1), done.stderr
    check(name, done.stdout)


def test_a_run_prints_the_schema_of_standings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    done = harness("run", "tiny.toml", "--json")
    assert done.exit_code == 0, done.stderr
    check("standings", done.stdout)


def test_a_list_of_nodes_is_that_of_its_schema() -> None:
    row = ListedNode(*NodeRow("here", "tls://here:1", workers=2, load=0.5))
    check("nodes", msgspec.json.encode([row]).decode())


def test_a_chess_match_prints_its_schema(tmp_path: Path) -> None:
    logs = played.write(tmp_path, "chess", options={"plies": 4})
    check("show", harness("show", logs, "--json").stdout)
    check("show-match", harness("show", logs, "1", "--json").stdout)
