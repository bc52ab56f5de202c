"""Owns the proof that `check bot` tells the cause of a mistake in each language.

Each bot is the starter of its language with one mistake. `make languages` runs these tests.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import trio

from harness import config, games
from harness.checking.check import Check, Checker, CheckStep, readable
from harness.checking.trial import Trial
from harness.config.languages import languages
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.model import Limits
from harness.sandbox.builds.build import BuildSettings, built
from harness.sandbox.builds.copies import private_copy
from harness.sandbox.isolation import entrant as entrant_of
from tests.cli.door import STARTER, TINY
from tests.play.seated import BOTS

pytestmark = pytest.mark.languages


class Slip(NamedTuple):
    """A mistake: the changes to a starter, and what its author must read about it."""

    language: str
    changes: tuple[tuple[str, str], ...]
    """Pieces of the program or of `bot.toml`, each with the text that replaces it."""
    hint: str
    says: str
    """Words that must be in the hint or in the sentence of the step. They name the cause or the remedy."""


def slip(language: str, hint: str, says: str, *changes: tuple[str, str]) -> Slip:
    return Slip(language, changes, hint, says)


SAY_C = "puts(line);\n    fflush(stdout);"
TALKS = 'else { printf("# thinking about %s\\n", line); }  /* All other'

SLIPS: dict[str, Slip] = {
    # C
    "C: notes for every line, and no flush": slip(
        "C", "no-flush", "fflush(stdout)", (SAY_C, "puts(line);"), ("/* All other", TALKS)
    ),
    "C: too small an array": slip(
        "C", "signal", "memory", ("strdup(line + strlen", "strcpy(NULL, line + strlen")
    ),
    "C: the library of sqrt": slip(
        "C",
        "unlinked",
        "-lm",
        ("#include <stdio.h>", "#include <stdio.h>\n#include <math.h>"),
        ("return below(count);", "return (int)pow(count, sqrt(below(count))) % count;"),
    ),
    "C: the build makes another program": slip("C", "other-product", "./bot", ('"bot"', '"main"')),
    # C++
    "C++: fast input and output": slip(
        "C++",
        "no-flush",
        "std::endl",
        ("line << std::endl", "line << '\\n'"),
        ("Dice dice(1);", "std::ios::sync_with_stdio(false); std::cin.tie(nullptr); Dice dice(1);"),
    ),
    "C++: a header of a newer standard": slip(
        "C++", "newer-version", "format", ("#include <vector>", "#include <vector>\n#include <format>")
    ),
    "C++: behind the end of a vector": slip(
        "C++",
        "exception",
        "out_of_range",
        ("moves[dice", "moves.at(moves.size() + 0 * dice"),
        ("below(moves.size())]", "below(moves.size()))"),
    ),
    # Java
    "Java: strings compared with ==": slip(
        "Java",
        "compared",
        "equals",
        ("switch (words[0]) {", 'if (words[0] == "hello") say("hello 1 legal"); else switch (words[0]) {'),
        ('case "hello":\n                    say("hello 1 legal");', 'case "hello":'),
    ),
    "Java: a PrintWriter": slip(
        "Java",
        "no-flush",
        "flush",
        ('System.out.print(line + "\\n");\n        System.out.flush();', "OUT.println(line);"),
        (
            "static String choose",
            "static java.io.PrintWriter OUT = new java.io.PrintWriter(System.out);\n    static String choose",
        ),
    ),
    "Java: an object": slip(
        "Java",
        "object-form",
        "[Ljava.lang.String;",
        (
            "say(choose(moves, dice));",
            'System.out.println(choose(moves, dice).split("x")); System.out.flush();',
        ),
    ),
    # JavaScript
    "JavaScript: undefined": slip(
        "JavaScript", "no-value", "undefined", ("say(choose(moves, dice))", "say(moves[moves.length])")
    ),
    "JavaScript: each chunk is a line": slip(
        "JavaScript",
        "reads-chunks",
        "one by one",
        (
            'readline.createInterface({ input: process.stdin }).on("line", (line) => {',
            'process.stdin.on("data", (data) => {\n  const line = data.toString().trim();',
        ),
    ),
    "JavaScript: a list": slip(
        "JavaScript",
        "text-form",
        "join",
        ("say(choose(moves, dice))", 'console.log(choose(moves, dice).split(" "))'),
    ),
    # Go
    "Go: a writer without Flush": slip(
        "Go",
        "no-flush",
        "writer.Flush()",
        ("fmt.Println(line)", "fmt.Fprintln(writer, line)"),
        ("type Dice struct", "var writer = bufio.NewWriter(os.Stdout)\n\ntype Dice struct"),
    ),
    "Go: not the package main": slip("Go", "no-program", "package main", ("package main", "package bot")),
    "Go: an unused variable": slip(
        "Go", "", "declared", ("dice := newDice(1)", "dice := newDice(1)\n\tunused := 1")
    ),
    # Rust
    "Rust: the line is never cleared": slip(
        "Rust",
        "not-emptied",
        "clear()",
        ("let mut lines = io::stdin().lock().lines();", "let mut text = String::new();"),
        (
            "while let Some(line) = lines.next().transpose()? {",
            "while io::stdin().read_line(&mut text)? > 0 {\n        let line = text.trim().to_string();",
        ),
        ("for line in lines.by_ref()", "for line in io::stdin().lock().lines()"),
        ("lines.next().transpose()?", "io::stdin().lock().lines().next().transpose()?"),
    ),
    "Rust: a crate": slip("Rust", "missing-package", "rand", ("use std::io", "use rand::Rng;\nuse std::io")),
    "Rust: a BufWriter": slip(
        "Rust",
        "no-flush",
        "flush",
        ("fn say(", "fn say(out: &mut impl Write, "),
        ("    let mut out = io::stdout().lock();\n", ""),
        ("out.flush()", "Ok(())"),
        ("let mut dice", "let mut out = io::BufWriter::new(io::stdout());\n    let mut dice"),
        ("=> say(", "=> say(&mut out, "),
        ('say("ready")', 'say(&mut out, "ready")'),
        ("say(choose(", "say(&mut out, choose("),
    ),
    # Ruby
    "Ruby: puts of all moves": slip(
        "Ruby", "answers-twice", "one line", ("puts choose(moves, dice)", "puts moves")
    ),
    "Ruby: p": slip("Ruby", "text-form", "and not p", ("puts choose", "p choose")),
    "Ruby: nil has no method": slip(
        "Ruby",
        "exception",
        "undefined method",
        ("moves[dice.below(moves.size)]", "moves[moves.size + dice.below(1)].strip"),
    ),
    # Perl
    "Perl: the line end of the move stays": slip(
        "Perl", "empty-line", "chomp", ("s/^move |\\r?\\n//g", "s/^move //")
    ),
    "Perl: a reference": slip("Perl", "object-form", "ARRAY(", ("print choose(@moves)", "print \\@moves")),
    # PHP
    "PHP: no <?php": slip("PHP", "php-tag", "<?php", ("<?php\n", "")),
    "PHP: a warning on standard output": slip(
        "PHP",
        "warns-stdout",
        "display_errors",
        ("say(choose($moves, $dice))", "say(choose($moves, $dice) . $nothing)"),
        ("$dice = new Dice(1);", "ini_set('display_errors', '1');\n$dice = new Dice(1);"),
    ),
    # Lua
    "Lua: a table": slip(
        "Lua", "object-form", "table: 0x", ("say(choose(moves))", "print(moves) io.flush()")
    ),
    "Lua: nil": slip("Lua", "no-value", "nil", ("say(choose(moves))", "print(moves[0]) io.flush()")),
    # C#
    "C#: a StreamWriter": slip(
        "C#",
        "no-flush",
        "Flush",
        ('Console.Out.Write(line + "\\n");\n        Console.Out.Flush();', "Writer.WriteLine(line);"),
        (
            "static class Bot\n{",
            "static class Bot\n{\n    static System.IO.StreamWriter Writer =\n"
            "        new System.IO.StreamWriter(Console.OpenStandardOutput());",
        ),
    ),
    "C#: a library": slip(
        "C#", "mcs-library", "Json", ("using System;", "using System;\nusing System.Text.Json;")
    ),
    # Haskell
    "Haskell: a package": slip(
        "Haskell",
        "missing-package",
        "System.Random",
        ("import System.IO", "import System.IO\nimport System.Random"),
    ),
    # OCaml
    "OCaml: a library": slip(
        "OCaml",
        "unlinked",
        "unix",
        ("let dice = ref 1", "let dice = ref (1 + 0 * int_of_float (Unix.time ()))"),
    ),
    # Shell
    "Shell: bash in sh": slip("Shell", "bash", "bash", ("dice=1\n", "dice=1\nlist=(1 2 3)\n")),
    # Python
    "Python: the word twice": slip("Python", "word-twice", "twice", ("say(choose", 'say("bid " + choose')),
    # Kotlin
    "Kotlin: without its library": slip(
        "Kotlin", "kotlin-runtime", "-include-runtime", ('"-include-runtime", ', "")
    ),
    # TypeScript
    "TypeScript: run without a build": slip(
        "TypeScript", "typescript", "tsc", ('"node", "main.js"', '"node", "main.ts"')
    ),
}
LIMITS = Limits(start_ms=5_000, move_ms=1_000, memory_mb=1024, ponder_ms=0)
RULES = Rules(games.find(TINY), games.find(TINY).options(rounds=2, coins=99), LIMITS)


def made(folder: Path, slip: Slip) -> Path:
    """Makes a bot with this mistake; returns its folder."""
    starter = languages()[slip.language].starter
    shutil.copytree((BOTS / "starters" / starter).parent, folder)
    texts = {path: path.read_text() for path in folder.iterdir()}
    for old, new in slip.changes:
        assert any(old in text for text in texts.values()), old
        texts = {path: text.replace(old, new) for path, text in texts.items()}
    for path, text in texts.items():
        path.write_text(text)
    return folder


def steps_of(path: Path, place: Path) -> list[CheckStep]:
    """The steps of `check bot` for this bot."""
    found: list[CheckStep] = []
    opponent = entrant_of(private_copy(config.read_bot(Path(STARTER)), place / "opponent"), "none")

    def prepared(bot: config.Bot) -> tuple[config.Bot, Entrant]:
        copy = built(bot, place / "copy", BuildSettings("none")).bot
        return copy, entrant_of(copy, "none")

    bot = readable(str(path), lambda: config.read_bot(path))
    if isinstance(bot, CheckStep):
        return [bot]
    wanted = Check(bot, prepared, lambda own: Trial(RULES, TINY, own, (opponent,)), [2], thorough=False)
    trio.run(Checker(wanted, found.append).run)
    return found


@pytest.mark.parametrize("name", SLIPS)
def test_a_mistake_in_another_language_is_told_with_its_cause(name: str, tmp_path: Path) -> None:
    slip = SLIPS[name]
    programs = languages()[slip.language].programs
    if slip.language != "Shell" and not any(map(shutil.which, programs)):
        pytest.skip(f"this machine has no {slip.language}")
    last = steps_of(made(tmp_path / "bot", slip), tmp_path)[-1]
    assert not last.passed
    assert (last.hint.name if last.hint else "") == slip.hint, last
    assert slip.says in last.trouble
