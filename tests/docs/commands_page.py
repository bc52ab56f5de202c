"""Writes docs/commands.md from the commands themselves: `make docs` does so, and a test compares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from harness.cli.command import Command
from harness.cli.main import main

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """\
# Commands

`make docs` writes this page from the help texts of the commands; do not edit it by hand.
`harness COMMAND --help` prints the same.
In square brackets are the default of an option, and the numbers that it allows.
Results go to standard output, progress and remarks to standard error.

| exit code | meaning |
|---|---|
| 0 | all is well |
| 1 | a check says no |
| 2 | a file or a flag is wrong |
| 3 | interrupted, or the machine failed |
"""


def commands(
    group: click.Group = main, before: tuple[str, ...] = ("harness",)
) -> Iterator[tuple[str, click.Command]]:
    """All commands with their whole names, each group before its members."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        path = (*before, name)
        yield " ".join(path), command
        if isinstance(command, click.Group):
            yield from commands(command, path)


def context_of(command: click.Command) -> click.Context:
    """A context in which the help of a command is as `harness COMMAND --help` prints it."""
    return click.Context(command, parent=click.Context(main, **main.context_settings))


def options(command: click.Command) -> list[click.Option]:
    return [each for each in command.params if isinstance(each, click.Option) and not each.hidden]


def page() -> str:
    """The whole page."""
    sections = (line for name, command in commands() for line in section(name, command))
    return "\n".join([HEAD, *parts(), *sections])


def parts() -> Iterator[str]:
    """The list of commands, in the groups of `harness --help`."""
    yield "| commands | |\n|---|---|"
    for title, summaries in main.summaries.items():
        yield f"| {title} | {', '.join(f'[{name}](#harness-{name})' for name in summaries)} |"
    yield ""


def section(name: str, command: click.Command) -> Iterator[str]:
    context = context_of(command)
    arguments = [each.make_metavar(context) for each in command.params if isinstance(each, click.Argument)]
    yield f"## {name}\n"
    yield f"{sentences(command.help or '')}\n"
    if isinstance(command, click.Group):
        yield from examples(command)
        return
    shown = ["[OPTIONS]"] if options(command) else []
    yield f"```text\n{' '.join((name, *shown, *arguments))}\n```\n"
    if options(command):
        yield "| option | meaning |\n|---|---|"
        yield from (row(option, context) for option in options(command))
        yield ""
    yield from examples(command)


def examples(command: click.Command) -> Iterator[str]:
    assert isinstance(command, Command)
    yield "\n".join(("```sh", *command.examples, "```\n"))


def sentences(text: str) -> str:
    """A help text in Markdown: paragraphs are kept, and each sentence has a line."""
    paragraphs = [" ".join(part.replace("\b", "").split()) for part in cleandoc(text).split("\n\n")]
    return "\n\n".join(re.sub(r"(?<=[.:]) (?=[A-Z])", "\n", paragraph) for paragraph in paragraphs)


def row(option: click.Option, context: click.Context) -> str:
    names = "/".join((*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" {option.make_metavar(context)}"
    text = f"{names}{value}".replace("|", "\\|")
    _, meaning = option.get_help_record(context) or ("", "")
    meaning = meaning.replace("  [", " [").replace("|", "\\|")
    return f"| `{text}` | {meaning} |"


if __name__ == "__main__":
    PAGE.write_text(page())
