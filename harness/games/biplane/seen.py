"""Shows a Biplane position to a seat, as lines for bots and as a drawing for people. Also makes, by chance,
other positions that look the same to the seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TypeVar

import msgspec

from harness.games import Chance
from harness.games.biplane.board import (
    AHEAD,
    COLUMNS,
    DECK,
    MANEUVERS,
    NAMES,
    ONWARD,
    PLACE_IN_DECK,
    REPEATS,
    ROWS,
    TREE,
    YELLOW,
    flies,
    flight,
)
from harness.games.biplane.sky import Pilot, Sky, kinds, shot_steps, space

AnySky = TypeVar("AnySky", bound=Sky)
TRIES = 100
"""The maximum number of attempts of `alike` to draw hidden cards that the rules allow."""
ARROWS = {"R": ">", "L": "<", "U": "^", "D": "v"}
CELL, MARGIN, WIDTH = 6, 3, 80


# -- lines -----------------------------------------------------------------------------------------


def known(sky: Sky, seat: int) -> tuple[str, ...]:
    """Returns everything that this seat may know, as lines of the protocol."""
    own = sky.pilot(seat)
    if sky.asked == "keep":
        return (*_public(sky), _line("hand", own.kept))
    mine = [_line("permanent", own.permanent), _line("temporary", own.temporary)]
    if own.down:
        mine.append(f"next {own.down}")
    return (*_public(sky), *mine)


def _public(sky: Sky) -> Iterator[str]:
    yield f"turn {sky.turn} {sky.seat}"
    yield _line("scores", [str(pilot.losses) for pilot in sky.pilots])
    yield _line("shots", sky.shots)
    yield f"deck {len(sky.deck)}"
    yield f"passes {sky.passes}"
    yield _line("discards", sky.discards)
    for seat, pilot in enumerate(sky.pilots, start=1):
        yield f"plane {seat} {pilot.place or 'off'}"
        yield f"hands {seat} {len(pilot.hand)} {len(pilot.temporary)}"
        if pilot.seen:
            yield _line(f"seen {seat}", pilot.seen)
        if pilot.out:
            yield f"out {seat} {pilot.out}"
        if pilot.revealed:
            yield f"revealed {seat} {pilot.revealed}"
        if pilot.down:
            yield f"placed {seat} {pilot.placed}"


def _line(word: str, cards: Iterable[str]) -> str:
    return " ".join((word, *cards))


# -- positions that look alike ---------------------------------------------------------------------


def alike(sky: AnySky, seat: int, chance: Chance) -> AnySky | None:
    """Shuffles all cards that this seat cannot see: the deck, and the hidden cards of other seats (in their
    hands, or face down). Returns None if no attempt finds cards that the rules allow."""
    own = sky.pilot(seat)
    shown = {*sky.discards, *own.kept, *own.temporary, own.down}
    for pilot in sky.pilots:
        shown.update((*pilot.seen, pilot.out, pilot.open))
    hidden = [card for card in DECK if card not in shown]
    held = (card for pilot in sky.pilots for card in (*pilot.kept, *pilot.temporary, pilot.down))
    places = [card for card in dict.fromkeys((*sky.deck, *held)) if card and card not in shown]
    for _ in range(TRIES):
        image = dict(zip(places, chance.shuffle("alike", hidden), strict=False))
        pilots = [pilot if pilot is own else _exchanged(pilot, image, chance) for pilot in sky.pilots]
        if all(_plausible(pilot, sky.asked == "keep") for pilot in pilots):
            deck = tuple([image[card] for card in sky.deck])
            return msgspec.structs.replace(sky, pilots=tuple(pilots), deck=deck)
    return None


def _exchanged(pilot: Pilot, image: dict[str, str], chance: Chance) -> Pilot:
    """Replaces each hidden card of a pilot by the card to which `image` maps it. If the face-down card of the
    pilot comes from the permanent hand, this card is chosen again by chance: other seats may have seen all
    cards of this hand, but they do not know which card of this hand lies face down."""
    kept = sorted([image.get(card, card) for card in pilot.kept], key=PLACE_IN_DECK.__getitem__)
    temporary = tuple([image.get(card, card) for card in pilot.temporary])
    down = image.get(pilot.down, pilot.down)
    changed = msgspec.structs.replace(pilot, kept=tuple(kept), temporary=temporary, down=down)
    if down and pilot.placed == "permanent":
        hand = sorted((down, *changed.permanent), key=PLACE_IN_DECK.__getitem__)
        fit = [card for card in hand if card in MANEUVERS or (pilot.out and card in REPEATS)]
        down = chance.sample("alike", fit or hand, 1)[0]
    return msgspec.structs.replace(changed, down=down)


def _plausible(pilot: Pilot, dealt: bool) -> bool:
    """Returns whether the rules allow a pilot with these cards and this face-down card."""
    if kinds(pilot.kept) < pilot.keeps - 2 or (dealt and not any(card in REPEATS for card in pilot.kept)):
        return False
    return pilot.down in MANEUVERS or pilot.down == "" or (pilot.out != "" and pilot.down in REPEATS)


# -- a drawing for people --------------------------------------------------------------------------


def drawn(sky: Sky, seat: int | None) -> str:
    """Returns the drawing: the board, the seats, and the cards of one seat or of all seats."""
    cards = _own_cards(sky, seat) if seat else _all_cards(sky)
    return "\n".join((*_board(sky), "", *_situation(sky, seat), "", *cards))


def _board(sky: Sky) -> Iterator[str]:
    """Yields the lines of the board: tracks and loops, with planes, shots and the tree."""
    marks = _marks(sky)
    yield " " * (MARGIN) + "".join([f"{column:^{CELL}}" for column in range(1, COLUMNS + 1)]).rstrip()
    for row in reversed(ROWS):
        along = row in "ACEG"
        cells = list(("-" if along else " ") * (COLUMNS * CELL + 1))
        for column in range(1, COLUMNS + 1):
            if along or column % 2 == 0:
                mark = marks.get(f"{row}{column}", "+")
                first = column * CELL - CELL // 2 - (mark[0] == "<")
                cells[first : first + len(mark)] = mark
        yield f"{row:<{MARGIN}}{''.join(cells).rstrip()}"
        if row != "A":
            yield " " * (MARGIN) + _between(row in "GEC")


def _between(above: bool) -> str:
    """Returns the line above or below the centres of the loops."""
    first, second = "/\\" if above else "\\/"
    return f"{first}     {second}  |  " * (COLUMNS // 2) + first


def _marks(sky: Sky) -> dict[str, str]:
    """Returns the mark of each space: the tree, the colours of shots, and the seats of planes."""
    marks = {TREE: "T"} if sky.tree else {}
    for shot in sky.shots:
        place, colour = shot[:-1], shot[-1].lower()
        marks[space(place)] = "**" if space(place) in marks else _pointed(colour, place)
    marks.update((space(pilot.place), _pointed(str(seat), pilot.place)) for seat, pilot in _on_board(sky))
    return marks


def _on_board(sky: Sky) -> Iterator[tuple[int, Pilot]]:
    return ((seat, pilot) for seat, pilot in enumerate(sky.pilots, start=1) if pilot.place)


def _pointed(name: str, place: str) -> str:
    """Returns the name of a plane or shot, with an arrow in the direction of its facing."""
    arrow = ARROWS[place[-1]]
    return f"{arrow}{name}" if arrow == "<" else f"{name}{arrow}"


def _where(place: str) -> str:
    return space(place) + ARROWS[place[-1]] if place else "-"


def _situation(sky: Sky, seat: int | None) -> Iterator[str]:
    """Yields everything that all seats can see, in words."""
    passes = f"{sky.passes} of {len(sky.pilots)} passes are over"
    turn = f"Turn {sky.turn} of {sky.turns} at most" if sky.turn else "Set-up"
    cards = f"{len(sky.deck)} card{'s' * (len(sky.deck) != 1)}"
    yield f"{turn}. The deck has {cards}; {passes}."
    if any(len(side) > 1 for side in sky.sides):
        yield f"Seats {' against '.join(' and '.join(map(str, side)) for side in sky.sides)}."
    shots = [f"{_where(shot[:-1])} {'yellow' if shot[-1] == YELLOW else 'orange'}" for shot in sky.shots]
    steps = shot_steps(len(sky.pilots))
    yield from _listed(f"Shots, the oldest first, {steps} steps before each turn:", shots)
    yield from _listed("Discards:", sky.discards)
    yield ""
    yield "Seat    Lost  Plane  Lies out          Next            Permanent  Temporary"
    for place, pilot in enumerate(sky.pilots, start=1):
        name = (
            f"{'*' if sky.asked and sky.seat in (0, place) else ' '}{place}{' you' if place == seat else ''}"
        )
        out = f"{pilot.out} {NAMES[pilot.out]}" if pilot.out else "-"
        placed = pilot.placed if pilot.down else "-"
        if pilot.open:
            placed = f"{pilot.open} {'stays' if pilot.down else 'lies open'}"
        yield (
            f"{name:<7}{pilot.losses:>5}  {_where(pilot.place):<7}{out:<18}{placed:<16}"
            f"{len(pilot.hand):>9}{len(pilot.temporary):>11}"
        )
    for place, pilot in enumerate(sky.pilots, start=1):
        yield from _listed(f"Seen of the permanent hand of seat {place}:", pilot.seen)


def _listed(title: str, items: Sequence[str]) -> list[str]:
    return wrap(f"{title} {', '.join(items)}", WIDTH, subsequent_indent="  ") if items else []


def _all_cards(sky: Sky) -> Iterator[str]:
    for seat, pilot in enumerate(sky.pilots, start=1):
        held = [*pilot.permanent, *(f"{card} (temporary)" for card in pilot.temporary)]
        if pilot.down:
            held.append(f"{pilot.down} (next)")
        yield from _listed(f"Seat {seat} holds", held)


def _own_cards(sky: Sky, seat: int) -> Iterator[str]:
    """Yields a title, and a line for each card with its name and the places to which it leads. [ ] marks the
    cards with which the seat may answer."""
    pilot = sky.pilot(seat)
    asked = sky.asked if sky.seat in (0, seat) else ""
    title, fit = _asked_for(sky, pilot, asked)
    yield title
    held = pilot.kept if asked == "keep" else pilot.permanent
    groups = (
        (held, ""),
        (pilot.temporary, "temporary"),
        ((pilot.open,), "lies open"),
        ((pilot.down,), "next"),
    )
    for card, note in ((card, note) for cards, note in groups for card in cards if card):
        label = f"[{card}]" if card in fit else f" {card} "
        led = _shot(pilot) if asked == "shoot" and card in fit else _led(pilot, card)
        yield f"  {label:<7}{NAMES[card]:<12}{note:<11}{led}".rstrip()


def _asked_for(sky: Sky, pilot: Pilot, asked: str) -> tuple[str, Sequence[str]]:
    """Returns the question in words, and the cards with which the seat may answer."""
    match asked:
        case "keep":
            return f"Your cards; you keep {pilot.keeps}, with {pilot.keeps - 2} kinds of Maneuver:", ()
        case "place":
            return "Your cards; [ ] marks what you may place for your next turn:", pilot.placeable()
        case "discard":
            limit = pilot.limit()
            stay = f"at most {limit} temporary card{'s' * (limit != 1)} may stay"
            return f"Your cards; {stay}; [ ] marks what you may discard:", pilot.temporary
        case "shoot":
            return f"Your cards; {_rest(sky, pilot)}; [ ] marks what shoots:", pilot.shoots()
    return "Your cards:", ()


def _rest(sky: Sky, pilot: Pilot) -> str:
    """Returns a text with the places through which the plane still flies in its present flight."""
    if not sky.left:
        return "the flight ends here"
    return f"you fly on to {_ways(flight(MANEUVERS[pilot.out]._replace(spaces=sky.left), pilot.place))}"


def _shot(pilot: Pilot) -> str:
    """Returns the place where a shot of this pilot begins, and the place of the shot after one step."""
    put = AHEAD[pilot.place]
    if not put:
        return "off the board"
    onward = ONWARD[put + YELLOW]
    return f"to {_ways([put, onward[:-1]] if onward else [put])}"


def _led(pilot: Pilot, card: str) -> str:
    """Returns the places to which this card leads the pilot's plane, in words, if nothing is in the way."""
    flown = MANEUVERS.get(pilot.out if card in REPEATS else card)
    if flown is None or not pilot.place:
        return ""
    return f"{'' if flies(flown, pilot.place) else 'as straight 1 '}to {_ways(flight(flown, pilot.place))}"


def _ways(places: Sequence[str]) -> str:
    return " ".join([_where(place) if place else "the ground" for place in places])
