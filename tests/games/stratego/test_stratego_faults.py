"""Plants faults in the rules of Stratego; a test of the game must find each of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec.structs import replace

from harness.games import stratego
from harness.games.stratego import Forfeited, StrategoBattle
from harness.games.stratego import army as armies
from harness.games.stratego import board as boards
from harness.games.stratego import drawing as drawing
from harness.games.stratego import marches as marches
from harness.games.stratego.army import BOMB, FLAG, MARSHAL, MINER, SPY, PieceKind
from tests.games.stratego import test_stratego as rules
from tests.games.stratego import test_stratego_secrets as secrets
from tests.games.stratego import test_stratego_tree as tree
from tests.games.stratego.slow import Slow

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
Check: TypeAlias = Callable[[], None]

remaining, laid_out, after = boards.remaining, boards.laid_out, StrategoBattle.after
listed, ways_of, movable = marches.listed, marches.ways_of, marches.movable


class Planted(NamedTuple):
    """A change that makes the rules wrong, and the test that must notice the change."""

    plant: Plant
    check: Check


def collision(spoilt: Callable[[int, int], int | None]) -> Planted:
    """A fault: collisions end as `spoilt` says, or rightly where it says None."""

    def wrong(attacker: int, defender: int) -> int:
        said = spoilt(attacker, defender)
        return remaining(attacker, defender) if said is None else said

    return Planted(lambda patch: patch.setattr(boards, "remaining", wrong), every_collision)


def every_collision() -> None:
    for defender, attacker, seat in product("123456789SFB", "123456789S", (1, 2)):
        rules.test_every_collision_ends_as_in_the_table(attacker, defender, seat)


def sets(place: object, name: str, value: object, check: Check) -> Planted:
    """A fault: another value or function replaces the right one."""
    return Planted(lambda patch: patch.setattr(place, name, value), check)


def every_tree() -> None:
    for name in tree.TREES:
        tree.test_the_tree_of_moves_has_the_known_size_by_both_tellings(name)


def at_close_quarters(compare: Callable[[StrategoBattle, Slow], None]) -> Check:
    """A check that compares the game and slow.py in a position in which Scouts have many pieces in their
    way."""
    red = {(4, 5): "9", (4, 2): "B", (7, 5): "9", (2, 5): "4"}
    blue = {(4, 8): "5", (8, 5): "4", (9, 9): "9", (6, 5): "B"}
    return lambda: compare(*tree.fast_and_slow(red, blue))


def jumping(board: bytes, seat: int) -> list[str]:
    """The wrong rule: a Scout that meets a piece can jump to the square behind it."""
    lines = listed(board, seat)
    for start, end in [marches.PLIES[line] for line in lines]:
        behind = end + end - start
        if board[start] & boards.CODE == armies.SCOUT and board[end] and board[behind] == boards.FREE:
            lines += [line for line, ply in marches.PLIES.items() if ply == (start, behind)]
    return lines


def without_zones(zones: tuple[int, int], army: Any = ()) -> bytes:
    board = bytearray(laid_out(zones, army))
    for row, column in product((5, 6), range(1, 11)):
        board[boards.square(row, column)] &= ~boards.WALL
    return bytes(board)


def one_column_off(zones: tuple[int, int], army: Any = ()) -> bytes:
    return laid_out((zones[0], zones[1] - 1), army)


def quiet_goes_on(battle: StrategoBattle, start: int, end: int) -> StrategoBattle:
    """The wrong rule: a collision does not set the count of quiet plies to 0."""
    return replace(after(battle, start, end), quiet=battle.quiet + 1)


def flag_does_not_end_it(battle: StrategoBattle, start: int, end: int) -> StrategoBattle:
    return replace(after(battle, start, end), seat=3 - battle.seat)


def captured_by_the_other(battle: StrategoBattle, start: int, end: int) -> StrategoBattle:
    here = after(battle, start, end)
    return replace(here, captured=here.captured[::-1])


def caps_come_first(battle: StrategoBattle) -> object:
    """The wrong rule: the cap of quiet plies is checked first, and only then whether anybody can move."""
    if battle.quiet >= battle.rules.quiet:
        return battle.over(0, "quiet"), ()
    return settled(battle)


def who_is_blocked_draws(battle: StrategoBattle) -> object:
    position, told = settled(battle)
    return (replace(position, winner=0) if "no legal" in position.reason else position), told


settled = StrategoBattle.settled

FAULTS = {
    "a Bomb stays when it is hit": collision(lambda one, other: BOMB if other == BOMB != one else None),
    "a Miner goes with the Bomb": collision(lambda one, other: 0 if other == BOMB else None),
    "a Captain clears a Bomb": collision(lambda one, other: 5 if (one, other) == (5, BOMB) else None),
    "the Spy beats a Marshal that attacks it": collision(
        lambda one, other: SPY if (one, other) == (MARSHAL, SPY) else None
    ),
    "the Spy loses against the Marshal": collision(
        lambda one, other: MARSHAL if (one, other) == (SPY, MARSHAL) else None
    ),
    "the attacker wins among equals": collision(lambda one, other: one if one == other else None),
    "the higher code wins": collision(lambda one, other: max(one, other) if other < SPY != one else None),
    "a Miner cannot take the Flag": collision(
        lambda one, other: other if (one, other) == (MINER, FLAG) else None
    ),
    "pieces move aslant": sets(
        marches,
        "listed",
        lambda board, seat: [*listed(board, seat), "march 4 5 5 6"],
        at_close_quarters(tree.lists_the_same),
    ),
    "pieces do not go back": sets(
        marches,
        "ways_of",
        lambda board, seat: bytes([ways & ~2 for ways in ways_of(board, seat)]),
        every_tree,
    ),
    "Scouts jump": sets(marches, "listed", jumping, at_close_quarters(tree.lists_the_same)),
    "Scouts go one square": sets(marches, "SCOUT", 0, every_tree),
    "Flags march": sets(
        marches,
        "MARCHERS",
        MappingProxyType(
            {
                seat: bytes([15 * (bool(value & side) and value & 15 < BOMB) for value in range(256)])
                for seat, side in boards.SIDE.items()
            }
        ),
        every_tree,
    ),
    "a check forgets what stands between": sets(
        marches,
        "refusal",
        lambda board, seat, start, end: "",
        at_close_quarters(tree.checks_the_same),
    ),
    "zones are open": sets(
        boards,
        "laid_out",
        without_zones,
        lambda: rules.test_no_piece_enters_a_zone_in_any_layout((3, 7)),
    ),
    "a zone lies one column off": sets(
        boards,
        "laid_out",
        one_column_off,
        lambda: tree.test_the_tree_of_moves_has_the_known_size_by_both_tellings("all around a zone"),
    ),
    "zones may overlap when drawn": sets(
        stratego,
        "LAYOUTS",
        tuple(product(range(1, 8), range(4, 8))),
        rules.test_random_zones_are_each_layout_of_two_blocks_once,
    ),
    "nothing stays shown": sets(
        stratego, "SHOWN", 0, rules.test_what_is_left_of_a_collision_stays_shown_to_the_other
    ),
    "hidden pieces are told": sets(
        boards,
        "HIDDEN",
        boards.OPEN,
        lambda: secrets.is_sent_the_same(5, 1),
    ),
    "hidden pieces are drawn": sets(
        drawing,
        "SHOWN",
        boards.CODE,
        rules.test_a_drawing_shows_a_seat_its_own_pieces_and_no_more_of_the_other_than_it_was_shown,
    ),
    "a collision does not count": sets(
        StrategoBattle, "after", quiet_goes_on, rules.test_a_collision_begins_the_count_anew
    ),
    "a taken Flag does not end it": sets(StrategoBattle, "after", flag_does_not_end_it, every_collision),
    "captured pieces go to the other": sets(
        StrategoBattle, "after", captured_by_the_other, rules.test_captured_pieces_are_known_to_both
    ),
    "caps come first": sets(
        StrategoBattle,
        "settled",
        caps_come_first,
        rules.test_whoever_cannot_move_loses_before_caps_are_looked_at,
    ),
    "who cannot move draws": sets(
        StrategoBattle,
        "settled",
        who_is_blocked_draws,
        rules.test_a_blocked_side_loses_as_well_as_a_captured_one,
    ),
    "who has one move is asked": sets(
        marches,
        "movable",
        lambda board, seat: 2 * movable(board, seat),
        rules.test_the_only_move_of_a_side_happens_by_itself,
    ),
    "an army may have nine Scouts": sets(
        armies,
        "PIECES",
        tuple(PieceKind(code, name, most + (name == "Scout")) for code, name, most in armies.PIECES),
        lambda: rules.test_example_7_set_ups_that_are_illegal(
            "setup 1:F999999999", "an army has at most 8 of 9 (Scout), not 9"
        ),
    ),
    "a side sets up on five rows": sets(
        armies,
        "ROWS",
        MappingProxyType({1: range(1, 6), 2: range(10, 5, -1)}),
        lambda: rules.test_each_side_sets_up_on_its_own_four_rows(1, 5),
    ),
    "a fault wins": sets(
        Forfeited,
        "scores",
        lambda self: (1, 0) if self.offenders == (1,) else (0, 1),
        lambda: rules.test_a_fault_in_battle_makes_the_other_win(1, "march pass"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAULTS[name].plant(monkeypatch)
    with pytest.raises(AssertionError):
        FAULTS[name].check()
