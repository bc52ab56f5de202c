"""Tests environments of PettingZoo: matches with our referee give the same rewards as PettingZoo itself."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pettingzoo
import pytest

from harness.chance import Seeded
from harness.errors import InputError
from harness.events import Drawn, Result, Turn
from harness.games import find
from harness.model import Illegal, Malformed
from harness.testing import assert_conforms, play_out
from harness.worlds.pettingzoo import OPEN
from tests.cli.door import harness
from tests.report import played

CALLS = (
    "connect_four",
    "go(board_size=5)",
    "hanabi",
    "leduc_holdem",
    "rps(max_cycles=4)",
    "texas_holdem(num_players=3)",
    "texas_holdem_no_limit",
    "tictactoe",
)
SLOW = ("chess",)
NAMES = sorted(each.name for each in pettingzoo.aec_registry.values() if each.id.startswith("classic/"))


def rewards(call: str, seed: int, actions: list[int]) -> list[float]:
    """The sums of the rewards that the agents get for these actions in PettingZoo's own loop."""
    name, _, written = call.partition("(")
    parameters: dict[str, Any] = eval(f"dict({written.rstrip(')')})")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pettingzoo.make("aec", f"classic/{name}", **parameters)
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        total[agent] += float(reward)
        env.step(None if terminated or truncated else actions.pop(0))
    assert not actions
    return [*total.values()]


def test_every_classic_environment_is_played() -> None:
    assert sorted(call.partition("(")[0] for call in (*CALLS, *SLOW)) == NAMES


@pytest.mark.parametrize("call", CALLS)
def test_a_match_has_the_rewards_of_pettingzoo(call: str) -> None:
    done = play_out(find(f"pettingzoo:{call}"), seed=1)
    [drawn] = [record for record in done.records if isinstance(record, Drawn)]
    said = [record.said or "" for record in done.records if isinstance(record, Turn)]
    actions = [int(text.removeprefix("act ")) for text in said if text != "ready"]
    assert isinstance(drawn.value, int)
    assert [*done.outcome.scores] == pytest.approx(rewards(call, drawn.value, actions))


def test_an_open_position_is_drawn_once_for_all() -> None:
    state, _ = find("pettingzoo:connect_four").start(None, 2, Seeded(1))
    assert state.text() == state.text(1)
    hidden, _ = find("pettingzoo:texas_holdem").start(None, 2, Seeded(1))
    assert "seat 1 sees" in hidden.text()
    assert "seat 2 sees" in hidden.text()


@pytest.mark.soak
@pytest.mark.parametrize("call", [*CALLS, *SLOW])
def test_every_environment_keeps_the_laws(call: str) -> None:
    test_a_match_has_the_rewards_of_pettingzoo(call)
    assert_conforms(find(f"pettingzoo:{call}"), matches=1, untested=["hidden"])


@pytest.mark.parametrize("call", ["tictactoe", "texas_holdem(num_players=3)"])
def test_an_environment_keeps_the_laws_and_its_secrets_need_no_test(call: str) -> None:
    assert_conforms(find(f"pettingzoo:{call}"), matches=1, untested=["hidden"])


@pytest.mark.parametrize("call", sorted(OPEN))
def test_a_copied_table_goes_on_as_the_first(call: str) -> None:
    state, _ = find(f"pettingzoo:{call}").start(None, 2, Seeded(1))
    luck, table = Random(1), state.here  # type: ignore[attr-defined]
    for _ in range(4):
        table.act(luck.choice(table.legal()))
    before, twin = table.seen(1), table.twin()
    while table.seat and luck.random() < 0.95:
        assert (twin.seat, twin.legal()) == (table.seat, table.legal())
        action = luck.choice(table.legal())
        table.act(action)
        assert np.array_equal(twin.seen(1), before)
        twin.act(action)
        before = twin.seen(1)
        assert np.array_equal(before, table.seen(1))
    assert twin.earned == table.earned


def test_lines_have_the_numbers_of_the_observation() -> None:
    state, told = find("pettingzoo:hanabi").start(None, 2, Seeded(1))
    for seat in (1, 2):
        words = " ".join(event.line.removeprefix("sees ") for event in told if event.to == (seat,))
        assert np.array_equal([float(word) for word in words.split()], state.here.seen(seat))  # type: ignore[attr-defined]
        assert state.view(seat) == tuple(event.line for event in told if event.to == (seat,))


def test_where_nothing_is_hidden_the_actions_are_told() -> None:
    state, told = find("pettingzoo:tictactoe").start(None, 2, Seeded(1))
    assert told == ()
    after, told = state.play({1: "act 4"}, Seeded(1))
    assert [event.line for event in told] == ["played 1 4"]
    assert after.check(2, "act 4") == Illegal("action 4 is not legal now")
    assert after.check(2, "act 5") == "act 5"
    assert isinstance(after.check(2, "act 05"), Malformed)
    assert after.text(2) == "seat 2 sees\n. . .\n. 2 .\n. . ."


def test_chess_is_drawn_as_a_board() -> None:
    state, _ = find("pettingzoo:chess").start(None, 2, Seeded(1))
    assert state.text(1).startswith("r n b q k b n r\n")


def test_the_other_player_does_not_see_what_is_played_at_the_same_time() -> None:
    state, _ = find("pettingzoo:rps").start(None, 2, Seeded(1))
    assert len({state.play({1: f"act {action}"}, Seeded(1))[1] for action in range(3)}) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("conect_four", "no classic environment 'conect_four': did you mean 'connect_four'"),
        ("connect_four-v2", "this PettingZoo has version 3 of connect_four, not 2"),
        ("connect_four(1)", "expected NAME"),
        ("connect_four(a(1)", "expected NAME"),
        ("connect_four(size=9)", r"cannot make 'connect_four\(size=9\)': .*size"),
        ("connect_four(size=len)", "with plain values"),
        ("connect_four(size='\n')", "expected NAME.PARAMETERS. of at most 200 printable"),
        ("connect_four(render_mode='human')", "has a render_mode; leave it out"),
        ("texas_holdem(num_players=30)", r"texas_holdem has 2 to 23 players, not 30: there are 52 cards"),
        ("texas_holdem_no_limit(num_players=24)", r"texas_holdem_no_limit has 2 to 23 players, not 24"),
        ("texas_holdem(num_players=-1)", r"cannot (make|begin) 'texas_holdem\(num_players=-1\)': "),
        ("", "no classic environment ''"),
    ],
)
def test_a_name_that_is_no_environment_is_an_error_with_the_reason(call: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        find(f"pettingzoo:{call}")


def test_the_cards_are_enough_for_the_largest_table() -> None:
    game = find("pettingzoo:texas_holdem_no_limit(num_players=23)")
    done = play_out(game, None, seed=1, choose=lambda state, seat, _: [*state.legal(seat)][1])
    assert isinstance(done.records[-1], Result)


def test_a_record_is_shown_in_a_report(tmp_path: Path) -> None:
    logs = played.write(tmp_path, "pettingzoo:leduc_holdem")
    assert harness("report", logs).exit_code == 0
    assert "36 numbers, all 0 except at these places" in harness("show", logs, "1").stdout
