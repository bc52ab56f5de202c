"""Tests that a sparring bot chooses by its budget, its seed and what its seat sees, and by nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import ClassVar

import pytest

from harness import games
from harness.chance import Chance, Seeded, derived
from harness.games import Events, Malformed, State
from harness.games.biplane import GAME, BiplaneOptions
from harness.games.biplane.board import DECK
from harness.sparring.search import ANSWERS, chosen, lead, lead_after_answers, unfit, value
from tests.games.biplane.positions import pilot, sky

GAMES = ("biplane", "sevens", "squadron", "squash", "stratego")


def choice(state: State, seat: int, play_outs: float, seed: int) -> tuple[str, int]:
    """Returns the move that a sparring bot chooses, and the number of its play-outs."""
    thinking, count = chosen(state, seat, play_outs, seed), 0
    while True:
        try:
            next(thinking)
        except StopIteration as end:
            return end.value, count
        count += 1


def ranks(budgets: Sequence[int], seed: int) -> Sequence[float]:
    """Plays a match of Sevens between sparring bots, and returns their ranks."""
    game, chance = games.find("sevens"), Seeded(seed)
    state, _ = game.start(game.options(), len(budgets), chance)
    number = 0
    while (outcome := state.outcome()) is None:
        number += 1
        moves = {
            seat: choice(state, seat, budgets[seat - 1], derived(seed, number))[0] for seat in state.to_act()
        }
        state, _ = state.play(moves, chance)
    return outcome.ranks


def pairs(name: str, steps: int, match: int = 5) -> int:
    """Plays so many steps of a match with random moves. In each step, asserts that a sparring bot chooses the
    same move in two positions that look the same to its seat. Returns how many of these pairs really
    differ."""
    game = games.find(name)
    chance = Seeded(match)
    state, _ = game.start(game.options(**game.brief), min(3, game.seats[1]), chance)
    found = 0
    for step in range(steps):
        for seat in state.to_act():
            other = state.alike(seat, Seeded(step))
            assert other is not None
            assert choice(state, seat, 4, step) == choice(other, seat, 4, step)
            found += other != state
        state, _ = state.play(
            {seat: state.some(seat, 1, chance, "move")[0] for seat in state.to_act()}, chance
        )
        if not state.to_act():
            break
    return found


@pytest.mark.parametrize("name", GAMES)
def test_what_is_hidden_never_changes_a_move(name: str) -> None:
    assert pairs(name, 20) or name == "squash"  # With its usual options, Squash hides nothing.


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in GAMES if name != "squash"])
def test_what_is_hidden_never_changes_a_move_in_2500_pairs(name: str) -> None:
    found = match = 0
    while found < 2_500:
        match += 1
        found += pairs(name, 1_000, match)


@pytest.mark.parametrize("play_outs", [1, 2, 3, 8, 50])
def test_the_budget_is_never_exceeded_and_well_used(play_outs: int) -> None:
    game = games.find("squadron")
    state, _ = game.start(game.options(), 3, Seeded(1))
    [seat] = state.to_act()
    move, count = choice(state, seat, play_outs, 1)
    assert state.check(seat, move) == move
    assert count <= play_outs
    assert play_outs == 1 or count > play_outs / 2


def test_decimals_are_the_share_of_the_choices_with_one_more_play_out() -> None:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 2, Seeded(1))
    [seat] = state.to_act()
    whole = {play_outs: choice(state, seat, play_outs, 1) for play_outs in (1, 2)}
    counts = [choice(state, seat, 1.25, seed)[1] for seed in range(400)]
    assert set(counts) == {whole[1][1], whole[2][1]} == {0, 2}
    assert 70 <= counts.count(2) <= 130
    assert choice(state, seat, 1.25, counts.index(2)) == choice(state, seat, 2, counts.index(2))


def test_a_forced_move_needs_no_play_out() -> None:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 2, Seeded(1))
    while len(tuple(state.legal(seat := state.to_act()[0]))) > 1:
        state, _ = state.play({seat: next(iter(state.legal(seat)))}, Seeded(1))
    assert choice(state, seat, 64, 1)[1] == 0


def test_another_seed_may_choose_another_move_and_the_same_seed_never_does() -> None:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 2, Seeded(1))
    [seat] = state.to_act()
    moves = [choice(state, seat, 1, seed)[0] for seed in range(20)]
    assert len(set(moves)) > 1
    assert moves == [choice(state, seat, 1, seed)[0] for seed in range(20)]


def test_more_play_outs_win_more_matches() -> None:
    won = 0
    for number in range(16):
        budgets = (32, 1) if number % 2 else (1, 32)
        strong = budgets.index(32)
        won += ranks(budgets, number // 2 + 1)[strong] == 1
    assert won >= 12


def first_move(name: str) -> tuple[State, int, str]:
    """The first position of a game, the seat that acts, and a move of this seat."""
    if name.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    game = games.find(name)
    state, _ = game.start(game.options(), 2, Seeded(1))
    [seat] = state.to_act()
    move = state.some(seat, 1, Seeded(1), "move")[0]
    return state, seat, move


@pytest.mark.parametrize("name", ["sevens", "squash", "openspiel:tic_tac_toe"])
def test_a_lead_is_in_the_unit_of_the_guess_or_the_share_of_worse_seats(name: str) -> None:
    state, seat, move = first_move(name)
    leads = {lead(state, seat, move, seed) for seed in range(20)}
    shares = {value(state, seat, move, seed) for seed in range(20)}
    assert shares <= {0.0, 0.5, 1.0}
    assert (leads == shares) == (state.worth() == ())


def test_the_lead_is_counted_over_the_mean_of_all_other_seats() -> None:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 3, Seeded(3))
    for _ in range(50):  # After these moves, one card is not yet played.
        state, _ = state.play(
            {state.to_act()[0]: state.some(state.to_act()[0], 1, Seeded(1), "")[0]}, Seeded(1)
        )
    [seat] = state.to_act()
    move = state.some(seat, 1, Seeded(1), "")[0]
    after, _ = state.play({seat: move}, Seeded(1))
    own, others = after.scores()[seat - 1], sum(after.scores()) - after.scores()[seat - 1]
    assert lead(state, seat, move, 1) == own - others / 2 != 0


class Dare(State, frozen=True):
    """A position of a game for three seats. Seat 1 may dare, which is worth one point. Then the two other
    seats take points at the same time: as many as they say, but only from a seat that dared."""

    ahead: ClassVar[int] = 3

    asked: int = 0
    points: tuple[int, ...] = (0, 0, 0)

    def to_act(self) -> tuple[int, ...]:
        return ((1,), (2, 3), ())[self.asked]

    def question(self, seat: int) -> str:
        return "say"

    def legal(self, seat: int) -> list[str]:
        return [f"say {number}" for number in range(2 if seat == 1 else ANSWERS)]

    def check(self, seat: int, said: str) -> str | Malformed:
        return said

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        said = {seat: int(move.split()[1]) for seat, move in moves.items()}
        if not self.asked:
            return Dare(1, (said[1], 0, 0)), ()
        taken = [number * self.points[0] for number in said.values()]
        return Dare(2, (self.points[0] - sum(taken), *taken)), ()

    def scores(self) -> tuple[int, ...]:
        return self.points

    def worth(self) -> tuple[float, ...]:
        return self.points

    def view(self, seat: int) -> tuple[str, ...]:
        return ()

    def text(self, seat: int | None = None) -> str:
        return ""


def test_good_answers_punish_a_bad_move_and_random_answers_do_so_seldom() -> None:
    worst = ANSWERS - 1
    found = {lead_after_answers(Dare(), 1, "say 1", seed) for seed in range(20)}
    assert found == {1 - 2 * worst - worst}
    assert fmean(lead(Dare(), 1, "say 1", seed) for seed in range(200)) == pytest.approx(
        1 - worst - worst / 2, abs=1
    )
    assert lead_after_answers(Dare(), 1, "say 0", 1) == 0


@pytest.mark.parametrize("name", ["squash", "openspiel:tic_tac_toe"])
def test_without_a_guess_or_a_step_for_answers_the_lead_is_that_after_random_moves(name: str) -> None:
    state, seat, move = first_move(name)
    assert all(
        lead(state, seat, move, seed) == lead_after_answers(state, seat, move, seed) for seed in range(20)
    )


@pytest.mark.parametrize(("second", "third", "best"), [("A1L", "E8R", "no"), ("E8R", "A1L", "S1")])
def test_a_sparring_bot_spares_its_ally_and_shoots_its_enemy(second: str, third: str, best: str) -> None:
    own = pilot("E6R", kept="A1 A7 E1 S1", out="C7", revealed="C7")
    others = [
        pilot(place, f"A{card}", kept=f"E{card}", out=f"C{card}")
        for card, place in enumerate((second, third, "A9L"), start=2)
    ]
    dealt = {card for each in (own, *others) for card in (*each.kept, each.out, "G12")}
    deck = " ".join(card for card in DECK if card not in dealt)
    sides = GAME.sides(BiplaneOptions("two-on-two"), 4)
    state = sky(own, *others, deck=deck, asked="shoot", left=0, sides=sides)
    assert [choice(state, 1, 64, seed)[0] for seed in range(5)] == [f"shoot {best}"] * 5


def test_a_sparring_bot_needs_positions_that_look_alike() -> None:
    openspiel = pytest.importorskip("pyspiel") and games.find("openspiel:liars_dice")
    assert unfit(openspiel, openspiel.options(), 2) == (
        "a sparring bot cannot play openspiel_liars_dice: "
        "the game cannot choose new random values for what a seat does not see"
    )
    for name in ("openspiel:tic_tac_toe", "openspiel:kuhn_poker", "chess", *GAMES):
        game = games.find(name)
        assert unfit(game, game.options(), 2) == ""
