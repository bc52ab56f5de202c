"""Owns the tests of `harness run --game`: which plan it makes of what a user types, and what it refuses."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from harness.cli.workspace import HOUSE
from harness.schedule.plan import read_plan
from harness.verify import verify
from tests.cli.door import STARTER, TINY, harness
from tests.cli.test_error_for_bad_input import is_one_sentence

BOTS = (f"anna={STARTER}", f"bert={STARTER}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with two bots that are single files; `linked` is a link to a folder elsewhere."""
    home = tmp_path / "work"
    (home / "bots").mkdir(parents=True)
    (tmp_path / "deep" / "down").mkdir(parents=True)
    (home / "linked").symlink_to(tmp_path / "deep" / "down")
    for name in ("one.py", "two.py", "odd=name.py"):
        (home / "bots" / name).write_text("print()\n")
    (home / "map").write_text("")
    monkeypatch.chdir(home)
    return home


def written(folder: Path, *typed: str | Path, to: str = "new.toml") -> Path:
    result = harness("run", "--game", *typed, "--write", to)
    assert result.exit_code == 0, result.output
    assert f"harness run {to}" in result.stderr
    return folder / to


def test_what_is_typed_is_written_as_people_write_a_plan(folder: Path) -> None:
    typed = "--seats 3 --deals 4 --seed 7 --isolation none --workers 1 --at-once 2 --limit move_ms=200"
    more = "--option rounds=3 --set meet=5 --set policy=strikes --set strikes=2 --set every_set=true"
    file = written(
        folder, TINY, "bots/one.py", "b=bots/two.py", "bots/odd=name.py", *typed.split(), *more.split()
    )
    assert tomllib.loads(file.read_text()) == {
        "game": TINY,
        "seats": 3,
        "deals": 4,
        "isolation": "none",
        "bots": ["bots/one.py", {"path": "bots/two.py", "name": "b"}, "bots/odd=name.py"],
        "seed": 7,
        "workers": 1,
        "at_once": 2,
        "meet": 5,
        "policy": "strikes",
        "strikes": 2,
        "every_set": True,
        "options": {"rounds": 3},
        "limits": {"move_ms": 200},
    }
    assert file.read_text().endswith("\n[options]\nrounds = 3\n\n[limits]\nmove_ms = 200\n")


@pytest.mark.parametrize("to", ["new.toml", "linked/new.toml", "bots/new.toml"])
def test_a_written_plan_names_the_same_files_from_its_own_folder(folder: Path, to: str) -> None:
    (folder.parent / "game.py").write_text(Path(TINY).read_text())
    words = ("../game.py", "./bots/o*.py", "x=bots/two.py", "--set", "visible=['map']")
    plan = read_plan(written(folder, *words, to=to))
    assert (plan.name, plan.seats) == ("new", 2)
    assert [bot.name for bot in plan.bots] == ["odd=name", "one", "x"]
    assert {bot.folder for bot in plan.bots} == {folder / "bots"}
    assert plan.visible == (str(folder / "map"),)
    assert plan.game == str(folder.parent / "game.py")


def test_a_house_bot_is_named_as_in_other_commands(folder: Path) -> None:
    plan = read_plan(written(folder, "sevens", "greedy", "bots/sevens/random", "rival=greedy", "bots/one.py"))
    assert [bot.name for bot in plan.bots] == ["greedy", "random", "rival", "one"]
    home = (HOUSE / "bots" / "sevens").resolve()
    assert [bot.folder for bot in plan.bots[:3]] == [home / name for name in ("greedy", "random", "greedy")]


def test_the_written_plan_and_the_same_words_again_go_on_with_one_record(folder: Path) -> None:
    """The record of a typed plan also verifies."""
    words = ("run", "--game", TINY, *BOTS, "--name", "two", "--option", "rounds=1", "--workers", "1")
    first = harness(*words)
    assert first.exit_code == 0, first.output
    record = (folder / "logs" / "two" / "tournament.jsonl").read_bytes()
    assert verify(folder / "logs" / "two").matches == 2
    assert harness(*words).stdout == first.stdout
    assert harness(*words, "--write", "two.toml").exit_code == 0
    assert harness("run", "two.toml").stdout == first.stdout
    assert (folder / "logs" / "two" / "tournament.jsonl").read_bytes() == record
    changed = harness(*words, "--deals", "2")
    assert changed.exit_code == 2
    assert "is not the one that the command line makes now\n    deals: 1 -> 2" in changed.stderr


TWO = f"--game {TINY} b*/one.py bots/two.py"
IN_A_PLAN = "this option needs --game; in a plan, write it as a key of the file"
REFUSED = {
    "plan.toml --write new.toml": f"--write: {IN_A_PLAN}",
    "plan.toml --deals 3": f"--deals: {IN_A_PLAN}",
    "plan.toml --set meet=3": f"--set: {IN_A_PLAN}",
    "plan.toml --option a=1": f"--option: {IN_A_PLAN}",
    "bots/one.py bots/two.py": "PLAN: expected one plan; to play bots without a plan, add --game GAME",
    f"--game {TINY} bots/one.py": "BOT...: 2 seats need at least 2 bots, not 1",
    f"--game {TINY} bots/one.py bots/one.py": 'BOT...: two bots are named "one": '
    "bots/one.py and bots/one.py; give one of them another name: NAME=PATH",
    f"--game {TINY} bots/one.py bots/none.py": "BOT...: bots/none.py: there is no such file or folder",
    f"--game {TINY} bots/onne.py bots/two.py": "BOT...: bots/onne.py: there is no such file or folder; "
    "did you mean bots/one.py?",
    "--game sevens gredy greedy": "gredy: there is no such bot; did you mean greedy?",
    f"--game {TINY} bots/one.py a=": 'BOT...: expected a path or NAME=PATH, not "a="',
    f"--game {TINY} bots/one.py =bots/two.py": 'BOT...: expected a path or NAME=PATH, not "=bots/two.py"',
    f"--game {TINY} bots/one.py nothing*": 'BOT...: nothing matches "nothing*"',
    f"{TWO} --seats 99": "--seats: expected a whole number from 2 to 4 for tiny, not 99",
    f"{TWO} --deals 0": "--deals: expected a whole number from 1 to 1000000, not 0",
    f"{TWO} --name a/b": '--name: expected 1 to 64 letters, digits, - and _ (not - at the start), not "a/b"',
    f"{TWO} --option round=1": "--option: round: there is no such key; did you mean rounds?",
    f"{TWO} --limit move_ms=no": '--limit: move_ms: expected a whole number from 1 to 3600000, not "no"',
    f"{TWO} --set meat=1": "--set meat: there is no such key; did you mean meet?",
    f"{TWO} --set deals=1 --deals 2": "--set: deals: this key has a value already",
    f"{TWO} --set stop={{settled='all'}}": "--set stop: settled: ",
    f"{TWO} --set meet=nan": "--set meet: expected a number, not nan",
    f"{TWO} --set meet=2026-01-01": "--set meet: dates and times are not allowed",
    f"{TWO} --set ponder_ms=5": "--set: ponder_ms is a key of [limits]; write --limit ponder_ms=5",
    f"{TWO} --set limits.ponder_ms=5": "--set: limits.ponder_ms is a key of [limits]; write --limit "
    "ponder_ms=5",
    f"{TWO} --set meet": '--set: expected KEY=VALUE, not "meet"',
    f"{TWO} --set \udcff=1": "--set: expected KEY=VALUE, not",
    f"--game {TINY} b*/one.py \udcff": "\\udcff: this is not UTF-8, so no plan can name it",
    f"{TWO} --seed -1": "--seed: expected ",
    f"{TWO} --workers 0": "--workers: expected a whole number from 1 to 1024, not 0",
    f"{TWO} --final": "--final: only a league has a final",
    f"{TWO} --write map": "map: there is such a file already",
    f"{TWO} --write no/p.toml": "no: there is no such folder",
    f"--game {TINY}": "Missing argument",
    "--game nonesuch b*/one.py": "--game: ",
}


@pytest.mark.parametrize("words", REFUSED, ids=range(len(REFUSED)))
def test_what_makes_no_plan_is_refused_in_a_sentence(folder: Path, words: str) -> None:
    result = harness("run", *words.split())
    is_one_sentence(result, 2)
    assert result.stderr.partition("Error: ")[2].startswith(REFUSED[words]), result.stderr
    assert not (folder / "logs").exists()


GENERATED = {
    "syntax.py": ("def choose(:\n", "no-start", "at `hello`: ended with exit status 1"),
    "exits.py": ("raise SystemExit(3)\n", "no-start", "at `hello`: ended with exit status 3"),
    "silent.py": ("import sys\nsys.stdin.read()\n", "no-start", "at `hello`: no answer within 1500"),
    "nonsense.py": (
        """import sys
for line in sys.stdin:
    told = {"hello": "hello 1", "new": "ready", "bid": "nonsense"}.get(line.split()[0])
    if told:
        print(told, flush=True)
""",
        "malformed",
        "the answer begins with `bid`; it said 'nonsense'",
    ),
    "unknown.xyz": ("", "no-start", "a bot is a folder with a bot.toml, an executable file, or a file that"),
}


def test_each_failure_of_generated_programs_is_a_row_of_a_table(folder: Path) -> None:
    (folder / "generated").mkdir()
    for name, (code, _, _) in GENERATED.items():
        (folder / "generated" / name).write_text(code)
    keys = "--set broken=no-start --set policy=forfeit --set format=gauntlet --set house=['good']"
    limits = "--limit start_ms=1500 --option rounds=1 --name generated"
    played = harness("run", "--game", TINY, f"good={STARTER}", "generated/*", *keys.split(), *limits.split())
    assert played.exit_code == 0, played.output
    assert harness("export", "logs/generated", "data", "--csv").exit_code == 0
    with (folder / "data" / "faults.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * len(GENERATED)
    found = {row["bot"]: (row["name"], row["reason"]) for row in rows}
    assert found.keys() == {Path(name).stem for name in GENERATED}
    for file_name, (_, fault, reason) in GENERATED.items():
        name, why = found[Path(file_name).stem]
        assert (name, why[: len(reason)]) == (fault, reason)
    assert verify(folder / "logs" / "generated").matches == len(rows)


def test_a_fixed_value_of_chance_that_does_not_fit_later_is_the_fault_of_the_plan(folder: Path) -> None:
    file = written(folder, TINY, *BOTS, "--isolation", "none")
    file.write_text(file.read_text() + '\n[chance]\n"throw 2" = 7\n')
    result = harness("run", file, "--logs", folder / "logs")
    assert result.exit_code == 2, result.output
    assert "chance 'throw 2' cannot be 7: expected a number from 1 to 6" in result.stderr
    assert "bug" not in result.stderr
