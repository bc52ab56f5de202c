"""Owns the tests of hints that need no process: an answer, stderr, files or results decide the hint."""

from pathlib import Path

import pytest

from harness import config, games
from harness.chance import Seeded
from harness.checking.answers import wrong_answer
from harness.checking.asked import Question
from harness.checking.check import CheckStep
from harness.checking.hints import GROUPS, HINTS, hint_of
from harness.checking.house import measured
from harness.checking.signs import careless, spoilt, unread
from harness.checking.traces import error_line, recognised, uncaught
from harness.config.languages import languages
from harness.config.programs import language_of
from harness.errors import InputError
from tests.checking.test_hints_languages import SLIPS
from tests.checking.test_hints_mistakes import ISOLATED, MISTAKES

HERE = {"index"}
"""The hints that only the tests of this file cause."""


def test_every_hint_of_the_catalogue_is_provoked_by_a_mistake() -> None:
    provoked = {hint for hint, _ in (*MISTAKES.values(), *ISOLATED.values())} | HERE
    provoked |= {slip.hint for slip in SLIPS.values()} - {""}
    assert provoked == set(HINTS)
    assert len(HINTS) == sum(map(len, GROUPS.values())) > 25


@pytest.mark.parametrize("name", HINTS)
def test_a_hint_says_what_was_seen_and_what_to_change_in_whole_sentences(name: str) -> None:
    hint = HINTS[name]
    assert all(text[0].isupper() or text[0] == "{" for text in (hint.seen, hint.change))
    assert hint.seen.endswith(".")
    assert len(hint.seen) + len(hint.change) < 260
    assert (hint.about != "") == ("{words}" in hint.change)


def test_each_snippet_belongs_to_a_hint_and_each_hint_has_a_snippet() -> None:
    snippets = {about for language in languages().values() for about in language.snippets}
    assert snippets == {hint.about for hint in HINTS.values()} - {""}


def of_sevens(seed: int = 1) -> Question:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 2, Seeded(seed))
    return Question("play 1000 -1", state.to_act()[0], state)


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("2", "index"),
        ("play 1", "index"),
        ("{}", None),
        ("play AC A 0 0", None),
        ("{upper}", "wrong-case"),
        ("  {}", "spaces"),
        ("my move is {}", "debug-stdout"),
        ("Your move: {}", "prompt"),
        ("b'{}'", "text-form"),
        ("{commas}", "text-form"),
        ("move {}", "copied-mark"),
        ("play {}", "word-twice"),
        ("undefined", "no-value"),
        ("play NaN 1 2", "no-value"),
        ("[Ljava.lang.String;@23fc625e", "object-form"),
        ("Main$Move@1b6d3586", "object-form"),
        ("ARRAY(0x562088b7d9a0)", "object-form"),
        ("table: 0x55c78257a690", "object-form"),
        ("<__main__.Move object at 0x7f2e>", "object-form"),
        ("#<Move:0x000078>", "object-form"),
        ("play [object Object]", "object-form"),
        ("System.Collections.Generic.List`1[System.String]", "object-form"),
        ("Array", "object-form"),
        ("[object Promise]", "promise"),
        ("play", "one-word"),
        ("{card}", "one-word"),
        ("1000 -1", "overwritten"),
        ("\ufeff{}", "bom"),
    ],
)
def test_an_answer_in_a_wrong_form_is_recognised(said: str, hint: str | None) -> None:
    question = of_sevens()
    right = next(iter(question.answers()))
    text = said.format(right, upper=right.upper(), commas=right.replace(" ", ", "), card=right.split()[1])
    found = wrong_answer(question, text, (), "Python")
    assert (found.name if found else None) == hint


@pytest.mark.parametrize(
    ("line", "said", "hint"),
    [
        ("hello 1 squash", "hello 1 squash", "hello"),
        ("hello 1 squash", "1 squash", "hello"),
        ("new 1 1 2 99", "new 1 1 2 99", "ready"),
        ("new 1 1 2 99", "1 1 2 99", "ready"),
    ],
)
def test_a_part_of_hello_or_new_is_not_said_to_be_in_place_of_a_move(line: str, said: str, hint: str) -> None:
    assert wrong_answer(Question(line), said, (), "Python") == hint_of(hint, said=f"`{said}`")


def test_a_move_with_a_wrong_claim_is_not_said_to_be_an_old_move() -> None:
    now = of_sevens()
    right = {answer.rpartition(" ")[0]: answer for answer in now.answers()}
    said, before = next(
        (answer, question)
        for question in map(of_sevens, range(2, 100))
        for answer in question.answers()
        if right.get(answer.rpartition(" ")[0], answer) != answer
    )
    assert wrong_answer(now, said, (before,), "Python") is None, said


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("ModuleNotFoundError: No module named 'numpy'", "missing-package"),
        ("Error: Cannot find module 'lodash'\nRequire stack:", "missing-package"),
        ("cannot load such file -- nokogiri (LoadError)", "missing-package"),
        ("Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module)", "missing-package"),
        ("./bot: error while loading shared libraries: libboost.so.1: cannot open", "missing-package"),
        ("main.c:1:10: fatal error: gmp.h: No such file or directory", "missing-package"),
        ("Exception in thread java.lang.NoClassDefFoundError: com/google/Gson", "missing-package"),
        ("error[E0463]: can't find crate for `rand`", "missing-package"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'model.pt'", "missing-file"),
        ("java.io.FileNotFoundException: book.txt (No such file or directory)", "missing-file"),
        ("panic: open book.txt: no such file or directory", "missing-file"),
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", "writes-folder"),
        ("java.lang.OutOfMemoryError: Java heap space", "memory"),
        ("terminate called after throwing an instance of 'std::bad_alloc'", "memory"),
        ("socket.gaierror: [Errno -3] Temporary failure in name resolution", "network"),
        ("npm ERR! network request to https://registry failed, reason: getaddrinfo EAI_AGAIN", "network"),
        ("SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?", "python-2"),
        ("main.sh: 2: \r: not found", "crlf"),
        ("go: errors parsing go.mod:\ngo.mod:3: invalid go version '1.23.4': must match", "newer-version"),
        ("go: errors parsing go.mod:\ngo.mod:4: unknown directive: toolchain", "newer-version"),
        ("go: go.mod requires go >= 1.24 (running go 1.22.1; GOTOOLCHAIN=local)", "newer-version"),
        ("java.lang.UnsupportedClassVersionError: Bot has been compiled by", "newer-version"),
        ("error: release version 25 not supported", "newer-version"),
        ("cc1plus: error: unrecognized command-line option '-std=c++26'", "newer-version"),
        ("main.go:2:15: package slices is not in GOROOT (/usr/lib/go-1.19/src/slices)", "missing-package"),
        ("main.cpp:9:10: fatal error: format: No such file or directory", "newer-version"),
        ("main.c:(.text+0x2b7): undefined reference to `sqrt'\ncollect2: error", "unlinked"),
        (
            "Error: No implementations provided for the following modules:\n         Unix referenced",
            "unlinked",
        ),
        (
            "error[E0432]: unresolved import `rand`\n ^^^^ use of unresolved module or unlinked crate `rand`",
            "missing-package",
        ),
        (
            "error CS0234: The type or namespace name `Json' does not exist in the namespace `System.Text'",
            "mcs-library",
        ),
        ("java.lang.NoClassDefFoundError: kotlin/io/ConsoleKt", "kotlin-runtime"),
        (
            "/bots/main.ts:6\ndeclare const x: any;\n  ^^^^^\n\nSyntaxError: Unexpected token 'const'",
            "typescript",
        ),
        ('main.sh: 9: Syntax error: "(" unexpected', "bash"),
        ("main.sh: 3: [[: not found", "bash"),
        ("main.sh: 3: python4: not found", None),
        ("thinking about 3 moves\nno error so far", None),
    ],
)
def test_an_error_on_stderr_is_recognised(text: str, hint: str | None) -> None:
    found = recognised(text)
    assert (found.hint if found else None) == hint


def test_the_line_that_says_what_went_wrong_is_quoted_but_not_the_end_of_the_input() -> None:
    trace = "Traceback (most recent call last):\n  File 'x'\nValueError: seven\nnoise"
    assert error_line(trace) == "ValueError: seven"
    assert error_line(trace.replace("ValueError: seven\nnoise", "EOFError: EOF when reading a line")) == ""
    assert error_line("thread 'main' panicked at src/main.rs:3") == "thread 'main' panicked at src/main.rs:3"


def test_a_line_of_an_error_that_ends_with_a_colon_is_quoted_with_the_next_one() -> None:
    mono = "\nUnhandled Exception:\nSystem.IndexOutOfRangeException: Index was outside.\n  at Bot.Main ()\n"
    assert error_line(mono) == "System.IndexOutOfRangeException: Index was outside."
    assert error_line("thread 'main' panicked at src/main.rs:3:5:\nno move\nnote: run with") == (
        "thread 'main' panicked at src/main.rs:3:5: no move"
    )
    assert error_line("Fatal error:\n") == "Fatal error:"
    assert error_line("bot: Prelude.!!: index too large\n") == "bot: Prelude.!!: index too large"


def test_of_an_error_of_node_the_message_is_quoted_and_not_its_place() -> None:
    node = (
        "/bots/main.js:5\n  moves.x.y\n\nTypeError: Cannot read properties of undefined\n    at main.js:5:9"
    )
    assert error_line(node) == "TypeError: Cannot read properties of undefined"


def test_an_exception_of_cpp_and_an_assertion_are_told_from_other_ends_by_sigabrt() -> None:
    thrown = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector: 7 >= 3\n"
    assert uncaught(thrown) == "std::out_of_range: vector: 7 >= 3"
    assert uncaught("bot: main.c:9: main: Assertion `count > 0' failed.") != ""
    assert uncaught("*** stack smashing detected ***: terminated") == ""


@pytest.mark.parametrize(
    ("language", "file", "text", "hint"),
    [
        ("Java", "Main.java", 'if (words[0] == "hello") {', "compared"),
        ("C", "main.c", 'if (line == "hello") {', "compared"),
        ("C", "main.c", "if (line[0] == 'h' && strcmp(line, \"a == b\") == 0) {", None),
        ("C++", "main.cpp", 'if (line == "hello") {', None),
        (
            "Rust",
            "main.rs",
            "let mut line = String::new();\nloop { stdin.read_line(&mut line)?; }",
            "not-emptied",
        ),
        ("Rust", "main.rs", "loop { let mut line = String::new(); stdin.read_line(&mut line)?; }", None),
        (
            "Rust",
            "main.rs",
            "let mut line = String::new();\nloop { line.clear(); x.read_line(&mut line)?; }",
            None,
        ),
    ],
)
def test_a_source_shows_why_a_bot_does_not_understand_what_it_reads(
    tmp_path: Path, language: str, file: str, text: str, hint: str | None
) -> None:
    (tmp_path / file).write_text(text)
    found = careless(tmp_path, language, "`hello 1 sevens`")
    assert (found.name if found else None) == hint


def test_a_hint_has_the_words_of_the_language() -> None:
    said = hint_of("no-flush", "C", ask="x", when="y").text
    assert said.endswith("Flush standard output after every line: fflush(stdout).")
    assert hint_of("no-flush", "Brainfuck", ask="x", when="y").text.endswith("after every line.")


def test_the_language_of_a_bot_is_that_of_its_manifest_or_of_its_programs(tmp_path: Path) -> None:
    for number, (manifest, language) in enumerate(
        [
            ("run = 'python3 x.py'", "Python"),
            ("run = './bot'\nbuild = 'g++ -o bot x.cpp'", "C++"),
            ("run = './bot'\nlanguage = 'rust'", "Rust"),
            ("run = 'java -cp . Main'\nlanguage = 'Kotlin'", "Kotlin"),
            ("run = './bot'", ""),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "bot.toml").write_text(manifest)
        assert language_of(config.read_bot(folder)) == language


@pytest.mark.parametrize(
    ("run", "text", "hint"),
    [
        ("./x", "#!/usr/bin/env -S A=1 sh -e\n", None),
        ("./x", "#!/bin/sh\n", None),
        ("./x", "#!/bin/nonesuch\n", "interpreter"),
        ("./x", "#!/bin/sh\r\n", "crlf"),
        ("./x", "\ufeff#!/bin/sh\n", "bom"),
        ("python3 x", "#!/bin/nonesuch\r\nimport sys\r\n", None),
        ("python3 x", "\ufeff#!/usr/bin/env python3\n", None),
        ("sh x", "read line\r\n", "crlf"),
    ],
)
def test_only_files_that_the_system_cannot_start_are_spoilt(
    tmp_path: Path, run: str, text: str, hint: str | None
) -> None:
    (tmp_path / "bot.toml").write_text(f"run = '{run}'")
    (tmp_path / "x").write_bytes(text.encode())
    found = spoilt(config.read_bot(tmp_path), tmp_path)
    assert (found.name if found else None) == hint


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("run = './bot.exe'", "windows-path"),
        ("run = ['bot.exe', 'deep']", "windows-path"),
        (r"run = 'bin\bot'", "windows-path"),
        ("build = 'csc.exe main.cs'", "windows-path"),
        ("run = ['python3', 'C:/bots/main.py']", "windows-path"),
        ("run = 'mono bot.exe'", None),
        ("run = ['mono', 'bot.exe']", None),
        ("build = 'mcs -out:bot.exe main.cs'", None),
        ("run = './bot'  # not bot.exe", None),
    ],
)
def test_a_program_of_windows_is_told_from_one_that_mono_runs(
    tmp_path: Path, line: str, hint: str | None
) -> None:
    (tmp_path / "bot.toml").write_text(line)
    found = unread(tmp_path, InputError("the build failed"))
    assert (found.name if found else None) == hint


def test_the_hint_for_a_command_of_windows_names_only_the_command(tmp_path: Path) -> None:
    hint = unread(tmp_path, InputError("mine: py is not installed (py is a command of Windows)"))
    assert hint is not None
    assert hint.text.startswith("py is a command of Windows, but this machine has Linux. ")


def test_a_trouble_and_its_hint_are_sentences_with_one_sign_at_the_end() -> None:
    hint = hint_of("python-2")
    assert CheckStep(False, "it ends", hint).trouble.startswith("it ends. The bot is written")
    assert CheckStep(False, "need a build?", hint).trouble.startswith("need a build? The bot is written")
    assert CheckStep(False, "it ends").trouble == "it ends"


def test_the_interval_of_a_distance_is_that_of_wilson() -> None:
    # For 14 wins of 20, the interval of Wilson (1927) is 0.4810 to 0.8545.
    found = measured("x", [1.0] * 14 + [0.0] * 6)
    assert (found.won, found.drawn, found.lost) == (14, 0, 6)
    assert (round(found.low, 4), round(found.high, 4)) == (0.4810, 0.8545)
    assert found.verdict == "open"
    assert measured("x", [1.0] * 20).verdict == "better"
    assert measured("x", [1.0] * 20).low < 1 == measured("x", [1.0] * 20).high
    assert measured("x", [0.0] * 18 + [0.5] * 2).verdict == "worse"


@pytest.mark.parametrize(
    "told",
    [
        "the run command 'dotnet' is not on the PATH",
        "mine: dotnet is not installed (for a program in the bot's own folder write ./dotnet)",
        "mine: dotnet and mono are not installed (Debian: sudo apt-get install mono-runtime)",
    ],
)
def test_a_bot_that_wants_dotnet_is_told_of_mono(told: str, tmp_path: Path) -> None:
    hint = unread(tmp_path, InputError(told))
    assert hint is not None
    assert hint.name == "dotnet"
    assert "needs `dotnet`" in hint.text
