"""Tiny, a small complete game: all seats bid at once, and the highest bid wins the points of a die.

`harness new game NAME` makes such a file, with its page (tiny.md) and its tests (test_tiny.py). Change one
thing at a time. After each change, run these commands:

    harness check game ./tiny.py            # does it keep the contract of a game?
    harness play ./tiny.py human spar:16    # play it yourself

A plan names the game by its path: game = "tiny.py". `help(harness.games.State)` in Python shows all
methods that a game can override.
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
    """The options that a plan can set. Each option has a type, a default, bounds, and a text for
    `harness games`."""

    rounds: Annotated[int, Meta(ge=1, le=9, description="the number of rounds")] = 3
    coins: Annotated[int, Meta(ge=1, le=99, description="the coins of each seat for all rounds together")] = 4


class TinyState(State, frozen=True):
    """A position, which is an immutable value. `play` returns the next position.

    The parts of a position are immutable too: numbers, strings, tuples, frozen structs. Seats are numbered
    from 1, so the values of seat 1 are at index 0 of each tuple.
    """

    rounds: int
    """The number of rounds that are left."""
    coins: tuple[int, ...]
    points: tuple[int, ...]
    secrets: tuple[int, ...]
    """The hidden number of each seat. At the end of the match, the seat gets this number of points."""

    # -- whose turn it is, and what it may do

    def to_act(self) -> tuple[int, ...]:
        # In this game all seats act at once: a seat must answer before it sees the answers of others. If only
        # one seat acts at a time in your game, return (self.seat,). An empty tuple means: the match is over.
        return tuple(range(1, len(self.coins) + 1)) if self.rounds else ()

    def question(self, seat: int) -> str:
        # Return one word, or more words if the game needs them ("bid 4"). The answer begins with the first
        # word of the question.
        return "bid"

    def legal(self, seat: int) -> Iterator[str]:
        # Return a generator: if nobody reads the whole list, this saves time. If the list cannot be complete,
        # yield some of the moves, and let the method `complete` return False.
        return (f"bid {coins}" for coins in range(self.coins[seat - 1] + 1))

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        # The text comes from a bot, so it may be anything. Return Malformed if its form is wrong. Return
        # Illegal if its form is right but the rules forbid it here. The reason goes to the bot and into the
        # log, so say what is wrong.
        found = BID.fullmatch(said)
        if not found:
            return Malformed(f"expected `bid COINS`; it said {said!r}")
        coins = int(found[1])
        if coins > self.coins[seat - 1]:
            return Illegal(f"it has {self.coins[seat - 1]} coins, not {coins}")
        # "bid 03" and "bid 3" are the same move. Return the canonical text, "bid 3", for both texts.
        return f"bid {coins}"

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        """Plays a round. The highest bid wins the points of the die, unless several seats made this bid. All
        seats pay their bids."""
        # Take all luck from `chance`, with one named stream for each purpose. Never import random: the log
        # would not contain its numbers, and `harness verify` could not check the match.
        die = chance.roll(f"throw {self.rounds}", 6)
        bids = [int(moves[seat].split(" ")[1]) for seat in self.to_act()]
        won = [die if bid == max(bids) and bids.count(bid) == 1 else 0 for bid in bids]
        state = replace(
            self,
            rounds=self.rounds - 1,
            coins=tuple(coins - bid for coins, bid in zip(self.coins, bids, strict=True)),
            points=tuple(points + gain for points, gain in zip(self.points, won, strict=True)),
        )
        # Each event is one line. An event without seats is for all seats; Event(line, (2,)) is for seat 2.
        told = (Event(f"bids {' '.join(map(str, bids))}"), Event(f"die {die}"))
        return state, told if state.rounds else (*told, Event(state.all_secrets()))

    def all_secrets(self) -> str:
        """Returns the line with all secrets, for the end of the match."""
        return f"secrets {' '.join(map(str, self.secrets))}"

    # -- how it ends

    def scores(self) -> tuple[int, ...]:
        # By default the highest score wins. Override `outcome` to rank the seats in another way, or to give
        # another reason for the end.
        if self.rounds:
            return self.points
        return tuple(points + secret for points, secret in zip(self.points, self.secrets, strict=True))

    # -- what each seat may see

    def view(self, seat: int) -> tuple[str, ...]:
        # Return all that this seat may know, and nothing else. If a bot asks for the state, it gets these
        # lines.
        return (
            f"rounds {self.rounds}",
            f"coins {' '.join(map(str, self.coins))}",
            f"points {' '.join(map(str, self.points))}",
            f"secret {self.secrets[seat - 1]}" if self.rounds else self.all_secrets(),
        )

    def alike(self, seat: int, chance: Chance) -> TinyState:
        # Return another position that looks the same to this seat: choose new random numbers for all values
        # that are hidden from this seat. The conformance kit (`assert_conforms`) uses this method to find
        # leaks of hidden values. A game that hides nothing does not need the method.
        if not self.rounds:
            return self
        rolled = [chance.roll("alike", 6) for _ in self.secrets]
        rolled[seat - 1] = self.secrets[seat - 1]
        return replace(self, secrets=tuple(rolled))

    def text(self, seat: int | None = None) -> str:
        # Return a text for people, at most 80 columns wide. It shows what this seat sees, or everything if
        # `seat` is None.
        return "\n".join(self.view(seat) if seat else (*self.view(1)[:3], self.all_secrets()))


class Tiny(Game):
    """The rules without a position: the number of seats, the options, and the start of a match."""

    name = "tiny"
    title = "Tiny"
    seats = (2, 4)
    # In some games it does not help a player to know the deal beforehand, as in chess with an opening that is
    # chosen at random. For such a game set `secret_chance = False`. Then each bot plays each deal in every
    # seat, unless the plan says otherwise.
    options = TinyOptions

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        secrets = tuple(chance.roll(f"secret {seat}", 6) for seat in range(1, seats + 1))
        told = tuple(Event(f"secret {secret}", (seat,)) for seat, secret in enumerate(secrets, start=1))
        return TinyState(options.rounds, (options.coins,) * seats, (0,) * seats, secrets), told


GAME = Tiny()
