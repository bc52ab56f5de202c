"""Defines the rules of Squadron Scramble, a war of several battles. squadron.md explains the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from harness.games import (
    Chance,
    Event,
    Events,
    Game,
    Illegal,
    Malformed,
    Options,
    Outcome,
    Seeded,
    State,
    ranks,
)
from harness.games.squadron import view
from harness.games.squadron.acts import Act, drawn, judged, listed, read, targets
from harness.games.squadron.battle import HAND, Battle, dealt, put
from harness.games.squadron.cards import AIRCRAFT, DECK, WILD

NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
TAKES = ("take deck", *(f"take stack {count}" for count in range(1, len(DECK) + 1)))
CROWDED = 12
"""The maximum number of players without a warning. With more players the deck is nearly empty after the deal
(ruling 15)."""


class SquadronOptions(Options, frozen=True):
    """The options of Squadron Scramble."""

    goal: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="the war ends when a battle is over and a total has reached this number",
        ),
    ] = 250
    battles: Annotated[int, Meta(ge=1, le=1_000, description="a war has at most this many battles")] = 20
    turns: Annotated[
        int, Meta(ge=1, le=1_000, description="a battle has at most this many turns per player who begins it")
    ] = 100


class SquadronPosition(State, frozen=True):
    """The position of a war: the total of each seat, the seats that have left the war, and the present
    battle.

    `gone` has the seats in the order in which they left. Each tuple in `gone` has the seats that left at the
    same time. `reason` says why the war is over; it is "" before the end.
    """

    ahead: ClassVar[int] = 30
    unit: ClassVar[str] = "points"

    options: SquadronOptions
    totals: tuple[int, ...]
    gone: tuple[tuple[int, ...], ...]
    battle: Battle
    reason: str = ""

    def to_act(self) -> tuple[int, ...]:
        return () if self.reason else (self.battle.seat,)

    def question(self, seat: int) -> str:
        return "take" if self.battle.take is None else "act"

    def legal(self, seat: int) -> Iterable[str]:
        battle = self.battle
        if battle.take is None:
            return TAKES[: len(battle.stack) + 1]
        return listed(battle.hand(seat), targets(battle.tables, seat))

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        """Makes random acts one by one, because a seat can have billions of legal acts. The log has only one
        random number for all these acts: their seed."""
        battle = self.battle
        if battle.take is None:
            return super().some(seat, count, chance, stream)
        luck = Seeded(chance.roll(stream, 2**31 - 1))
        hand, aims = battle.hand(seat), targets(battle.tables, seat)
        acts: dict[str, None] = {}
        for _ in range(2 * count):
            acts[drawn(hand, aims, luck).line()] = None
            if len(acts) == count:
                break
        return tuple(acts)

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        battle = self.battle
        if battle.take is None:
            return self._taking(said)
        act = read(said)
        if isinstance(act, Malformed):
            return act
        allowed = judged(act, battle.hand(seat), battle.tables, seat)
        return allowed.line() if isinstance(allowed, Act) else allowed

    def _taking(self, said: str) -> str | Malformed | Illegal:
        if said in TAKES[: len(self.battle.stack) + 1]:
            return said
        match said.lower().split(" "):
            case ["take", "deck"]:
                return "take deck"
            case ["take", "stack", number] if NUMBER.fullmatch(number):
                count, there = int(number), len(self.battle.stack)
                if 1 <= count <= there:
                    return f"take stack {count}"
                some = f"1 to {there}" if there > 1 else "only 1"
                return Illegal(f"the stack has {there}, so {some} of it can be taken, not {count}")
        return Malformed(f"`take deck` or `take stack COUNT` is due; it said {said!r}")

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[SquadronPosition, Events]:
        said = moves[self.battle.seat]
        if self.battle.take is None:
            battle, told = self.battle.took(0 if said == "take deck" else int(said.rpartition(" ")[2]))
            return replace(self, battle=battle), told
        act = read(said)
        assert isinstance(act, Act), said
        battle, done = self.battle.acted(act)
        if why := battle.end():
            position, told = replace(self, battle=battle)._scored(why, chance)
        else:
            battle, told = battle.passed(chance)
            position = replace(self, battle=battle)
        return position, (*done, *told)

    def _scored(self, why: str, chance: Chance) -> tuple[SquadronPosition, Events]:
        """Ends the battle: adds its points to the totals, then begins the next battle or ends the war (ruling
        10)."""
        battle, totals = self.battle, self.totals
        told = [Event(f"ended {battle.number} {why}")]
        for seat in battle.playing:
            points = battle.points(seat)
            totals = put(totals, seat, totals[seat - 1] + points)
            told.append(Event(f"scored {seat} {points} {totals[seat - 1]}"))
        goal = self.options.goal
        if max(totals[seat - 1] for seat in battle.playing) >= goal:
            return replace(self, totals=totals, reason=f"a total has reached {goal}"), tuple(told)
        if battle.number == self.options.battles:
            return replace(self, totals=totals, reason="the last battle is over"), tuple(told)
        seats, turns = len(totals), self.options.turns
        battle, more = dealt(battle.number + 1, battle.playing, seats, turns, chance)
        return replace(self, totals=totals, battle=battle), (*told, *more)

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[SquadronPosition, Events]:
        """Undoes the turn. The war goes on without the offenders, unless the war is over (ruling 11)."""
        battle, gone = self.battle, (*self.gone, offenders)
        undone = [Event(f"undone {battle.seat}")] if battle.take is not None else []
        told = (*undone, *(Event(f"out {seat}") for seat in offenders))
        rest = [seat for seat in battle.playing if seat not in offenders]
        reason = self.reason or {0: "no player is left", 1: "one player is left"}.get(len(rest), "")
        left = battle.left_by(offenders) if rest else battle
        return replace(self, gone=gone, battle=left, reason=reason), told

    def scores(self) -> tuple[int, ...]:
        return self.totals

    def outcome(self) -> Outcome | None:
        """Ranks the seats: the highest total is best. Seats that have left the war have the last ranks; a
        seat that left later is ranked above a seat that left earlier."""
        if not self.reason:
            return None
        fell = {seat: time for time, seats in enumerate(self.gone) for seat in seats}
        keys = [(0, fell[seat]) if seat in fell else (1, total) for seat, total in enumerate(self.totals, 1)]
        return Outcome(ranks(keys), self.totals, self.reason)

    def worth(self) -> tuple[float, ...]:
        """Returns the total of each seat. Before the end of the war, the method adds a guess of the points
        that the seat will get in the present battle."""
        if self.reason:
            return self.totals
        return tuple(total + self.battle.worth(seat) for seat, total in enumerate(self.totals, 1))

    def view(self, seat: int) -> tuple[str, ...]:
        return tuple(view.lines(self.battle, self.totals, seat))

    def text(self, seat: int | None = None) -> str:
        options = self.options
        return "\n".join(view.drawing(self.battle, self.totals, options.battles, options.goal, seat))

    def alike(self, seat: int, chance: Chance) -> SquadronPosition:
        return self if self.reason else replace(self, battle=self.battle.alike(seat, chance))


class SquadronScramble(Game):
    """The rules of Squadron Scramble."""

    name = "squadron"
    title = "Squadron Scramble"
    seats = (2, (len(DECK) - 1) // HAND)
    options = SquadronOptions
    brief: ClassVar[Mapping[str, Any]] = {"battles": 2, "turns": 8}

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[SquadronPosition, Events]:
        battle, told = dealt(1, tuple(range(1, seats + 1)), seats, options.turns, chance)
        return SquadronPosition(options, (0,) * seats, (), battle), told

    def announce(self, options: Any) -> tuple[str, ...]:
        """Returns lines with the options and with the cards of the deck."""
        types = (f"{kind.alliance}-{kind.category}s {' '.join(AIRCRAFT[kind])}" for kind in AIRCRAFT)
        return (*super().announce(options), *types, f"wild {' '.join(WILD)}")

    def warnings(self, options: Any, seats: int) -> tuple[str, ...]:
        if seats <= CROWDED:
            return ()
        left = len(DECK) - 1 - HAND * seats
        cards = f"{left} card{'s' if left > 1 else ''}"
        return (f"{seats} hands leave a deck of {cards}: battles end early; {CROWDED} or fewer are better",)


GAME = SquadronScramble()
