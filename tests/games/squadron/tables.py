"""Lays out cards of Squadron Scramble for its tests, and plays them."""

from collections.abc import Iterable, Mapping

from harness.chance import Seeded
from harness.games import Events
from harness.games.squadron import SquadronOptions, SquadronPosition
from harness.games.squadron.battle import Battle
from harness.games.squadron.cards import DECK, Squadron, in_order
from harness.model import Illegal

DEFAULT = SquadronOptions()
DECK_OF_SIX = "M96.1 M96.2 N97.1 N97.2 SM82.1 SM82.2"


def cards(text: str) -> tuple[str, ...]:
    """`P39.1-3` stands for all three."""
    words: list[str] = []
    for word in text.split():
        words += [word.replace("1-3", copy) for copy in "123"] if word.endswith(".1-3") else [word]
    return tuple(words)


def squadron(text: str) -> Squadron:
    """The squadron of these cards. If the text begins with !, the squadron is a captured one."""
    return Squadron(in_order(cards(text.lstrip("!"))), text.startswith("!"))


def position(
    hand: str,
    *others: str,
    tables: Mapping[int, Iterable[str]] | None = None,
    stack: str = "KI001.1",
    deck: str = DECK_OF_SIX,
    take: int | None = None,
    options: SquadronOptions = DEFAULT,
    totals: tuple[int, ...] = (),
    turn: int = 0,
    number: int = 1,
) -> SquadronPosition:
    """A position in which seat 1 has `hand` and is on turn. `take` says what it has taken already, if
    anything."""
    hands = tuple(in_order(cards(held)) for held in (hand, *(others or ("F2A.1", "F2A.2", "F2A.3"))))
    seats = len(hands)
    on_tables = tuple(tuple(map(squadron, (tables or {}).get(seat, ()))) for seat in range(1, seats + 1))
    battle = Battle(
        number,
        options.turns * seats,
        tuple(range(1, seats + 1)),
        1,
        hands,
        ((),) * seats,
        on_tables,
        cards(deck),
        cards(stack),
        turn,
        take=take,
    )
    return SquadronPosition(options, totals or (0,) * seats, (), battle)


def said(state: SquadronPosition, text: str, seed: int = 0) -> tuple[SquadronPosition, Events]:
    """The position after this answer, which must be legal, and the events."""
    [seat] = state.to_act()
    checked = state.check(seat, text)
    assert isinstance(checked, str), checked
    return state.play({seat: checked}, Seeded(seed))


def after(state: SquadronPosition, *texts: str, seed: int = 0) -> SquadronPosition:
    """The position after these answers, which must be legal."""
    for text in texts:
        state = said(state, text, seed)[0]
    return state


def lines(events: Events) -> list[str]:
    """The lines of these events, whoever gets them."""
    return [event.line for event in events]


def refused(state: SquadronPosition, text: str) -> str:
    """The reason why the rules do not allow this answer."""
    verdict = state.check(state.to_act()[0], text)
    assert isinstance(verdict, Illegal), verdict
    return verdict.reason


def everywhere(battle: Battle) -> list[str]:
    """All cards in the battle, wherever they are."""
    hands = [card for hand in battle.hands for card in hand]
    laid = [card for table in battle.tables for each in table for card in each.cards]
    return sorted([*hands, *laid, *battle.deck, *battle.stack])


WHOLE = sorted(DECK)
