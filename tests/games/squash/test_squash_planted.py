"""Proves that the tests of Evil Squash can fail: a test finds each wrong rule that is planted here."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from harness.chance import Chance
from harness.events import Event
from harness.games import Events, squash
from harness.games.squash import SquashPosition as Position
from harness.games.squash.board import Leads, SquashBoard
from harness.games.squash.course import KINDS, SquashCourse, SquashTable
from harness.model import Outcome, ranks
from harness.testing import assert_conforms
from tests.games.squash import test_squash as rules
from tests.games.squash import test_squash_tree as trees
from tests.games.squash.examples import CARDS, EXAMPLES, trouble
from tests.games.wrong_rules import Plantings

LEADS, LANDING, VIEW, START = SquashBoard.leads, SquashTable.landing, Position.view, squash.Squash.start
BOUNCE, SQUASH, STAY, END_TURN, THROW = (
    *(SquashCourse._bounce, SquashCourse._squash, SquashCourse._stay, SquashCourse._end_turn),
    SquashCourse._throw,
)

PLANTED = Plantings()
planted = PLANTED.plant


def examples() -> None:
    """Runs all example turns with a known end."""
    wrong = {name: why for name, example in EXAMPLES.items() if (why := trouble(example))}
    assert not wrong, wrong


def counts() -> None:
    """Runs the test that counts trees twice, for some trees."""
    for name in ("with few cards", "a small board"):
        trees.test_all_throws_and_answers_lead_where_the_slow_rules_lead(name)


def kit() -> None:
    """Runs the kit that checks every game, for the variant with cards."""
    assert_conforms(squash.GAME, CARDS, 3, matches=4)


# -- arrows and squares ----------------------------------------------------------------------------


@planted(SquashBoard, "leads", examples)
def arrows_are_not_followed(board: SquashBoard) -> Leads:
    return (*range(board.squares), *[board.squares] * 6)


@planted(SquashBoard, "leads", counts)
def an_arrow_leads_one_too_far(board: SquashBoard) -> Leads:
    return tuple(to + (to != square) for square, to in enumerate(LEADS(board)[: board.squares])) + (
        (board.squares,) * 6
    )


@planted(SquashBoard, "leads", examples)
def an_exact_throw_is_required(board: SquashBoard) -> Leads:
    return (
        *LEADS(board)[: board.squares + 1],
        *range(board.squares - 1, board.squares - 5, -1),
        board.squares,
    )


@planted(SquashTable, "landing", examples)
def the_victim_goes_to_the_base_of_the_arrow(table: SquashTable) -> tuple[int, int, int]:
    victim, square, left = LANDING(table)
    return victim, square, left + table.dice[-1] if square - left > 6 else left


@planted(SquashCourse, "_there", examples)
def a_markers_own_square_is_taken(course: SquashCourse) -> int:
    squares = course.table.squares
    return squares.index(course.table.to) + 1 if course.table.to in squares else 0


# -- bounces and squashes --------------------------------------------------------------------------


@planted(SquashCourse, "_bounce", examples)
def a_bounce_goes_on_from_the_square_left(course: SquashCourse, victim: int) -> None:
    course.table = replace(course.table, to=course._left())
    BOUNCE(course, victim)


@planted(SquashCourse, "_squash", examples)
def a_bounce_throw_squashes_off_the_board_always(course: SquashCourse, victim: int, onto: int) -> None:
    SQUASH(course, victim, onto if len(course.table.dice) < 2 else 0)


@planted(SquashCourse, "_squash", counts)
def a_six_that_hits_gives_a_throw(course: SquashCourse, victim: int, onto: int) -> None:
    table = course.table
    SQUASH(course, victim, onto)
    if table.dice[-1] == 6:
        course.table = replace(course.table, seat=table.seat, turn=table.turn)


@planted(SquashCourse, "_bounce", examples)
def a_six_as_a_bounce_throw_gives_nothing(course: SquashCourse, victim: int) -> None:
    before = course.table
    BOUNCE(course, victim)
    if course.table.turn == before.turn and not course.table.over:
        course._end_turn()


@planted(SquashCourse, "_bounce", counts)
def a_second_bounce_follows(course: SquashCourse, victim: int) -> None:
    course._act("bounce", victim)
    while other := course._throw(course.table.to):
        course._act("bounce", other)
    course._rest()


# -- cards -----------------------------------------------------------------------------------------


@planted(SquashCourse, "_kinds", examples)
def cards_are_not_looked_at(course: SquashCourse) -> tuple[str, ...]:
    return KINDS


@planted(SquashCourse, "_act", examples)
def cards_are_never_spent(course: SquashCourse, kind: str, victim: int) -> None:
    course._tell(f"{kind} {course.table.seat} {victim}")


@planted(SquashCourse, "_stay", examples)
def a_bounce_in_vain_costs_no_card(course: SquashCourse) -> None:
    table = course.table
    hands = tuple(
        hand.plus("bounce", 1) if seat == table.seat and table.played[seat - 1].bounce else hand
        for seat, hand in enumerate(table.hands, start=1)
    )
    course.table = replace(table, hands=hands)
    STAY(course)


@planted(SquashCourse, "_stay", counts)
def who_stays_with_a_six_throws_again(course: SquashCourse) -> None:
    if course.table.dice[-1] < 6:
        STAY(course)


@planted(squash.Squash, "start", rules.test_cards_are_dealt_four_to_each_seat_and_told_to_it_alone)
def hands_are_told_to_all(
    game: squash.Squash, options: Any, seats: int, chance: Chance
) -> tuple[Position, Events]:
    position, told = START(game, options, seats, chance)
    return position, tuple(Event(event.line) for event in told)


@planted(Position, "view", kit)
def a_view_shows_all_hands(position: Position, seat: int) -> tuple[str, ...]:
    return (*VIEW(position, seat), *(f"hand {hand.bounce} {hand.squash}" for hand in position.table.hands))


# -- turns, dice and ends --------------------------------------------------------------------------


@planted(SquashCourse, "_end_turn", rules.test_turns_go_round_in_the_order_of_the_seats)
def turns_go_round_the_other_way(course: SquashCourse) -> None:
    seat, seats = course.table.seat, len(course.table.squares)
    END_TURN(course)
    course.table = replace(course.table, seat=(seat - 2) % seats + 1)


@planted(SquashCourse, "_end_turn", rules.test_a_turn_with_its_further_throws_counts_as_one)
def the_cap_is_one_turn_late(course: SquashCourse) -> None:
    course._rules = course._rules._replace(turns=course._rules.turns + 1)
    END_TURN(course)
    course._rules = course._rules._replace(turns=course._rules.turns - 1)


@planted(SquashCourse, "_throw", examples)
def a_script_begins_with_its_second_die(course: SquashCourse, start: int) -> int:
    dice = course._rules.script
    course._rules = course._rules._replace(script=(*dice[1:], *dice[:1]))
    other = THROW(course, start)
    course._rules = course._rules._replace(script=dice)
    return other


@planted(SquashCourse, "_throw", rules.test_each_throw_has_a_stream_of_its_own_whatever_is_answered)
def all_throws_come_from_one_stream(course: SquashCourse, start: int) -> int:
    class OneStream:
        def roll(self, stream: str, sides: int) -> int:
            return chance.roll("throw", sides)

    chance = course._chance
    course._chance = OneStream()  # type: ignore[assignment]
    other = THROW(course, start)
    course._chance = chance
    return other


@planted(
    Position,
    "outcome",
    rules.test_the_first_on_the_last_square_wins_and_the_others_are_ranked_by_square,
)
def the_losers_are_level(position: Position) -> Outcome | None:
    squares, last = position.table.squares, position.board.squares
    if not position.table.over:
        return None
    return Outcome(ranks([square == last for square in squares]), squares, position.table.over)


@planted(Position, "keys", kit)
def luck_alone_ranks_after_a_fault(position: Position) -> tuple[int, ...]:
    return position.table.squares


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_rule_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, wrong, found_by = PLANTED[name]
    monkeypatch.setattr(owner, attribute, wrong)
    with pytest.raises(AssertionError):
        found_by()


def test_without_a_wrong_rule_nothing_is_found() -> None:
    for found_by in {each.found_by for each in PLANTED.values()}:
        found_by()
