"""Tests the help of all commands: the list of commands, the examples, the defaults and the width."""

import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from harness.cli.command import Command, CommandGroup
from harness.cli.main import main
from tests.cli.door import harness
from tests.docs.commands_page import commands, context_of

COMMANDS = {"harness": main, **dict(commands())}
GROUPS = {name: command for name, command in COMMANDS.items() if isinstance(command, CommandGroup)}
FILES = Path(__file__).parents[2] / "harness" / "cli" / "commands"
EXAMPLES = [
    (name, example)
    for name, command in COMMANDS.items()
    if isinstance(command, Command)
    for example in command.examples
]


def help_of(name: str) -> str:
    """What `harness ... --help` prints on a terminal of 80 columns."""
    return harness(*name.split()[1:], "--help").stdout


@pytest.fixture(autouse=True)
def _terminal_of_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


# -- the list of commands --------------------------------------------------------------------------


@pytest.mark.parametrize("name", GROUPS)
def test_the_list_of_commands_has_the_first_sentence_of_each_command(name: str) -> None:
    summaries = {each: text for part in GROUPS[name].summaries.values() for each, text in part.items()}
    for each, text in summaries.items():
        assert text == COMMANDS[f"{name} {each}"].get_short_help_str(1_000)


@pytest.mark.parametrize("name", GROUPS)
def test_each_command_stands_in_one_line_of_the_list(name: str) -> None:
    lines = help_of(name).splitlines()
    for each in GROUPS[name].list_commands(context_of(GROUPS[name])):
        [line] = [line for line in lines if line.split()[:1] == [each]]
        assert line.endswith(COMMANDS[f"{name} {each}"].get_short_help_str(1_000))


def test_each_command_is_in_one_group() -> None:
    listed = [name for part in main.summaries.values() for name in part]
    files = {path.stem for path in FILES.glob("[!_]*.py") if not path.stem.startswith(("check_", "new_"))}
    assert len(listed) == len(set(listed))
    assert set(listed) == files


def test_the_first_group_has_the_commands_for_every_day() -> None:
    everyday = ["demo", "init", "new", "check", "play", "run", "standings", "show", "report"]
    assert list(next(iter(main.summaries.values()))) == everyday


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "--help"]])
def test_the_list_of_commands_imports_none_of_them(arguments: list[str]) -> None:
    code = f"from harness.cli.main import main; main({arguments}, standalone_mode=False)"
    said = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    loaded = {name for name in said.stdout.splitlines()[-1].split() if name.startswith("harness")}
    own = {"harness", "harness.streams", "harness.cli", "harness.cli.main"}
    own |= {"harness.cli.command", "harness.cli.exit_codes", "harness.cli.terminal"}
    group = {"harness.cli.commands", "harness.cli.commands.check"}
    assert loaded == (own | group if "check" in arguments else own)


# -- the help of each command ----------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_each_help_ends_with_examples_and_fits_on_the_terminal(name: str) -> None:
    command, lines = COMMANDS[name], help_of(name).splitlines()
    assert isinstance(command, Command)
    assert command.examples
    start = lines.index("Examples:" if len(command.examples) > 1 else "Example:")
    assert lines[start + 1 :][: len(command.examples)] == [f"  {example}" for example in command.examples]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_example_is_a_command_that_can_be_read(name: str, example: str) -> None:
    word, *arguments = shlex.split(example)
    assert word == "harness"
    command: click.Command = main
    context = click.Context(main, info_name=word)
    while arguments and isinstance(command, click.Group):
        _, found, arguments = command.resolve_command(context, arguments)
        assert found is not None
        command = found
    if not isinstance(command, click.Group):
        command.make_context(command.name, arguments, parent=context)
    assert command is COMMANDS[name] or isinstance(COMMANDS[name], click.Group)


def test_an_example_with_an_option_that_does_not_exist_would_be_found() -> None:
    with pytest.raises(click.UsageError):
        test_an_example_is_a_command_that_can_be_read("harness pgn", "harness pgn logs/first --colour")


def test_the_help_shows_the_default_of_each_option_that_has_one() -> None:
    assert "[default: sevens]" in " ".join(help_of("harness init").split())
    assert "[default: (the plan's, or all cores)]" in " ".join(help_of("harness run").split())
    for name, command in COMMANDS.items():
        for option in command.params:
            if (
                isinstance(option, click.Option)
                and not option.is_flag
                and isinstance(option.default, str | int)
            ):
                _, text = option.get_help_record(context_of(command)) or ("", "")
                assert "[default: " in text, f"{name} {option.opts}"
