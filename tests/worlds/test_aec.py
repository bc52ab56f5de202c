"""Runs PettingZoo's own tests on our games, which harness offers as environments of PettingZoo."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import harness
from harness.cli.workspace import TEMPLATES

TINY = str(TEMPLATES / "game" / "tiny.py")
GAMES = ("sevens", "squash", "squadron", "biplane", "stratego")
SIDES = ["land bounce", "land squash"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_passes_the_tests_of_pettingzoo(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    def made() -> Any:
        return harness.aec_env(game, options=harness.find_game(game).brief)

    with warnings.catch_warnings():
        # PettingZoo's tests warn of an old name that they import, and of observations that are dicts.
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test, seed_test

        api_test(made(), num_cycles=40)
        seed_test(made, num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("reward", ["rank", "score"])
def test_rewards_are_those_of_the_match(reward: Any) -> None:
    env = harness.aec_env("sevens", 3, reward=reward)
    env.reset(seed=4)
    total = dict.fromkeys(env.possible_agents, 0.0)
    before = env.match.scores
    for agent in env.agent_iter():
        seen, earned, over, _, _ = env.last()
        total[agent] += earned
        env.step(None if over else int(np.argmax(seen["action_mask"])))
    outcome = env.match.outcome
    assert outcome
    wanted = [now - was for now, was in zip(outcome.scores, before, strict=True)]
    assert [*total.values()] == (wanted if reward == "score" else [2 - rank for rank in outcome.ranks])


def test_an_action_is_a_place_in_the_list_of_legal_moves() -> None:
    env = harness.aec_env("sevens")
    env.reset(seed=1)
    first = env.agent_selection
    seen, _, _, _, info = env.last()
    assert seen["action_mask"].sum() == len(info["legal"])
    text = bytes(seen["observation"]).rstrip(b"\0").decode()
    assert tuple(text.split("\n")) == env.match.view(1)
    env.step(0)
    assert env.agent_selection != first
    assert env.infos[env.agent_selection]["heard"]
    with pytest.raises(ValueError, match="seat_2: action 255 is not legal now"):
        env.step(255)


def test_actions_and_features_can_be_your_own() -> None:
    env = harness.aec_env("squash", actions=SIDES, features=lambda lines: np.array([len(lines)], np.float32))
    env.reset(seed=2)
    seen = env.last()[0]
    assert env.action_space("seat_1").n == 2
    assert seen["observation"].tolist() == [len(env.match.view(1))]
    assert env.observation_space("seat_1").contains(seen)


def test_without_a_seed_each_match_is_another() -> None:
    def drawn() -> list[str]:
        env = harness.aec_env("sevens")
        texts = []
        for _ in range(3):
            env.reset()
            texts.append(env.render())
        env.close()
        return texts

    assert len(set(drawn())) == 3
    assert drawn() == drawn()


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match='reward is "rank" or "score"'):
        harness.aec_env(TINY, reward="points")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="none of your `actions` is legal now; legal moves are land bounce"):
        harness.aec_env("squash", actions=["land left"]).reset()
