"""Owns the rules of Tiny, a game for tests: simultaneous bids, a die, a secret each; named by its path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from harness.chance import Chance
from harness.events import Event
from harness.games import Events, Game, Options, State
from harness.model import Illegal, Malformed

BID = re.compile(r"bid ([0-9]{1,3})")


class TinyOptions(Options, frozen=True):
    """The options of Tiny."""

    rounds: Annotated[int, Meta(ge=1, le=9, description="how often all bid")] = 3
    coins: Annotated[int, Meta(ge=1, le=99, description="what each seat may bid in all")] = 4


class Table(State, frozen=True):
    """Rounds that are left, each seat's coins and points, and its secret, worth as much at the end."""

    rounds: int
    coins: tuple[int, ...]
    points: tuple[int, ...]
    secrets: tuple[int, ...]

    def to_act(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.coins) + 1)) if self.rounds else ()

    def question(self, seat: int) -> str:
        return "bid"

    def legal(self, seat: int) -> Iterator[str]:
        return (f"bid {coins}" for coins in range(self.coins[seat - 1] + 1))

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        found = BID.fullmatch(said)
        if not found:
            return Malformed(f"`bid COINS` is due; it said {said!r}")
        coins = int(found[1])
        if coins > self.coins[seat - 1]:
            return Illegal(f"it has {self.coins[seat - 1]} coins, not {coins}")
        return f"bid {coins}"

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Table, Events]:
        """Who alone bids most gets what the die shows; all bids are gone."""
        die = chance.roll(f"throw {self.rounds}", 6)
        bids = [int(moves[seat].split(" ")[1]) for seat in self.to_act()]
        won = [die if bid == max(bids) and bids.count(bid) == 1 else 0 for bid in bids]
        table = msgspec.structs.replace(
            self,
            rounds=self.rounds - 1,
            coins=tuple(coins - bid for coins, bid in zip(self.coins, bids, strict=True)),
            points=tuple(points + gain for points, gain in zip(self.points, won, strict=True)),
        )
        told = (Event(f"bids {' '.join(map(str, bids))}"), Event(f"die {die}"))
        return table, told if table.rounds else (*told, Event(table.shown()))

    def shown(self) -> str:
        """All secrets, told when the match is over."""
        return f"secrets {' '.join(map(str, self.secrets))}"

    def scores(self) -> tuple[int, ...]:
        if self.rounds:
            return self.points
        return tuple(points + secret for points, secret in zip(self.points, self.secrets, strict=True))

    def view(self, seat: int) -> tuple[str, ...]:
        return (
            f"rounds {self.rounds}",
            f"coins {' '.join(map(str, self.coins))}",
            f"points {' '.join(map(str, self.points))}",
            f"secret {self.secrets[seat - 1]}" if self.rounds else self.shown(),
        )

    def alike(self, seat: int, chance: Chance) -> Table:
        if not self.rounds:
            return self
        rolled = [chance.roll("alike", 6) for _ in self.secrets]
        rolled[seat - 1] = self.secrets[seat - 1]
        return msgspec.structs.replace(self, secrets=tuple(rolled))

    def text(self, seat: int | None = None) -> str:
        return "\n".join(self.view(seat) if seat else (*self.view(1)[:3], self.shown()))


class Tiny(Game):
    """The rules of Tiny."""

    name = "tiny"
    title = "Tiny"
    seats = (2, 4)
    options = TinyOptions

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Table, Events]:
        secrets = tuple(chance.roll(f"secret {seat}", 6) for seat in range(1, seats + 1))
        told = tuple(Event(f"secret {secret}", (seat,)) for seat, secret in enumerate(secrets, start=1))
        return Table(options.rounds, (options.coins,) * seats, (0,) * seats, secrets), told


GAME = Tiny()
