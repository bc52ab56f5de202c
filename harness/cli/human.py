"""Lets a person play in a seat: shows what the seat may know, and reads moves from the keyboard.

A person has no time limit. A wrong answer is not a fault: the person sees the reason and answers again. A
person sees no more than a bot in this seat could know.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

import click
import trio

from harness.cli.output import flowed
from harness.escape import WIDTH
from harness.games import State
from harness.judge.referee import Referee
from harness.model import Reply
from harness.play.match import WithoutProcess
from harness.protocol import Wants, misspelt

PAGE = 30
"""The number of moves that are shown at a time."""
NAME = "human"

HELP = """
  {answer:<11} your answer; the word {word!r} may be left out
  #3          the move with this number in the list
  Enter       more of your moves, if there are more
  look        the position again
  resign      ends the match, as Ctrl-D does; your seat comes last

The rules: harness games {game}"""


class Human(WithoutProcess):
    """A person at this terminal."""

    wants = Wants()
    fresh = True

    def __init__(self, seat: int, game: str, referee: Referee, keyboard: Keyboard) -> None:
        self.seat = seat
        self.game = game
        self._referee = referee
        self.keyboard = keyboard

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """The answer of the person. The question is repeated until the answer is legal."""
        state = self._referee.state
        *told, asked = block.decode().splitlines()
        if state is None:
            click.echo(f"You have seat {self.seat}. Type `help` at any time.")
            return Reply("ready")
        seen = {line for line in state.view(self.seat) if line.startswith("sees ")}
        _tell([line for line in told if line not in seen])  # The position shows what the seat sees.
        self.show(state)
        return await _Asking(self, state, asked.partition(" ")[0]).answer()

    async def tell(self, block: bytes) -> None:
        """Shows the events since the last question, at the end of the match."""
        lines = block.decode().splitlines()
        _tell([line for line in lines if line.partition(" ")[0] not in ("over", "result", "fault")])

    def show(self, state: State) -> None:
        """Shows the position as this seat may see it."""
        click.echo(f"\n{state.text(self.seat)}\n")


class _Asking:
    """A question to a person, repeated until it is answered."""

    def __init__(self, human: Human, state: State, word: str) -> None:
        self._human = human
        self._seat = human.seat
        self._state = state
        self._word = word
        self._listed: list[str] = []
        self._unlisted = iter(state.legal(human.seat))

    async def answer(self) -> Reply:
        click.echo(f"You are asked: {click.style(self._state.question(self._seat), bold=True)}")
        self._more()
        while True:
            click.echo(f"seat {self._seat}, {self._word}> ", nl=False)
            typed = await self._human.keyboard.line()
            if typed is None:
                click.echo()
            if typed is None or typed.strip().lower() == "resign":
                return Reply(None, failed="closed", why="the person in this seat resigned")
            if (move := self._taken(" ".join(typed.split()))) is not None:
                return Reply(move)

    def _taken(self, typed: str) -> str | None:
        """The move that the person typed. If it was a command or not legal, this method handles it and
        returns None."""
        match typed.lower():
            case "":
                self._more()
            case "help" | "?":
                click.echo(HELP.format(answer=f"{self._word} ...", word=self._word, game=self._human.game))
            case "look":
                self._human.show(self._state)
            case number if number.startswith("#"):
                return self._numbered(number[1:])
            case _:
                return self._checked(typed)
        return None

    def _checked(self, typed: str) -> str | None:
        first, _, rest = typed.partition(" ")
        said = f"{self._word} {rest}".rstrip() if first.lower() == self._word else f"{self._word} {typed}"
        reason = misspelt(said)
        if not reason:
            verdict = self._state.check(self._seat, said)
            if isinstance(verdict, str):
                return verdict
            reason = verdict.reason
        listed = typed in map(str, range(1, len(self._listed) + 1))
        number = f"`#{typed}` plays the move with this number in the list, and " if listed else ""
        click.echo(f"That is not a legal move: {reason}. ({number}`help` says more.)")
        return None

    def _numbered(self, number: str) -> str | None:
        if number.isdecimal() and 1 <= int(number) <= len(self._listed):
            return self._listed[int(number) - 1]
        click.echo(f"There is no move #{number} in the list, which goes to #{len(self._listed)}.")
        return None

    def _more(self) -> None:
        page = list(islice(self._unlisted, PAGE))
        whole = self._state.complete(self._seat)
        if not page:
            click.echo("These were all." if whole else "No more are listed, but there are more.")
            return
        if not self._listed:
            click.echo("Your moves:" if whole else "Some of your moves:")
        first = len(self._listed) + 1
        self._listed += page
        click.echo("\n".join(_columns([f"#{number} {move}" for number, move in enumerate(page, first)])))
        if len(page) == PAGE:
            click.echo("(Enter shows more.)")


def _tell(lines: list[str]) -> None:
    if lines:
        click.echo("\n" + "\n".join(flowed(lines)))


def _columns(cells: list[str]) -> Iterator[str]:
    """Yields lines with the cells in columns, as many as fit on the screen. The order is down each column."""
    width = max(map(len, cells)) + 3
    across = max(1, WIDTH // width)
    down = -(-len(cells) // across)
    for row in range(down):
        yield "  " + "".join(f"{cell:<{width}}" for cell in cells[row::down]).rstrip()


# Reads the lines that a person types, without blocking the event loop.


READ = 4_096


class Keyboard:
    """Reads stdin line by line, from a terminal, a pipe or a file."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._typed = b""
        self._ended = False

    async def line(self) -> str | None:
        """The next line; None at the end of the input (on a terminal, Ctrl-D)."""
        while b"\n" not in self._typed and not self._ended:
            # A terminal or a pipe needs waiting. A file does not: it is always readable, and epoll rejects
            # it.
            try:
                await trio.lowlevel.wait_readable(self._descriptor)
            except PermissionError:
                await trio.lowlevel.checkpoint()
            data = os.read(self._descriptor, READ)
            self._ended = not data
            self._typed += data
        if not self._typed:
            self._ended = False
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")
