"""Writes docs/harness.1, the page that `man harness` shows, from the help texts. `make docs` runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from harness import __version__
from harness.cli.command import Command
from harness.cli.exit_codes import MEANINGS
from harness.cli.main import main
from tests.docs.commands_page import COMPLETION, commands, context_of, meaning_of, options, usage

PAGE = Path(__file__).parents[2] / "docs" / "harness.1"
HEAD = f"""\
.\\" `make docs` writes this page from the help texts of the commands; do not edit it by hand.
.TH HARNESS 1 "" "harness {__version__}" "User Commands"
.SH NAME
harness \\- {{summary}}
.SH SYNOPSIS
.B harness
.I COMMAND
.RI [ ARGUMENTS ]
.br
.B harness
.RI [ COMMAND ]
.B \\-\\-help
.br
.B harness
.B \\-\\-version
.SH DESCRIPTION
"""


def page() -> str:
    """The whole page, in the language of groff and mandoc."""
    return HEAD.format(summary=_summary()) + "\n".join(_lines()) + "\n"


def _summary() -> str:
    """The first sentence of the help text, for the section NAME of the page."""
    sentence = " ".join((main.help or "").split()).rstrip(".")
    return roff(sentence[0].lower() + sentence[1:])


def _lines() -> Iterator[str]:
    yield from _text(main.help or "")
    yield ".SH COMMANDS"
    for title, summaries in main.summaries.items():
        yield f".SS {roff(title)}"
        for name, summary in summaries.items():
            yield from _entry(f"\\fB{roff(name)}\\fR", summary)
    yield ".SH EXAMPLES"
    yield from _examples(main)
    yield ".SH EACH COMMAND"
    for name, command in commands():
        yield from _command(name, command)
    yield ".SH COMPLETION"
    yield from _text("Bash, zsh and fish complete commands and options with a line in a file of the shell:")
    for shell, line, file in COMPLETION:
        yield from (".TP", f".B {roff(shell)}", f"{roff(line)}", ".br", f"in {roff(file)}")
    yield ".SH EXIT STATUS"
    for code, meaning in MEANINGS.items():
        yield from _entry(f"\\fB{code}\\fR", meaning)


def _command(name: str, command: click.Command) -> Iterator[str]:
    yield f".SS {roff(usage(name, command))}"
    yield from _text(command.help or "")
    context = context_of(command)
    for option in options(command):
        names = ", ".join(f"\\fB{roff(each)}\\fR" for each in (*option.opts, *option.secondary_opts))
        value = "" if option.is_flag else f" \\fI{roff(option.make_metavar(context))}\\fR"
        yield from _entry(f"{names}{value}", meaning_of(option, context))
    yield ".PP"
    yield from _examples(command)


def _examples(command: click.Command) -> Iterator[str]:
    assert isinstance(command, Command)
    yield from (".EX", *map(roff, command.examples), ".EE")


def _entry(term: str, text: str) -> Iterator[str]:
    """An entry of a list; `term` is in the language of groff."""
    yield from (".TP", term, roff(text))


def _text(text: str) -> Iterator[str]:
    """The lines of paragraphs. Each sentence gets a line of its own, as groff wants it."""
    for number, paragraph in enumerate(cleandoc(text).split("\n\n")):
        if number:  # A section begins with a paragraph.
            yield ".PP"
        yield from map(roff, re.split(r"(?<=[.:]) (?=[A-Z])", " ".join(paragraph.split())))


def roff(text: str) -> str:
    """Escapes text for groff: no line becomes a command, and hyphens can be copied into a shell."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    PAGE.write_text(page())
