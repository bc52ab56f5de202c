"""Plays the classic environments of PettingZoo: `pettingzoo:NAME` or `pettingzoo:NAME(parameters)`.

The page pettingzoo.md explains the lines that bots read and write.
"""

from __future__ import annotations

import ast
import copy
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.metadata import version
from typing import Any

from harness.errors import InputError
from harness.games import (
    Chance,
    Event,
    Events,
    Game,
    Illegal,
    Malformed,
    Number,
    Options,
    PathState,
    Trail,
    observed,
)
from harness.worlds import SEEDS, WIDTH, checked, missing

try:
    import numpy as np
    import pettingzoo
    from gymnasium.spaces import Discrete
except ImportError as error:
    raise missing("a game of PettingZoo", "pettingzoo[classic]") from error

FAMILY = "classic/"
CALL = re.compile(r"([a-z0-9_]+?)(?:[-_]v([0-9]+))?(\(.*\))?", re.DOTALL)
ACTION = re.compile(r"act (0|[1-9][0-9]{0,8})")
OPEN = frozenset({"chess", "connect_four", "go", "tictactoe"})
"""The games in which nothing is hidden and chance decides nothing."""
RULES = {"chess": "chess", "hanabi": "open_spiel", "leduc_holdem": "rlcard", "texas_holdem": "rlcard"}
"""For each game for which PettingZoo itself has no rules, the package that has the rules."""
MOST_AT_HOLDEM = 23
"""The maximum number of players in Texas hold'em. Of the 52 cards, each player gets two cards, and five cards
lie open. With more players, PettingZoo would fail during a match."""


class PettingZooTable:
    """An environment during a match, and the rewards of its agents so far."""

    def __init__(self, env: Any, seed: int) -> None:
        env.reset(seed=seed)
        self.env = env
        self.agents: list[str] = env.possible_agents
        self.earned = dict.fromkeys(self.agents, 0.0)

    @property
    def seat(self) -> int:
        """The seat that acts now, or 0 if the match is over."""
        env = self.env
        over = all(env.terminations[agent] or env.truncations[agent] for agent in env.agents)
        return 0 if over else self.agents.index(env.agent_selection) + 1

    def legal(self) -> list[int]:
        """Returns the actions that the environment allows to the agent that acts now."""
        env = self.env
        agent = env.agent_selection
        seen = env.observe(agent)
        mask = seen.get("action_mask") if isinstance(seen, dict) else env.infos[agent].get("action_mask")
        space = env.action_space(agent)
        places = range(space.n) if mask is None else map(int, np.flatnonzero(mask))
        return [int(space.start) + place for place in places]

    def seen(self, seat: int) -> Any:
        """Returns the observation of this seat, as an array."""
        seen = self.env.observe(self.agents[seat - 1])
        return np.asarray(seen["observation"] if isinstance(seen, dict) else seen)

    def act(self, action: int) -> None:
        """Plays an action. If an agent is out, it leaves the match, and the other agents go on."""
        self.env.step(action)
        for agent, reward in self.env.rewards.items():
            self.earned[agent] += float(reward)
        while self.seat and self._out(self.env.agent_selection):
            self.env.step(None)

    def twin(self) -> PettingZooTable:
        """Returns a copy of the match in its present position, for a game in which nothing is hidden. Other
        games are so short that they need no copies. Games in which nothing is hidden keep all their data in
        plain attributes.

        `copy.deepcopy` would make a new environment at the start of a match, because of gymnasium's class
        EzPickle. So the method copies the attributes of the environment and of the wrappers around it.
        """
        layers = [self.env]
        while "env" in vars(layers[-1]):
            layers.append(layers[-1].env)
        known: dict[int, Any] = {}
        for layer in reversed(layers):
            known[id(layer)] = object.__new__(type(layer))
            vars(known[id(layer)]).update(copy.deepcopy(vars(layer), known))
        made = copy.copy(self)
        made.env, made.earned = known[id(self.env)], dict(self.earned)
        return made

    def _out(self, agent: str) -> bool:
        return bool(self.env.terminations[agent] or self.env.truncations[agent])


class PettingZooState(PathState, frozen=True):
    """A position, stored as the actions since the start of the match."""

    open: bool

    def to_act(self) -> tuple[int, ...]:
        seat = self.here.seat
        return (seat,) if seat else ()

    def question(self, seat: int) -> str:
        return "act"

    def legal(self, seat: int) -> Iterator[str]:
        return (f"act {action}" for action in self.here.legal())

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        found = ACTION.fullmatch(said)
        if found is None:
            return Malformed(f"expected `act NUMBER`, not {said!r}")
        legal = int(found[1]) in self.here.legal()
        return said if legal else Illegal(f"action {found[1]} is not legal now")

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[PettingZooState, Events]:
        [(seat, said)] = moves.items()
        before = self.scores()
        after = self.after(int(said.removeprefix("act ")))
        told = (Event(f"played {seat} {said.removeprefix('act ')}"),) if self.open else after.seen()
        pairs = enumerate(zip(before, after.scores(), strict=True), start=1)
        paid = (Event(f"reward {_number(now - was)}", (place,)) for place, (was, now) in pairs if now != was)
        return after, (*told, *paid)

    def seen(self) -> Events:
        """Returns the events that show each seat its observation, or () when the match is over."""
        seats = range(1, len(self.here.agents) + 1) if self.to_act() else ()
        return tuple(Event(line, (seat,)) for seat in seats for line in self.view(seat))

    def scores(self) -> tuple[Number, ...]:
        return tuple(map(_number, self.here.earned.values()))

    def view(self, seat: int) -> tuple[str, ...]:
        numbers = self.here.seen(seat).flatten().tolist()
        return observed("sees", " ".join(str(_number(number)) for number in numbers))

    def text(self, seat: int | None = None) -> str:
        table: PettingZooTable = self.here
        if self.open and table.env.render_mode == "ansi":
            return str(table.env.render())
        # If nothing is hidden, all seats see the same numbers, so one seat is enough.
        everyone = (1,) if self.open else range(1, len(table.agents) + 1)
        seats = (seat,) if seat else everyone
        return "\n\n".join(f"seat {place} sees\n{_drawn(table.seen(place))}" for place in seats)

    def alike(self, seat: int, chance: Chance) -> PettingZooState | None:
        return self if self.open else None


class PettingZooGame(Game):
    """One environment of PettingZoo, with its parameters."""

    quiet = frozenset(("sees", "played"))

    def __init__(self, call: str) -> None:
        self.call = call
        self._spec, self._parameters = _read(call)
        self._check()
        env = self._made()
        players = len(env.possible_agents)
        if players < 2:
            raise InputError(f"{call!r} has one player; a match needs two")
        try:
            PettingZooTable(env, 1).legal()
        except Exception as error:
            raise self._no_game("begin", error) from None
        name = re.sub(r"[^a-z0-9]+", "_", self._spec.name.lower())
        self.name = f"pettingzoo_{name}"  # type: ignore[misc]
        self.title = f"{self._spec.id} of PettingZoo"  # type: ignore[misc]
        self.seats = (players, players)  # type: ignore[misc]
        self.open = name in OPEN
        self.secret_chance = not self.open  # type: ignore[misc]
        packages = ("pettingzoo", *(RULES[key] for key in RULES if name.startswith(key)))
        self.library = ", ".join(f"{each} {version(each)}" for each in packages)  # type: ignore[misc]

    def __reduce__(self) -> tuple[type[PettingZooGame], tuple[str]]:
        return PettingZooGame, (self.call,)

    def start(self, options: Options, seats: int, chance: Chance) -> tuple[PettingZooState, Events]:
        seed = chance.roll("seed", SEEDS)
        trail = Trail(
            (self.call, seed),
            lambda: PettingZooTable(self._made(), seed),
            PettingZooTable.act,
            PettingZooTable.twin if self.open else None,
        )
        state = PettingZooState(trail, (), self.open)
        return state, () if self.open else state.seen()

    def announce(self, options: Options) -> tuple[str, ...]:
        return (f"game {self.call}",)

    def _check(self) -> None:
        """Raises InputError for parameters that PettingZoo accepts, but with which no match can be played."""
        # With `render_mode`, PettingZoo would open a window in each match.
        if "render_mode" in self._parameters:
            raise InputError(f"{self.call!r} has a render_mode; leave it out: the harness draws the matches")
        players = self._parameters.get("num_players", 2)
        if (
            self._spec.name.startswith("texas_holdem")
            and isinstance(players, int)
            and players > MOST_AT_HOLDEM
        ):
            limits = f"{self._spec.name} has 2 to {MOST_AT_HOLDEM} players, not {players}"
            raise InputError(f"{limits}: there are 52 cards")

    def _made(self) -> Any:
        """Returns a new environment. Raises InputError if PettingZoo cannot make the environment, or if the
        actions of the environment are not plain numbers."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                env = pettingzoo.make("aec", self._spec, **self._parameters)
                if "ansi" in env.metadata["render_modes"]:
                    env = pettingzoo.make("aec", self._spec, **self._parameters, render_mode="ansi")
            spaces = [env.action_space(agent) for agent in env.possible_agents]
        except Exception as error:  # Each environment raises its own exceptions for wrong parameters.
            raise self._no_game("make", error) from None
        if not all(isinstance(space, Discrete) for space in spaces):
            raise InputError(f"{self.call!r} has actions that are not numbers, but a move must be a number")
        return env

    def _no_game(self, verb: str, error: Exception) -> InputError:
        reason = " ".join(str(error).split()) or type(error).__name__
        return InputError(f"PettingZoo cannot {verb} {self.call!r}: {reason}")


def _read(call: str) -> tuple[Any, dict[str, Any]]:
    """Returns the environment's entry in PettingZoo's registry, and the parameters in `call`. Raises
    InputError if `call` is wrong."""
    specs = {each.name: each for each in pettingzoo.aec_registry.values() if each.id.startswith(FAMILY)}
    found = CALL.fullmatch(call)
    name = found[1] if found else call
    if not found or name not in specs:
        near = get_close_matches(name, specs, 1)
        hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(sorted(specs))
        raise InputError(f"PettingZoo has no classic environment {name!r}: {hint}")
    spec = specs[name]
    if found[2] and int(found[2]) != spec.version:
        raise InputError(f"this PettingZoo has version {spec.version} of {name}, not {found[2]}")
    try:
        written = ast.parse(f"f{found[3] or '()'}", mode="eval").body
        if isinstance(written, ast.Call) and not written.args and all(each.arg for each in written.keywords):
            return spec, {str(each.arg): ast.literal_eval(each.value) for each in written.keywords}
    except (SyntaxError, ValueError):
        pass
    raise InputError(f"expected NAME(KEY=VALUE, ...) with plain values, not {call!r}")


def _number(value: float) -> Number:
    return int(value) if value == int(value) else round(float(value), 6)


def _drawn(seen: Any) -> str:
    """Returns the observation as a text. If the observation has planes of squares, the text is a board, and
    the first two planes are the stones of the two players. Otherwise the text has each number that is not 0,
    with its place."""
    if seen.ndim == 3:
        signs = np.where(seen[:, :, 0], "1", np.where(seen[:, :, 1], "2", "."))
        return "\n".join(" ".join(row) for row in signs)
    flat = seen.flatten().tolist()
    values = [(place, _number(value)) for place, value in enumerate(flat) if value]
    words = [f"{place}" if value == 1 else f"{place}={value}" for place, value in values]
    listed = textwrap.fill(" ".join(words), WIDTH) or "nothing"
    return f"{len(flat)} numbers, all 0 except at these places (from 0; PLACE=VALUE if not 1):\n{listed}"


def game(call: str) -> Game:
    """Returns the game of a call such as `texas_holdem(num_players=3)`. Raises InputError if there is no such
    game."""
    return PettingZooGame(checked(call))
