"""Writes docs/commands.md from the help texts of commands. `make docs` runs it; a test compares the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from harness.cli.command import Command
from harness.cli.exit_codes import MEANINGS
from harness.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """\
# Commands

`make docs` writes this page from the help texts of the commands; do not edit it by hand.
`harness COMMAND --help` prints the section of a command, and `man harness` shows all sections in one page.
Square brackets contain the default of an option, and the numbers that the option allows.
Commands print results to standard output, and progress and remarks to standard error.
If nobody reads the output any more, a command that only prints ends; any other command does its work to the
end. If standard output is full, a command also does its work to the end; then it says that its output was
lost, and its exit code is 3.
"""
COMPLETION = (
    ("bash", 'eval "$(_HARNESS_COMPLETE=bash_source harness)"', "~/.bashrc"),
    ("zsh", 'eval "$(_HARNESS_COMPLETE=zsh_source harness)"', "~/.zshrc"),
    ("fish", "_HARNESS_COMPLETE=fish_source harness | source", "~/.config/fish/config.fish"),
)
"""For each shell: the line that makes it complete commands, and the file for this line."""
ON_COMPLETION = """\
## Completion

Write the line of your shell into the file of this table. Then the key Tab completes commands, options, games
and the names of files.
In zsh, the line comes after `autoload -U compinit; compinit`.

| shell | line | file |
|---|---|---|
"""
ON_MANUAL = """\
## The manual page

`pip` and `pipx` install the page that `man harness` shows; in a checkout, `man docs/harness.1` shows it.
"""


def commands(
    group: click.Group = main, before: tuple[str, ...] = ("harness",)
) -> Iterator[tuple[str, click.Command]]:
    """All commands with their full names. Each group of commands comes before its members."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        path = (*before, name)
        yield " ".join(path), command
        if isinstance(command, click.Group):
            yield from commands(command, path)


def context_of(command: click.Command) -> click.Context:
    """A context of click in which the help text is the same as `harness COMMAND --help` prints."""
    return click.Context(command, parent=click.Context(main, **main.context_settings))


def options(command: click.Command) -> list[click.Option]:
    return [each for each in command.params if isinstance(each, click.Option) and not each.hidden]


def page() -> str:
    """The whole page."""
    sections = (line for name, command in commands() for line in section(name, command))
    return "\n".join([HEAD, *tables(), *sections])


def tables() -> Iterator[str]:
    """The tables of the page: the exit codes, the commands in their groups, and the lines for shells."""
    yield "| exit code | meaning |\n|---|---|"
    yield from (f"| {code} | {meaning} |" for code, meaning in MEANINGS.items())
    yield "\n| commands | |\n|---|---|"
    for title, summaries in main.summaries.items():
        yield f"| {title} | {', '.join(f'[{name}](#harness-{name})' for name in summaries)} |"
    yield f"\n{ON_COMPLETION.rstrip()}"
    yield from (f"| {shell} | `{cell(line)}` | `{file}` |" for shell, line, file in COMPLETION)
    yield f"\n{ON_MANUAL}"


def section(name: str, command: click.Command) -> Iterator[str]:
    """The section of a command."""
    yield f"## {name}\n"
    yield f"{sentences(command.help or '')}\n"
    if not isinstance(command, click.Group):
        yield f"```text\n{usage(name, command)}\n```\n"
    if options(command):
        context = context_of(command)
        yield "| option | meaning |\n|---|---|"
        yield from (row(option, context) for option in options(command))
        yield ""
    yield from examples(command)


def usage(name: str, command: click.Command) -> str:
    """The usage line: the command with its arguments, as its help shows them."""
    if isinstance(command, click.Group):
        return f"{name} COMMAND"
    context = context_of(command)
    arguments = [each.make_metavar(context) for each in command.params if isinstance(each, click.Argument)]
    return " ".join((name, *(["[OPTIONS]"] if options(command) else []), *arguments))


def examples(command: click.Command) -> Iterator[str]:
    assert isinstance(command, Command)
    yield "\n".join(("```sh", *command.examples, "```\n"))


def sentences(text: str) -> str:
    """A help text in Markdown. It keeps the paragraphs, and each sentence gets a line of its own."""
    paragraphs = [" ".join(part.replace("\b", "").split()) for part in cleandoc(text).split("\n\n")]
    return "\n\n".join(re.sub(r"(?<=[.:]) (?=[A-Z])", "\n", paragraph) for paragraph in paragraphs)


def row(option: click.Option, context: click.Context) -> str:
    names = "/".join((*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" {option.make_metavar(context)}"
    return f"| `{cell(names + value)}` | {cell(meaning_of(option, context))} |"


def meaning_of(option: click.Option, context: click.Context) -> str:
    """The help of an option, with its default."""
    _, meaning = option.get_help_record(context) or ("", "")
    return meaning.replace("  [", " [")


def cell(text: str) -> str:
    """The text for a cell of a table in Markdown."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page())
