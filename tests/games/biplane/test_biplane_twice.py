"""Compares Biplane with its slow twin: whole matches, trees of moves, planted faults."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.games import biplane
from harness.games.biplane import BiplaneOptions, air, sky, turn
from harness.games.biplane.air import Air
from harness.games.biplane.board import AHEAD, FLYING, MANEUVERS, ONWARD, REPEATS, SHOOTS, landing
from harness.games.biplane.sky import Cards, Pilot
from harness.games.biplane.turn import BiplaneTurn
from tests.games.biplane.twice import Scene, leaves, play_twice, slow_leaves

FREE = BiplaneOptions()
TREE = BiplaneOptions(tree=True)
VARIANTS = [
    (FREE, 2),
    (FREE, 3),
    (FREE, 4),
    (BiplaneOptions("two-on-one"), 3),
    (BiplaneOptions("two-on-two"), 4),
    (BiplaneOptions(skill=1), 2),
    (BiplaneOptions(skill=2), 4),
    (TREE, 2),
    (BiplaneOptions("two-on-two", 2, True), 4),
    (BiplaneOptions("two-on-one", 2, True), 3),
    (BiplaneOptions(turns=33), 3),
]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_game_and_twin_tell_the_same_match_line_by_line(
    options: BiplaneOptions, seats: int, seed: int
) -> None:
    last = play_twice(options, seats, seed)
    assert last.passes == seats or last.turn == options.turns


@pytest.mark.parametrize(
    ("scene", "counts"),
    [
        (Scene(FREE, "E5R C5R", 40), (2, 4, 8, 16, 32, 64, 128, 272)),
        (Scene(FREE, "E5R E8L", 3), (2, 4, 8, 16, 32, 60, 120, 254)),
        (Scene(TREE, "A4R A11L B8D", 4), (1, 2, 4, 8, 12, 16, 30, 49, 68)),
        (Scene(BiplaneOptions("two-on-two", 1), "G5R E5L C4U A5R", 5), (1, 3, 6, 12, 24, 36, 48)),
        (Scene(BiplaneOptions("two-on-one"), "B4D F6U G12U", 2), (2, 6, 6, 12, 18, 36, 80, 112)),
    ],
    ids=["far apart", "head on", "tree", "two-on-two", "two-on-one"],
)
def test_the_tree_of_moves_has_a_size_that_the_twin_finds_too(scene: Scene, counts: tuple[int, ...]) -> None:
    state = scene.position()
    depths = range(1, len(counts) + 1)
    assert tuple(leaves(state, depth) for depth in depths) == counts
    assert slow_leaves(scene, depths[-1]) == counts[-1]


# -- planted faults --------------------------------------------------------------------------------

Patch = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, tuple[Patch, BiplaneOptions, int]] = {}


def fault(options: BiplaneOptions = FREE, seats: int = 2) -> Callable[[Patch], Patch]:
    """Registers a fault, and a variant of the game in which the fault can be noticed."""

    def register(patch: Patch) -> Patch:
        FAULTS[patch.__name__.replace("_", " ")] = (patch, options, seats)
        return patch

    return register


@fault()
def a_yellow_shot_wraps_and_stays_yellow(patch: pytest.MonkeyPatch) -> None:
    yellow = {f"{place}Y": ahead and f"{ahead}Y" for place, ahead in AHEAD.items()}
    patch.setattr(air, "ONWARD", {**ONWARD, **yellow})


@fault()
def an_orange_shot_wraps_and_flies_on(patch: pytest.MonkeyPatch) -> None:
    orange = {f"{place}O": ahead and f"{ahead}O" for place, ahead in AHEAD.items()}
    patch.setattr(air, "ONWARD", {**ONWARD, **orange})


@fault()
def a_shot_wraps_when_it_is_placed(patch: pytest.MonkeyPatch) -> None:
    fire = Air.fire

    def wrapped(air: Air, place: str) -> None:
        fire(air, place)
        if place[1:] == "1R" and air.shots:
            air.shots[-1] = f"{air.shots[-1][:-1]}O"

    patch.setattr(Air, "fire", wrapped)


@fault()
def the_newest_shot_moves_first(patch: pytest.MonkeyPatch) -> None:
    def move_shots(air: Air, steps: int) -> None:
        for index in reversed(range(len(air.shots))):
            air.flown_on(index, steps)

    patch.setattr(Air, "move_shots", move_shots)


@fault(seats=3)
def shots_make_three_steps_with_three_players(patch: pytest.MonkeyPatch) -> None:
    move_shots = Air.move_shots
    patch.setattr(Air, "move_shots", lambda air, steps: move_shots(air, 3))


@fault()
def a_shot_hits_once_it_has_moved_and_not_where_it_is_placed(patch: pytest.MonkeyPatch) -> None:
    def fire(air: Air, place: str) -> None:
        if place:
            air.shots.append(f"{place}Y")
            air.flown_on(len(air.shots) - 1, 1)

    patch.setattr(Air, "fire", fire)


@fault()
def a_plane_comes_back_where_another_is(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Air, "free", lambda air, place: place)


@fault()
def all_planes_come_back_facing_right(patch: pytest.MonkeyPatch) -> None:
    def right(card: str, tree: bool) -> str:
        return landing(card, tree).replace("U", "R")

    patch.setattr(air, "landing", right)


@fault()
def a_crash_costs_only_the_plane_that_moved(patch: pytest.MonkeyPatch) -> None:
    lose = Air.lose

    def lost(air: BiplaneTurn, seat: int, why: str) -> None:
        lose(air, seat, why)
        if why == "crash" and seat != air.seat:
            air.change(seat, losses=air.pilot(seat).losses - 1)

    patch.setattr(Air, "lose", lost)


@fault()
def at_the_ceiling_a_plane_keeps_its_facing(patch: pytest.MonkeyPatch) -> None:
    step = Air.step

    def stuck(air: Air, seat: int) -> bool:
        before = air.pilot(seat).place
        flying = step(air, seat)
        if before[0] == "G" and before[-1] == "U":
            air.put(seat, before)
        return flying

    patch.setattr(Air, "step", stuck)


@fault()
def at_the_ceiling_a_plane_turns_and_flies_on(patch: pytest.MonkeyPatch) -> None:
    step = Air.step
    patch.setattr(Air, "step", lambda air, seat: step(air, seat) or air.told[-1].line.startswith("turned"))


@fault()
def an_impossible_loop_is_flown_as_far_as_a_loop(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(turn, "FLYING", dict.fromkeys(FLYING, frozenset(MANEUVERS)))


@fault()
def a_card_that_does_not_fly_may_be_placed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Pilot, "placeable", Pilot.next_cards)


@fault()
def a_repeat_flies_from_everywhere(patch: pytest.MonkeyPatch) -> None:
    again = {place: flying | {*REPEATS} for place, flying in FLYING.items()}
    patch.setattr(sky, "FLYING", again)


@fault()
def the_first_card_may_be_a_repeat(patch: pytest.MonkeyPatch) -> None:
    def every(pilot: Pilot) -> Cards:
        return tuple(
            card for card in (*pilot.permanent, *pilot.temporary, pilot.open) if card and card not in SHOOTS
        )

    patch.setattr(Pilot, "placeable", every)


@fault()
def the_limit_leaves_out_the_repeat_just_revealed(patch: pytest.MonkeyPatch) -> None:
    def limit(pilot: Pilot) -> int:
        return sum(card in REPEATS for card in (*pilot.permanent, *pilot.temporary))

    patch.setattr(Pilot, "limit", limit)


@fault()
def the_limit_is_always_one(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Pilot, "limit", lambda pilot: 1)


@fault()
def a_permanent_shoot_can_be_used_for_every_space(patch: pytest.MonkeyPatch) -> None:
    def shoots(pilot: Pilot) -> Cards:
        return tuple(card for card in (*pilot.hand, *pilot.temporary) if card in SHOOTS)

    patch.setattr(Pilot, "shoots", shoots)


@fault()
def a_temporary_repeat_that_was_used_goes_away_without_being_discarded(patch: pytest.MonkeyPatch) -> None:
    place = BiplaneTurn.place

    def kept(turn: BiplaneTurn, seat: int, card: str) -> None:
        opened = turn.pilot(seat).open
        place(turn, seat, card)
        turn.discards = tuple(card for card in turn.discards if card != opened)

    patch.setattr(BiplaneTurn, "place", kept)


@fault()
def the_new_deck_holds_the_card_just_drawn(patch: pytest.MonkeyPatch) -> None:
    take = Air.take

    def taken(air: Air) -> str:
        card = take(air)
        if not air.deck:
            air.discards += (card,)
        return card

    patch.setattr(Air, "take", taken)


@fault()
def the_match_ends_when_the_turn_is_over_and_not_at_once(patch: pytest.MonkeyPatch) -> None:
    def refill(air: Air) -> None:
        if not air.deck:
            air.passes += 1
            air.deck = air.chance.shuffle(f"pass {air.passes}", air.discards)
            air.discards = ()
            air.tell(f"pass {air.passes} {len(air.deck)}")

    patch.setattr(Air, "refill", refill)


@fault(BiplaneOptions(turns=9))
def one_turn_too_many_is_played(patch: pytest.MonkeyPatch) -> None:
    before = BiplaneTurn.__init__

    def longer(turn: BiplaneTurn, *given: Any) -> None:
        before(turn, *given)
        turn.turns += 1

    patch.setattr(BiplaneTurn, "__init__", longer)


@fault(TREE)
def shots_fly_through_the_tree(patch: pytest.MonkeyPatch) -> None:
    def in_tree(air: BiplaneTurn, where: str) -> bool:
        return where == "A7" and where == air.pilot(air.seat).place[:-1]

    patch.setattr(Air, "in_tree", in_tree)


@fault(TREE)
def planes_come_back_on_the_left_of_the_tree(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(air, "landing", lambda card, tree: landing(card, False))


@fault(BiplaneOptions("two-on-one"), 3)
def whoever_flies_alone_keeps_no_more_than_the_others(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BiplaneOptions, "keeps", lambda options, seat: 4 + options.skill)


@fault(BiplaneOptions(skill=1))
def kinds_are_not_asked_for(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(biplane, "kinds", lambda cards: 7)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch, options, seats = FAULTS[name]
    patch(monkeypatch)
    with pytest.raises((AssertionError, IndexError, KeyError, ValueError)):  # noqa: PT012
        for seed in range(20):
            play_twice(options, seats, seed)
