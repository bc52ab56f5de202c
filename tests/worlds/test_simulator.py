"""Tests that the matches of the simulator are the same as those of the referee."""

from __future__ import annotations

from pathlib import Path

import pytest

import harness
from harness.chance import Seeded, derived
from harness.cli.workspace import TEMPLATES
from harness.errors import InputError
from harness.events import Event
from harness.protocol import Wants
from harness.protocol.function_bot import FunctionBot, FunctionTurn
from harness.testing import at_random, play_out
from harness.testing.playing import heard

TINY = str(TEMPLATES / "game" / "tiny.py")


@pytest.mark.parametrize("game", ["sevens", "squash", "squadron", "biplane", "stratego", TINY])
def test_a_match_is_that_of_the_referee_with_the_same_seed_and_moves(game: str) -> None:
    rules = harness.find_game(game)
    env = harness.env(game, options=rules.brief)
    done = play_out(env.game, env.options, env.seats, seed=5)
    env.reset(5)
    movers = Seeded(derived(5, "movers"))
    heard: dict[int, list[str]] = {seat: [] for seat in range(1, env.seats + 1)}
    while (seat := env.seat) is not None:
        heard[seat] += env.heard(seat)
        assert env.question()
        env.step(at_random(env.state, seat, movers))
    assert env.outcome == done.outcome
    assert env.scores == done.outcome.scores
    for seat, lines in heard.items():
        told = [one for one in done.records if isinstance(one, Event) and (one.to is None or seat in one.to)]
        assert [*lines, *env.heard(seat)] == [event.line for event in told]
        assert env.heard(seat) == []


def test_legal_moves_can_be_played_and_others_say_why_not() -> None:
    env = harness.env("sevens", seats=2)
    env.reset(1)
    moves = env.legal()
    assert moves == [*env.state.legal(1)]
    with pytest.raises(ValueError, match=r"^seat 1: "):
        env.step("play nonsense")
    assert env.seat == 1
    env.step(moves[0])
    assert env.heard(2)


@pytest.mark.parametrize("game", ["sevens", "biplane", TINY])
def test_a_turn_is_what_a_function_gets_as_a_bot(game: str) -> None:
    rules = harness.find_game(game)
    env = harness.env(game, options=rules.brief)
    env.reset(5)
    movers = Seeded(derived(5, "movers"))
    turns: dict[int, list[FunctionTurn]] = {seat: [] for seat in range(1, env.seats + 1)}
    while (seat := env.seat) is not None:
        turns[seat].append(env.turn())
        env.step(at_random(env.state, seat, movers))
    for seat, simulated in turns.items():
        asked: list[FunctionTurn] = []
        bot = FunctionBot(lambda turn, asked=asked: asked.append(turn) or turn.legal[0])  # type: ignore[misc]
        for line in rules.announce(env.options):
            bot.answer(f"option {line}")
        bot.answer(f"new 2 {seat} {env.seats} {simulated[0].seed}")
        for line in heard(rules, env.options, seat, env.seats, 5, wants=Wants(legal=True, state=True)):
            if line.startswith("< "):
                bot.answer(line[2:])
        assert simulated
        assert {turn.match for turn in simulated} == {2}, "the one that `env` began is the first"
        assert simulated == asked


def test_a_turn_has_the_options_as_a_bot_reads_them() -> None:
    env = harness.env("squash", options={"turns": 300})
    env.reset(3)
    options = env.turn().options
    assert (options["turns"], options["board"]) == ("300", "64 8")


def test_a_file_of_an_option_is_read_once_at_the_start(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    board.write_text('{"squares": 30, "columns": 6, "arrows": [{"base": 4, "to": 15, "colour": "green"}]}')
    env = harness.env("squash", options={"board": str(board)})
    board.unlink()
    env.reset(1)
    assert {"board 30 6", "arrow 4 15"} <= {*env.game.announce(env.options)}


def test_the_seed_of_a_turn_is_another_one_in_each_match_and_seat() -> None:
    env = harness.env(TINY)
    seeds = set()
    for match in (1, 2, 2):
        env.reset(match)
        seeds.add(env.turn().seed)
        env.step(env.legal()[0])
        seeds.add(env.turn().seed)
    assert len(seeds) == 4


def test_of_a_long_list_there_is_a_sample() -> None:
    env = harness.env("stratego")
    env.reset(1)
    assert 1 <= len(env.legal()) <= 256
    first = env.legal()[0]
    env.step(first)
    assert env.seat == 2
    assert "army" not in " ".join(env.heard(2))


def test_when_the_match_is_over_nobody_acts() -> None:
    env = harness.env(TINY, options={"rounds": 1})
    env.reset(3)
    while env.seat:
        env.step(env.legal()[0])
    with pytest.raises(ValueError, match="the match is over; `reset` begins another"):
        env.step("bid 0")
    env.reset(3)
    assert env.legal()


@pytest.mark.parametrize(
    ("game", "more", "words"),
    [
        ("sevnes", {}, "did you mean 'sevens'"),
        ("sevens", {"seats": 99}, "from 2 to 9 seats, not 99"),
        ("squash", {"options": {"varient": "cards"}}, "options: Object contains unknown field `varient`"),
    ],
)
def test_what_does_not_fit_is_an_error_with_the_reason(
    game: str, more: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        harness.env(game, **more)  # type: ignore[arg-type]
