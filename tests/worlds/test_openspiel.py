"""Tests the games of OpenSpiel: matches with our referee have the same scores as in OpenSpiel itself."""

from __future__ import annotations

import re
from pathlib import Path

import pyspiel
import pytest

from harness.chance import Seeded
from harness.errors import InputError
from harness.games import find, is_path
from harness.model import Illegal, Malformed
from harness.testing import assert_conforms, play_out
from harness.worlds import openspiel
from tests.cli.door import STARTER, harness, typed
from tests.report import played
from tests.worlds.openspiel_games import LONGEST_BLOCK, LONGEST_LINE, compared, names

SOME = (
    "kuhn_poker(players=3)",  # chance and hidden cards
    "leduc_poker",
    "connect_four",  # nothing is hidden
    "backgammon",  # dice
    "goofspiel",  # seats that act together
    "matrix_rps",
    "tarok",  # a generator of its own
    "laser_tag",  # rewards on the way
    "hanabi",
    "hearts",  # no observation, only an information state
)


@pytest.mark.parametrize("call", SOME)
def test_a_match_has_the_returns_of_openspiel(call: str) -> None:
    match = compared(call, 1)
    assert match.turns
    assert match.ours == pytest.approx(match.theirs)
    assert match.line < LONGEST_LINE
    assert match.view < LONGEST_BLOCK


@pytest.mark.soak
@pytest.mark.parametrize("call", names())
def test_a_match_of_every_game_has_the_returns_of_openspiel(call: str) -> None:
    for seed in range(1, 4):
        match = compared(call, seed)
        assert match.ours == pytest.approx(match.theirs)
        assert match.line < LONGEST_LINE
        assert match.view < LONGEST_BLOCK


@pytest.mark.parametrize("call", ["kuhn_poker(players=3)", "goofspiel", "tarok"])
def test_a_game_keeps_the_laws_and_its_secrets_need_no_test(call: str) -> None:
    assert_conforms(find(f"openspiel:{call}"), matches=2, untested=["hidden"])


def test_a_die_that_openspiel_does_not_show_is_in_the_view_and_in_the_text() -> None:
    game = find("openspiel:einstein_wurfelt_nicht")
    assert_conforms(game, matches=2)
    state, told = game.start(None, 2, Seeded(1))
    die = told[-1].line
    assert die.startswith("chance ")
    for seat in (1, 2):
        assert state.view(seat)[-1] == state.text(seat).splitlines()[-1] == die
    backgammon, _ = find("openspiel:backgammon").start(None, 2, Seeded(1))
    assert not any(line.startswith("chance") for line in backgammon.view(1))


@pytest.mark.soak
@pytest.mark.parametrize("call", names())
def test_every_game_keeps_the_laws(call: str) -> None:
    """OpenSpiel cannot draw another position that looks the same to a seat, so the law `hidden` is not
    tested."""
    assert_conforms(find(f"openspiel:{call}"), matches=1, untested=["hidden"])


def test_the_page_names_every_game_that_does_not_go() -> None:
    page = Path(openspiel.__file__).with_suffix(".md").read_text()
    table = page.partition("## Games that are not supported")[2].partition("\n## ")[0]
    named = [
        name for row in re.findall(r"^\| (`.*?) \|", table, re.M) for name in re.findall(r"`(\w+)`", row)
    ]
    every = {kind.short_name for kind in pyspiel.registered_games()}
    assert sorted(named) == sorted(every - {*names()})
    assert f"has {len(every)} games. A plan can name {len(names())} of them" in table


def test_the_seed_decides_a_game_that_has_a_generator_of_its_own() -> None:
    game = find("openspiel:negotiation")
    matches = [play_out(game, seed=seed).records for seed in (1, 1, 2)]
    assert matches[0] == matches[1] != matches[2]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("openspiel:leduk_poker", "OpenSpiel has no game 'leduk_poker': did you mean 'leduc_poker'"),
        ("openspiel:leduc_poker(players=99)", r"cannot load 'leduc_poker\(players=99\)'"),
        ("openspiel:leduc_poker(players=99)", r"load .*: num_players_ <= kGameType.max_num_players, num_"),
        ("openspiel:leduc_poker(players=2)\nbye", "expected NAME.PARAMETERS. of at most 200 printable"),
        (
            f"openspiel:{'misere(game=' * 99}tic_tac_toe(){')' * 99}",
            "^game '.{,99}: expected NAME.PARAMETERS. of at",
        ),
        ("openspiel:go(board_size=99)", r"cannot begin 'go\(board_size=99\)': The current Go implementation"),
        ("openspiel:hex(board_size=0)", r"cannot begin 'hex\(board_size=0\)': "),
        ("openspiel:hex(board_size=150)", r"cannot begin 'hex\(board_size=150\)': .* can't decode byte"),
        ("openspiel:hanabi(players=9)", r"cannot begin 'hanabi\(players=9\)': it ended with SIGABRT: Input"),
        ("openspiel:efg_game", "cannot load 'efg_game': "),
        ("openspiel:2048", "has one player"),
        ("openspiel:pathfinding(players=2)", "has one player"),  # Its default grid has one player.
        ("openspiel:", "OpenSpiel has no game ''"),
        ("openspeil:leduc_poker", "'openspeil:leduc_poker': did you mean 'openspiel:leduc_poker'"),
        ("baduk:go", "no game is called 'baduk:go': there are biplane, .*, openspiel:NAME, pettingzoo:NAME$"),
    ],
)
def test_a_name_that_is_no_game_is_an_error_with_the_reason(
    name: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=words):
        find(name)
    assert capfd.readouterr() == ("", ""), "the library prints nothing of its own"


def test_a_game_that_does_not_begin_in_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.worlds.openspiel.SECONDS", 0.001)
    with pytest.raises(InputError, match=r"cannot begin 'go\(board_size=5\)' within 0.001 s"):
        find("openspiel:go(board_size=5)")


def test_a_game_whose_positions_are_too_long_is_an_error() -> None:
    words = r"the first position of 'dots.*' has 147,049 characters; a match allows at most 100,000"
    with pytest.raises(InputError, match=words):
        find("openspiel:dots_and_boxes(num_rows=3000)")


def test_a_parameter_may_be_a_path() -> None:
    assert not is_path("openspiel:efg_game(filename=games/kuhn.efg)")
    assert is_path("games/tiny.py")


def test_an_answer_is_the_number_of_an_action_or_the_whole_line() -> None:
    state, _ = find("openspiel:tic_tac_toe").start(None, 2, Seeded(1))
    assert state.check(1, "act 4") == state.check(1, "act 4 x(1,1)") == "act 4 x(1,1)"
    assert state.check(1, "act 9") == Illegal("action 9 is not legal now")
    assert isinstance(state.check(1, "act 4 x(0,0)"), Malformed)
    assert isinstance(state.check(1, "act 04"), Malformed)


def test_a_record_is_verified_and_shown_in_a_report(tmp_path: object) -> None:
    logs = played.write(tmp_path, "openspiel:kuhn_poker(players=3)", 3)  # type: ignore[arg-type]
    assert harness("report", logs).exit_code == 0
    told = harness("show", logs, "1")
    assert told.exit_code == 0
    assert "act 1 Bet" in told.stdout or "act 0 Pass" in told.stdout


def test_a_person_reads_the_present_observation_once() -> None:
    ended = typed("#2\n" * 9, "play", "openspiel:leduc_poker", STARTER, "human", "--seed", "1")
    assert ended.returncode == 0
    before_question = ended.stdout.split("You are asked")[0]
    assert before_question.count("[Private: ") == len(set(before_question.split("\n\n")[1:-1]))
