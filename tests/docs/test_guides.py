"""Runs the commands of the guides one after another, as readers do, and runs the code of their examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli.commands.new_game import renamed
from harness.results.rows import read_log
from harness.schedule.plan import read_plan
from tests.league.handed import a_zip

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "guides"
STARTER = ROOT / "bots" / "starters" / "python" / "main.py"
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.M | re.S)
SHORTER = (("meet = 5", "meet = 1"), ("deals = 2", "deals = 1"))
ONCE = (("--watch", "--matches 8"), ('--from 35 --move "play 4C 3 -3"', "--from 1"))
"""Arguments in the guide for bots that the test replaces: `--watch` would never end, and the move is legal in
one match only."""


def blocks(guide: str, language: str) -> list[str]:
    found = BLOCK.findall((GUIDES / f"{guide}.md").read_text())
    return [re.sub(rf"^{indent}", "", text, flags=re.M) for indent, kind, text in found if kind == language]


def run(script: str, folder: Path) -> str:
    """What these commands print. Each must succeed."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ("bash", "-ec", script), cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def in_match_of(script: str, logs: Path, bot: str) -> str:
    """The commands, with the number and the seat of a real match of this bot filled in."""
    if not logs.is_dir():
        return script
    row = next(row for row in read_log(logs, "match") if bot in row["bots"])
    return script.replace("MATCH", row["match"]).replace("--seat 1", f"--seat {row['bots'].index(bot) + 1}")


def shorten(*files: Path) -> None:
    for file in files:
        text = file.read_text()
        for long, short in SHORTER:
            text = text.replace(long, short)
        file.write_text(text)


def chosen(example: str, moves: list[str]) -> str:
    """The move that the function `choose` of this example takes from these moves."""
    names: dict[str, object] = {}
    exec(
        compile(STARTER.read_text().replace('if __name__ == "__main__":', "if False:"), "bot", "exec"), names
    )
    exec(compile(example, "example", "exec"), names)
    dice = names["Dice"](1)  # type: ignore[operator]
    return str(names["choose"](moves, dice))  # type: ignore[operator]


def test_the_examples_of_the_bots_guide_are_that_of_the_starter_and_a_better_one() -> None:
    random, greedy = blocks("bots", "python")
    assert random in STARTER.read_text()
    moves = ["play 7C 7 3", "play 8C 8 12", "play 9C 9 0", "play TC 10 12"]
    assert chosen(random, moves) in moves
    assert chosen(greedy, moves) in (moves[1], moves[3])


def test_the_plan_of_the_games_guide_is_one(tmp_path: Path) -> None:
    (tmp_path / "tournaments").mkdir()
    template = ROOT / "harness" / "cli" / "templates" / "game" / "tiny.py"
    (tmp_path / "auction.py").write_text(renamed(template.read_text(), "auction"))
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    [text] = blocks("games", "toml")
    plan = tmp_path / "tournaments" / "plan.toml"
    plan.write_text(text.replace("bots/my-bot", "bots/sevens/random"))
    assert (read_plan(plan).rules.name, len(read_plan(plan).bots)) == ("auction", 2)


def write_programs(folder: Path, matches: str) -> None:
    """Writes the programs of the training guide into a folder. The first line of a program has its name."""
    for text in blocks("training", "python"):
        program = folder / text.partition("\n")[0].removeprefix("# ")
        program.write_text(text.replace("8_000", matches))


def test_the_function_of_the_training_guide_learns_and_plays_from_a_folder(tmp_path: Path) -> None:
    write_programs(tmp_path, "80")
    [_, measure, hand_in, _] = blocks("training", "sh")
    assert re.fullmatch(r"\d\.\d{3} ± \d\.\d{3}\n", run(measure, tmp_path))
    run(hand_in.partition("harness check")[0].replace("bots/mine", "trained"), tmp_path)
    seen = "new 1 1 2 5\nstate at 1 {}\nstate throw 1 3 9\nlegal all 2\nmove a\nmove b\nland 1000 -1\n"
    (tmp_path / "trained" / "table.json").write_text('{"2 a": 1, "2 b": 2, "-1 a": 2, "-1 b": 1}')
    lines = "".join(f"printf '{seen.format(square)}';" for square in (7, 20)).replace("\n", r"\n")
    assert run(f"({lines}) | python3 trained/main.py", tmp_path) == "ready\na\nready\nb\n"


@pytest.mark.soak
def test_the_commands_of_the_training_guide(tmp_path: Path) -> None:
    first, measure, *rest = blocks("training", "sh")
    run(first, tmp_path)
    write_programs(tmp_path / "lab", "8_000")
    rank, error = map(float, run(measure, tmp_path / "lab").split(" ± "))
    assert rank + error < 2.5
    for each in rest:
        run(each, tmp_path / "lab")


@pytest.mark.soak
def test_the_commands_of_the_bots_guide(tmp_path: Path) -> None:
    first, *rest = blocks("bots", "sh")
    assert "as it should" in run(first, tmp_path)
    bot = tmp_path / "work" / "bots" / "my-bot" / "main.py"
    random, greedy = blocks("bots", "python")
    bot.write_text(bot.read_text().replace(random, greedy))
    shorten(tmp_path / "work" / "tournaments" / "first.toml")
    for each in rest:
        script = in_match_of(each, tmp_path / "work" / "logs" / "first", "my-bot")
        for long, short in ONCE:
            script = script.replace(long, short)
        run(script, tmp_path / "work")


@pytest.mark.soak
def test_the_commands_of_the_courses_guide(tmp_path: Path) -> None:
    first, *rest = blocks("courses", "sh")
    # The test leaves out `check machine`, because this command fails on a busy machine.
    first = first.replace("harness check machine\n", "")
    run(first, tmp_path)
    course = tmp_path / "course"
    shorten(course / "league.toml")
    a_zip(tmp_path / "export" / "doejane_101_9001_bot.zip")
    a_zip(tmp_path / "export" / "roejim_LATE_102_9002_bot.zip", {"no": "bot"})
    a_zip(
        course / "submissions.zip",
        {path.name: path.read_bytes() for path in sorted((tmp_path / "export").iterdir())},
    )
    for each in rest:
        script = each.replace("TEAM", "doejane").replace("run-3", "run-1")
        script = in_match_of(script, course / "logs" / "final", "doejane") if "MATCH" in each else script
        run(script.replace("--for 10m", "--for 5s"), course)


@pytest.mark.soak
def test_the_commands_of_the_games_guide(tmp_path: Path) -> None:
    first, *rest = blocks("games", "sh")
    run(first, tmp_path)
    for each in rest:
        run(each, tmp_path / "lab")


# -- engines, programs and models --------------------------------------------------------------------


ENGINE = """#!{python} -S
import sys
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("option name Threads type spin default 1 min 1 max 9", flush=True)
        print("option name Skill Level type spin default 20 min 0 max 20", flush=True)
        print("uciok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[0] == "position":
        ply = len(line.partition(" moves ")[2].split())
    elif words[0] == "go":
        print("bestmove", ("a2a3", "a7a6", "b2b3", "b7b6")[ply], flush=True)
    elif words == ["quit"]:
        break
"""
"""An engine for machines without Stockfish. It knows only four moves, which are legal after any moves of the
opponent."""


@pytest.mark.soak
def test_the_commands_of_the_engines_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "stockfish").write_text(ENGINE.format(python=sys.executable))
    (programs / "stockfish").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    begin, checks, test, many = blocks("engines", "sh")
    run(begin, tmp_path)
    lab = tmp_path / "lab"
    new, old, plan = blocks("engines", "toml")
    short = '\nisolation = "none"\nname = "friday"\n' + plan.replace("elo1 = 20", "elo1 = 20\nmost = 2")
    (lab / "bots" / "new" / "bot.toml").write_text(new)
    (lab / "bots" / "old" / "bot.toml").write_text(old)
    (lab / "tournaments" / "friday.toml").write_text(f"{short}\n[options]\nplies = 4\n")
    for each in (checks, test, many):
        shorter = each.replace("--game chess bots/new", "--game chess bots/new --option plies=4")
        shorter = re.sub(
            r"^harness check bot .*$", r"\g<0> --isolation none --option plies=4", shorter, flags=re.M
        )
        shorter = shorter.replace("--deals 2", "--deals 1 --isolation none")
        run(shorter, lab)
    assert (lab / "friday.pgn").read_text().count('[White "new"]') == 8  # A round has 8 encounters.


@pytest.mark.soak
def test_the_commands_of_the_evaluating_guide(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    begin, export, check, keep = blocks("evaluating", "sh")
    said = run(begin.replace("--deals 5", "--deals 1 --isolation none"), tmp_path)
    assert re.search(r"^no-start +6 +1 +third$", said, re.M)
    assert "third" in run(export, lab)
    [function] = blocks("evaluating", "python")
    (lab / "compare.py").write_text(function.replace("deals=5", 'deals=1, isolation="none"'))
    assert "('first', " in run("python compare.py", lab)
    run(check.replace("--deals 5", "--deals 1 --isolation none"), lab)
    run(keep, lab)
