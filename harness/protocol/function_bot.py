"""Lets a function play as a bot: gives the function the questions of the harness, and takes its answers.

This file needs only Python's standard library and no other file of harness. `harness new bot --function`
copies this file into the folder of the bot. So the same function can play in a notebook and as a bot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

EVENTS_NOT = {"option", "limit", "ally", "name", "legal", "result", "over", "fault"}
"""The first words of lines that are neither events nor questions."""


class FunctionTurn(NamedTuple):
    """A question to a bot that is a function."""

    legal: list[str]
    """The legal moves, or a sample if there are more than 256. The function must return a legal move."""
    view: list[str]
    """Everything that the seat may know of the position, as lines. The page of the game explains the
    lines."""
    heard: list[str]
    """The events since the last question in this match, as lines."""
    seat: int
    """The bot's own seat, from 1."""
    seats: int
    seed: int
    """A number that is different in each match. If the function uses it as the seed of its random choices,
    the same choices can be made again."""
    match: int
    """The number of the match, from 1, in the series of matches that this process plays."""
    options: dict[str, str]
    """The options of the game, as the bot's program reads them."""
    move_ms: int
    bank_ms: int
    """`move_ms` is the time for this answer, and `bank_ms` is the time that the bot has left for all its
    answers in the match. If one of them is -1, there is no such limit."""


Function: TypeAlias = Callable[[FunctionTurn], str]


class FunctionBot:
    """The answers of one process of a bot, in the form that the protocol requires."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._options: dict[str, str] = {}
        self._new = (1, 1, 1, 1)
        self._forget()

    def _forget(self) -> None:
        self._legal: list[str] = []
        self._view: list[str] = []
        self._heard: list[str] = []
        self._missing = 0

    def answer(self, line: str) -> str:
        """Returns the answer to this line of the harness, or "" if the line is no question."""
        word, _, rest = line.partition(" ")
        if word == "hello":
            return "hello 1 legal state"
        if word == "new":
            match, seat, seats, seed = map(int, rest.split())
            self._new = (match, seat, seats, seed)
            self._forget()
            return "ready"
        if word == "move":
            self._legal.append(rest)
            self._missing -= 1
        elif word == "state":
            self._view.append(rest)
        elif word == "legal":
            self._missing = int(rest.split()[1])
            self._legal = []
        elif word == "option":
            name, _, value = rest.partition(" ")
            self._options[name] = value
        elif self._legal and not self._missing:
            return self._asked(rest)
        elif word not in EVENTS_NOT:
            self._heard.append(line)
        return ""

    def _asked(self, rest: str) -> str:
        match, seat, seats, seed = self._new
        move_ms, bank_ms = map(int, rest.split()[:2])
        told = (self._legal, self._view, self._heard)
        turn = FunctionTurn(*told, seat, seats, seed, match, self._options, move_ms, bank_ms)
        self._forget()
        move: object = self._function(turn)
        if not isinstance(move, str) or not move:
            raise TypeError(f"a bot's function returns one of `legal`, a text, not {move!r}")
        return move
