"""Tests the luck of a match: values computed by hand, the mean over all outcomes, and a second judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from harness.chance import Chance, Scripted, Seeded, derived
from harness.events import Match, Record
from harness.games import Event, Events, Game, State, find
from harness.judge.luck import LuckMeter, has_chance
from harness.judge.referee import Referee
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Ask, Audit, Rules, Terms
from harness.model import MOST_LUCK, Reply

UNUSED = Seeded(0)


class Dicing(State, frozen=True):
    """A game: each of two seats rolls a die once. With `stepwise` chance the match stops between the
    rolls."""

    rolls: tuple[int, ...] = ()
    guessing: bool = True
    asked: bool = False

    def to_act(self) -> tuple[int, ...]:
        return (1,) if self.asked else ()

    def question(self, seat: int) -> str:
        return "go"

    def legal(self, seat: int) -> tuple[str, ...]:
        return ("go",)

    def check(self, seat: int, said: str) -> str:
        return said

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
        rolls = self.rolls
        while len(rolls) < 2:
            rolls = (*rolls, chance.roll("die", 6))
            if chance.stepwise:
                break
        return Dicing(rolls, self.guessing), (Event("rolled"),)

    def scores(self) -> tuple[int, ...]:
        return self.rolls if len(self.rolls) == 2 else (0, 0)

    def outcome(self) -> Any:
        return super().outcome() if len(self.rolls) == 2 else None

    def view(self, seat: int) -> tuple[str, ...]:
        return ()

    def text(self, seat: int | None = None) -> str:
        return ""

    def worth(self) -> tuple[float, ...]:
        first, second = (*self.rolls, 3.5, 3.5)[:2]
        return (first - second, second - first) if self.guessing else ()


class DicingGame(Game):
    name = "dicing"
    title = "Dicing"
    seats = (2, 2)

    def __init__(self, guessing: bool = True) -> None:
        self.guessing = guessing

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
        return Dicing((), self.guessing).play({}, chance)


class Whole(Dicing, frozen=True):
    """The same game, but it never stops between rolls, and after a six the first seat rolls once more."""

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
        rolls = [chance.roll("die", 6), chance.roll("die", 6)]
        if rolls[0] == 6:
            rolls[0] += chance.roll("more", 6)
        return Whole(tuple(rolls)), ()


class WholeGame(DicingGame):
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
        return Whole().play({}, chance)


class Given(Chance):
    """Chance that gives these values one after another, whatever the game asks for."""

    def __init__(self, *values: Any) -> None:
        self._values: Iterator[Any] = iter(values)

    def shuffle(self, stream: str, items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(next(self._values))

    def roll(self, stream: str, sides: int) -> int:
        return int(next(self._values))

    def sample(self, stream: str, items: Sequence[Any], count: int) -> tuple[Any, ...]:
        return tuple(next(self._values))

    def pick(self, stream: str, weights: Sequence[float]) -> int:
        return int(next(self._values))


def luck(game: Game, chance: Chance, seed: int = 1, script: dict[str, Any] | None = None) -> LuckMeter:
    """The luck meter after a match that one call of `start` plays to its end."""
    meter = LuckMeter(Rules(game, game.options(), script=script), 2, (seed,))
    meter.start(game.options(), 2, chance)
    return meter


def test_the_luck_of_a_die_is_what_it_is_worth_above_the_mean_of_all_dice() -> None:
    assert luck(DicingGame(), Given(6, 2)).luck == (4.0, -4.0)
    assert luck(DicingGame(), Given(6, 2)).draws == 2


@pytest.mark.parametrize("game", [DicingGame(), WholeGame()], ids=["each-draw", "whole"])
def test_the_mean_of_the_luck_over_all_outcomes_is_0(game: Game) -> None:
    mean = 0.0
    for dice in product(range(1, 7), repeat=3):
        mean += luck(game, Given(*dice)).luck[0] / 216
    assert mean == pytest.approx(0, abs=0.1 if isinstance(game, WholeGame) else 1e-9)


class Ranked(Dicing, frozen=True):
    """A game of four throws of a die with three sides. The worth of a position is an arbitrary number, -2 to
    2."""

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
        return Ranked((*self.rolls, chance.roll("die", 3))), ()

    def to_act(self) -> tuple[int, ...]:
        return (1,) if len(self.rolls) < 4 else ()

    def worth(self) -> tuple[float, ...]:
        guess = derived("guess", *self.rolls) % 1_001 / 250 - 2
        return (guess, -guess)


class RankedGame(DicingGame):
    worth_is_rank = True

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
        return Ranked().play({}, chance)


def test_luck_in_the_unit_of_ranks_has_a_bound_and_still_a_mean_of_0() -> None:
    lucks = []
    for dice in product(range(1, 4), repeat=4):
        game, chance = RankedGame(), Given(*dice)
        meter = LuckMeter(Rules(game, game.options()), 2, (1,))
        state, _ = meter.start(game.options(), 2, chance)
        while state.to_act():
            state, _ = meter.play(state, {1: "go"}, chance)
        assert meter.draws == 4
        lucks.append(meter.luck[0])
    assert 0.5 < max(map(abs, lucks)) <= MOST_LUCK
    assert sum(lucks) == pytest.approx(0, abs=1e-4)


def test_luck_in_the_unit_of_ranks_leaves_out_draws_with_too_many_outcomes() -> None:
    class Wheel(Dicing, frozen=True):
        def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
            return Dicing((chance.roll("wheel", self.rolls[0]), 1)), ()

        def worth(self) -> tuple[float, ...]:
            return (self.rolls[0] / 1000, 0.0)

    class WheelGame(DicingGame):
        worth_is_rank = True

        def __init__(self, outcomes: int) -> None:
            self.outcomes = outcomes

        def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
            state, told = Wheel((self.outcomes,)).play({}, chance)
            return Wheel(state.rolls), told

    assert luck(WheelGame(64), Given(64)).luck[0] == pytest.approx(0.0315)
    assert luck(WheelGame(65), Given(65)).luck[0] == 0


def test_without_a_guess_positions_are_played_out_and_good_dice_are_luck() -> None:
    first, second = luck(DicingGame(guessing=False), Given(6, 1)).luck
    assert first > 0 > second


def test_a_stream_that_the_plan_fixes_is_no_luck() -> None:
    assert luck(DicingGame(), Scripted({"die": 6}, Given(3)), script={"die": 6}).luck == (0.5, -0.5)


def test_a_weighted_draw_is_compared_by_its_weights() -> None:
    class Picking(Dicing, frozen=True):
        def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
            return Dicing((chance.pick("who", [0.75, 0.25, 0]), 0)), ()

    class PickingGame(DicingGame):
        def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
            return Picking().play({}, chance)

    assert luck(PickingGame(), Given(2)).luck == (0.75, -0.75)
    assert luck(PickingGame(), Given(1)).luck == (-0.25, 0.25)


def test_the_order_of_two_cards_is_compared_with_both_orders() -> None:
    class Shuffling(Dicing, frozen=True):
        def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
            return Dicing(chance.shuffle("deck", (1, 5))), ()

    class ShufflingGame(DicingGame):
        def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
            return Shuffling().play({}, chance)

    assert luck(ShufflingGame(), Given((5, 1))).luck == (4.0, -4.0)


def test_a_shuffle_of_many_cards_is_drawn_again_the_same_way_each_time() -> None:
    game = find("sevens")
    found = [luck(game, Seeded(8), seed).luck for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    lucks = [luck(game, Seeded(derived("deal", seed)), seed).luck[0] for seed in range(60)]
    error = (sum(each * each for each in lucks) / 60**2) ** 0.5
    assert abs(sum(lucks) / 60) < 3 * error


SCRIPTED = {"dice": (1, 2, 6, 4)}
"""Options of Evil Squash that leave nothing to chance."""


def test_a_match_without_a_draw_has_no_luck() -> None:
    game = find("squash")
    meter = LuckMeter(Rules(game, game.options()), 2, (1,))
    meter.start(game.options(**SCRIPTED), 2, UNUSED)
    assert meter.luck == ()


@pytest.mark.parametrize(
    ("name", "options", "found"), [("squash", {}, True), ("squash", SCRIPTED, False), ("sevens", {}, True)]
)
def test_random_moves_show_whether_a_game_has_chance(name: str, options: dict[str, Any], found: bool) -> None:
    game = find(name)
    assert has_chance(Rules(game, game.options(**options)), 2) == found


def test_streams_that_the_plan_fixes_are_no_chance() -> None:
    class Once(Dicing, frozen=True):
        def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
            return Dicing((chance.roll("die", 6), 1)), ()

    class OnceGame(DicingGame):
        def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
            return Once().play({}, chance)

    once, twice = (Rules(game, game.options(), script={"die": 6}) for game in (OnceGame(), DicingGame()))
    assert not has_chance(once, 2)
    assert has_chance(twice, 2), "the plan fixes only the first value of a stream"


def test_the_number_of_outcomes_that_are_compared_does_not_depend_on_the_outcome() -> None:
    """This game does not say the worth of a position after a number above 10. If fewer outcomes were compared
    after such a number, the mean of the luck of all outcomes would not be 0."""

    class Wheel(Dicing, frozen=True):
        def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Dicing, Events]:
            first = chance.roll("wheel", 20)
            return Wheel((first, 0)), ()

        def worth(self) -> tuple[float, ...]:
            return () if self.rolls[0] > 10 else super().worth()

    class WheelGame(DicingGame):
        def start(self, options: Any, seats: int, chance: Chance) -> tuple[Dicing, Events]:
            return Wheel().play({}, chance)

    lucks = [luck(WheelGame(), Given(value)).luck[0] for value in range(1, 21)]
    assert sum(lucks) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ["sevens", "squadron", "biplane", "stratego", "squash"])
def test_each_game_says_what_its_positions_are_worth(name: str) -> None:
    game = find(name)
    options = game.options(**game.brief)
    meter, chance, mover = LuckMeter(Rules(game, options), 2, (1,)), Seeded(1), Seeded(2)
    state, _ = meter.start(options, 2, chance)
    while acting := state.to_act():
        assert len(state.worth()) == 2 or name == "stratego", "else it is played out, which takes long"
        moves = {seat: state.some(seat, 1, mover, "move")[0] for seat in acting}
        state, _ = meter.play(state, moves, chance)
    assert len(meter.luck) == 2


# -- in the referee --------------------------------------------------------------------------------


def squash(luck_off: bool) -> tuple[Referee, list[Record]]:
    """Plays a match of Evil Squash in which all seats always squash. Returns the referee and the records."""
    game = find("squash")
    terms = Terms(Rules(game, game.options(), luck_off=luck_off), 2, seeds=(4, 5), names=("a", "b"))
    records: list[Record] = [Match("1.1.1.1", ("a", "b"), (4, 5), ("", ""))]
    referee = Referee(terms, Seeded(9), records.append)
    steps, answer = referee.questions(), None
    try:
        while True:
            step = steps.send(answer)
            said = "ready" if isinstance(step, Ask) and step.line.startswith("new") else "land squash"
            answer = Reply(said) if isinstance(step, Ask) else None
            assert isinstance(step, Ask | Audit) or answer is None
    except StopIteration:
        return referee, records


def test_the_referee_measures_luck_only_if_the_rules_say_so() -> None:
    plain, records = squash(luck_off=False)
    measured, same = squash(luck_off=True)
    assert plain.luck == ()
    assert records == same, "luck must not change what is drawn"
    assert measured.luck[0] == pytest.approx(-measured.luck[1])
    assert measured.luck[0] != 0


def test_a_second_judgement_has_the_same_luck() -> None:
    measured, records = squash(luck_off=True)
    game = find("squash")
    lines = LogLines(enumerate(records, start=1))  # type: ignore[arg-type]
    _, brief = rejudge(lines, Rules(game, game.options(), luck_off=True), None, 1)
    assert brief.luck == measured.luck
