"""Tests what harness reads about a bot from its folder or file before the bot runs."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.config import Bot, missing, needs, read_bot
from harness.config.languages import endings_alone
from harness.errors import InputError


def folder(place: Path, manifest: str | bytes, **files: str) -> Path:
    """Makes a bot's folder with this manifest. In the names of `files`, `__` stands for a dot."""
    place.mkdir(parents=True, exist_ok=True)
    data = manifest.encode() if isinstance(manifest, str) else manifest
    (place / "bot.toml").write_bytes(data)
    for name, text in files.items():
        (place / name.replace("__", ".")).write_text(text)
    return place


def complaint(path: Path, name: str = "") -> str:
    with pytest.raises(InputError) as caught:
        read_bot(path, name)
    return str(caught.value).replace(f"{path}/", "").replace(str(path), "BOT")


# -- a folder --------------------------------------------------------------------------------------


def test_a_folder_says_how_it_is_built_and_run(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "g",
        'name = "greedy one"\nrun = ["./bot", "-x"]\nbuild = "cc -o \'a b\' bot.c"\nlanguage = "C"',
    )
    bot = read_bot(path)
    assert (bot.name, bot.language, bot.folder, bot.path) == ("greedy one", "C", path.resolve(), str(path))
    assert bot.run == ("./bot", "-x")
    assert bot.build == ("cc", "-o", "a b", "bot.c")


def test_a_bot_without_a_name_is_called_by_its_folder(tmp_path: Path) -> None:
    assert read_bot(folder(tmp_path / "g", 'run = "./bot"')).name == "g"


def test_a_name_that_is_given_goes_before_the_manifest(tmp_path: Path) -> None:
    assert read_bot(folder(tmp_path / "g", 'name = "a"\nrun = "./bot"'), "b").name == "b"


def test_the_path_of_a_manifest_stands_for_its_folder(tmp_path: Path) -> None:
    path = folder(tmp_path / "g", 'run = "./bot"')
    assert read_bot(path / "bot.toml").folder == read_bot(path).folder


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (
            "",
            "bot.toml: run: this key is missing; expected text or a list (each text); "
            '`run` is the command that starts the bot, such as run = "python3 main.py"',
        ),
        (
            'name = "g"\ncommand = "./b"',
            "bot.toml:2: command: there is no such key; there are run, build, name, language, products; "
            '`run` is the command that starts the bot, such as run = "python3 main.py"',
        ),
        (
            "run = python3 main.py  # starts it",
            'bot.toml:1: this is not TOML: Invalid value; put text in quotes: "python3 main.py"',
        ),
        ('run = ["./b", x]', 'bot.toml:1: this is not TOML: Invalid value; put text in quotes: "x"'),
        ('run = "./b"\n\nrnu = "x"', "bot.toml:3: rnu: there is no such key; did you mean run?"),
        ("run = 3", "bot.toml:1: run: expected text or a list (each text), not 3"),
        ('run = ["a",\n3]', "bot.toml:2: run: expected text, not 3"),
        ("run = []", "bot.toml:1: run: expected a command, and this is empty"),
        ('run = "  "', "bot.toml:1: run: expected a command, and this is empty"),
        ('run = "./b"\nbuild = ""', "bot.toml:2: build: expected a command, and this is empty"),
        ('run = [""]', "bot.toml:1: run: a command begins with a program, and its name is empty"),
        ('run = "sh \\u0000"', "bot.toml:1: run: a command must not contain a NUL character"),
        ('run = "sh \'x"', "bot.toml:1: run: this is not a command: no closing quotation"),
        (
            'run = "./b"\nbuild = "make && make install"',
            'bot.toml:2: build: no shell runs this, so "&&" means nothing; '
            'to run a shell: ["sh", "-c", "..."]',
        ),
        (
            'name = "a\\u001b[2J"\nrun = "./b"',
            'bot.toml:1: name: expected a name of 1 to 40 printable characters, not "a\\x1b[2J"',
        ),
        (
            f'run = "./b"\nname = "{"x" * 41}"',
            f'bot.toml:2: name: expected a name of 1 to 40 printable characters, not "{"x" * 41}"',
        ),
        (
            'run = "./b"\nname = " x"',
            'bot.toml:2: name: expected a name of 1 to 40 printable characters, not " x"',
        ),
        ('run = "./b"\nlanguage = "\\t"', "bot.toml:2: language: expected printable characters"),
        (
            f'run = "./b"\nlanguage = "{"x" * 70}"',
            f'bot.toml:2: language: expected text of at most 40 characters, not "{"x" * 57}..."',
        ),
        (
            'run = "./b"\nproducts = [""]',
            'bot.toml:2: products: expected text of at least 1 character, not ""',
        ),
        ('run = "./b"\nrun = "./c"', "bot.toml:2: this is not TOML: Cannot overwrite a value"),
        (b"run = 'x'\n# \xff", "bot.toml:2: the file is not text in UTF-8"),
        ("run = nan", "bot.toml:1: run: expected a number, not nan"),
    ],
)
def test_a_manifest_that_is_wrong_is_told_by_line_and_key(
    tmp_path: Path, manifest: str | bytes, said: str
) -> None:
    assert complaint(folder(tmp_path / "g", manifest)) == said


def test_a_folder_without_a_manifest_is_no_bot(tmp_path: Path) -> None:
    assert complaint(tmp_path) == (
        "BOT: the folder of a bot needs a bot.toml, and there is none; "
        'write one with the command that starts the bot, such as run = "python3 main.py"'
    )


@pytest.mark.parametrize("alone", [False, True])
def test_a_notebook_is_no_bot(tmp_path: Path, alone: bool) -> None:
    notebook = tmp_path / "bot.ipynb"
    notebook.write_text("{}")
    with pytest.raises(InputError, match="is a notebook, not a program; save its code as a script"):
        read_bot(notebook if alone else tmp_path)


# -- a single file ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", endings_alone())
def test_a_file_of_a_known_ending_is_a_bot(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"greedy{ending}"
    path.write_text("")
    bot = read_bot(path)
    assert (bot.name, bot.folder, bot.build) == ("greedy", tmp_path.resolve(), ())
    assert " ".join(bot.run) == endings_alone()[ending].format(file=path.name)


def test_a_script_whose_name_looks_like_a_flag_is_none(tmp_path: Path) -> None:
    (tmp_path / "-c.py").write_text("")
    assert read_bot(tmp_path / "-c.py").run == ("python3", "./-c.py")


def test_an_executable_file_is_a_bot_that_runs_itself(tmp_path: Path) -> None:
    path = tmp_path / "greedy"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    assert read_bot(path, "other").run == ("./greedy",)
    assert read_bot(path, "other").name == "other"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "g.txt",
            "BOT: a bot is a folder with a bot.toml, an executable file, or a file that ends with one of ",
        ),
        (
            "g.rs",
            "BOT: this file needs a build: put it into a folder with a bot.toml that has "
            'build = "rustc --edition 2021 -O -o bot g.rs" and run = "./bot"',
        ),
        (f"{'x' * 41}.py", "BOT: name: expected a name of 1 to 40 printable characters"),
    ],
)
def test_a_file_that_is_no_bot_is_told_what_is(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_text("")
    assert complaint(tmp_path / name).startswith(said)


@pytest.mark.parametrize("name", ["none", "x" * 5000, "\0", "none/bot.toml", "file/bot.toml"])
def test_a_path_that_leads_nowhere_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    assert complaint(tmp_path / name)


def test_control_characters_in_a_path_do_not_reach_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in complaint(tmp_path / "a\x1b[2J")


def test_a_given_name_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "g.py").write_text("")
    assert "printable" in complaint(tmp_path / "g.py", "\n")
    assert "printable" in complaint(folder(tmp_path / "g", 'run = "./b"'), "\n")


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: f"run = {text!r}\n{text}".encode()))
def test_any_bytes_are_a_manifest_or_a_complaint(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = folder(tmp_path_factory.getbasetemp() / "any", data)
    try:
        said = read_bot(path).name
    except InputError as error:
        said = str(error)
    assert said.isprintable()


# -- the digest ------------------------------------------------------------------------------------


def test_the_digest_changes_with_a_file_and_with_its_name(tmp_path: Path) -> None:
    def digest(name: str, text: str) -> str:
        path = folder(tmp_path / f"{name}{text}", 'run = "./b"')
        (path / "src").mkdir(exist_ok=True)
        (path / "src" / name).write_text(text)
        return read_bot(path).digest

    assert len({digest("a", "1"), digest("a", "2"), digest("b", "1"), digest("a1", "")}) == 4


def test_the_digest_is_the_same_wherever_the_folder_lies(tmp_path: Path) -> None:
    one = folder(tmp_path / "x", 'run = "./b"', a="1", b="2")
    two = folder(tmp_path / "y" / "z", 'run = "./b"', b="2", a="1")
    assert read_bot(one).digest == read_bot(two).digest


def test_a_build_does_not_change_the_digest(tmp_path: Path) -> None:
    path = folder(
        tmp_path / "g", 'run = "./out/bot"\nbuild = "make"\nproducts = ["target/", "*.dep"]', bot__c="1"
    )
    before = read_bot(path).digest
    for made in ("out/bot", "bot.o", "sub/Bot.class", "target/deep/x", "sub/x.dep", ".git/HEAD"):
        (path / made).parent.mkdir(parents=True, exist_ok=True)
        (path / made).write_text(made)
    assert read_bot(path).digest == before
    (path / "out" / "other").write_text("not made")
    assert read_bot(path).digest != before


def test_the_program_counts_where_nothing_builds_it(tmp_path: Path) -> None:
    path = folder(tmp_path / "g", 'run = "./bot"', bot="1")
    before = read_bot(path).digest
    (path / "bot").write_text("2")
    assert read_bot(path).digest != before


def test_what_python_leaves_behind_does_not_change_the_digest(tmp_path: Path) -> None:
    path = folder(tmp_path / "g", 'run = "python3 bot.py"', bot__py="1")
    before = read_bot(path).digest
    (path / "__pycache__").mkdir()
    (path / "__pycache__" / "bot.pyc").write_text("x")
    assert read_bot(path).digest == before


def test_a_circle_of_links_has_a_digest(tmp_path: Path) -> None:
    path = folder(tmp_path / "g", 'run = "./b"')
    before = read_bot(path).digest
    (path / "again").symlink_to(".")
    (path / "broken").symlink_to("nowhere")
    assert read_bot(path).digest != before


def test_a_single_file_has_a_digest_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("1")
    before = read_bot(tmp_path / "a.py").digest
    (tmp_path / "b.py").write_text("2")
    assert read_bot(tmp_path / "a.py").digest == before
    (tmp_path / "a.py").write_text("2")
    assert len({before, read_bot(tmp_path / "a.py").digest, read_bot(tmp_path / "b.py").digest}) == 3


# -- what it needs ---------------------------------------------------------------------------------


def bot(run: str, build: str = "") -> Bot:
    return Bot("r", "", Path("/nowhere"), tuple(run.split()), tuple(build.split()))


def test_a_bot_needs_the_programs_of_its_build_and_its_run() -> None:
    assert needs(bot("java Bot", "javac Bot.java")) == ("javac", "java")
    assert needs(bot("node a.js", "node make.js")) == ("node",)


def test_a_program_of_its_own_and_our_python_are_not_needed(tmp_path: Path) -> None:
    assert needs(bot("./bot", "out/make")) == ()
    assert needs(bot("python3 bot.py")) == ()
    assert needs(read_bot(folder(tmp_path / "g", 'run = "greedy"', greedy="x"))) == ("greedy",)


def test_what_is_missing_is_told_with_what_installs_it() -> None:
    told = missing(bot("./bot", "rustc bot.rs"), lambda program: None)
    assert told == "r: rustc is not installed (Debian: sudo apt-get install rustc)"
    told = missing(bot("mono bot.exe", "mcs Main.cs"), lambda program: None)
    assert told == "r: mcs and mono are not installed (Debian: sudo apt-get install mono-mcs mono-runtime)"
    told = missing(bot("greedy"), lambda program: None)
    assert told == "r: greedy is not installed (for a program in the bot's own folder write ./greedy)"


def test_of_a_script_in_place_of_a_program_it_is_told_what_runs_it() -> None:
    told = missing(bot("main.py"), lambda program: None)
    assert told == "r: main.py is not installed (for a program in the bot's own folder write python3 main.py)"


@pytest.mark.parametrize(("slip", "meant"), [("gobuild", "go"), ("go1.21", "go"), ("rubby", "ruby")])
def test_a_program_that_was_probably_meant_is_named(slip: str, meant: str) -> None:
    told = missing(bot(slip), lambda program: None)
    assert told is not None
    assert f"(did you mean {meant}? For a program" in told


def test_nothing_is_missing_where_all_is_found() -> None:
    assert missing(bot("java Bot", "javac Bot.java"), {"java": "x", "javac": "y"}.get) is None
    assert missing(bot("java Bot", "javac Bot.java"), {"javac": "y"}.get) is not None


@pytest.mark.parametrize(
    ("files", "example"),
    [
        (["main.rb", "README.md"], 'run = "ruby main.rb"'),
        (["tools.js", "bot.js"], 'run = "node bot.js"'),
        (["my bot.c"], 'build = "cc -O2 -o bot \'my bot.c\'" and run = "./bot"'),
        (["notes.txt"], 'run = "python3 main.py"'),
    ],
)
def test_a_folder_without_a_manifest_is_advised_by_its_sources(
    tmp_path: Path, files: list[str], example: str
) -> None:
    for name in files:
        (tmp_path / name).write_text("")
    with pytest.raises(InputError, match=re.escape(f"the command that starts the bot, such as {example}")):
        read_bot(tmp_path)
