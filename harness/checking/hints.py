"""Contains the catalogue of hints. Each common mistake has a hint, which says what harness saw and what the
author should change.

`harness.checking.diagnosis` and the files that it uses decide which hint fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from harness.config.languages import languages


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
            "Save the file with the line ends of Linux: sed -i 's/\\r$//' {file}",
        ),
        "misspelt-file": Hint(
            "The command in `bot.toml` names {file}, which does not exist.", "Did you mean {near}?"
        ),
        "bom": Hint(
            "{what} begins with a byte order mark (BOM), three invisible bytes.",
            'Use the encoding "UTF-8 without BOM" when you save files and write output.',
        ),
        "run-bit": Hint("The file {file} is not executable.", "Make the file executable: chmod +x {file}"),
        "windows-command": Hint(
            "{program} is a command of Windows, but this machine has Linux.",
            'Name the program itself: run = ["python3", "main.py"] instead of a .bat file or the command py.',
        ),
        "utf-16": Hint(
            "The file {file} is text in UTF-16, which no compiler and no interpreter on this machine reads.",
            "Save the file as UTF-8; PowerShell writes UTF-16 if you redirect output into a file.",
        ),
        "no-shebang": Hint(
            "The first line of the script {file} does not say what runs it.",
            "Begin the file with a line such as #!/usr/bin/env python3, or name the interpreter in "
            '`bot.toml`: run = ["python3", "{file}"].',
        ),
        "interpreter": Hint(
            "The first line of {file} names the interpreter {interpreter}, which is not on this machine.",
            "Correct the name of the interpreter, or begin the file with #!/usr/bin/env and this name.",
        ),
        "php-tag": Hint(
            "The file {file} does not begin with <?php, so PHP prints its text instead of running it.",
            "Begin the file with <?php, without a space or an empty line before it.",
        ),
        "other-product": Hint(
            "The build ends without an error, but it makes no {file}.",
            "Let `build` and `run` name the same program{words}.",
            "product",
        ),
        "no-program": Hint(
            "The build makes {file}, but this is no program: the system cannot start it.",
            "Build a whole program, not a library or an object file{words}.",
            "program",
        ),
    },
    "What a bot needs": {
        "missing-package": Hint(
            "The package {package} was not found: a bot has only the standard library of its language.",
            "Put the package into the folder of the bot{words}, or write the bot without this package.",
            "package",
        ),
        "windows-header": Hint(
            "The header {file} belongs to Windows, but this machine has Linux.",
            "Use the standard library of the language instead, such as <chrono> and <thread> of C++.",
        ),
        "java-class": Hint(
            "Java does not find the class {java}.",
            "The file, the class and the word in `run` must have the same name. In `run`, the name of the "
            'package comes first: run = "java mybot.Main" for the class Main in `package mybot`, compiled '
            "with javac -d .",
        ),
        "typescript": Hint(
            "The program {file} is TypeScript, which `node` does not understand.",
            'Translate the program in `build`, and run the result: build = "tsc '
            'main.ts", run = "node main.js".',
        ),
        "kotlin-runtime": Hint(
            "The jar does not have the library of Kotlin.",
            "Let the build put this library into the jar: kotlinc main.kt -include-runtime -d bot.jar",
        ),
        "unlinked": Hint(
            "The linker does not find {what}.",
            "In `build`, name the file or the library that contains {what}, at the right place{words}.",
            "link",
        ),
        "newer-version": Hint(
            "The bot needs a newer version of its language than this machine has: {version}.",
            "Write the bot for the version on this machine, and name no newer version in its files; "
            "`harness check machine` lists the versions.",
        ),
        "mcs-syntax": Hint(
            "The compiler `mcs` does not understand this: {said}.",
            "Look for a mistake in this line, or use an older version of C#: `mcs` knows version 7.2, "
            "without `record`, `new()` and statements outside a class.",
        ),
        "mcs-library": Hint(
            "The name {name} is in no library that `mcs` uses.",
            "If a library of mono has this name, add the library to `build`: -r:System.Numerics.dll. If "
            "not, do without the name: mono lacks newer parts of .NET, such as System.Text.Json.",
        ),
        "dotnet": Hint(
            "The bot needs `{program}`, which is not on this machine.",
            'Use `mcs` and `mono` in `bot.toml`: build = "mcs -out:bot.exe main.cs", run = "mono bot.exe"; '
            "`mcs` knows C# up to version 7.2.",
        ),
        "network": Hint(
            "{who} tried to use the network, but there is none.",
            "Put everything that the bot and its build need into the folder of the bot.",
        ),
        "missing-file": Hint(
            "The bot did not find {file}.",
            "A bot starts in its own folder. Put the file into this folder, and open it by its path inside "
            "the folder, not by a path of your own machine.",
        ),
        "writes-folder": Hint(
            "The bot tries to write into its own folder{file}, which is read-only in a sandbox.",
            "Write files into the folder that the variable SCRATCH names{words}. At each start, "
            "this folder is empty.",
            "scratch",
        ),
        "memory": Hint(
            "The bot needed more than {limit} MB of memory{phase}.",
            "Load less data, or keep less data in memory{words}. A plan may change this limit, `memory_mb`.",
            "memory",
        ),
        "python-2": Hint(
            "The bot is written for Python 2.", "Change the program for Python 3, where print is a function."
        ),
    },
    "Lines that the bot writes": {
        "no-flush": Hint(
            "The bot's answer to {ask} lay in a buffer: the answer came out only when {when}.",
            "Flush standard output after every line{words}.",
            "flush",
        ),
        "bash": Hint(
            "The script is perhaps written for bash, because `sh` does not understand it: {error}.",
            'Write `bash` instead of `sh` in `bot.toml`: run = ["bash", "main.sh"].',
        ),
        "no-newline": Hint(
            "The bot wrote {said} without the end of the line.",
            "End every answer with a newline{words}, and flush it.",
            "newline",
        ),
        "reads-blocks": Hint(
            "The bot answered {ask} only when many more lines had come: it reads its input in blocks.",
            ONE_LINE_AT_A_TIME,
            "read",
        ),
        "reads-all": Hint(
            "The bot answered {ask} only when its input was closed: it reads all of its input first.",
            ONE_LINE_AT_A_TIME,
            "read",
        ),
        "reads-chunks": Hint(
            "The bot answers if the lines come one by one, but not if several lines come at once.",
            "One read may return several lines, or only a part of a line. Read one line at a time{words}.",
            "read",
        ),
        "not-emptied": Hint(
            "The bot reads all lines into {name}, and `read_line` appends each line to "
            "the text that is already there.",
            "Empty {name} before you read a line: {name}.clear()",
        ),
        "waits-for-line": Hint(
            "The bot waits for a line that does not come: it used no CPU time, and did not answer "
            "{ask}{more}.",
            "The question is the last line that you get: answer it before you read the next line.",
        ),
        "debug-stdout": Hint(
            "The bot wrote {extra} to standard output besides an answer.",
            "Write notes to standard error{words}, or in lines that begin with #.",
            "note",
        ),
        "answers-twice": Hint(
            "The bot wrote {said} and {extra}: two answers to one question.",
            "Answer each question with one line, and only once.",
        ),
        "empty-line": Hint(
            "The bot wrote an empty line besides an answer.",
            "Perhaps the bot read a line with its line end, and wrote this line with a second line end. "
            "Remove the first line end{words}.",
            "chomp",
        ),
        "warns-stdout": Hint(
            "The bot wrote a warning of its language to standard output: {said}.",
            "Correct the cause of the warning, and let warnings go to standard error{words}.",
            "warn",
        ),
        "answers-events": Hint(
            "The bot wrote {extra} before it was asked.",
            "Write an answer only after a question. Events, `result`, `over` and unknown lines get no "
            "answer.",
        ),
        "prompt": Hint(
            "The bot wrote {extra} before an answer, as a prompt for a person.",
            "Read without a prompt{words}, and write nothing but the answer.",
            "prompt",
        ),
        "encoding": Hint(
            "The output of the bot is not text in UTF-8.",
            "Write plain ASCII{words}; PowerShell and some editors write UTF-16 or Latin-1.",
            "ascii",
        ),
        "closed": Hint(
            "The bot closed its standard input or output, and still runs.",
            "Keep standard input and standard output open until `bye`.",
        ),
        "long-output": Hint(
            "The bot wrote a line that is too long, or too many bytes without an answer.",
            "Write notes to standard error{words}, and end every answer with a newline.",
            "note",
        ),
    },
    "Answers": {
        "hello": Hint(
            "The bot answered `hello` with {said}.",
            "Answer `hello` with `hello 1`, or with `hello 1 legal` to get the legal moves.",
        ),
        "no-hello": Hint(
            "The bot does not answer `hello`, the first line that it gets.",
            "Answer `hello` with `hello 1`, or with `hello 1 legal` to get the legal moves.",
        ),
        "ready": Hint("The bot answered `new` with {said}.", "Answer `new` with `ready`, before each match."),
        "no-ready": Hint("The bot does not answer `new`.", "Answer `new` with `ready`, before each match."),
        "one-behind": Hint(
            "The bot said {said}, the answer to an earlier line, so it is one answer behind.",
            "Give each question exactly one answer; `hello` and `new` are questions too.",
        ),
        "wrong-case": Hint(
            "The bot said {said}; right would be {right}.",
            "Write capital and small letters as the manual does.",
        ),
        "spaces": Hint(
            "The bot said {said}, with wrong spaces.",
            "Put one space between two words, and no space before the first word and after the last word.",
        ),
        "index": Hint(
            "The bot said {said}: perhaps the number of a move in a list, or only one word of a move.",
            "Write the whole move, here for example {right}.",
        ),
        "no-word": Hint(
            "The bot said {said}; right would be {right}.", "Begin each answer with the word of the question."
        ),
        "word-twice": Hint(
            "The bot said {said}, with the word {word} twice.",
            "In the list of legal moves, each line has a whole answer after the word `move`. Write {right}.",
        ),
        "no-value": Hint(
            "The bot said {said}: {word} is how its language shows that there is no value or no number.",
            "Find where this value comes from: often from an index behind the end of a list, from a function "
            "without `return`, or from a text that is no number.",
        ),
        "object-form": Hint(
            "The bot said {said}: that is how its language shows an object, not the words in it.",
            "Make the text of the move yourself, such as {right}{words}.",
            "join",
        ),
        "promise": Hint(
            "The bot said {said}: that is a promise, which every `async` function "
            "returns, and not its result.",
            "Write `await` before the call, or take `async` away.",
        ),
        "one-word": Hint(
            "The bot said {said}, only one word of a move.",
            "A move is a whole line with spaces. Read the whole line{words}. In a shell, write variables in "
            'quotes: "$move".',
            "read",
        ),
        "overwritten": Hint(
            "The bot said {said}, the end of the question.",
            "Perhaps the bot keeps a pointer into the buffer into which it reads lines, and each new line "
            "overwrites this buffer. Copy each move, in C with `strdup`.",
        ),
        "compared": Hint(
            "The bot does not know {ask}, and {file} compares texts with ==, which compares addresses here.",
            "Compare the letters{words}.",
            "compare",
        ),
        "copied-mark": Hint(
            "The bot said {said}: {mark} is not part of the answer.",
            "Write only what comes after it: {right}.",
        ),
        "echo": Hint(
            "The bot repeated the question.", "Answer with a move, which begins with the same word: {right}."
        ),
        "text-form": Hint(
            "The bot said {said}: that is how the language shows a value to a programmer.",
            "Right would be {right}. Put one space between words{words}.",
            "join",
        ),
        "stale-move": Hint(
            "The bot said {said}, which was legal at an earlier question, but not now.",
            "Choose from the moves that came with this question, and forget the moves of earlier questions.",
        ),
        "not-asked-legal": Hint(
            "The rules do not allow {said} now; {right} would be legal.",
            "Answer `hello` with `hello 1 legal`: then you get the legal moves with each question.",
        ),
        "not-listed": Hint(
            "The bot got the legal moves with the question, and {said} is none of them.",
            "Each legal move is in a line that begins with the word `move`: write the text after this word. "
            "Read these lines again with each question.",
        ),
    },
    "One match after the other": {
        "seat": Hint(
            "The bot fails in seat {seat}, but not if it is told that it has seat {other}.",
            "Seats are numbered from 1: in a list that begins at 0, the entry of your seat is at SEAT - 1.",
        ),
        "not-reset": Hint(
            "The bot fails in match {number} of a process, but not if a new process plays the same match.",
            "Forget everything about the last match when you read `new`. Your seat may have changed too.",
        ),
        "remembers": Hint(
            "One process played the same match twice, and said {said} and then {other}.",
            "Forget everything about the last match when you read `new`, unless the bot should learn from "
            "this match.",
        ),
        "daemon-thread": Hint(
            "The main program of the bot ended, so the daemon threads that should answer ended too.",
            "At the end of the main program, wait for the thread with thread.join(). Or read and answer in "
            "the main program.",
        ),
        "ends-early": Hint(
            "The bot ended by itself, with exit status 0{after}.",
            "Read on until `bye` or the end of the input: one process plays several matches.",
        ),
        "unknown-line": Hint(
            "The bot failed when it read the line {line}, which needs no answer: {error}.",
            "Correct this error, or ignore lines that the bot does not need. Seats are numbered from 1.",
        ),
        "exception": Hint(
            "The bot ended with an error of its own: {error}.",
            "The last lines of stderr say where the error happened; `harness check bot` shows these lines.",
        ),
        "signal": Hint(
            "The bot was ended by {signal}: it used memory that is not its own, or ended itself.",
            "Build the bot with debug information and checks{words}. Then stderr says where the error "
            "happened.",
            "debug",
        ),
    },
    "Time": {
        "computes": Hint(
            "The bot computed for {span} without an answer; {limit} are allowed.",
            LOOK_AT_THE_CLOCK,
        ),
        "slow": Hint(
            "The bot needs {span} for this answer; {limit} are allowed.",
            LOOK_AT_THE_CLOCK,
        ),
        "slow-first": Hint(
            "The bot's first answer took {span}. When the bot was asked the same question again, its answer "
            "took {again}.",
            "Load models and let the program warm up before you answer `hello` or `new`: for these answers "
            "the limit is {start}.",
        ),
        "sleeps": Hint(
            "The bot answers after {span}, but uses almost no CPU time: it sleeps, or waits "
            "for something else.",
            "Remove pauses, time-outs and waits for other processes.",
        ),
        "ponders": Hint(
            "The bot used the CPU without a question to answer: {span} in a match, and {limit} are allowed.",
            "Wait in a read that blocks{words}, and do not poll. When you answer, stop all threads that "
            "compute.",
            "read",
        ),
        "unseeded": Hint(
            "In two matches with the same deal and the same SEED, the bot said {said} and {other}.",
            "Take all random numbers from SEED, the last number of `new`{words}. Then the bot can play the "
            "same match again when you look for an error.",
            "seed",
        ),
    },
}
"""The hints by subject."""

HINTS = {name: hint for group in GROUPS.values() for name, hint in group.items()}


def hint_of(name: str, language: str = "", /, **filled: str) -> GivenHint:
    """Returns the hint with this name, with the details in its text."""
    hint = HINTS[name]
    words = languages()[language].snippets.get(hint.about, "") if language in languages() else ""
    return GivenHint(name, f"{hint.seen} {hint.change}".format(**filled, words=f": {words}" if words else ""))
