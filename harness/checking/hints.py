"""Contains the catalogue of hints. Each common mistake has a hint, which says what was seen and what to
change.

`harness.checking.diagnosis` and the files that it uses decide which hint fits.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from harness.config import Bot
from harness.config.languages import alone, languages
from harness.config.manifest import MANIFEST
from harness.config.nearest import ALMOST_EQUAL, nearest
from harness.config.programs import is_of_windows
from harness.errors import InputError


class Hint(NamedTuple):
    """A hint for a mistake: `seen` is the text about what was seen, and `change` is the advice. Names in
    braces in these texts are replaced by details.

    `{words}` is replaced by a colon and a snippet of code in the bot's language. `about` is the name of this
    snippet.
    """

    seen: str
    change: str
    about: str = ""


class GivenHint(NamedTuple):
    """A hint for one bot."""

    name: str
    text: str


ONE_LINE_AT_A_TIME = "The harness sends nothing more until you answer. Read one line at a time{words}."

LOOK_AT_THE_CLOCK = (
    "Look at the clock while you compute, and answer with the best move so far: the question says how long "
    "you have."
)

GROUPS: Mapping[str, Mapping[str, Hint]] = {
    "Files of the bot": {
        "windows-path": Hint(
            "A path in `bot.toml` is written as on Windows.",
            'Write / between folders, without a drive and without .exe: run = ["./bot"].',
        ),
        "crlf": Hint(
            "The file {file} has the line ends of Windows (CRLF), which no shell understands.",
            "Save it with the line ends of Linux: sed -i 's/\\r$//' {file}",
        ),
        "misspelt-file": Hint(
            "The command in `bot.toml` names {file}, which is not there.", "Did you mean {near}?"
        ),
        "bom": Hint(
            "{what} begins with a byte order mark (BOM), three invisible bytes.",
            'Save or write it as "UTF-8 without BOM".',
        ),
        "run-bit": Hint("The file {file} may not be executed.", "Give it its run bit: chmod +x {file}"),
        "windows-command": Hint(
            "{program} is a command of Windows, and this machine has Linux.",
            'Name the program itself: run = ["python3", "main.py"] instead of a file .bat or the command py.',
        ),
        "utf-16": Hint(
            "The file {file} is text in UTF-16, which no compiler and no interpreter here reads.",
            "Save it as UTF-8; PowerShell writes UTF-16 if you redirect output into a file.",
        ),
        "no-shebang": Hint(
            "The first line of the script {file} does not say what runs it.",
            "Begin the file with a line such as #!/usr/bin/env python3, or name the interpreter in "
            '`bot.toml`: run = ["python3", "{file}"].',
        ),
        "interpreter": Hint(
            "The first line of {file} names the interpreter {interpreter}, which is not here.",
            "Correct its name, or begin the file with #!/usr/bin/env and the name of the program.",
        ),
    },
    "What a bot needs": {
        "missing-package": Hint(
            "The package {package} is not here: a bot has only the standard library of its language.",
            "Put the package into the folder of the bot{words}, or do without it.",
            "package",
        ),
        "windows-header": Hint(
            "The header {file} belongs to Windows, and this machine has Linux.",
            "Use the standard library of the language instead, such as <chrono> and <thread> of C++.",
        ),
        "java-class": Hint(
            "Java does not find the class {java}.",
            "The file, the class and the word in `run` need the same name, with its `package` in front: "
            'run = "java mybot.Main" for the class Main in `package mybot`, compiled with javac -d .',
        ),
        "newer-version": Hint(
            "It needs a newer version of its language than this machine has: {version}.",
            "Write it for the version that is here, and name no newer one in its files; "
            "`harness check machine` lists the versions.",
        ),
        "mcs-syntax": Hint(
            "The compiler `mcs` does not understand this: {said}.",
            "Look for a slip in that line, or write older C#: `mcs` knows version 7.2, without `record`, "
            "`new()` and statements outside a class.",
        ),
        "dotnet": Hint(
            "It needs `{program}`, which is not here.",
            'Use `mcs` and `mono` in `bot.toml`: build = "mcs -out:bot.exe main.cs", run = "mono bot.exe"; '
            "`mcs` knows C# up to version 7.2.",
        ),
        "network": Hint(
            "{who} wanted the network, and there is none.",
            "Put everything that it needs into the folder of the bot.",
        ),
        "missing-file": Hint(
            "It did not find {file}.",
            "A bot starts in its own folder: put the file there, and open it by its path from there, without "
            "the folders of your own machine.",
        ),
        "writes-folder": Hint(
            "It wants to write into its own folder{file}, which is read-only in a sandbox.",
            "Write files into the folder that the variable SCRATCH names{words}; it is empty at each start.",
            "scratch",
        ),
        "memory": Hint(
            "It needed more than {limit} MB of memory{phase}.",
            "Load or keep less{words}. The limit is `memory_mb`, which a plan may change.",
            "memory",
        ),
        "python-2": Hint("It is written for Python 2.", "Port it to Python 3: print is a function there."),
    },
    "Lines that it writes": {
        "no-flush": Hint(
            "Its answer to {ask} lay in a buffer: it came out only when {when}.",
            "Flush standard output after every line{words}.",
            "flush",
        ),
        "no-newline": Hint(
            "It wrote {said} without the end of the line.",
            "End every answer with a newline{words}, and flush it.",
            "newline",
        ),
        "reads-blocks": Hint(
            "It answered {ask} only when there was much more to read: it reads its input in blocks.",
            ONE_LINE_AT_A_TIME,
            "read",
        ),
        "reads-all": Hint(
            "It answered {ask} only when its input was closed: it reads all of its input first.",
            ONE_LINE_AT_A_TIME,
            "read",
        ),
        "waits-for-line": Hint(
            "It waits for a line that does not come: it used no CPU time, and did not answer {ask}{more}.",
            "The question is the last line that you get: answer it before you read the next line.",
        ),
        "debug-stdout": Hint(
            "It wrote {extra} to standard output besides an answer.",
            "Write notes to standard error{words}, or in lines that begin with #.",
            "note",
        ),
        "answers-twice": Hint(
            "It wrote {said} and {extra}: two answers to one question.",
            "Answer each question with one line, and only once.",
        ),
        "answers-events": Hint(
            "It wrote {extra} before it was asked.",
            "Write an answer only after a question; events, `result`, `over` and unknown lines get none.",
        ),
        "prompt": Hint(
            "It wrote {extra} in front of an answer, as a prompt for a person.",
            "Read without a prompt{words}, and write nothing but the answer.",
            "prompt",
        ),
        "encoding": Hint(
            "Its output is not text in UTF-8.",
            "Write plain ASCII{words}; PowerShell and some editors make UTF-16 or Latin-1.",
            "ascii",
        ),
        "closed": Hint(
            "It closed one of its pipes and runs on.", "Keep standard input and output open until `bye`."
        ),
        "long-output": Hint(
            "It wrote more than a line may have, or very much without an answer.",
            "Write notes to standard error{words}, and end every answer with a newline.",
            "note",
        ),
    },
    "Answers": {
        "hello": Hint(
            "It answered `hello` with {said}.",
            "Answer `hello` with `hello 1`, or with `hello 1 legal` to get the legal moves.",
        ),
        "no-hello": Hint(
            "It does not answer `hello`, the first line that it gets.",
            "Answer `hello` with `hello 1`, or with `hello 1 legal` to get the legal moves.",
        ),
        "ready": Hint("It answered `new` with {said}.", "Answer `new` with `ready`, before each match."),
        "no-ready": Hint("It does not answer `new`.", "Answer `new` with `ready`, before each match."),
        "one-behind": Hint(
            "It said {said}, the answer to an earlier line, so it is one answer behind.",
            "Give each question exactly one answer; `hello` and `new` are questions too.",
        ),
        "wrong-case": Hint(
            "It said {said}; right would be {right}.", "Write capital and small letters as the manual does."
        ),
        "spaces": Hint(
            "It said {said}, with wrong spaces.",
            "Put one space between words, and none before the first and after the last.",
        ),
        "index": Hint(
            "It said {said}, which looks like the number of a move in a list.",
            "Write the move itself, here for example {right}.",
        ),
        "no-word": Hint(
            "It said {said}; right would be {right}.", "Begin each answer with the word of the question."
        ),
        "copied-mark": Hint(
            "It said {said}: {mark} is not part of the answer.",
            "Write only what comes after it: {right}.",
        ),
        "echo": Hint(
            "It repeated the question.", "Answer with a move, which begins with the same word: {right}."
        ),
        "text-form": Hint(
            "It said {said}: that is how the language shows a value to a programmer.",
            "Right would be {right}. Put one space between words{words}.",
            "join",
        ),
        "stale-move": Hint(
            "It said {said}, which was legal at an earlier question, but not now.",
            "Choose from the lines that came with this question, and forget older ones.",
        ),
        "not-asked-legal": Hint(
            "The rules do not allow {said} now; {right} would be legal.",
            "Answer `hello` with `hello 1 legal`: then you get the legal moves with each question.",
        ),
        "not-listed": Hint(
            "It got the legal moves with the question, and {said} is none of them.",
            "Write one of the lines after the word `move`, and read them again with each question.",
        ),
    },
    "One match after the other": {
        "seat": Hint(
            "It fails in seat {seat}, but not if it is told that it has seat {other}.",
            "Seats are numbered from 1: in a list that begins at 0 your own entry is at SEAT - 1.",
        ),
        "not-reset": Hint(
            "It fails in match {number} of a process, but not if a new process plays the same match.",
            "Forget everything about the last match when you read `new`; your seat may be another one too.",
        ),
        "remembers": Hint(
            "One process played the same match twice, and said {said} and then {other}.",
            "Forget everything about the last match when you read `new`, unless the bot is to learn from it.",
        ),
        "daemon-thread": Hint(
            "Its main program ended, and with it the daemon threads that should answer.",
            "Wait for the thread at the end of the main program, with thread.join(), or read in the main "
            "program.",
        ),
        "ends-early": Hint(
            "It ended by itself, with exit status 0{after}.",
            "Read on until `bye` or the end of the input: one process plays several matches.",
        ),
        "unknown-line": Hint(
            "It failed when it read the line {line}, which needs no answer: {error}.",
            "Mend this error, or pass over lines that the bot does not need. Seats count from 1.",
        ),
        "exception": Hint(
            "It ended with an error of its own: {error}.",
            "The last lines of stderr say where.",
        ),
        "signal": Hint(
            "It was ended by {signal}: it used memory that is not its own, or ended itself.",
            "Build it with debug information and checks{words}: then stderr says where.",
            "debug",
        ),
    },
    "Time": {
        "computes": Hint(
            "It computed for {span} and was not ready; {limit} are allowed.",
            LOOK_AT_THE_CLOCK,
        ),
        "slow": Hint(
            "It needs {span} for this answer; {limit} are allowed.",
            LOOK_AT_THE_CLOCK,
        ),
        "slow-first": Hint(
            "Only its first answer is slow: {span}, and {again} when it is asked the same again.",
            "Load models and let the program warm up before you answer `hello` or `new`: there you have "
            "{start}.",
        ),
        "sleeps": Hint(
            "It answers after {span}, but uses almost no CPU time: it sleeps, or waits for something else.",
            "Remove pauses, time-outs and waits for other processes.",
        ),
        "ponders": Hint(
            "It used the CPU while others were to move: {span} in a match, and {limit} are allowed.",
            "Wait in a read that blocks{words}; do not poll, and stop threads that compute when you answer.",
            "read",
        ),
        "unseeded": Hint(
            "In two matches with the same deal and the same SEED it said {said} and {other}.",
            "To play a match again when you look for an error, take all random numbers from SEED, the last "
            "number of `new`{words}.",
            "seed",
        ),
    },
}
"""The hints by subject."""

HINTS = {name: hint for group in GROUPS.values() for name, hint in group.items()}


def hint_of(name: str, language: str = "", **filled: str) -> GivenHint:
    """Returns the hint with this name, with the details in its text."""
    hint = HINTS[name]
    words = languages()[language].snippets.get(hint.about, "") if language in languages() else ""
    return GivenHint(name, f"{hint.seen} {hint.change}".format(**filled, words=f": {words}" if words else ""))


# -- signs in the files of a bot ---------------------------------------------------------------------
#
# These functions look into the files of a bot for the reason why the bot cannot be started. For example,
# another operating system may have changed the files.


HEAD = 4_096
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh"))
GONE = re.compile(r"no such file|not found|can(?:no|')t find|could(?:n't| not) (?:be found|find|read)", re.I)
LACKS_DOTNET = re.compile(r"the run command '(csc|dotnet)' is not on|\b(csc|dotnet)\b[\w ]* not installed")
BOM = b"\xef\xbb\xbf"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of a file of text in UTF-16."""
DAEMON = re.compile(r"daemon\s*=\s*True|setDaemon\(True\)")
OF_WINDOWS = re.compile(r"(\S+) is a command of Windows")
WINDOWS_PATH = re.compile(
    r"""=.*(?:["'\s][A-Za-z]:[\\/]|\w\\\w)|^\s*(?:run|build)\s*=[\s\[]*["'][^"'\s]*\.exe\b"""
)
"""Signs that a manifest was written for Windows. A program `x.exe` is such a sign, but the command `mono
x.exe` is not."""


def spoilt(bot: Bot, folder: Path) -> GivenHint | None:
    """Returns the hint for a program of the bot that the system cannot start; None if its files look correct.

    `folder` contains the files of the bot, or a copy of them.
    """
    for path in _programs(bot, folder):
        name = str(path.relative_to(folder))
        with path.open("rb") as file:
            first = file.read(HEAD).split(b"\n")[0]
        # The first line of the first program tells the system how to start it. In the other files, line ends
        # of Windows disturb only a shell.
        starts = name == os.path.normpath(bot.run[0])
        if starts and first.startswith(BOM + b"#!"):
            return hint_of("bom", what=f"The file {name}")
        if first.startswith(UTF_16):
            return hint_of("utf-16", file=name)
        if first.endswith(b"\r") and (bot.run[0] in SHELLS or (starts and first.startswith(b"#!"))):
            return hint_of("crlf", file=name)
        if starts and first.startswith(b"#!"):
            words = first[2:].decode(errors="replace").split()
            if words and (missing := _missing(words)):
                return hint_of("interpreter", file=name, interpreter=missing)
    return None


def misspelt(bot: Bot, folder: Path, output: str | None = None) -> GivenHint | None:
    """Returns the hint for a command with a misspelt file name: the command names a script that does not
    exist, but there is a script with a similar name. Otherwise returns None.

    If a build failed, `output` is its output. Then the function looks for a file that the build command
    names, and that the output reports as missing.
    """
    for word in (bot.run if output is None else bot.build)[1:]:
        path = folder / word
        if word.startswith("-") or not path.suffix or path.exists() or not path.parent.is_dir():
            continue
        if output is not None and not (word in output and GONE.search(output)):
            continue
        files = [each.name for each in path.parent.iterdir() if output or alone(each.name)]
        if near := nearest(path.name, files, ALMOST_EQUAL):
            return hint_of("misspelt-file", file=word, near=str(PurePosixPath(word).with_name(near)))
    return None


def has_daemons(folder: Path) -> bool:
    """Tells whether a program in Python in this folder starts a daemon thread."""
    return any(DAEMON.search(path.read_text(errors="replace")) for path in sorted(folder.glob("*.py")))


def _programs(bot: Bot, folder: Path) -> Iterator[Path]:
    """Yields the files of the bot that its command names."""
    for word in bot.run:
        path = folder / word
        if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(folder.resolve()):
            yield path


def _missing(words: list[str]) -> str:
    """Returns the interpreter that these words after `#!` name, if it is not installed on this machine;
    otherwise ""."""
    program = next((word for word in words[1:] if word[0] != "-" and "=" not in word), "")
    if os.path.basename(words[0]) == "env" and program:
        return "" if shutil.which(program) else program
    return "" if os.access(words[0], os.X_OK) else words[0]


def unread(path: Path, error: InputError) -> GivenHint | None:
    """Returns the hint for a bot with a manifest or command that cannot be used; None if the error message is
    clear enough."""
    manifest = path if path.name == MANIFEST else path / MANIFEST
    program = re.search(r"the run command '([^']+)'", error.message)
    if program and is_of_windows(program[1]):
        return hint_of("windows-command", program=program[1])
    if "is not executable" in error.message and program:
        return hint_of("run-bit", file=program[1])
    if lacking := LACKS_DOTNET.search(error.message):
        return hint_of("dotnet", program=lacking[1] or lacking[2])
    if "must name its interpreter" in error.message and (script := re.search(r"'([^']+)'", error.message)):
        if is_of_windows(script[1]):
            return hint_of("windows-command", program=script[1])
        return hint_of("no-shebang", file=script[1])
    if foreign := OF_WINDOWS.search(error.message):
        return hint_of("windows-command", program=foreign[1])
    if manifest.is_file():
        lines = manifest.read_text(errors="replace").splitlines()
        if any(WINDOWS_PATH.search(line.partition("#")[0]) for line in lines):
            return hint_of("windows-path")
    return None
