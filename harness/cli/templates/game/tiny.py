"""Tiny, a whole game to copy: all seats bid at once, and the highest bid wins what a die shows.

Copy this file with its page (tiny.md) and its test (test_tiny.py), rename all three, and change one thing
after the other. After each change:

    harness check game ./tiny.py            # does it keep the contract of a game?
    harness play ./tiny.py human my_bot.py  # play it yourself

A plan names the game by its path: game = "tiny.py". The contract, with every method that a game may add, is
in harness/games/_contract.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from harness.games import Chance, Event, Events, Game, Illegal, Malformed, Options, State

BID = re.compile(r"bid ([0-9]{1,3})")


class TinyOptions(Options, frozen=True):
    """What a plan may set: each option has a type, a default, bounds, and help for `harness games`."""

    rounds: Annotated[int, Meta(ge=1, le=9, description="how many times all seats bid")] = 3
    coins: Annotated[int, Meta(ge=1, le=99, description="what each seat may bid in all")] = 4


class TinyState(State, frozen=True):
    """A position: a value that never changes. `play` makes the next one.

    Its parts are values too: numbers, strings, tuples, frozen structs. Seats are numbered from 1, so
    seat 1 is at index 0 of each tuple.
    """

    rounds: int
    """Rounds that are still to be played."""
    coins: tuple[int, ...]
    points: tuple[int, ...]
    secrets: tuple[int, ...]
    """Each seat's hidden number. It adds to the seat's points at the end."""

    # -- whose turn it is, and what it may do

    def to_act(self) -> tuple[int, ...]:
        # Several seats act at once here: none learns another's answer before it has given its own.
        # In most games one seat acts: return (self.seat,). An empty tuple means that the match is over.
        return tuple(range(1, len(self.coins) + 1)) if self.rounds else ()

    def question(self, seat: int) -> str:
        # One word, and further words if needed ("bid 4"). The answer begins with the same word.
        return "bid"

    def legal(self, seat: int) -> Iterator[str]:
        # A generator, so a long list costs nothing if nobody reads it. If a list cannot be complete, yield
        # some of the moves and let the method `complete` return False.
        return (f"bid {coins}" for coins in range(self.coins[seat - 1] + 1))

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        # The text comes from a bot: it may be anything. Malformed: wrong form. Illegal: right form, but the
        # rules do not allow it here. The reason goes to the bot and into the log, so say what is wrong.
        found = BID.fullmatch(said)
        if not found:
            return Malformed(f"expected `bid COINS`; it said {said!r}")
        coins = int(found[1])
        if coins > self.coins[seat - 1]:
            return Illegal(f"it has {self.coins[seat - 1]} coins, not {coins}")
        # The canonical text: "bid 03" and "bid 3" are one move, and from here on it is written "bid 3".
        return f"bid {coins}"

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        """The highest bid wins what the die shows, unless two seats made it. All bids are paid."""
        # All luck comes from `chance`, and each purpose has a stream with a name of its own. Never import
        # random: the log would not know what was drawn, and `harness verify` could not check the match.
        die = chance.roll(f"throw {self.rounds}", 6)
        bids = [int(moves[seat].split(" ")[1]) for seat in self.to_act()]
        won = [die if bid == max(bids) and bids.count(bid) == 1 else 0 for bid in bids]
        state = replace(
            self,
            rounds=self.rounds - 1,
            coins=tuple(coins - bid for coins, bid in zip(self.coins, bids, strict=True)),
            points=tuple(points + gain for points, gain in zip(self.points, won, strict=True)),
        )
        # What happened, line by line. An event without seats is for all; Event(line, (2,)) is for seat 2.
        told = (Event(f"bids {' '.join(map(str, bids))}"), Event(f"die {die}"))
        return state, told if state.rounds else (*told, Event(state.all_secrets()))

    def all_secrets(self) -> str:
        """The line that tells all secrets when the match is over."""
        return f"secrets {' '.join(map(str, self.secrets))}"

    # -- how it ends

    def scores(self) -> tuple[int, ...]:
        # The highest score wins. A game with another order or another reason to end adds `outcome`.
        if self.rounds:
            return self.points
        return tuple(points + secret for points, secret in zip(self.points, self.secrets, strict=True))

    # -- what each seat may see

    def view(self, seat: int) -> tuple[str, ...]:
        # Everything that this seat knows, and nothing else: bots read it if they ask for it.
        return (
            f"rounds {self.rounds}",
            f"coins {' '.join(map(str, self.coins))}",
            f"points {' '.join(map(str, self.points))}",
            f"secret {self.secrets[seat - 1]}" if self.rounds else self.all_secrets(),
        )

    def alike(self, seat: int, chance: Chance) -> TinyState:
        # Another position that looks the same to this seat: what it cannot see is drawn again. With this the
        # kit searches for leaks. A game that hides nothing leaves it out.
        if not self.rounds:
            return self
        rolled = [chance.roll("alike", 6) for _ in self.secrets]
        rolled[seat - 1] = self.secrets[seat - 1]
        return replace(self, secrets=tuple(rolled))

    def text(self, seat: int | None = None) -> str:
        # For people, at most 80 columns: as this seat sees it, or everything if the seat is None.
        return "\n".join(self.view(seat) if seat else (*self.view(1)[:3], self.all_secrets()))


class Tiny(Game):
    """The rules: how many seats play, by which options, and how a match begins."""

    name = "tiny"
    title = "Tiny"
    seats = (2, 4)
    options = TinyOptions

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        secrets = tuple(chance.roll(f"secret {seat}", 6) for seat in range(1, seats + 1))
        told = tuple(Event(f"secret {secret}", (seat,)) for seat, secret in enumerate(secrets, start=1))
        return TinyState(options.rounds, (options.coins,) * seats, (0,) * seats, secrets), told


GAME = Tiny()
