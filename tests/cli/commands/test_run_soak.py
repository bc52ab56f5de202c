"""Owns the long test of records: whichever process is killed, at any time, the record verifies.

Each tournament has a number, which decides its plan and all that goes wrong in it. `make soak` plays many
tournaments; an ordinary run of the tests plays some.
"""

import os
import signal
from pathlib import Path
from random import Random

import pytest

from harness.bot.process import become_subreaper
from harness.cli.workspace import TEMPLATES
from harness.errors import RecordError
from harness.verify import verify
from tests.cli.workshop import Workshop, wait_for_orphans

pytestmark = pytest.mark.whole

TINY = TEMPLATES / "game" / "tiny.py"
TOURNAMENTS = 200
MOST_COMMANDS = 25
# A bot that plays its first legal move. Each line of the file .fates is an event: the number of moments of
# all bots that come before the event, and what happens then. It happens to the bot whose moment has come.
FATED = """
import fcntl, os, signal, sys, time
os.chdir(open(".home").read())

def parent(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])

def fate():
    try:
        with open("../.fates", "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            first, *rest = file.read().splitlines() or [""]
            if not first:
                return ""
            left, what = first.split()
            lines = rest if left == "0" else [f"{int(left) - 1} {what}", *rest]
            file.seek(0)
            file.truncate()
            file.write("\\n".join(lines))
            return what if left == "0" else ""
    except OSError:
        return ""

def tell_controller(worker, number):
    with open("../logs/demo/.controller") as file:
        controller = int(file.read() or 0)
    if controller == parent(worker):  # Else it has ended, and the worker has another parent now.
        os.kill(controller, number)

def happens():
    what, worker = fate(), os.getppid()
    if what == "bot":
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "worker":
        os.kill(worker, signal.SIGKILL)
    elif what == "controller":
        tell_controller(worker, signal.SIGKILL)
    elif what == "interrupt":
        tell_controller(worker, signal.SIGINT)
    elif what == "terminate":
        tell_controller(worker, signal.SIGTERM)
    elif what == "vanish":
        os.rename("main.py", ".gone")
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "exit":
        sys.exit()
    return what

moves = []
for line in sys.stdin:
    word = line.split()[0]
    if word == "move":
        moves.append(line[5:].strip())
        continue
    if word in ("hello", "new", "bye") or moves:
        what = happens()
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
        print("a match begins", file=sys.stderr, flush=True)
    elif word == "bye":
        break
    elif moves:
        if what == "ponder":
            began = time.process_time()
            print(moves[0], flush=True)
            while time.process_time() < began + 0.03:
                pass
        else:
            print("nonsense" if what == "cheat" else moves[0], flush=True)
        moves.clear()
"""
FATES = ("bot", "worker", "controller", "interrupt", "terminate", "vanish", "exit", "cheat", "ponder")
ORDERLY = (0, 3)
LEFT_OVER = ("than the journal says", "the journal does not name this file")
"""Words of `verify` about files of a sitting that the controller was writing when it was killed."""


def a_shop(folder: Path, luck: Random) -> Workshop:
    """A workspace with a random plan, and with a file that says what will go wrong in the tournament."""
    shop = Workshop(folder, 0)
    shop.bots += [shop.add_bot(f"bot{number}", FATED) for number in range(1, luck.randint(4, 6))]
    policy = luck.choice(("disqualify", "forfeit", "strikes"))
    more = {"strikes": luck.randint(1, 3)} if policy == "strikes" else {}
    if luck.random() < 0.3:
        more["sitting"] = luck.randint(1, 3)
    shop.write_plan(
        game=str(TINY),
        seats=luck.randint(2, 3),
        seed=luck.randrange(2**31),
        deals=luck.randint(1, 2),
        deal=luck.choice(("fresh", "same")) if "sitting" not in more else "fresh",
        policy=policy,
        rerun=luck.choice(("fresh", "keep")),
        **more,
    )
    with shop.plan.open("a") as file:
        file.write("limits.ponder_ms = 20\nlimits.start_ms = 60_000\nlimits.move_ms = 60_000\n")
    fates = [f"{luck.randint(0, 60)} {luck.choice(FATES)}" for _ in range(luck.randint(1, 9))]
    (folder / ".fates").write_text("\n".join(fates))
    return shop


def survives(folder: Path, number: int) -> None:
    """Plays a tournament in which things go wrong. The record that each command leaves must verify."""
    become_subreaper()
    luck = Random(number)
    shop = a_shop(folder, luck)
    flags = ("--workers", str(luck.choice((1, 1, 2))), "--at-once", str(luck.randint(1, 3)))
    for _ in range(MOST_COMMANDS):
        run = shop.run(*flags)
        wait_for_orphans()
        assert "Traceback" not in run.stderr, run.stderr
        assert run.returncode in (*ORDERLY, -signal.SIGKILL), (run.returncode, run.stderr)
        for bot in shop.bots:
            if (bot / ".gone").exists():
                os.rename(bot / ".gone", bot / "main.py")
        checks(shop, run.returncode in ORDERLY)
        if run.returncode == 0:
            return
    raise AssertionError(f"tournament {number} has not ended")


def checks(shop: Workshop, orderly: bool) -> None:
    """Checks that the record verifies. Only a kill may leave files of a sitting that was being written."""
    journal = shop.logs / "tournament.jsonl"
    if not journal.is_file() or not journal.read_bytes():
        return
    try:
        verify(shop.logs)
    except RecordError as error:
        if orderly or not any(each in error.message for each in LEFT_OVER):
            raise


@pytest.mark.parametrize("number", range(3))
def test_what_is_on_record_verifies_whatever_dies(tmp_path: Path, number: int) -> None:
    survives(tmp_path, number)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(TOURNAMENTS))
def test_very_many_records_verify_whatever_dies(tmp_path: Path, number: int) -> None:
    survives(tmp_path, number)
