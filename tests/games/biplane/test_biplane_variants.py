"""Tests the variants of Biplane: alliances and their ranks, skill, the tree."""

from typing import Any

import msgspec
import pytest

from harness.chance import Seeded
from harness.errors import InputError
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.board import MANEUVERS
from tests.games.biplane.positions import FREE, LUCK, flown, legal, pilot, places, sky

LONE = BiplaneOptions("two-on-one")
PAIRS = BiplaneOptions("two-on-two")


# -- who wins --------------------------------------------------------------------------------------


def losses(*counts: int, **more: Any) -> BiplanePosition:
    pilots = [pilot("E5R", losses=count) for count in counts]
    return sky(*pilots, asked="", passes=len(counts), **more)


@pytest.mark.parametrize(
    ("counts", "sides", "ranks"),
    [
        ((3, 1), FREE, (2, 1)),
        ((2, 2), FREE, (1.5, 1.5)),
        ((4, 0, 4, 1), FREE, (3.5, 1, 3.5, 2)),
        ((1, 2, 2), LONE, (2.5, 1, 2.5)),
        ((1, 3, 2), LONE, (1.5, 3, 1.5)),
        ((0, 9, 1), LONE, (1.5, 3, 1.5)),
        ((1, 2, 3, 4), PAIRS, (1.5, 3.5, 1.5, 3.5)),
        ((9, 4, 0, 4), PAIRS, (3.5, 1.5, 3.5, 1.5)),
        ((1, 2, 4, 3), PAIRS, (2.5, 2.5, 2.5, 2.5)),
    ],
)
def test_ruling_20_and_the_alliances_the_fewest_losses_win(
    counts: tuple[int, ...], sides: BiplaneOptions, ranks: tuple[float, ...]
) -> None:
    outcome = losses(*counts, sides=GAME.sides(sides, len(counts))).outcome()
    assert outcome is not None
    assert outcome.ranks == ranks
    assert outcome.scores == counts


def test_allies_are_worth_the_losses_of_their_side() -> None:
    assert losses(1, 2, 3, 4, sides=GAME.sides(PAIRS, 4)).worth() == (-4, -6, -4, -6)
    assert losses(1, 2, sides=GAME.sides(FREE, 2)).worth() == (-1, -2)


@pytest.mark.parametrize(
    ("options", "counts", "offender", "ranks"),
    [
        (FREE, (0, 3, 1), 1, (3, 2, 1)),
        (LONE, (0, 3, 5), 1, (3, 1, 2)),
        (PAIRS, (0, 3, 1, 3), 1, (4, 2.5, 1, 2.5)),
        (PAIRS, (0, 0, 9, 0), 3, (2, 2, 4, 2)),
    ],
)
def test_a_fault_puts_the_offender_last_and_its_ally_among_the_others(
    options: BiplaneOptions, counts: tuple[int, ...], offender: int, ranks: tuple[float, ...]
) -> None:
    state = losses(*counts, sides=GAME.sides(options, len(counts)))
    state = msgspec.structs.replace(state, asked="place", seat=offender)
    outcome = state.forfeit((offender,), LUCK)[0].outcome()
    assert outcome is not None
    assert outcome.ranks == ranks


# -- the set-up, the tree --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats", "starts"),
    [
        (FREE, 2, ["E5R", "C5R"]),
        (FREE, 3, ["G5R", "E5R", "C5R"]),
        (FREE, 4, ["G5R", "E5R", "C5R", "A5R"]),
        (LONE, 3, ["G5R", "E10R", "C5R"]),
        (PAIRS, 4, ["G5R", "E5R", "C5R", "A5R"]),
        (BiplaneOptions("two-on-two", tree=True), 4, ["G3R", "E9R", "C3R", "A9R"]),
        (BiplaneOptions("two-on-one", tree=True), 3, ["G5R", "E10R", "C5R"]),
        (BiplaneOptions(tree=True), 4, ["G5R", "E5R", "C5R", "A5R"]),
    ],
)
def test_planes_start_where_the_variant_says(options: BiplaneOptions, seats: int, starts: list[str]) -> None:
    assert places(GAME.start(options, seats, Seeded(1))[0]) == starts


def test_sides_are_the_alliances() -> None:
    assert GAME.sides(FREE, 3) == ((1,), (2,), (3,))
    assert GAME.sides(LONE, 3) == ((1, 3), (2,))
    assert GAME.sides(PAIRS, 4) == ((1, 3), (2, 4))


@pytest.mark.parametrize(
    ("options", "seats", "reason"),
    [
        (LONE, 2, 'alliance "two-on-one" is for 3 players, not 2'),
        (LONE, 4, 'alliance "two-on-one" is for 3 players, not 4'),
        (PAIRS, 3, 'alliance "two-on-two" is for 4 players, not 3'),
    ],
)
def test_an_alliance_is_for_a_number_of_seats(options: BiplaneOptions, seats: int, reason: str) -> None:
    assert GAME.unfit(options, seats) == reason
    with pytest.raises(InputError, match=reason):
        GAME.start(options, seats, LUCK)


@pytest.mark.parametrize("skill", [0, 1, 2])
def test_skill_deals_and_keeps_more_cards_of_more_kinds(skill: int) -> None:
    for seed in range(20):
        state = GAME.start(BiplaneOptions("two-on-one", skill), 3, Seeded(seed))[0]
        for seat, keeps in ((1, 4 + skill), (2, 5 + skill), (3, 4 + skill)):
            assert state.question(seat) == f"keep {keeps} {keeps - 2}"
            assert len(state.pilot(seat).kept) >= keeps + 2
            for move in state.legal(seat):
                kept = move.split()[1:]
                assert len(kept) == keeps
                assert len({MANEUVERS[card] for card in kept if card in MANEUVERS}) >= keeps - 2


def test_the_tree_costs_a_plane_that_flies_or_loops_into_it() -> None:
    _, told = flown(pilot("A6R", "A7"), tree=True, deck="C3 S1")
    assert told[1:] == ["moved 1 A7R", "lost 1 tree", "respawn 1 C3", "plane 1 C3R"]
    assert "lost 1 tree" in flown(pilot("B6D", "G1"), tree=True)[1]
    assert legal(sky(pilot("B6D", kept="G1"), pilot("A9L"), tree=True))[0] == "G1"
    assert "lost 1 tree" not in flown(pilot("A6R", "A7"))[1]


def test_the_tree_stops_shots_that_enter_it_or_are_placed_on_it() -> None:
    assert flown(pilot("E5R", "A1"), shots="A5RY A9LY", tree=True)[0].shots == ()
    state, told = flown(pilot("A5R", "A1", kept="S1"), said=("shoot S1",), tree=True)
    assert told[1:] == ["moved 1 A6R", "fired 1 S1"]
    assert state.shots == ()


def test_beside_the_tree_nobody_respawns_on_it_or_left_of_it() -> None:
    _, told = flown(pilot("A4D", "A1"), tree=True, deck="A7 A4U S1")
    assert told[1:] == ["lost 1 ground", "respawn 1 A7", "respawn 1 A4U", "plane 1 A10U"]


def test_beside_the_tree_a_space_is_taken_if_the_shifted_one_is() -> None:
    _, told = flown(pilot("A4D", "A1"), pilot("A10L"), tree=True, deck="A4 A5 S1")
    assert told[1:] == ["lost 1 ground", "respawn 1 A4", "respawn 1 A5", "plane 1 A11R"]
