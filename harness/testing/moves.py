"""Checks the laws about moves: `check` accepts listed moves, and rejects all other texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from harness.chance import Chance
from harness.games import State
from harness.model import Illegal, Malformed
from harness.testing.walk import Breach, Step, Walk

STEPS = 25
LONGEST = 5_000
"""The maximum length of a list of legal moves that the conformance kit reads completely."""
NUMBER = re.compile(r"[+-]?[0-9]+")
ODD = ("", " ", "#", "ready", "-1", "\t", "\u0663", "0" * 5_000, "\U0001f0a1", "quit")


class Seen(NamedTuple):
    """Some legal moves from all matches, and the first words of all questions."""

    moves: tuple[str, ...]
    words: frozenset[str]


def seen(walks: Iterable[Walk]) -> Seen:
    """Collects legal moves and first words of questions from these matches."""
    moves: dict[str, None] = {}
    words: set[str] = set()
    for match in walks:
        for step in match.some(STEPS):
            for seat in step.moves:
                words.add(word(step.state, seat))
                moves.update(dict.fromkeys(islice(step.state.legal(seat), 10)))
                moves[step.moves[seat]] = None
    return Seen(tuple(moves), frozenset(words))


def word(state: State, seat: int) -> str:
    """Returns the first word of the question. Every answer begins with this word."""
    return state.question(seat).partition(" ")[0]


def listed(state: State, seat: int) -> tuple[list[str], bool]:
    """Returns the legal moves, and whether the list is complete."""
    moves = list(islice(state.legal(seat), LONGEST + 1))
    return moves, state.complete(seat) and len(moves) <= LONGEST


def asked(match: Walk, most: int = STEPS) -> Iterator[tuple[Step, State, int]]:
    """Yields the step, the position and the seat of every question, for at most `most` steps of the match."""
    for step in match.some(most):
        for seat in step.moves:
            yield step, step.state, seat


def listed_moves_pass(match: Walk, _: Seen) -> None:
    """`legal` lists each legal move once, as canonical text, and `check` accepts it."""
    luck = match.luck("legal")
    for step, state, seat in asked(match):
        moves, whole = listed(state, seat)
        if not moves:
            raise Breach(f"seat {seat} must act, but its list of legal moves is empty", step.turn)
        if len(set(moves)) < len(moves):
            raise Breach(f"seat {seat}'s list of legal moves has one move twice", step.turn)
        drawn = state.some(seat, 5, luck, f"some {step.turn}")
        if not 1 <= len(drawn) <= 5:
            raise Breach(f"asked for 5 moves, `some` draws {len(drawn)} for seat {seat}", step.turn)
        for move in (*moves, *drawn):
            _passes(state, seat, move, step.turn)
        if whole and (stray := set(drawn) - set(moves)):
            raise Breach(f"`some` draws {stray.pop()!r}, which is not in the complete list", step.turn)


def _passes(state: State, seat: int, move: str, turn: int) -> None:
    verdict = state.check(seat, move)
    if not isinstance(verdict, str):
        raise Breach(f"`check` rejects seat {seat}'s legal move {move!r}: {verdict.reason}", turn)
    if verdict != move:
        raise Breach(f"seat {seat}'s legal move {move!r} is not canonical: {verdict!r}", turn)
    if move.partition(" ")[0] != word(state, seat):
        raise Breach(f"the legal move {move!r} does not begin with the word of its question", turn)


def other_moves_do_not(match: Walk, known: Seen) -> None:
    """`check` rejects all texts that are not in a complete list of moves."""
    luck = match.luck("others")
    for step, state, seat in asked(match):
        moves, whole = listed(state, seat)
        own = luck.sample("own", moves, 6)
        texts = (
            *luck.sample("seen", known.moves, 12),
            *(mutated(move, luck) for move in own for _ in range(3)),
            *luck.sample("odd", ODD, 2),
            word(state, seat),
        )
        for text in texts:
            _judged(step, seat, text, moves if whole else None, luck)


def _judged(step: Step, seat: int, text: str, moves: list[str] | None, luck: Chance) -> None:
    state, verdict = step.state, step.state.check(seat, text)
    if isinstance(verdict, Malformed | Illegal):
        if not verdict.reason.strip():
            raise Breach(f"`check` rejects seat {seat}'s {text!r} without a reason", step.turn)
        if moves is not None and text in moves:
            raise Breach(f"`check` rejects seat {seat}'s listed {text!r}: {verdict.reason}", step.turn)
        return
    if not isinstance(verdict, str):
        raise Breach(f"`check` returns {verdict!r} instead of a text, Malformed or Illegal", step.turn)
    if moves is not None and verdict not in moves:
        raise Breach(f"`check` accepts seat {seat}'s {text!r}, which is not in the complete list", step.turn)
    _passes(state, seat, verdict, step.turn)
    state.play({**step.moves, seat: verdict}, luck)


def mutated(text: str, luck: Chance) -> str:
    """Returns a copy of the text with one random change."""
    words = text.split(" ")
    place = luck.roll("place", len(words)) - 1
    one = words[place]
    number = int(one) if NUMBER.fullmatch(one) else len(one)
    change = (
        [],
        [one, one],
        ["", one],
        [one, ""],
        [one.upper()],
        [one.lower()],
        [one[::-1]],
        [one[:-1]],
        [f"{one}0"],
        [str(number + 1)],
        [str(number - 1)],
        [str(-number)],
        [f"0{one}"],
        [f"+{one}"],
        ["2147483648"],
        ["\u0663"],
        [luck.sample("word", words, 1)[0]],
    )[luck.roll("change", 17) - 1]
    return " ".join((*words[:place], *change, *words[place + 1 :]))
