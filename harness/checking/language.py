"""Pieces of code for hints, in the languages of bots; pure data."""

from __future__ import annotations

from pathlib import PurePosixPath
from types import MappingProxyType

from harness.config import Bot

ALIKE = {
    "typescript": "JavaScript",
    "js": "JavaScript",
    "ts": "JavaScript",
    "node": "JavaScript",
    "cpp": "C++",
    "csharp": "C#",
    "golang": "Go",
    "bash": "Shell",
    "sh": "Shell",
}
PROGRAMS = MappingProxyType(
    {
        "python": "Python",
        "pypy": "Python",
        "node": "JavaScript",
        "deno": "JavaScript",
        "java": "Java",
        "javac": "Java",
        "perl": "Perl",
        "ruby": "Ruby",
        "php": "PHP",
        "lua": "Lua",
        "sh": "Shell",
        "bash": "Shell",
        "cc": "C",
        "gcc": "C",
        "clang": "C",
        "c++": "C++",
        "g++": "C++",
        "clang++": "C++",
        "rustc": "Rust",
        "cargo": "Rust",
        "go": "Go",
        "ghc": "Haskell",
        "runghc": "Haskell",
        "ocaml": "OCaml",
        "ocamlfind": "OCaml",
        "ocamlopt": "OCaml",
        "dotnet": "C#",
        "mcs": "C#",
        "mono": "C#",
        "kotlin": "Kotlin",
        "kotlinc": "Kotlin",
        "scala": "Scala",
        "scalac": "Scala",
    }
)
"""The languages of programs that build or run bots, without the versions in their names."""

_JVM = {"flush": "System.out.flush()", "note": "System.err.println(...)", "memory": "java -Xmx256m"}

_BY_LANGUAGE: dict[str, dict[str, str]] = {
    "C": {
        "flush": "fflush(stdout)",
        "newline": r'printf("...\n")',
        "read": "fgets(line, sizeof line, stdin)",
        "note": "fprintf(stderr, ...)",
        "debug": "cc -g -fsanitize=address",
        "scratch": 'getenv("SCRATCH")',
        "seed": "srand(seed)",
    },
    "C++": {
        "flush": "end lines with std::endl, or write std::flush",
        "newline": "std::endl",
        "read": "std::getline(std::cin, line)",
        "note": "std::cerr",
        "debug": "c++ -g -fsanitize=address",
        "scratch": 'std::getenv("SCRATCH")',
        "seed": "std::mt19937 random(seed)",
    },
    "C#": {
        "flush": "Console.Out.Flush()",
        "newline": "Console.WriteLine(...)",
        "read": "Console.ReadLine()",
        "note": "Console.Error.WriteLine(...)",
        "scratch": 'Environment.GetEnvironmentVariable("SCRATCH")',
        "seed": "new Random(seed)",
    },
    "Go": {
        "flush": "writer.Flush()",
        "newline": "fmt.Println(...)",
        "read": "scanner.Scan()",
        "note": "fmt.Fprintln(os.Stderr, ...)",
        "scratch": 'os.Getenv("SCRATCH")',
        "seed": "rand.New(rand.NewSource(seed))",
    },
    "Haskell": {
        "flush": "hSetBuffering stdout LineBuffering",
        "newline": "putStrLn",
        "read": "getLine, not getContents or interact",
        "note": "hPutStrLn stderr",
        "seed": "mkStdGen seed",
    },
    "Java": _JVM
    | {
        "newline": "System.out.println(...)",
        "read": "reader.readLine()",
        "scratch": 'System.getenv("SCRATCH")',
        "package": "its .jar, and -cp in `run`",
        "seed": "new Random(seed)",
    },
    "JavaScript": {
        "newline": "console.log(...)",
        "read": "readline.createInterface({input: process.stdin}), and its event 'line'",
        "note": "console.error(...)",
        "join": 'words.join(" ")',
        "package": "npm install, and hand in node_modules",
        "memory": "node --max-old-space-size=256",
        "scratch": "process.env.SCRATCH",
        "seed": "with a generator of your own, because Math.random() has no seed",
    },
    "Kotlin": _JVM | {"newline": "println(...)", "read": "readLine()", "seed": "Random(seed)"},
    "Lua": {
        "flush": "io.stdout:flush()",
        "newline": "print(...)",
        "read": 'io.read("l")',
        "note": "io.stderr:write(...)",
        "seed": "math.randomseed(seed)",
    },
    "OCaml": {
        "flush": "flush stdout, or print_endline",
        "newline": "print_endline",
        "read": "input_line stdin",
        "note": "prerr_endline",
        "seed": "Random.init seed",
    },
    "Perl": {
        "flush": "set $| = 1",
        "newline": r'print "...\n"',
        "read": "my $line = <STDIN>",
        "note": "print STDERR ...",
        "scratch": "$ENV{SCRATCH}",
        "seed": "srand($seed)",
    },
    "PHP": {
        "flush": "fflush(STDOUT)",
        "newline": r'echo "...\n"',
        "read": "fgets(STDIN)",
        "note": "fwrite(STDERR, ...)",
        "scratch": 'getenv("SCRATCH")',
        "seed": "mt_srand($seed)",
    },
    "Python": {
        "flush": "print(..., flush=True)",
        "newline": "print(...)",
        "read": "sys.stdin.readline()",
        "note": "print(..., file=sys.stderr)",
        "prompt": "input() without a text",
        "join": 'print(" ".join(words), flush=True)',
        "package": "pip install --target . NAME",
        "scratch": 'os.environ["SCRATCH"]',
        "seed": "random.seed(int(words[4])); iterate over lists, because sets have another order each time",
        "ascii": 'encoding="ascii"',
    },
    "Ruby": {
        "flush": "set $stdout.sync = true",
        "newline": "puts ...",
        "read": "$stdin.gets",
        "note": "warn ...",
        "scratch": 'ENV["SCRATCH"]',
        "seed": "Random.new(seed)",
    },
    "Rust": {
        "flush": "io::stdout().flush()",
        "newline": "println!(...)",
        "read": "stdin.lock().lines()",
        "note": "eprintln!(...)",
        "scratch": 'std::env::var("SCRATCH")',
    },
    "Scala": _JVM | {"newline": "println(...)", "read": "StdIn.readLine()", "seed": "new Random(seed)"},
    "Shell": {"newline": "echo ...", "read": "read -r line", "note": "echo ... >&2", "scratch": '"$SCRATCH"'},
}

WORDS = {
    about: {language: words[about] for language, words in _BY_LANGUAGE.items() if about in words}
    for about in sorted({about for words in _BY_LANGUAGE.values() for about in words})
}
"""What to write, by subject and by language."""


def language_of(bot: Bot) -> str:
    """The language of a bot, by what its manifest says or by the program that builds or runs it; "" if it is
    unknown."""
    said = bot.language.casefold()
    by_name = {name.casefold(): name for name in _BY_LANGUAGE} | ALIKE
    programs = (PurePosixPath(command[0]).name for command in (bot.build, bot.run) if command)
    by_program = (PROGRAMS.get(name, PROGRAMS.get(name.rstrip(".-0123456789"), "")) for name in programs)
    return by_name.get(said) or next(filter(None, by_program), "")
