"""Owns the proof that `check bot` has a hint for each common mistake; small Python bots make the mistakes."""

import json
from pathlib import Path
from shutil import which

import pytest
import trio
from msgspec.structs import replace

from harness import config, games
from harness.checking.check import Check, Checker, CheckStep, readable
from harness.checking.trial import Trial
from harness.config import Bot
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.model import Limits
from harness.sandbox import isolation
from harness.sandbox.builds.build import BuildSettings, built
from harness.sandbox.builds.copies import private_copy
from harness.sandbox.isolation import entrant as entrant_of
from tests.cli.door import STARTER, TINY

pytestmark = pytest.mark.real

QUICK_PYTHON = ("python3", "-ISE")
AT_ONCE = 4
"""The number of bots that are checked at once. More would wait for a CPU, and seem slower than they are."""

BOT = """
import sys
def say(line): print(line, flush=True)
coins = [99, 99]
for line in iter(sys.stdin.readline, ""):
    words = line.split()
    if words[0] == "hello":
        HELLO
    elif words[0] == "new":
        seat = int(words[2])
        NEW
    elif words[0] == "bid":
        BID
    elif words[0] == "over":
        OVER
    elif words[0] == "bye":
        sys.exit()
    OTHER
"""
PARTS = {
    "HELLO": 'say("hello 1")',
    "NEW": 'say("ready")',
    "BID": 'say("bid 0")',
    "OVER": "pass",
    "OTHER": "pass",
}


def bot(begin: str = "", **parts: str) -> dict[str, str]:
    """The files of a bot whose program is `begin` and then BOT. The words in PARTS stand for correct
    code in BOT; `parts` replace some of this code."""
    text = begin + BOT
    for name, part in (PARTS | parts).items():
        text = text.replace(f"{name}\n", f"{part}\n")
    return {"main.py": text}


def program(text: str) -> dict[str, str]:
    """The files of a bot with this program."""
    return {"main.py": text}


def with_manifest(run: str, files: dict[str, str], more: str = "") -> dict[str, str]:
    return files | {"bot.toml": f"run = {run}\n{more}"}


RAW = "sys.stdout.buffer.write({}); sys.stdout.flush()"
READS_BLOCKS = """
import sys
while sys.stdin.read(4096): print("hello 1", flush=True)
"""
READS_ALL = """
import sys
for line in sys.stdin.readlines(): print("hello 1", flush=True)
"""
READS_CHUNKS = """
import os
while chunk := os.read(0, 9999).decode().strip():
    if chunk.startswith("hello"): print("hello 1", flush=True)
    if chunk.startswith("new"): print("ready", flush=True)
    if chunk.startswith("bid"): print("bid 0", flush=True)
"""
NOTES_EACH_LINE = """
import sys
while line := sys.stdin.readline(): print("hello 1" if "hello" in line else "# " + line)
"""
PROMPTS = """
while True:
    if input("> ").startswith("hello"): print("hello 1")
"""
COMPUTE = """
import time
def compute():
    begin = time.process_time()
    while time.process_time() < begin + .2: pass
"""
FOREVER = """
import threading
def forever():
    while True: pass
"""
PHP_WARNING = "Warning: Undefined variable $x in /bot/main.php on line 9"
FAILS = """build = ["python3", "-c", "import sys; sys.exit(sys.argv[1])", %s]\n"""
REQUIRES = FAILS % json.dumps("main.go:3:29: undefined: min\nnote: module requires Go 1.23")
MODERN = FAILS % '"Main.cs(3,0): error CS1525: Unexpected symbol `record\'"'
WINDOWS_H = FAILS % json.dumps("main.c:1:10: fatal error: windows.h: No such file or directory")
NO_CLASS = """
import sys
sys.exit("Error: Could not find or load main class Bot\\nCaused by: java.lang.ClassNotFoundException: Bot")
"""
WRONG_NAME = """
import sys
sys.exit("Caused by: java.lang.NoClassDefFoundError: Main (wrong name: bot/Main)")
"""
DAEMON = """
import sys, threading
def answers():
    for line in sys.stdin: print("hello 1", flush=True)
threading.Thread(target=answers, daemon=True).start()
"""
HOARD = """
hoard = []
while True: hoard.append(b"x" * (10 << 20))
"""
OF_COINS = 'coins = [int(each) for each in words[2:]] if words[:2] == ["state", "coins"] else coins'
FOR_SHELL = "while read w\r\ndo echo hello 1\r\ndone\r\n"
RUN = '["./run+x"]'

MISTAKES: dict[str, tuple[str, dict[str, str]]] = {
    # when it writes
    "no flush": ("no-flush", bot(HELLO='print("hello 1")')),
    "no flush of moves": ("no-flush", bot(BID='print("bid 0")')),
    "reads blocks": ("reads-blocks", program(READS_BLOCKS)),
    "notes for each line, and no flush": ("no-flush", program(NOTES_EACH_LINE)),
    "reads chunks": ("reads-chunks", program(READS_CHUNKS)),
    "reads all": ("reads-all", program(READS_ALL)),
    "reads a line more": ("waits-for-line", bot(BID='sys.stdin.readline(); say("bid 0")')),
    "waits for go": ("waits-for-line", bot(BID='while sys.stdin.readline() != "go": pass')),
    "computes without end": ("computes", bot(BID="while True: pass")),
    "too slow": ("slow", bot(COMPUTE, BID='compute(); say("bid 0")')),
    "loads at the first move": ("slow-first", bot(COMPUTE, BID='compute = compute() or int; say("bid 0")')),
    "sleeps": ("sleeps", bot("import time\n", BID='time.sleep(9); say("bid 0")')),
    "debugs on stdout": ("debug-stdout", bot(BID='say("thinking hard"); say("bid 0")')),
    "debugs before it thinks": (
        "debug-stdout",
        bot("import time\n", BID='say("thinking hard"); time.sleep(0.02); say("bid 0")'),
    ),
    "answers twice": ("answers-twice", bot(BID='print("bid 0\\nbid 0", flush=True)')),
    "prompts": ("prompt", program(PROMPTS)),
    "prompts with words": ("prompt", bot(BID='say("Your move: bid 0")')),
    "answers events": ("answers-events", bot(OVER='say("bid 0")')),
    "no newline": ("no-newline", bot(BID='print("bid 0", end="", flush=True)')),
    "long lines": ("long-output", bot(BID='say("thinking " * 1000)')),
    "closes its output": ("closed", bot("import os, time\n", BID="os.close(1); time.sleep(9)")),
    # what it writes
    "UTF-16": ("encoding", bot(BID=RAW.format("'bid 0\\n'.encode('utf-16')"))),
    "byte order mark": ("bom", bot(BID=RAW.format("'\\ufeffbid 0\\n'.encode()"))),
    "wrong word at hello": ("hello", bot(HELLO='say("hi")')),
    "no answer to hello": ("no-hello", bot(HELLO="pass")),
    "wrong word at new": ("ready", bot(NEW='say("ok")')),
    "no answer to new": ("no-ready", bot(NEW="pass")),
    "one answer behind": ("one-behind", bot(BID='say("ready")')),
    "capital letters": ("wrong-case", bot(BID='say("BID 0")')),
    "spaces": ("spaces", bot(BID='say("bid 0 ")')),
    "no word": ("no-word", bot(BID='say("0")')),
    "copies the word move": ("copied-mark", bot(BID='say("move bid 0")')),
    "copies the mark": ("copied-mark", bot(BID='say("> bid 0")')),
    "echoes": ("echo", bot(BID="say(line.strip())")),
    "the word twice": ("word-twice", bot(BID='say("bid bid 0")')),
    "None": ("no-value", bot(BID='say(f"bid {None}")')),
    "an object": ("object-form", bot(BID="say(object())")),
    "a promise": ("promise", bot(BID='say("[object Promise]")')),
    "one word": ("one-word", bot(BID='say("bid")')),
    "the end of the question": ("overwritten", bot(BID="say(line.partition(' ')[2].strip())")),
    "a line with two ends": ("empty-line", bot(BID='say("bid 0\\n")')),
    "a warning of PHP": (
        "warns-stdout",
        bot(BID='say("\\nPHP_WARNING\\nbid 0")'.replace("PHP_WARNING", PHP_WARNING)),
    ),
    "prints a list": ("text-form", bot(BID='say(["bid", "0"])')),
    "move of before": ("stale-move", bot(BID='say("bid 99")')),
    "does not know the rules": ("not-asked-legal", bot(BID='say("bid 100")')),
    "not in the list": ("not-listed", bot(HELLO='say("hello 1 legal")', BID='say("bid 100")')),
    # one match after the other
    "off by one seat": (
        "seat",
        bot(HELLO='say("hello 1 state")', OTHER=OF_COINS, BID='say(f"bid {coins[seat] and 0}")'),
    ),
    "not reset": (
        "not-reset",
        bot("asked = 0\n", BID='asked += 1; say(f"bid {asked > 2 and 100:d}")'),
    ),
    "not reset, but knows the legal moves": (
        "remembers",
        bot(
            "asked, moves = 0, []\n",
            HELLO='say("hello 1 legal")',
            OTHER='moves += [line[5:].strip()] if words[0] == "move" else []',
            BID="asked += 1; say(moves[min(asked, len(moves) - 1)]); moves = []",
        ),
    ),
    "ends at over": ("ends-early", bot(OVER="sys.exit()")),
    "ends after an answer": ("ends-early", bot(BID='say("bid 0"); sys.exit()')),
    "ends at once": ("ends-early", program("")),
    "fails at over": ("unknown-line", bot(OVER='raise ValueError("what is over?")')),
    "fails at an option": ("unknown-line", bot(OTHER='{"hello": 1, "new": 1, "bid": 1}[words[0]]')),
    "an exception": ("exception", bot(BID="say([][1])")),
    "a signal": ("signal", bot("import os\n", BID="os.kill(os.getpid(), 11)")),
    # what it needs
    "a package": ("missing-package", bot("import numpy_is_not_here\n")),
    "a file": ("missing-file", bot('open("/home/me/bots/mine/model.txt")\n')),
    "memory": ("memory", program(HOARD)),
    "its own folder": ("writes-folder", bot('open("log.txt", "w").write("hello")\n')),
    "Python 2": ("python-2", program('print "hello 1"\n')),
    "ponders": (
        "ponders",
        bot(FOREVER, NEW='threading.Thread(target=forever, daemon=True).start(); say("ready")'),
    ),
    "a daemon thread": ("daemon-thread", program(DAEMON)),
    "a header of Windows": ("windows-header", with_manifest('["./bot"]', bot(), WINDOWS_H)),
    "a class in a package": ("java-class", program(NO_CLASS)),
    "a class in the wrong folder": ("java-class", program(WRONG_NAME)),
    "a script of Windows": ("windows-command", with_manifest('["run.bat"]', bot())),
    "an own script of Windows": (
        "windows-command",
        with_manifest('["./run+.bat"]', {"run+.bat": "python main.py\n"}),
    ),
    "a file in UTF-16": ("utf-16", with_manifest('["python3", "main16.py"]', {"main16.py": BOT})),
    "the command py": ("windows-command", with_manifest('["py", "-3", "main.py"]', bot())),
    "no seed": ("unseeded", bot("import random\n", BID='say(f"bid {random.randrange(49)}")')),
    "a newer Go": ("newer-version", with_manifest('["./bot"]', bot(), REQUIRES)),
    "C# that mcs does not know": ("mcs-syntax", with_manifest('["mono", "bot.exe"]', bot(), MODERN)),
    "dotnet": ("dotnet", with_manifest('["dotnet", "bot.dll"]', bot())),
    # files
    "Windows path": ("windows-path", with_manifest('"C:\\Users\\me\\bot.exe"', bot())),
    "Windows path in quotes": ("windows-path", with_manifest("'bin\\bot.exe'", bot())),
    "a slip in the name of a file": ("misspelt-file", with_manifest('"python3 main.pyy"', bot())),
    "a slip in a build": (
        "misspelt-file",
        with_manifest(
            '["./bot"]',
            bot() | {"Main.cs": ""},
            FAILS.replace("%s", '"Mian.cs could not be found", "Mian.cs"'),
        ),
    ),
    "another product": ("other-product", with_manifest('["./bot"]', {}, "build = 'true'\n")),
    "a library": ("no-program", with_manifest('["./bot"]', {}, "build = 'touch bot'\n")),
    "no <?php": ("php-tag", with_manifest('["php", "x"]', {"x": "\n<?php\n"})),
    "run bit": ("run-bit", with_manifest('["./main.py"]', bot("#!/usr/bin/env python3"))),
    "no shebang": ("no-shebang", with_manifest(RUN, {"run+x": "echo hello 1\n"})),
    "wrong interpreter": ("interpreter", with_manifest(RUN, {"run+x": "#!/usr/bin/env pyhton\n"})),
    "CRLF": ("crlf", with_manifest(RUN, {"run+x": "#!/bin/sh\r\necho hello 1\r\n"})),
    "CRLF for a shell": ("crlf", with_manifest('["sh", "run"]', {"run": FOR_SHELL})),
    "BOM": ("bom", with_manifest(RUN, {"run+x": "\ufeff#!/bin/sh\necho hello 1\n"})),
}
CONNECTS = """import socket; socket.create_connection(("example.org", 80))"""
ISOLATED: dict[str, tuple[str, dict[str, str]]] = {
    "the network": ("network", bot(f"{CONNECTS}\n")),
    "its own folder": ("writes-folder", bot('open("log.txt", "w").write("hello")\n')),
    "a build from the network": (
        "network",
        with_manifest("['python3', 'main.py']", bot(), f"build = ['python3', '-c', '{CONNECTS}']\n"),
    ),
}
LIMITS = Limits(start_ms=1500, move_ms=100, memory_mb=64, ponder_ms=10)
RULES = Rules(games.find(TINY), games.find(TINY).options(rounds=2, coins=99), LIMITS)
NO_HINT = "none"


def made(folder: Path, files: dict[str, str]) -> Path:
    """Makes a bot with these files; returns its folder. A + in a name makes the file executable."""
    folder.mkdir()
    if "bot.toml" not in files:
        files = with_manifest(json.dumps([*QUICK_PYTHON, "main.py"]), files)
    for name, text in files.items():
        path = folder / name
        path.write_bytes(text.encode("utf-16" if "16" in name else "utf-8"))
        path.chmod(0o755 if "+" in name else 0o644)
    return folder


async def hints_of(paths: dict[str, Path], place: Path, level: str = "none") -> dict[str, list[CheckStep]]:
    """Checks all these bots at the same time; returns the steps of each check."""
    found: dict[str, list[CheckStep]] = {}
    limiter = trio.CapacityLimiter(AT_ONCE)
    starter = replace(config.read_bot(Path(STARTER)), run=(*QUICK_PYTHON, "main.py"))
    opponent = entrant_of(private_copy(starter, place / "opponent"), level)

    async def one(name: str, path: Path) -> None:
        steps = found[name] = []
        async with limiter:
            bot = readable(str(path), lambda: config.read_bot(path))
            if isinstance(bot, CheckStep):
                steps.append(bot)
                return
            wanted = Check(
                bot,
                lambda bot: _prepared(bot, place / f"copy of {name}", level),
                lambda own: Trial(RULES, TINY, own, (opponent,)),
                [2],
            )
            await Checker(wanted, steps.append).run()

    async with trio.open_nursery() as nursery:
        for name, path in paths.items():
            nursery.start_soon(one, name, path)
    return found


def _prepared(bot: Bot, place: Path, level: str) -> tuple[Bot, Entrant]:
    copy = built(bot, place, BuildSettings(level)).bot
    return copy, entrant_of(copy, level)


def name_of(steps: list[CheckStep]) -> str:
    return next((step.hint.name for step in steps if step.hint), NO_HINT)


def test_each_mistake_gets_its_own_hint(tmp_path: Path) -> None:
    mistakes = {name: each for name, each in MISTAKES.items() if which("php") or "php" not in name}
    paths = {name: made(tmp_path / f"bot {name}", files) for name, (_, files) in mistakes.items()}
    # CPU time shows that a bot ponders. While many other bots run, this bot would get too little CPU time.
    alone = {"ponders": paths.pop("ponders")}
    (quiet := tmp_path / "quiet").mkdir()
    found = trio.run(hints_of, paths, tmp_path) | trio.run(hints_of, alone, quiet)
    assert {name: name_of(steps) for name, steps in found.items()} == {
        name: hint for name, (hint, _) in mistakes.items()
    }


def test_in_a_sandbox_too(tmp_path: Path) -> None:
    if isolation.missing():
        pytest.skip("this machine has no sandbox")
    tmp_path.chmod(0o755)
    paths = {name: made(tmp_path / f"bot {name}", files) for name, (_, files) in ISOLATED.items()}
    found = trio.run(hints_of, paths, tmp_path, "bwrap")
    assert {name: name_of(steps) for name, steps in found.items()} == {
        name: hint for name, (hint, _) in ISOLATED.items()
    }
