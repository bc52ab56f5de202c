"""Tests Stratego: its rulings, the worked examples on its page, and the page itself."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from itertools import combinations, count, product
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chance import Recorded, Scripted, Seeded
from harness.errors import InputError
from harness.events import Drawn
from harness.games.stratego import (
    GAME,
    LAYOUTS,
    ROW,
    StrategoBattle,
    StrategoOptions,
    StrategoRules,
    StrategoSetUp,
)
from harness.games.stratego import board as boards
from harness.games.stratego.army import FLAG, NAMES, PIECES, ROWS, SIGNS, WORTH, drawn
from harness.games.stratego.board import SHOWN, SIDE, square
from harness.model import Illegal, Malformed, Reply
from harness.testing import assert_conforms, at_random, heard, play_out
from tests.games.pages import blocks

PAGE = (Path(__file__).parents[3] / "harness" / "games" / "stratego" / "stratego.md").read_text()
STANDARD = StrategoOptions("standard")
UNUSED = Seeded(0)
CAPS = (400, 3_000)
TERMS = StrategoRules((3, 7), *CAPS)
VARIANTS = {
    "standard zones": StrategoOptions("standard", 40, 200),
    "touching zones": StrategoOptions((4, 6), 40, 200),
    "short caps": StrategoOptions(quiet=25, plies=150),
}

# The result if the piece of the row attacks the piece of the column. The attacker stays (a), the defender
# stays (d), neither stays (x), or the match is won (F). Written by hand from the rules.
COLLISIONS = {
    "  ": "123456789SFB",
    "1 ": "xaaaaaaaaaFx",
    "2 ": "dxaaaaaaaaFx",
    "3 ": "ddxaaaaaaaFx",
    "4 ": "dddxaaaaaaFx",
    "5 ": "ddddxaaaaaFx",
    "6 ": "dddddxaaaaFx",
    "7 ": "ddddddxaaaFx",
    "8 ": "dddddddxaaFa",
    "9 ": "ddddddddxaFx",
    "S ": "addddddddxFx",
}


def battle(
    red: Mapping[tuple[int, int], str],
    blue: Mapping[tuple[int, int], str],
    seat: int = 1,
    shown: Iterable[tuple[int, int]] = (),
    terms: StrategoRules = TERMS,
) -> StrategoBattle:
    """A position in which these pieces stand on their squares, and this seat is on turn."""
    armies = [[(*place, SIGNS.index(sign)) for place, sign in army.items()] for army in (red, blue)]
    board = bytearray(boards.laid_out(terms.zones, armies))
    for place in shown:
        board[square(*place)] |= SHOWN
    return StrategoBattle(terms, bytes(board), seat)


def after(state: StrategoBattle, move: str) -> StrategoBattle:
    """The position after this move, which must be legal."""
    return played(state, move)[0]


def played(state: StrategoBattle, move: str) -> tuple[StrategoBattle, list[str]]:
    """The position after this move, which must be legal, and the lines that are told about it."""
    checked = state.check(state.seat, move)
    assert isinstance(checked, str), checked
    position, told = state.play({state.seat: checked}, UNUSED)
    assert all(event.to is None for event in told)
    return position, [event.line for event in told]


def standing(state: StrategoBattle) -> dict[tuple[int, int], str]:
    """The seat and the piece on each square that has a piece."""
    return {
        (row, column): f"{seat}{SIGNS[state.board[square(row, column)] & 15]}"
        for row, column in product(range(1, 11), repeat=2)
        for seat, side in SIDE.items()
        if state.board[square(row, column)] & side and (row, column) not in zone_squares(state)
    }


def zone_squares(state: StrategoBattle) -> set[tuple[int, int]]:
    return {(row, left + more) for row in (5, 6) for left in state.rules.zones for more in (0, 1)}


def meeting(attacker: str, defender: str, seat: int = 1) -> StrategoBattle:
    """A position: the attacker of this seat stands below the defender. Each side also has a Flag and two
    pieces that can move."""
    reserve = {1: {(1, 1): "F", (1, 9): "7", (2, 9): "6"}, 2: {(10, 1): "F", (10, 9): "7", (9, 9): "6"}}
    own, enemy = {**reserve[seat], (7, 1): attacker}, {**reserve[3 - seat], (8, 1): defender}
    if defender == "F":
        enemy = {place: sign for place, sign in enemy.items() if sign != "F" or place == (8, 1)}
    return battle(own, enemy) if seat == 1 else battle(enemy, own, 2)


def set_up(red: str, blue: str, zones: tuple[int, int] = (3, 7)) -> StrategoBattle:
    """The position after these two set-ups, which must be legal."""
    state = StrategoSetUp(StrategoRules(zones, *CAPS))
    moves = {seat: state.check(seat, said) for seat, said in ((1, red), (2, blue))}
    assert all(isinstance(move, str) for move in moves.values()), moves
    return state.play({seat: str(move) for seat, move in moves.items()}, UNUSED)[0]


def winner(state: StrategoBattle) -> int:
    """The seat that has won, by the ranks; 0 for a draw."""
    outcome = state.outcome()
    assert outcome is not None
    assert state.to_act() == ()
    assert outcome.scores == tuple(2 - rank for rank in outcome.ranks)
    won: dict[tuple[float, ...], int] = {(1, 2): 1, (2, 1): 2, (1.5, 1.5): 0}
    return won[outcome.ranks]


# -- the worked examples ---------------------------------------------------------------------------


def test_example_1_the_lower_code_wins_in_both_directions() -> None:
    state, told = played(meeting("4", "5"), "march 7 1 8 1")
    assert told == ["marched 1 7 1 8 1", "collision 4 5 1"]
    assert standing(state)[8, 1] == "14"
    assert (7, 1) not in standing(state)
    state, told = played(meeting("5", "4"), "march 7 1 8 1")
    assert told == ["marched 1 7 1 8 1", "collision 5 4 2"]
    assert standing(state)[8, 1] == "24"
    assert (7, 1) not in standing(state)


def test_example_2_the_same_pieces_are_both_removed() -> None:
    state, told = played(meeting("5", "5"), "march 7 1 8 1")
    assert told[1] == "collision 5 5 0"
    assert not {(7, 1), (8, 1)} & standing(state).keys()


def test_example_3_a_miner_takes_a_bomb_and_a_marshal_goes_with_it() -> None:
    assert standing(after(meeting("8", "B"), "march 7 1 8 1"))[8, 1] == "18"
    assert not {(7, 1), (8, 1)} & standing(after(meeting("1", "B"), "march 7 1 8 1")).keys()


@pytest.mark.parametrize(
    ("attacker", "defender", "left"), [("S", "1", "1S"), ("1", "S", "11"), ("S", "2", "22"), ("9", "S", "19")]
)
def test_example_4_the_spy(attacker: str, defender: str, left: str) -> None:
    assert standing(after(meeting(attacker, defender), "march 7 1 8 1"))[8, 1] == left


def test_example_5_a_scout_goes_as_far_as_it_can_and_no_further() -> None:
    state = battle({(4, 1): "9", (1, 1): "F"}, {(9, 1): "5", (10, 9): "F", (10, 8): "9"})
    assert played(state, "march 4 1 9 1")[1] == ["marched 1 4 1 9 1", "collision 9 5 2"]
    assert standing(after(state, "march 4 1 7 1"))[7, 1] == "19"
    assert state.check(1, "march 4 1 10 1") == Illegal("an enemy piece on (9,1) is in the way to (10,1)")
    state = battle({(4, 3): "9"}, {})
    assert state.check(1, "march 4 3 5 3") == Illegal("a zone is on (5,3)")
    assert state.check(1, "march 4 3 7 3") == Illegal("a zone on (5,3) is in the way to (7,3)")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("march 4 1 6 1", "only a Scout goes further than one square; on (4,1) stands a Sergeant"),
        ("march 4 1 5 2", "(4,1) to (5,2) is no straight line along a row or a column"),
        ("march 3 1 3 2", "the Flag on (3,1) does not move"),
        ("march 3 2 3 3", "the Bomb on (3,2) does not move"),
    ],
)
def test_example_6_what_a_piece_may_not_do(move: str, reason: str) -> None:
    assert battle({(4, 1): "7", (3, 1): "F", (3, 2): "B"}, {}).check(1, move) == Illegal(reason)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("setup 1:F999999999", "an army has at most 8 of 9 (Scout), not 9"),
        ("setup 1:F........F", "an army has exactly one Flag; it set up 2"),
        ("setup 1:1.........", "an army has exactly one Flag; it set up none"),
        ("setup 1:F......... 5:1.........", "it sets up on rows 1 to 4; it named row 5"),
        ("setup 1:F......... 1:1.........", "two pieces are to stand on (1,1)"),
    ],
)
def test_example_7_set_ups_that_are_illegal(said: str, reason: str) -> None:
    assert StrategoSetUp(TERMS).check(1, said) == Illegal(reason)


def test_example_7_a_flag_and_a_marshal_alone_are_legal() -> None:
    assert StrategoSetUp(TERMS).check(1, "setup 1:F1........") == "setup 1:F1........"


def test_example_8_a_side_with_flag_and_bombs_only_has_lost_when_it_is_to_move() -> None:
    state = battle({(1, 1): "F", (4, 1): "5"}, {(10, 1): "F", (10, 2): "B"})
    assert winner(after(state, "march 4 1 4 2")) == 1


# -- collisions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("attacker", "123456789S")
@pytest.mark.parametrize("defender", "123456789SFB")
def test_every_collision_ends_as_in_the_table(attacker: str, defender: str, seat: int) -> None:
    state = meeting(attacker, defender, seat)
    state, told = played(state, "march 7 1 8 1")
    result = COLLISIONS[f"{attacker} "][COLLISIONS["  "].index(defender)]
    stays = {"a": seat, "F": seat, "d": 3 - seat, "x": 0}[result]
    assert told == [f"marched {seat} 7 1 8 1", f"collision {attacker} {defender} {stays}"]
    left = {"a": f"{seat}{attacker}", "F": f"{seat}{attacker}", "d": f"{3 - seat}{defender}", "x": None}
    assert standing(state).get((8, 1)) == left[result]
    assert (7, 1) not in standing(state)
    assert state.gone(seat) == ([attacker] if result in "dx" else [])
    assert state.gone(3 - seat) == ([defender] if result in "axF" else [])
    assert state.quiet == 0
    assert (state.outcome() is not None) == (result == "F")
    if result == "F":
        assert winner(state) == seat


def test_the_table_on_the_page_says_the_same_of_every_collision() -> None:
    """For each collision, the first line of the page's table that fits must be right."""
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (.+?) \|$", PAGE.split("what happens |\n|---|---|---|\n")[1], re.M
    )
    lines = [row for row in rows[:8] if len(row) == 3]
    assert len(lines) == 8
    for attacker, defender in product("123456789S", COLLISIONS["  "]):
        one, other = NAMES[SIGNS.index(attacker)], NAMES[SIGNS.index(defender)]
        [what, *_] = [
            what for first, second, what in lines
            if first in ("any", "any other", one)
            and (second in ("any", "any other", other) or (second == "the same piece" and one == other))
        ]  # fmt: skip
        weaker = "a" if SIGNS.index(attacker) < SIGNS.index(defender) else "d"
        said = {"the att": "F", "both ar": "x", "the wea": weaker}.get(what[:7], what)
        said = "a" if "moves in" in said else "d" if "stays" in said else said
        assert said == COLLISIONS[f"{attacker} "][COLLISIONS["  "].index(defender)], (attacker, defender)


def test_what_is_left_of_a_collision_stays_shown_to_the_other() -> None:
    state = after(meeting("4", "5"), "march 7 1 8 1")
    assert "army 1 1:?.......?. 2:........?. 8:4........." in state.view(2)
    assert "shown 8:4........." in state.view(1)
    state = after(after(state, "march 10 9 10 8"), "march 8 1 8 2")
    assert "army 1 1:?.......?. 2:........?. 8:.4........" in state.view(2)
    assert "army 2 9:........6. 10:F......7.." in state.view(2)


def test_a_defender_that_wins_is_shown_too() -> None:
    state = after(meeting("5", "4"), "march 7 1 8 1")
    assert "army 2 8:4......... 9:........?. 10:?.......?." in state.view(1)
    assert "shown 8:4........." in state.view(2)
    assert "shown" in state.view(1)


def test_a_scout_that_goes_far_stays_hidden() -> None:
    state = battle({(4, 1): "9", (1, 1): "F"}, {(10, 9): "F", (10, 8): "9"})
    assert "army 1 1:?......... 8:?........." in after(state, "march 4 1 8 1").view(2)


def test_captured_pieces_are_known_to_both() -> None:
    state = meeting("5", "4")
    for move in ("march 7 1 8 1", "march 8 1 7 1", "march 1 9 1 8"):
        state = after(state, move)
    assert [line for line in state.view(1) if "captured" in line] == ["captured 1 5", "captured 2"]
    assert state.view(2)[4:6] == ("captured 1 5", "captured 2")


# -- marching --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", "12345678S")
def test_a_piece_goes_one_square_to_all_four_sides(sign: str) -> None:
    state = battle({(4, 5): sign}, {(4, 6): "B"})
    assert set(state.legal(1)) == {f"march 4 5 {to}" for to in ("5 5", "3 5", "4 4", "4 6")}


def test_the_edges_and_its_own_pieces_are_in_the_way() -> None:
    state = battle({(1, 1): "5", (1, 2): "B", (10, 10): "4", (9, 10): "F"}, {})
    assert set(state.legal(1)) == {"march 1 1 2 1", "march 10 10 10 9"}
    assert state.check(1, "march 1 1 1 2") == Illegal("a piece of its own is on (1,2)")


def test_a_scout_goes_far_to_all_four_sides() -> None:
    state = battle({(4, 5): "9", (4, 2): "B"}, {(4, 8): "5", (6, 5): "4"})
    places = ["5 5", "6 5", "3 5", "2 5", "1 5", "4 4", "4 3", "4 6", "4 7", "4 8"]
    assert set(state.legal(1)) == {f"march 4 5 {to}" for to in places}
    assert state.check(1, "march 4 5 4 1") == Illegal("a piece of its own on (4,2) is in the way to (4,1)")


@pytest.mark.parametrize("zones", LAYOUTS)
def test_no_piece_enters_a_zone_in_any_layout(zones: tuple[int, int]) -> None:
    """Neither a Scout that moves up a column nor a piece beside a zone can enter the zone."""
    blocked = {column for left in zones for column in (left, left + 1)}
    red = {(4, column): "9" for column in range(1, 9)} | {(4, 9): "5", (4, 10): "6"}
    state = battle(red, {}, terms=StrategoRules(zones, *CAPS))
    entered = {int(move.split(" ")[2]) for move in state.legal(1) if move.split(" ")[3] == "5"}
    assert entered == {*range(1, 11)} - blocked
    for row, column in product((5, 6), range(1, 11)):
        if column not in blocked:
            state = battle({(row, column): "7"}, {}, terms=StrategoRules(zones, *CAPS))
            sides = {side for side in (column - 1, column + 1) if 1 <= side <= 10 and side not in blocked}
            assert len(list(state.legal(1))) == 2 + len(sides)


def test_a_far_scout_does_not_pass_a_zone_sideways() -> None:
    state = battle({(5, 1): "9"}, {(5, 6): "B"})
    assert {move for move in state.legal(1) if move.startswith("march 5 1 5 ")} == {"march 5 1 5 2"}


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("march 4 2 5 2", "it has no piece on (4,2)"),
        ("march 9 1 8 1", "it has no piece on (9,1)"),
        ("march 4 1 4 1", "the Sergeant on (4,1) would stay there"),
        ("march 4 1 4 0", "rows and columns are 1 to 10, not 0"),
        ("march 11 1 10 1", "rows and columns are 1 to 10, not 11"),
        ("march 4 1 4 -1", "rows and columns are 1 to 10, not -1"),
        ("march 5 3 5 2", "it has no piece on (5,3)"),
    ],
)
def test_the_reason_says_why_a_move_is_illegal(move: str, reason: str) -> None:
    assert battle({(4, 1): "7"}, {(9, 1): "5"}).check(1, move) == Illegal(reason)


@pytest.mark.parametrize("said", ["march 4 1 5 1", "march +4 01 5 001", "march 0000004 1 5 +1"])
def test_a_move_has_one_canonical_text(said: str) -> None:
    assert battle({(4, 1): "7"}, {}).check(1, said) == "march 4 1 5 1"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "is due"),
        ("march", "is due"),
        ("march pass", "is due"),
        ("march 4 1 5", "is due"),
        ("march 4 1 5 1 ", "is due"),
        ("march  4 1 5 1", "is due"),
        ("setup 4 1 5 1", "is due"),
        ("march 4 1 5 one", "it said 'one'"),
        ("march 4 1 5 1.0", "it said '1.0'"),
        ("march 4 1 5 \u0661", "it said '\u0661'"),
        ("march 4 1 5 1000000000", "it said '1000000000'"),
    ],
)
def test_what_is_not_of_the_form_is_malformed(said: str, words: str) -> None:
    verdict = battle({(4, 1): "7"}, {}).check(1, said)
    assert isinstance(verdict, Malformed)
    assert words in verdict.reason


# -- the end ---------------------------------------------------------------------------------------


def test_the_flag_counts_before_anything_else() -> None:
    """The taken Flag ends the match, although blue also cannot move and the cap of all plies is reached."""
    terms = StrategoRules((3, 7), 1, 1)
    state = after(battle({(9, 1): "5", (1, 1): "F"}, {(10, 1): "F"}, terms=terms), "march 9 1 10 1")
    assert winner(state) == 1
    assert state.reason == "red (seat 1) took the Flag"


def test_whoever_cannot_move_loses_before_caps_are_looked_at() -> None:
    terms = StrategoRules((3, 7), 1, 1)
    state = after(battle({(9, 1): "5", (1, 1): "F"}, {(10, 10): "F"}, terms=terms), "march 9 1 9 2")
    assert winner(state) == 1
    assert state.reason == "blue (seat 2) had no legal move"


def test_a_blocked_side_loses_as_well_as_a_captured_one() -> None:
    blue = {(10, 1): "5", (10, 2): "B", (9, 1): "B", (9, 2): "F"}
    assert winner(after(battle({(4, 1): "5", (4, 5): "6"}, blue), "march 4 1 5 1")) == 1


def test_the_side_to_move_loses_even_if_the_other_could_not_move_either() -> None:
    state = battle({(7, 1): "5", (1, 1): "F"}, {(8, 1): "5", (10, 1): "F"})
    assert winner(after(state, "march 7 1 8 1")) == 1
    state = battle({(7, 1): "5", (1, 1): "F"}, {(8, 1): "5", (10, 1): "F"}, 2)
    assert winner(after(state, "march 8 1 7 1")) == 2


def test_a_flag_alone_loses_at_once() -> None:
    state = set_up("setup 1:F.........", "setup 10:F.........")
    assert winner(state) == 2
    assert state.plies == 0
    state = set_up("setup 1:F......... 4:12........", "setup 10:F.........")
    assert state.seat == 1
    assert winner(after(state, "march 4 1 5 1")) == 1


def quiet(state: StrategoBattle, plies: int) -> StrategoBattle:
    """Plays this number of plies, in which one piece of each side moves to and fro."""
    moves = {1: ("march 1 9 1 8", "march 1 8 1 9"), 2: ("march 10 9 10 8", "march 10 8 10 9")}
    for number in range(plies):
        assert state.seat, state.reason
        state = after(state, moves[state.seat][number // 2 % 2])
    return state


def test_four_hundred_plies_without_a_collision_are_a_draw() -> None:
    state = quiet(meeting("4", "5"), 399)
    assert state.outcome() is None
    state = quiet(meeting("4", "5"), 400)
    assert winner(state) == 0
    assert state.reason == "400 plies in a row without a collision"
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores == (0.5, 0.5)


def test_a_collision_begins_the_count_anew() -> None:
    terms = StrategoRules((3, 7), 4, 3_000)
    state = msgspec.structs.replace(quiet(meeting("4", "5"), 2), rules=terms)
    state = after(state, "march 7 1 8 1")
    assert (state.quiet, state.plies) == (0, 3)
    for move in ("march 10 8 10 7", "march 8 1 7 1", "march 10 7 10 8"):
        state = after(state, move)
    assert state.outcome() is None
    assert winner(after(state, "march 7 1 8 1")) == 0


def test_three_thousand_plies_in_all_are_a_draw() -> None:
    state = msgspec.structs.replace(meeting("4", "5"), plies=2_998)
    state = quiet(state, 1)
    assert state.outcome() is None
    state = quiet(msgspec.structs.replace(meeting("4", "5"), plies=2_999), 1)
    assert winner(state) == 0
    assert state.reason == "3000 plies in all"


def test_a_match_without_a_collision_ends_in_a_draw_after_the_caps_of_the_options() -> None:
    """One piece of each side moves to and fro. The set-ups are lines that a bot could send."""
    lines = {1: "setup 1:F......... 4:5........6", 2: "setup 7:5........6 10:F........."}
    for options, reason, plies in (
        (StrategoOptions("standard", 10, 3_000), "10 plies in a row without a collision", 10),
        (StrategoOptions("standard", 400, 7), "7 plies in all", 7),
    ):
        turns = count()

        def choose(state: object, seat: int, chance: object, turns: "count[int]" = turns) -> str:
            if isinstance(state, StrategoSetUp):
                return lines[seat]
            row, to = (4, 5) if seat == 1 else (7, 6)
            return f"march {row} 1 {to} 1" if next(turns) // 2 % 2 == 0 else f"march {to} 1 {row} 1"

        outcome = play_out(GAME, options, choose=choose).outcome
        assert outcome == ((1.5, 1.5), (0.5, 0.5), reason)
        assert next(turns) == plies


# -- what is forced --------------------------------------------------------------------------------


def test_the_only_move_of_a_side_happens_by_itself() -> None:
    state = battle({(4, 1): "5", (1, 1): "F"}, {(10, 1): "5", (10, 2): "B", (9, 2): "F"})
    state, told = played(state, "march 4 1 4 2")
    assert told == ["marched 1 4 1 4 2", "marched 2 10 1 9 1"]
    assert state.seat == 1
    assert state.plies == 2
    assert state.last == ("marched 2 10 1 9 1",)


def test_forced_moves_go_on_until_somebody_has_a_choice_or_a_cap_is_reached() -> None:
    """Each side has one piece that can move, shut in between Bombs with one way to go. So nobody is asked."""
    cell = {(1, 1): "5", (1, 2): "B", (2, 2): "B", (3, 1): "B", (4, 9): "F"}
    far = {(10, 1): "5", (10, 2): "B", (9, 2): "B", (8, 1): "B", (7, 9): "F"}
    state = battle(cell, far, terms=StrategoRules((3, 7), 20, 3_000))
    state, told = played(state, "march 1 1 2 1")
    assert winner(state) == 0
    assert len(told) == 20
    assert told[:4] == ["marched 1 1 1 2 1", "marched 2 10 1 9 1", "marched 1 2 1 1 1", "marched 2 9 1 10 1"]


def test_a_forced_move_right_after_the_set_up_happens_too() -> None:
    state = set_up("setup 1:5F........ 2:.B........", "setup 7:5........F")
    assert state.last == ("marched 1 1 1 2 1",)
    assert state.seat == 2


# -- set-ups ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "said", "line"),
    [
        (1, "setup 1:F.........", "setup 1:F........."),
        (1, "setup 4:1........9 1:f.........", "setup 1:F......... 4:1........9"),
        (1, "setup +04:s......... 1:F.........", "setup 1:F......... 4:S........."),
        (1, "setup 2:.......... 1:F.........", "setup 1:F........."),
        (1, "setup 1:F......... 1:.b........", "setup 1:FB........"),
        (2, "setup 10:F......... 7:1.........", "setup 7:1......... 10:F........."),
    ],
)
def test_a_set_up_has_one_canonical_line(seat: int, said: str, line: str) -> None:
    assert StrategoSetUp(TERMS).check(seat, said) == line
    assert StrategoSetUp(TERMS).check(seat, line) == line


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "is due"),
        ("setup", "is due"),
        ("march 4 1 5 1", "is due"),
        ("setup ", "begins with the number"),
        ("setup 1:F.........  2:1.........", "it said ''"),
        ("setup 1 F.........", "it said '1'"),
        ("setup one:F.........", "it said 'one:F.........'"),
        ("setup :F.........", "it said ':F.........'"),
        ("setup 1:F........", "ten of"),
        ("setup 1:F..........", "ten of"),
        ("setup 1:F........0", "ten of"),
        ("setup 1:F........X", "ten of"),
        ("setup 1:F........?", "ten of"),
        ("setup 1:F........\u00df", "ten of"),
        ("setup 1:F.......\u00df", "ten of"),
        ("setup 1:F:........", "ten of"),
        ("setup 1000000000:F.........", "begins with the number"),
    ],
)
def test_a_set_up_that_is_not_of_the_form_is_malformed(said: str, words: str) -> None:
    verdict = StrategoSetUp(TERMS).check(1, said)
    assert isinstance(verdict, Malformed)
    assert words in verdict.reason


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("row", range(12))
def test_each_side_sets_up_on_its_own_four_rows(seat: int, row: int) -> None:
    verdict = StrategoSetUp(TERMS).check(seat, f"setup {row}:F.........")
    assert isinstance(verdict, str) == (row in {1: (1, 2, 3, 4), 2: (7, 8, 9, 10)}[seat])


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_an_army_has_at_most_as_many_of_a_piece_as_the_page_says(piece: tuple[int, str, int]) -> None:
    code, name, most = piece
    sign = SIGNS[code]
    assert f"| {name} | `{sign}` | {code} | {most} |" in PAGE

    def army(number: int) -> str:
        flag = "." if code == FLAG else "F"
        return f"setup 1:{(sign * number).ljust(10, '.')} 2:{flag}........."

    assert isinstance(StrategoSetUp(TERMS).check(1, army(most)), str)
    assert isinstance(StrategoSetUp(TERMS).check(1, army(most + 1)), Illegal)


def test_a_whole_army_has_forty_pieces() -> None:
    assert sum(piece.most for piece in PIECES) == 40


@given(st.integers(0, 10_000), st.sampled_from([1, 2]))
def test_a_drawn_set_up_is_sensible(seed: int, seat: int) -> None:
    line = drawn(seat, Seeded(seed))
    assert StrategoSetUp(TERMS).check(seat, line) == line
    rows = {int(word.split(":")[0]): word.split(":")[1] for word in line.split(" ")[1:]}
    back, second, _, front = (rows[row] for row in ROWS[seat])
    assert sorted("".join(rows.values())) == sorted(
        "".join(SIGNS[piece.code] * piece.most for piece in PIECES)
    )
    flag = back.index("F")
    assert {*back[max(0, flag - 1) : flag + 2], second[flag]} == {"F", "B"}
    assert not set("8SBF") & set(front)


def test_of_set_ups_some_are_listed_and_others_drawn() -> None:
    state = StrategoSetUp(TERMS)
    assert not state.complete(1)
    assert len(set(state.legal(1))) == len(list(state.legal(1))) == 8
    records: list[Drawn] = []
    some = state.some(2, 256, Recorded(Seeded(1), records.append), "legal 1")
    assert len(set(some)) == 16
    assert len(state.some(2, 3, Seeded(1), "legal 1")) == 3
    assert len(records) == 1
    assert state.some(2, 256, Seeded(1), "legal 1") == some


def test_a_set_up_is_told_whole_to_its_seat_and_hidden_to_the_other() -> None:
    state = StrategoSetUp(TERMS)
    _, told = state.play(
        {1: "setup 1:F.2....... 4:9........9", 2: "setup 7:1......... 10:.F........"}, UNUSED
    )
    assert [(event.to, event.line) for event in told] == [
        ((1,), "army 1 1:F.2....... 4:9........9"),
        ((1,), "army 2 7:?......... 10:.?........"),
        ((2,), "army 1 1:?.?....... 4:?........?"),
        ((2,), "army 2 7:1......... 10:.F........"),
    ]


# -- zones and options -----------------------------------------------------------------------------


def zones(options: StrategoOptions, roll: int = 1) -> tuple[int, int]:
    state, told = GAME.start(options, 2, Scripted({"zones": roll}, UNUSED))
    left, right = state.rules.zones
    assert [event.line for event in told] == [f"zones {left} {right}"]
    assert told[0].to is None
    assert state.view(1) == state.view(2) == (f"zones {left} {right}",)
    return left, right


def test_random_zones_are_each_layout_of_two_blocks_once() -> None:
    layouts = [zones(StrategoOptions(), roll) for roll in range(1, 29)]
    apart = [
        pair for pair in combinations(range(1, 10), 2) if not {pair[0], pair[0] + 1} & {pair[1], pair[1] + 1}
    ]
    assert layouts == apart
    assert layouts[0] == (1, 3)
    assert layouts[-1] == (7, 9)


def test_random_zones_are_all_met() -> None:
    assert {GAME.start(StrategoOptions(), 2, Seeded(seed))[0].rules.zones for seed in range(300)} == {
        *LAYOUTS
    }


@pytest.mark.parametrize(
    ("chosen", "left"),
    [("standard", (3, 7)), ((1, 9), (1, 9)), ((9, 1), (1, 9)), ((4, 6), (4, 6))],
)
def test_zones_lie_where_the_option_says(chosen: object, left: tuple[int, int]) -> None:
    assert zones(msgspec.convert({"zones": chosen}, StrategoOptions)) == left


@pytest.mark.parametrize("chosen", [(3, 3), (3, 4), (4, 3)])
def test_zones_that_overlap_are_refused(chosen: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="at least 2 apart"):
        GAME.start(StrategoOptions(chosen), 2, UNUSED)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"zones": "none"}, "none"),
        ({"zones": [0, 5]}, ">= 1"),
        ({"zones": [5, 10]}, "<= 9"),
        ({"zones": [5]}, "length 2"),
        ({"quiet": 0}, ">= 1"),
        ({"plies": 1_000_001}, "<= 1000000"),
        ({"cap": 5}, "unknown field `cap`"),
    ],
)
def test_wrong_options_are_refused(written: object, words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert(written, StrategoOptions)


def test_it_announces_zones_and_caps() -> None:
    assert GAME.announce(StrategoOptions()) == ("zones random", "quiet 400", "plies 3000")
    assert GAME.announce(StrategoOptions((1, 9), 5, 6)) == ("zones 1 9", "quiet 5", "plies 6")


# -- faults ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offenders", "ranks", "scores"),
    [((1,), (2, 1), (0, 1)), ((2,), (1, 2), (1, 0)), ((1, 2), (1.5, 1.5), (0.5, 0.5))],
)
def test_a_fault_at_the_set_up_makes_the_other_win_and_two_a_draw(
    offenders: tuple[int, ...], ranks: tuple[float, ...], scores: tuple[float, ...]
) -> None:
    def choose(state: object, seat: int, chance: object) -> str:
        return "setup 1:1........." if seat in offenders else f"setup {ROWS[seat][0]}:F........."

    played = play_out(GAME, STANDARD, choose=choose)
    assert (played.outcome.ranks, played.outcome.scores) == (ranks, scores)


def test_two_set_ups_that_are_late_are_a_draw() -> None:
    outcome = play_out(GAME, STANDARD, choose=lambda *_: Reply("setup 1:F.........", us=10**9)).outcome
    assert (outcome.ranks, outcome.scores) == ((1.5, 1.5), (0.5, 0.5))


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("said", ["march 1 1 1 1", "march pass", "pass"])
def test_a_fault_in_battle_makes_the_other_win(seat: int, said: str) -> None:
    def choose(state: object, asked: int, chance: object) -> str:
        assert isinstance(state, StrategoSetUp | StrategoBattle)
        if isinstance(state, StrategoSetUp) or asked != seat:
            return at_random(state, asked, Seeded(1))
        return said

    outcome = play_out(GAME, STANDARD, choose=choose).outcome
    assert outcome.ranks == ((2, 1), (1, 2))[seat - 1]
    assert outcome.scores == ((0, 1), (1, 0))[seat - 1]
    assert outcome.reason == f"a fault of seat {seat} stopped the match"


@pytest.mark.parametrize(
    ("offenders", "ranks", "scores"),
    [((1,), (2, 1), (0, 1)), ((2,), (1, 2), (1, 0)), ((1, 2), (1.5, 1.5), (0.5, 0.5))],
)
@pytest.mark.parametrize("won", [True, False])
def test_a_fault_found_at_the_end_makes_the_other_win_and_two_a_draw(
    won: bool, offenders: tuple[int, ...], ranks: tuple[float, ...], scores: tuple[float, ...]
) -> None:
    state = after(meeting("4", "F"), "march 7 1 8 1") if won else quiet(meeting("4", "5"), 400)
    found, told = state.forfeit(offenders, UNUSED)
    outcome = found.outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.scores, told) == (ranks, scores, ())


def test_a_fault_found_after_the_fault_of_the_other_makes_it_a_draw() -> None:
    state, _ = meeting("4", "5").forfeit((1,), UNUSED)
    state, _ = state.forfeit((2,), UNUSED)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((1.5, 1.5), (0.5, 0.5))


# -- the kit and the page --------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_keeps_every_law(name: str) -> None:
    assert_conforms(GAME, VARIANTS[name], matches=4)


def test_the_options_on_the_page_are_options() -> None:
    default, given_columns = (
        msgspec.convert(tomllib.loads(block)["options"], StrategoOptions) for block in blocks(PAGE, "toml")
    )
    assert default == StrategoOptions()
    assert given_columns == StrategoOptions((1, 9))


def test_the_options_on_the_wire_are_those_on_the_page() -> None:
    cells = re.findall(r"^\| `option .*?` \| (.*?) \|", PAGE, re.M)
    chosen = (StrategoOptions(), StrategoOptions((2, 8)), StrategoOptions("standard"))
    announced = {line for options in chosen for line in GAME.announce(options)}
    assert {line for cell in cells for line in re.findall("`option (.*?)`", cell)} == announced


def test_a_row_may_stand_more_than_once_as_the_page_says() -> None:
    [example] = re.findall(r"more than once if no square is filled twice, for example `(.*?)`", PAGE)
    assert StrategoSetUp(TERMS).check(1, example) == "setup 1:F......... 4:12.......9"


def test_the_match_on_the_page_is_one_that_is_played() -> None:
    lines = heard(GAME, StrategoOptions(), 1, 2, 15)
    [shown] = blocks(PAGE, "text match")
    beginning, end = (part.splitlines() for part in shown.split("...\n"))
    assert lines[: len(beginning)] == beginning
    assert lines[-len(end) :] == end


def second_turn() -> StrategoBattle:
    """The position that the page shows, after the first answers of both seats in the match on the page."""
    red, blue = (
        [line[2:] for line in heard(GAME, StrategoOptions(), seat, 2, 15) if line.startswith("> ")]
        for seat in (1, 2)
    )
    return after(after(set_up(red[0], blue[0], (1, 7)), red[1]), blue[1])


def test_the_position_on_the_page_is_the_one_after_its_first_plies() -> None:
    [shown] = blocks(PAGE, "text position")
    assert second_turn().text(1) + "\n" == shown


def test_the_lines_of_the_state_on_the_page_are_those_of_that_position() -> None:
    examples = re.findall(
        r"^\| `\w+.*?` \| `(.*?)` \|",
        PAGE.split("a bot that asks for `state`")[1].split("## What a bot is")[0],
        re.M,
    )
    assert examples == [
        line
        for line in second_turn().view(1)
        if not line.startswith(("army 1", "captured 1", "marched", "coll"))
    ]


def test_each_example_of_an_answer_on_the_page_passes() -> None:
    table = PAGE.split("## What a bot is asked")[1].split("## An example")[0]
    setup, march = re.findall(r"^\| `\w+ MOVE_MS BANK_MS` \| `.*?` \| `(.*?)` \|", table, re.M)
    assert StrategoSetUp(TERMS).check(1, setup) == setup
    assert march in set(set_up(setup, drawn(2, UNUSED), (1, 7)).legal(1))
    [example] = re.findall(r"`(setup 4:.*?)` is a whole set-up", table)
    assert StrategoSetUp(TERMS).check(1, example) == "setup 1:F......... 4:1........9"


# -- drawings --------------------------------------------------------------------------------------


def test_a_drawing_shows_a_seat_its_own_pieces_and_no_more_of_the_other_than_it_was_shown() -> None:
    state = battle({(4, 1): "5", (1, 1): "F"}, {(9, 1): "4", (10, 1): "S"}, shown=[(4, 1), (9, 1)])
    for seat, own, other in ((1, {"F", "5!"}, {"[4]", "[?]"}), (2, {"S", "4!"}, {"[5]", "[?]"})):
        cells = set(" ".join(line[4:54] for line in state.text(seat).splitlines()[2:12]).split())
        assert cells == {".", "###"} | own | other
    whole = " ".join(line[4:54] for line in state.text().splitlines()[2:12])
    assert set(whole.split()) == {".", "###", "F", "5!", "[4]!", "[S]"}


def test_both_sides_see_their_own_rows_at_the_bottom() -> None:
    state = battle({(1, 1): "F"}, {(10, 1): "F"})
    assert state.text(1).splitlines()[11].startswith("  1  F ")
    assert state.text(2).splitlines()[11].startswith(" 10  F ")
    assert state.text().splitlines()[11].startswith("  1  F ")
    assert StrategoSetUp(TERMS).text(2).splitlines()[11].startswith(" 10  . ")


@pytest.mark.parametrize("seat", [1, 2])
def test_a_person_who_sets_up_is_shown_a_line_that_passes(seat: int) -> None:
    state = StrategoSetUp(TERMS)
    [example] = [line.strip() for line in state.text(seat).splitlines() if line.startswith("  setup")]
    assert isinstance(state.check(seat, example), str)
    assert "setup" not in state.text()


@pytest.mark.parametrize(
    ("attacker", "defender", "words"),
    [
        ("4", "5", "Red marched (7,1) to (8,1), Major against Captain: red's stands."),
        ("5", "4", "Red marched (7,1) to (8,1), Captain against Major: blue's stands."),
        ("5", "B", "Red marched (7,1) to (8,1), Captain against Bomb: both are gone."),
    ],
)
def test_the_last_ply_is_told_in_words(attacker: str, defender: str, words: str) -> None:
    state = meeting(attacker, defender)
    assert "Nobody has marched yet." in state.text(1)
    assert words in after(state, "march 7 1 8 1").text(2)


def test_a_drawing_of_the_end_says_why() -> None:
    state = after(meeting("5", "F"), "march 7 1 8 1")
    assert state.text().endswith("Over: red (seat 1) took the Flag.")


def lead(state: StrategoBattle) -> float:
    """How far red is ahead, by the guess of the game."""
    return state.worth()[0] - state.worth()[1]


def test_a_lost_piece_lowers_the_worth_and_a_lost_match_costs_the_whole_army() -> None:
    before = lead(meeting("9", "2"))
    scout, marshal = (before - lead(after(meeting("9", sign), "march 7 1 8 1")) for sign in "21")
    assert 1 < scout == pytest.approx(marshal)
    colonel = lead(after(meeting("2", "3"), "march 7 1 8 1")) - before
    general = lead(after(meeting("1", "2"), "march 7 1 8 1")) - before
    assert scout < colonel < general < 200 < lead(after(meeting("9", "F"), "march 7 1 8 1"))


def test_a_piece_that_has_marched_is_worth_a_little_more_for_each_side() -> None:
    red = after(battle({(4, 1): "7", (1, 1): "F"}, {(10, 1): "F", (9, 9): "6"}), "march 4 1 5 1")
    assert lead(red) == pytest.approx(ROW * (4 - 1))
    assert lead(after(red, "march 9 9 8 9")) == pytest.approx(ROW * (4 - 2))
    assert min(WORTH[1:FLAG]) > ROW * 9
