"""Plays the games of OpenSpiel: `openspiel:NAME` or `openspiel:NAME(params)` (see openspiel.md)."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec

from harness.chance import Seeded
from harness.errors import InputError
from harness.escape import fitted
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
    plain,
)
from harness.worlds import SEEDS, WIDTH, checked, missing

try:
    import pyspiel
except ImportError as error:
    raise missing("a game of OpenSpiel", "open_spiel") from error

RESAMPLED = frozenset(("hearts", "kuhn_poker", "leduc_poker", "oh_hell"))
"""The games with hidden facts for which OpenSpiel can draw the hidden actions of chance again. For other
games OpenSpiel prints an error."""
LONGEST_NAME = 100
"""The maximum length of a move's name. A longer name is cut, but the number of the move still says which move
it is."""
ACTION = re.compile(r"act (0|[1-9][0-9]{0,17})( .*)?")
SOURCE = re.compile(r"^/\S+:[0-9]+ ")
"""The pattern of the beginning of some error messages: a file and a line of OpenSpiel's source code."""
PLAIN = frozenset(kind.short_name for kind in pyspiel.registered_games() if kind.default_loadable)
"""The games that need no parameters."""


class OpenSpielKind(msgspec.Struct, frozen=True):
    """What OpenSpielState must know about a game."""

    open: bool
    """True if nothing is hidden."""
    observes: bool
    """True if OpenSpiel has observations of this game. Otherwise OpenSpiel has information states of the
    game."""
    pays_on_the_way: bool
    resamples: bool = False
    """True if OpenSpiel can draw the hidden actions of chance again."""


class OpenSpielState(PathState, frozen=True):
    """A position, stored as all actions since the start. The actions of chance are included. Actions that
    several seats play at the same time are stored as one tuple."""

    kind: OpenSpielKind
    unshown: tuple[str, ...] = ()
    """The lines about the last actions of chance, such as a throw of dice. There are such lines only if
    nothing is hidden and OpenSpiel's observation does not show these actions."""

    def to_act(self) -> tuple[int, ...]:
        here = self.here
        if here.is_terminal():
            return ()
        if not here.is_simultaneous_node():
            return (here.current_player() + 1,)
        return tuple(seat for seat in range(1, here.num_players() + 1) if here.legal_actions(seat - 1))

    def question(self, seat: int) -> str:
        return "act"

    def legal(self, seat: int) -> Iterator[str]:
        here = self.here
        return (self._named(seat, action) for action in [*here.legal_actions(seat - 1)])

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        actions = chance.sample(stream, self.here.legal_actions(seat - 1), count)
        return tuple(self._named(seat, action) for action in actions)

    def _named(self, seat: int, action: int) -> str:
        name = plain(" ".join(self.here.action_to_string(seat - 1, action).split()))
        return f"act {action} {name[:LONGEST_NAME]}".rstrip()

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        found = ACTION.fullmatch(said)
        if found is None:
            return Malformed(f"expected `act NUMBER` or a whole line of the legal moves, not {said!r}")
        action = int(found[1])
        if action not in self.here.legal_actions(seat - 1):
            return Illegal(f"action {action} is not legal now")
        named = self._named(seat, action)
        if found[2] and said != named:
            return Malformed(f"action {action} is {named!r}, not {said!r}")
        return named

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[OpenSpielState, Events]:
        acts = {seat: int(said.split(" ")[1]) for seat, said in moves.items()}
        if self.here.is_simultaneous_node():
            played = [acts.get(seat, 0) for seat in range(1, self.here.num_players() + 1)]
            after, lucky = self.after(tuple(played)).settled(chance)
        else:
            after, lucky = self.after(*acts.values()).settled(chance)
        told = [Event(f"played {seat} {said.partition(' ')[2]}") for seat, said in moves.items()]
        return after, (*((*told, *lucky) if self.kind.open else after._seen()), *after._rewards(self))

    def settled(self, chance: Chance) -> tuple[OpenSpielState, list[Event]]:
        """Draws all actions of chance that come before the next action of a seat. Returns the position after
        these actions, and the events about them."""
        state, told, unshown = self, [], []
        while (here := state.here).is_chance_node():
            outcomes = here.chance_outcomes()
            action = outcomes[chance.pick("chance", [weight for _, weight in outcomes]) - 1][0]
            name = plain(" ".join(here.action_to_string(here.current_player(), action).split()))
            told.append(Event(f"chance {action} {name[:LONGEST_NAME]}".rstrip()))
            before = state.seen(1) if self.kind.open else None
            state = state.after(action)
            if before == state.seen(1):
                unshown.append(told[-1].line)
        return msgspec.structs.replace(state, unshown=tuple(unshown)), told

    def _seen(self) -> tuple[Event, ...]:
        seats = range(1, self.here.num_players() + 1)
        return tuple(Event(line, (seat,)) for seat in seats for line in observed("sees", self.seen(seat)))

    def _rewards(self, before: OpenSpielState) -> tuple[Event, ...]:
        """Returns the reward of each seat since the position `before`, if the game gives rewards before the
        end."""
        if not self.kind.pays_on_the_way:
            return ()
        pairs = enumerate(zip(before.scores(), self.scores(), strict=True), start=1)
        return tuple(
            Event(f"reward {_number(now - was)}", (seat,)) for seat, (was, now) in pairs if now != was
        )

    def scores(self) -> tuple[Number, ...]:
        return tuple(map(_number, self.here.returns()))

    def seen(self, seat: int) -> str:
        """Returns the text that OpenSpiel shows to this seat."""
        here = self.here
        if self.kind.observes:
            return str(here.observation_string(seat - 1))
        return str(here.information_state_string(seat - 1))

    def view(self, seat: int) -> tuple[str, ...]:
        return (*observed("sees", self.seen(seat)), *self.unshown)

    def text(self, seat: int | None = None) -> str:
        text = str(self.here) if seat is None else self.seen(seat)
        lines = [line.expandtabs(4) for line in (*text.splitlines(), *self.unshown)]
        shown = ("".join(sign if sign.isprintable() else "?" for sign in line) for line in lines)
        cut = [line[at : at + WIDTH] for line in shown for at in range(0, max(len(line), 1), WIDTH)]
        return "\n".join(cut) if "".join(cut).strip() else "(OpenSpiel shows nothing here)"

    def alike(self, seat: int, chance: Chance) -> OpenSpielState | None:
        """Lets OpenSpiel draw the hidden actions of chance again, if it can."""
        if self.kind.open:
            return self
        if not self.kind.resamples:
            return None

        def random() -> float:
            return (chance.roll("alike", SEEDS) - 1) / SEEDS

        other = self.here.resample_from_infostate(seat - 1, random)
        return msgspec.structs.replace(self, path=tuple(other.history()))


class OpenSpielGame(Game):
    """One game of OpenSpiel, with its parameters."""

    quiet = frozenset(("sees", "played"))
    library = f"open_spiel {pyspiel.__version__}"

    def __init__(self, call: str) -> None:
        self.call = call
        self._loaded = _load(call)
        kind = self._loaded.get_type()
        players = self._loaded.num_players()
        self.name = f"openspiel_{kind.short_name}"  # type: ignore[misc]
        self.title = kind.long_name  # type: ignore[misc]
        self.seats = (players, players)  # type: ignore[misc]
        self.kind = OpenSpielKind(
            kind.information != pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            kind.provides_observation_string,
            kind.reward_model == pyspiel.GameType.RewardModel.REWARDS,
            kind.short_name in RESAMPLED,
        )
        self.sampled = kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        # Without chance, a match has no random part that must be secret before the match.
        deterministic = kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
        self.secret_chance = not deterministic  # type: ignore[misc]

    def __reduce__(self) -> tuple[type[OpenSpielGame], tuple[str]]:
        return OpenSpielGame, (self.call,)

    def start(self, options: Options, seats: int, chance: Chance) -> tuple[OpenSpielState, Events]:
        # If `sampled` is true, the game draws its own random numbers. Then a position is reached again by
        # playing all actions again with the same seed.
        if self.sampled:
            seed = chance.roll("seed", SEEDS)
            parameters = {**self._loaded.get_parameters(), "rng_seed": seed}
            name = self._loaded.get_type().short_name
            trail = Trail(
                (self.call, seed), lambda: pyspiel.load_game(name, parameters).new_initial_state(), _apply
            )
        else:
            trail = Trail(self.call, self._loaded.new_initial_state, _apply, lambda state: state.clone())
        state, told = OpenSpielState(trail, (), self.kind).settled(chance)
        return state, tuple(told) if self.kind.open else state._seen()

    def announce(self, options: Options) -> tuple[str, ...]:
        return (f"game {self.call}",)


def _apply(state: Any, action: int | tuple[int, ...]) -> None:
    if isinstance(action, tuple):
        state.apply_actions(list(action))
    else:
        state.apply_action(action)


def _number(value: float) -> Number:
    return int(value) if value == int(value) else value


def _load(call: str) -> Any:
    """Returns the game of OpenSpiel. Raises InputError if there is no such game, or if the harness cannot
    play it."""
    name = call.partition("(")[0]
    names = pyspiel.registered_names()
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(names)
        raise InputError(f"OpenSpiel has no game {name!r}: {hint}")
    try:
        game = pyspiel.load_game(call)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        lines = [SOURCE.sub("", line).strip() for line in str(error).splitlines()]
        reason = ", ".join(filter(None, lines)) or "it needs parameters"
        raise InputError(f"OpenSpiel cannot load {call!r}: {reason}") from None
    if game.num_players() < 2:
        raise InputError(f"{call!r} has one player; a match needs two")
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise InputError(f"{call!r} is a mean field game; such a game has no single players")
    return game


def game(call: str) -> Game:
    """Returns the game of a call such as `leduc_poker(players=3)`. Raises InputError if there is no such
    game."""
    if checked(call).partition("(")[0] in pyspiel.registered_names() and call not in PLAIN:
        attempt(call)
    return OpenSpielGame(call)


# -- a first try in a process of its own -------------------------------------------------------------
#
# This part first tries a game of OpenSpiel in a separate process, up to the first question.
#
# A wrong parameter does not always raise an exception. A wrong parameter can also end the process, take
# hours, or print lines. All of this happens only in the separate process, where it does no harm. Then
# `attempt` raises an error that says what happened.


WIDEST = 200
SECONDS = 20
LONGEST_VIEW = 100_000
"""The maximum number of characters in one seat's view of the first position. With the usual parameters, this
view has fewer than 1,000 characters in each game."""
CHILD = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from harness.worlds.openspiel import obstacle; sys.exit(obstacle(sys.argv[1]) or 0)"
)


@cache
def attempt(call: str) -> None:
    """Raises InputError with the reason if this game of OpenSpiel cannot begin."""
    command = [sys.executable, "-c", CHILD, call, *sys.path]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(f"OpenSpiel cannot begin {call!r} within {SECONDS} s") from None
    last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        last = f"OpenSpiel cannot begin {call!r}: it ended with {name}" + f": {last}" * bool(last)
    if done.returncode:
        raise InputError(fitted(last, WIDEST + len(call)))


def obstacle(call: str) -> str:
    """Returns the reason why this game of OpenSpiel cannot begin in this process, or "" if it can begin."""
    try:
        game = OpenSpielGame(call)
        state, _ = game.start(Options(), game.seats[0], Seeded(1))
        for seat in state.to_act():
            size = sum(map(len, state.view(seat)))
            if size > LONGEST_VIEW:
                most = f"a match allows at most {LONGEST_VIEW:,}"
                return f"the first position of {call!r} has {size:,} characters; {most}"
            [*state.legal(seat)]
    except InputError as error:
        return error.message
    except Exception as error:
        words = " ".join(str(error).split()) or type(error).__name__
        return f"OpenSpiel cannot begin {call!r}: {words}"
    return ""
