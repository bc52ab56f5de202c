"""Defines the rules of Biplane: the set-up, the questions, the answers and the end. biplane.md explains the
rules.

board.py has the board and the deck, and sky.py has the parts of a position. turn.py and air.py play a turn,
and seen.py shows each seat what it may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import force_setattr

from harness.games import (
    Chance,
    Event,
    Events,
    Game,
    Illegal,
    InputError,
    Malformed,
    Options,
    Outcome,
    State,
    ranks,
)
from harness.games.biplane.board import DECK, NAMES, PLACE_IN_DECK, REPEATS, SHOOTS, UNLABELLED
from harness.games.biplane.seen import alike, drawn, known
from harness.games.biplane.sky import Cards, Pilot, Sky, kinds
from harness.games.biplane.turn import played

SIDES: dict[str, tuple[tuple[int, ...], ...]] = {
    "two-on-one": ((1, 3), (2,)),
    "two-on-two": ((1, 3), (2, 4)),
}
SPACES = {2: ("E5", "C5"), 3: ("G5", "E5", "C5"), 4: ("G5", "E5", "C5", "A5")}
FORMS = {
    "keep": "`keep CARD ...` is due, as `keep C4 E9 A2U S1`",
    "place": "`place CARD` is due, as `place C4`",
    "discard": "`discard CARD` is due, as `discard C4`",
    "shoot": "`shoot CARD` or `shoot no` is due, as `shoot S1`",
}


class BiplaneOptions(Options, frozen=True):
    """The options of Biplane."""

    alliance: Annotated[
        Literal["free-for-all", "two-on-one", "two-on-two"],
        Meta(description="the alliances: two-on-one is for 3 players, two-on-two for 4"),
    ] = "free-for-all"
    skill: Annotated[
        int,
        Meta(
            ge=0,
            le=2,
            description="the additional cards of each player, and the additional kinds of Maneuver",
        ),
    ] = 0
    tree: Annotated[bool, Meta(description="whether there is a tree on A7")] = False
    turns: Annotated[
        int, Meta(ge=1, le=100_000, description="a match has at most this many turns of all players together")
    ] = 500

    def keeps(self, seat: int) -> int:
        """Returns the number N of random cards that this seat gets. N is also the number of cards that the
        seat keeps in the end. The kept cards must have at least N - 2 different kinds of Maneuver."""
        alone = self.alliance == "two-on-one" and seat == 2
        return 4 + self.skill + alone

    def spaces(self, seats: int) -> Sequence[str]:
        """Returns the spaces where the planes start."""
        if self.alliance == "two-on-one":
            return ("G5", "E10", "C5")
        if self.alliance == "two-on-two" and self.tree:
            return ("G3", "E9", "C3", "A9")
        return SPACES[seats]


class BiplanePosition(Sky, State, frozen=True, kw_only=True):
    """A position of Biplane."""

    ahead: ClassVar[int] = 16
    unit: ClassVar[str] = "planes"

    # After the set-up, every position asks the seat on turn a question. So each new position computes the
    # legal moves at once, and keeps these moves: `legal` lists them, and `check` looks for the answer among
    # them.

    moves: tuple[str, ...] = ()
    """The legal moves of the seat on turn, computed from the other fields."""

    def __post_init__(self) -> None:
        force_setattr(self, "moves", tuple(self._moves(self.seat)) if self.turn and self.asked else ())

    def to_act(self) -> tuple[int, ...]:
        if self.turn:
            return (self.seat,) if self.asked else ()
        return tuple(range(1, len(self.pilots) + 1))

    def question(self, seat: int) -> str:
        if self.asked == "keep":
            keeps = self.pilot(seat).keeps
            return f"keep {keeps} {keeps - 2}"
        if self.asked == "discard":
            return f"discard {self.pilot(seat).limit()}"
        return f"shoot {self.left}" if self.asked == "shoot" else self.asked

    def legal(self, seat: int) -> Iterable[str]:
        return self.moves or self._moves(seat)

    def _moves(self, seat: int) -> Iterable[str]:
        pilot = self.pilot(seat)
        if self.asked == "place":
            return [f"place {card}" for card in pilot.placeable()]
        if self.asked == "shoot":
            return ["shoot no", *[f"shoot {card}" for card in pilot.shoots()]]
        if self.asked == "discard":
            return [f"discard {card}" for card in pilot.temporary]
        hands = combinations(pilot.kept, pilot.keeps)
        return (f"keep {' '.join(hand)}" for hand in hands if kinds(hand) >= pilot.keeps - 2)

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        if said in self.moves:
            return said
        word, *cards = said.split(" ")
        if word != self.asked or not cards or (len(cards) > 1 and word != "keep"):
            return Malformed(f"{FORMS[self.asked]}; it said {said!r}")
        if word == "shoot" and cards[0].lower() == "no":
            return "shoot no"
        for place, card in enumerate(cards):
            cards[place] = card.upper()
            if cards[place] not in NAMES:
                return Malformed(f"a card is named by its label, as C4 or B8U; it said {card!r}")
        if word == "keep":
            return self._kept(seat, cards)
        if reason := self._against(seat, cards[0]):
            return Illegal(reason)
        return f"{word} {cards[0]}"

    def _kept(self, seat: int, cards: list[str]) -> str | Illegal:
        dealt, keeps = self.pilot(seat).kept, self.pilot(seat).keeps
        for place, card in enumerate(cards):
            if card not in dealt:
                return Illegal(f"{card} was not dealt to it")
            if card in cards[:place]:
                return Illegal(f"{card} is there twice")
        if len(cards) != keeps:
            return Illegal(f"{keeps} cards are kept, not {len(cards)}")
        if (found := kinds(cards)) < keeps - 2:
            return Illegal(f"{keeps - 2} kinds of Maneuver must be among the cards kept, not {found}")
        return f"keep {' '.join(_sorted(cards))}"

    def _against(self, seat: int, card: str) -> str:
        """Returns the reason why the seat may not answer with this card; "" if it may."""
        pilot = self.pilot(seat)
        if self.asked == "discard":
            return "" if card in pilot.temporary else f"{card} is not in its temporary hand"
        if card == pilot.out:
            return f"{card} lies out: a Repeat flies it again"
        if card in pilot.used:
            return f"{card} was used in this flight already"
        if card not in (*pilot.permanent, *pilot.temporary, pilot.open):
            return f"{card} is not in its hand"
        if self.asked == "shoot":
            return "" if card in SHOOTS else f"{card} is no Shoot but {NAMES[card]}"
        if card not in pilot.next_cards():
            first = "; the first card is a Maneuver" if card in REPEATS else ""
            return f"{card} ({NAMES[card]}) is not placed for a turn{first}"
        flying = pilot.placeable()
        if card not in flying:
            return f"{card} ({NAMES[card]}) does not fly from {pilot.place}, and {flying[0]} does"
        return ""

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[BiplanePosition, Events]:
        return played(self, moves, chance)

    # -- scores

    def worth(self) -> tuple[float, ...]:
        """Returns the number of losses of each seat's side, with a minus sign. So allies have the same
        value, and a loss of an ally counts as much as an own loss."""
        losses = self.scores()
        of_side = {seat: sum(losses[ally - 1] for ally in side) for side in self.sides for seat in side}
        return tuple([-of_side[seat] for seat in sorted(of_side)])

    def scores(self) -> tuple[int, ...]:
        return tuple([pilot.losses for pilot in self.pilots])

    def keys(self) -> tuple[int, ...]:
        """Returns the number of losses of each seat with a minus sign, because the fewest losses are best.
        Alliances do not matter for these keys."""
        return tuple([-pilot.losses for pilot in self.pilots])

    def outcome(self) -> Outcome | None:
        """Ranks the seats by the losses of their sides. If the losses of two sides are equal, the side with
        more seats wins."""
        if self.asked:
            return None
        losses = self.scores()
        key = {
            seat: (-sum(losses[ally - 1] for ally in side), len(side)) for side in self.sides for seat in side
        }
        ran_out = self.passes == len(losses)
        reason = f"the deck has run out {self.passes} times" if ran_out else f"{self.turn} turns are played"
        return Outcome(ranks([key[seat] for seat in sorted(key)]), losses, reason)

    def view(self, seat: int) -> tuple[str, ...]:
        return known(self, seat)

    def text(self, seat: int | None = None) -> str:
        return drawn(self, seat)

    def alike(self, seat: int, chance: Chance) -> BiplanePosition | None:
        return alike(self, seat, chance)


class Biplane(Game):
    """The rules of Biplane."""

    name = "biplane"
    title = "Biplane"
    seats = (2, 4)
    options = BiplaneOptions
    brief: ClassVar[Mapping[str, Any]] = {"turns": 40}

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[BiplanePosition, Events]:
        """Deals the cards. The first question asks each seat which cards it keeps."""
        if reason := self.unfit(options, seats):
            raise InputError(reason)
        keeps = [options.keeps(seat) for seat in range(1, seats + 1)]
        hands, deck = _dealt(keeps, chance)
        spaces = options.spaces(seats)
        pilots, told = list[Pilot](), list[Event]()
        for seat, (hand, size, where) in enumerate(zip(hands, keeps, spaces, strict=True), start=1):
            shown = hand[2:] if kinds(hand[: 2 + size]) < size - 2 else []
            pilots.append(Pilot(size, _sorted(hand), f"{where}R", (hand[1], *shown)))
            told.append(Event(f"plane {seat} {where}R"))
            if shown:
                told.append(Event(f"shown {seat} {' '.join(shown)}"))
            told.append(Event(f"hand {' '.join(_sorted(hand))}", (seat,)))
        told.append(Event(f"deck {len(deck)}"))
        sides, by = self.sides(options, seats), {"tree": options.tree, "turns": options.turns}
        return BiplanePosition(**by, sides=sides, pilots=tuple(pilots), deck=deck), tuple(told)

    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        """Returns the seats of each side. In an alliance, seats 1 and 3 are allies."""
        return SIDES.get(options.alliance) or super().sides(options, seats)

    def unfit(self, options: Any, seats: int) -> str:
        """Returns the reason why this number of seats cannot play with these options; "" if it can. Each
        alliance is for a fixed number of players."""
        due = sum(map(len, SIDES.get(options.alliance, ()))) or seats
        told = f'alliance "{options.alliance}" is for {due} players, not {seats}'
        return super().unfit(options, seats) or ("" if seats == due else told)


GAME = Biplane()


def _dealt(keeps: Sequence[int], chance: Chance) -> tuple[list[list[str]], Cards]:
    """Deals each seat a Repeat, an unlabelled Shoot and random cards. Returns the hands and the deck (ruling
    5).

    A seat with too few kinds of Maneuver draws more cards. If the seat would have to draw the last card of
    the deck, all cards are dealt again.
    """
    while True:
        repeats = chance.shuffle("repeats", REPEATS)
        hands = [[repeats[place], UNLABELLED[place]] for place in range(len(keeps))]
        given = {card for hand in hands for card in hand}
        deck = list(chance.shuffle("deal", [card for card in DECK if card not in given]))
        for hand, size in zip(hands, keeps, strict=True):
            hand += deck[:size]
            del deck[:size]
        for hand, size in zip(hands, keeps, strict=True):
            while kinds(hand) < size - 2 and len(deck) > 1:
                hand.append(deck.pop(0))
        if all(kinds(hand) >= size - 2 for hand, size in zip(hands, keeps, strict=True)):
            return hands, tuple(deck)


def _sorted(cards: Sequence[str]) -> Cards:
    return tuple(sorted(cards, key=PLACE_IN_DECK.__getitem__))
