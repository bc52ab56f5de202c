"""Tests that no command depends on its streams: each command runs with each stream closed, full or unread."""

import shutil
import subprocess
from pathlib import Path

import pytest

from harness.cli.commands import demo
from harness.cli.main import SUMMARIES
from harness.cli.workspace import HOUSE
from harness.league.marks_seed import write_marks_seed
from tests.cli.door import TINY, harness
from tests.cli.forking import CASES, FULL, SHORT_DEMO, Forked, ForkJob, fork
from tests.cli.workshop import timeless
from tests.league.handed import BOT, PLAYS, a_folder, a_zip
from tests.report import played

pytestmark = pytest.mark.whole

KEYS = f"""game = "{TINY}"
isolation = "none"
seats = 2
workers = 1
options = {{rounds = 1}}
"""
SEED = f'seed = "{1:032x}"\n'
BOTS = '["bots/ann", {path = "bots/bert", name = "bert"}]'
RUNGS = f"rungs {TINY} --play-outs 1 --play-outs 2 --meet 1"
COMMANDS = {
    "demo": "demo",
    "init": "init made --game sevens",
    "new": "new bot made --game sevens",
    "check": "check plan tiny.toml",
    "play": f"play {TINY} bots/ann bots/bert --isolation none --seed 1",
    "run": "run tiny.toml",
    "standings": "standings logs/demo",
    "show": "show logs/demo",
    "report": "report logs/demo --no-replays",
    "games": "games",
    "bots": "bots .",
    "better": f"better bots/bold bots/ann --game {TINY} --isolation none --matches 8 --seed 1 --error 0.5",
    "bench": f"bench bots/ann --game {TINY} --isolation none",
    "rungs": f"{RUNGS} --logs made",
    "status": "status logs/demo",
    "diagnose": "diagnose logs/rungs-tiny spar:1",
    "puzzles": "puzzles logs/rungs-tiny made --matches 1",
    "compare": "compare logs/rungs-tiny spar:1 spar:2",
    "whatif": "whatif logs/rungs-tiny 1 --from 1",
    "replay": "replay logs/demo 1.1.1.1 --bot bots/ann --seat 1",
    "collect": "collect course bees.zip",
    "teams": "teams course",
    "entries": "entries course",
    "ladder": "ladder course --matches 1 --no-pages",
    "grade": "grade logs/demo --scheme scheme.toml --no-pages",
    "mark": "mark tiny.toml bees.zip --out marks.json",
    "similar": "similar course --no-answers",
    "autograder": "autograder tiny.toml --github made",
    "verify": "verify logs/demo --workers 1",
    "sign": "sign logs/demo --key key",
    "merge": "merge logs/shards",
    "worker": "worker tls://localhost:1 --keys none",
    "nodes": "nodes tls://localhost:1 --keys none",
    "cluster": "cluster keys made",
    "export": "export logs/demo made --csv",
    "bundle": "bundle logs/demo --bot anna --out made",
    "pgn": "pgn logs/chess",
}
LOST = "Error: standard output: No space left on device (delete something, or write elsewhere)"
SIGNS = shutil.which("ssh-keygen") is not None
NO_KEYS = frozenset(("worker", "nodes") if SIGNS else ("worker", "nodes", "sign"))
"""These commands end with an error here: their cluster does not run, or this machine cannot sign."""


@pytest.fixture(scope="module")
def home(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with bots, a plan, records and a league."""
    folder = tmp_path_factory.mktemp("streams") / "home"
    shutil.copytree(record, folder / "logs" / "demo")
    played.write(folder / "chess", "chess", options={"plies": 4}).rename(folder / "logs" / "chess")
    for name in ("bots/ann", "bots/bert", "course/calm"):
        a_folder(folder / name)
    a_folder(
        folder / "bots" / "bold",
        {**BOT, "main.py": PLAYS.replace("moves[0],", "moves[min(1, len(moves) - 1)],")},
    )
    a_zip(folder / "bees.zip")
    (folder / "scheme.toml").write_text('[[item]]\nkind = "start"\npoints = 1\n')
    (folder / "course" / "league.toml").write_text(f'{KEYS}house = ["calm"]\n[ladder]\ndeals = 1\n')
    for name in ("tiny", "shards"):
        (folder / f"{name}.toml").write_text(f"{KEYS}{SEED}bots = {BOTS}\n")
    short = demo.PLAN.read_text().replace("deals = 5 ", "deals = 1 ").replace('"../', f'"{HOUSE}/')
    (folder / SHORT_DEMO).write_text(short)  # This plan has a fifth of the matches of the demo.
    write_marks_seed(folder, 0xC0FFEE << 100)  # With this seed, each `harness mark` plays the same deals.
    if SIGNS:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "key"], check=True)
    ants = a_folder(folder.parent / "ants")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for command in (f"collect course {ants}", RUNGS, "run shards.toml --shard 1/1"):
            done = harness(*command.split())
            assert done.exit_code == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def ended(home: Path) -> dict[tuple[str, str], tuple[ForkJob, Forked]]:
    """The result of each command in each case of its streams. In the case "", its streams are plain files."""
    jobs: dict[tuple[str, str], ForkJob] = {}
    for name, command in COMMANDS.items():
        for case in ("", *CASES):
            folder = home.parent / f"{name}-{len(jobs)}"
            shutil.copytree(home, folder, symlinks=True)
            jobs[name, case] = ForkJob(str(folder), command.split(), case)
    return dict(zip(jobs, zip(jobs.values(), fork([*jobs.values()]), strict=True), strict=True))


def test_each_command_is_in_the_table() -> None:
    assert [*COMMANDS] == [name for part in SUMMARIES.values() for name in part]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_does_its_work_whatever_happens_to_its_streams(
    ended: dict[tuple[str, str], tuple[ForkJob, Forked]], name: str
) -> None:
    job, plain = ended[name, ""]
    assert plain.code == (2 if name in NO_KEYS else 0), plain.err
    for case in CASES:
        other, found = ended[name, case]
        full = case == FULL and plain.out
        assert found.code == (3 if full else plain.code), (case, found.err)
        assert not full or found.err.splitlines()[-1] == LOST
        assert "Traceback" not in found.err
        assert "Exception ignored" not in found.err
        if case in ("<&-", "2>&-"):
            assert lines(found.out, name) == lines(plain.out, name)
        assert files(Path(other.folder)) == files(Path(job.folder)), case
        if name != "ladder":
            assert timeless(Path(other.folder)) == timeless(Path(job.folder)), case


def lines(out: str, name: str) -> int:
    """The number of lines of an output. The lines below the table of a ladder depend on its results. So there
    must be such lines, but they do not count."""
    table, *below = out.split("\n\n")
    assert below or name != "ladder"
    return len((table if name == "ladder" else out).splitlines())


def files(folder: Path) -> set[tuple[str, bool]]:
    """The path of each file, and whether the file is empty. The encounters of a ladder are left out, because
    it sometimes plays one match more before it stops."""
    found = (path for path in folder.rglob("*") if path.is_file() and "ladder/run-" not in path.as_posix())
    return {(path.relative_to(folder).as_posix(), path.stat().st_size == 0) for path in found}
