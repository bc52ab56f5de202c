"""Owns what the tests of whole runs share: small workspaces, and light bots that can send a signal."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from harness.cli.main import main
from harness.cli.workspace import TEMPLATES

TINY = TEMPLATES / "game" / "tiny.py"
STEADY = '''
import fcntl, os, signal, sys

# It plays from a private copy of its folder, and the test looks into the original.
if os.path.isdir(home := open(".home").read()):
    os.chdir(home)

def burn():
    """With each match the fuse in the bot's folder burns down by one; at its end there is a signal."""
    try:
        with open(".fuse", "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            left, number, whom = map(int, file.read().split())
            file.seek(0)
            file.write(f"{left - 1} {number} {whom}".ljust(40))
            file.flush()
    except OSError:
        return
    if left == 1:
        os.kill(whom or os.getppid(), number)

moves = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "hello":
        print("hello 1 legal", flush=True)
    elif words[0] == "new":
        burn()
        count = int(words[4])
        print("ready", flush=True)
    elif words[0] == "move":
        moves.append(line[5:].strip())
    elif words[0] == "bye":
        break
    elif moves:
        count = count * 1103515245 + 12345 & 0x7FFFFFFF
        print(moves[(count >> 8) % len(moves)], flush=True)
        moves.clear()
'''
NOISY = """
import sys
moves = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "hello":
        print("hello 1 legal", flush=True)
    elif words[0] == "new":
        print("ready", flush=True)
        print("I am seat", words[2], file=sys.stderr)
    elif words[0] == "move":
        moves.append(line[5:].strip())
    elif words[0] == "bye":
        break
    elif moves:
        print(moves[0] if "violator" not in open(".home").read() else "nonsense", flush=True)
        moves.clear()
"""


class Workshop:
    """A workspace with bots that play at random by their seeds, and the command that runs it."""

    def __init__(self, folder: Path, bots: int, **plan: Any) -> None:
        self.folder = folder
        self.bots = [self.add_bot(f"bot{number}") for number in range(1, bots + 1)]
        self.plan = folder / "demo.toml"
        self.write_plan(**plan)

    def add_bot(self, name: str, code: str = STEADY) -> Path:
        bot = self.folder / name
        bot.mkdir(parents=True)
        (bot / "main.py").write_text(code)
        (bot / ".home").write_text(str(bot.resolve()))
        (bot / "bot.toml").write_text('run = ["python3", "-I", "-S", "main.py"]\n')
        return bot

    def write_plan(self, **plan: Any) -> None:
        # There is no sandbox, because the bots send signals to other processes.
        keys = {"game": "sevens", "seats": 2, "seed": 5, "isolation": "none", **plan}
        keys = {"bots": [bot.name for bot in self.bots], **keys}
        lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
        self.plan.write_text("\n".join(lines) + "\n")

    def set_fuse(self, matches: int, signal: int, whom: int = 0) -> None:
        """When match number `matches` from now begins, the first bot sends `signal` to `whom` (0: its
        worker)."""
        (self.bots[0] / ".fuse").write_text(f"{matches} {int(signal)} {whom}".ljust(40))

    @property
    def logs(self) -> Path:
        return self.folder / "logs" / "demo"

    def start(self, *arguments: str, under: Sequence[str] = ()) -> "subprocess.Popen[str]":
        """Starts `harness run`, as an argument of the command `under`. The caller must end the process."""
        return subprocess.Popen(
            [*under, *command("run", str(self.plan), "--logs", str(self.folder / "logs"), *arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            start_new_session=True,
        )

    def run(self, *arguments: str, under: Sequence[str] = ()) -> "subprocess.CompletedProcess[str]":
        """Runs `harness run` to its end."""
        process = self.start(*arguments, under=under)
        out, err = process.communicate()
        return subprocess.CompletedProcess([], process.returncode, out, err)

    def run_here(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Runs `harness run` in this process. Only for a run that is refused or has nothing left to play."""
        return harness("run", str(self.plan), "--logs", str(self.folder / "logs"), *arguments)

    def copy_logs(self, to: Path) -> Path:
        shutil.copytree(self.logs, to)
        return to


def with_violator(folder: Path) -> Workshop:
    """A small tournament of Tiny. The violator breaks a rule, so there are two runs. All bots write to
    stderr."""
    shop = Workshop(folder, 0)
    shop.bots += [shop.add_bot(name, NOISY) for name in ("anna", "bert", "carl", "violator")]
    shop.write_plan(game=str(TINY), sitting=1, workers=1)  # two sittings in each encounter
    return shop


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "harness", *arguments]


def harness(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs the command to its end in this process. A process of its own would take ten times as long to start
    as most commands take to read a record."""
    result = CliRunner().invoke(main, list(arguments), prog_name="harness")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return subprocess.CompletedProcess(list(arguments), result.exit_code, result.stdout, result.stderr)


def wait_for_orphans() -> None:
    """Waits until all processes that a killed controller left have ended. They are children of this process
    now, in other sessions: each command has a session of its own. Leaves the browser of other tests alone."""
    while orphans := [pid for pid in _children() if os.getsid(pid) != os.getsid(0) and not _browses(pid)]:
        for pid in orphans:
            os.waitpid(pid, 0)


def _browses(pid: int) -> bool:
    return Path(f"/proc/{pid}/comm").read_text().startswith(("chrom", "node"))


def _children() -> list[int]:
    threads = Path("/proc/self/task").iterdir()
    return [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]


NODES = "nodes.jsonl"
TIMES = {"us", "excused_us", "unseen_us", "waited_us"}


def timeless(logs: Path) -> dict[str, list[Any]]:
    """The lines of each file of a record, without times, digests and void attempts, and without the nodes."""
    return {
        str(path.relative_to(logs)): [
            record for line in path.read_bytes().splitlines() if (record := _timeless(json.loads(line)))
        ]
        for path in sorted(logs.rglob("*.jsonl"))
        if path.name != NODES
    }


def _timeless(record: dict[str, Any]) -> dict[str, Any]:
    if record["is"] in ("void", "usage"):
        return {}
    aside = {"at", "digest", "file", "size", "attempt"}
    return {key: value for key, value in record.items() if key not in aside | TIMES}
