"""Plays a game of OpenSpiel with our referee, and the same actions in OpenSpiel itself. Asserts nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import pyspiel

from harness.events import Drawn, Event, Turn
from harness.games import Chance, Game, State, find
from harness.model import Number
from harness.testing import at_random, play_out

LONGEST_LINE = 4_096
LONGEST_BLOCK = 65_536


class Compared(NamedTuple):
    """The scores of a match by us and by OpenSpiel, and the longest line and view that a seat got."""

    ours: tuple[Number, ...]
    theirs: tuple[float, ...]
    turns: int
    line: int
    view: int


def names() -> list[str]:
    """The games of two or more players that OpenSpiel loads without parameters."""
    return [
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.default_loadable
        and kind.max_num_players > 1
        and pyspiel.load_game(kind.short_name).num_players() > 1
    ]


def compared(call: str, seed: int) -> Compared:
    """Plays a match of random moves with our referee, and the same moves in OpenSpiel."""
    game = find(f"openspiel:{call}")
    views: list[tuple[str, ...]] = [()]

    def choose(state: State, seat: int, chance: Chance) -> str:
        views.append(state.view(seat))
        return at_random(state, seat, chance)

    done = play_out(game, seed=seed, choose=choose)
    turns = [record for record in done.records if isinstance(record, Turn) and record.said != "ready"]
    drawn = [record for record in done.records if isinstance(record, Drawn)]
    lines = [len(record.line) for record in done.records if isinstance(record, Event)]
    lines += [len(f"state {line}") for view in views for line in view]
    blocks = [sum(len(f"state {line}\n") for line in view) for view in views]
    state = replayed(game, turns, drawn)
    return Compared(
        done.outcome.scores, tuple(state.returns()), len(turns), max(lines, default=0), max(blocks)
    )


def replayed(game: Game, turns: list[Turn], drawn: list[Drawn]) -> Any:
    """The state of OpenSpiel itself after the answers and the chance events of a log."""
    call = game.announce(game.options())[0].partition(" ")[2]
    loaded = pyspiel.load_game(call)
    if drawn and drawn[0].stream == "seed":
        name = loaded.get_type().short_name
        loaded = pyspiel.load_game(name, {**loaded.get_parameters(), "rng_seed": drawn.pop(0).value})
    state = loaded.new_initial_state()
    answers = [int((turn.said or "").split(" ")[1]) for turn in turns]
    while not state.is_terminal():
        if state.is_chance_node():
            place = drawn.pop(0).value
            assert isinstance(place, int)
            state.apply_action(state.chance_outcomes()[place - 1][0])
        elif state.is_simultaneous_node():
            players = range(state.num_players())
            state.apply_actions([answers.pop(0) if state.legal_actions(p) else 0 for p in players])
        else:
            state.apply_action(answers.pop(0))
    assert not answers
    return state
