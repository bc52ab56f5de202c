"""Tests the rungs that come with games: they are complete, in order, and rate the present sparring bots."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness import games
from harness.cli.workspace import house_bots
from harness.config import read_bot
from harness.config.sparring import is_sparring, play_outs_of
from harness.errors import InputError
from harness.sparring import rungs as shipped_rungs
from harness.sparring.rungs import Rungs, digest_of_moves, kept
from tests.cli.door import harness

SHIPPED = ("biplane", "sevens", "squadron", "squash", "stratego")


def shipped(name: str) -> Rungs:
    found = kept(name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_ships_sparring_bots_and_its_house_bots(name: str) -> None:
    ladder = shipped(name)
    assert (ladder.game, ladder.version) == (name, games.find(name).version)
    bots = [each.bot for each in ladder.rungs]
    house = {read_bot(Path(home)).name for home in house_bots(name)}
    assert sum(map(is_sparring, bots)) == 8
    assert {bot for bot in bots if not is_sparring(bot)} == house


@pytest.mark.parametrize("name", SHIPPED)
def test_the_rungs_are_in_order_and_more_play_outs_stand_higher(name: str) -> None:
    ladder = shipped(name)
    averages = [each.average_rank for each in ladder.rungs]
    budgets = [play_outs_of([each.bot]) for each in ladder.rungs if is_sparring(each.bot)]
    assert [each.rung for each in ladder.rungs] == list(range(1, len(averages) + 1))
    assert averages == sorted(averages, reverse=True)
    assert budgets == sorted(budgets)


@pytest.mark.parametrize("name", SHIPPED)
def test_sparring_bots_are_told_apart_from_the_next_weaker_one(name: str) -> None:
    weakest, *others = [each for each in shipped(name).rungs if is_sparring(each.bot)]
    assert not weakest.apart
    assert all(each.apart for each in others)


@pytest.mark.parametrize("name", SHIPPED)
def test_sparring_bots_play_as_when_they_were_rated(name: str) -> None:
    """If a change of their play is intended, rate sparring bots again with `harness rungs GAME --keep`."""
    ladder = shipped(name)
    assert digest_of_moves(games.find(name), ladder.seats, ladder.options) == ladder.moves


def test_another_option_gives_another_digest() -> None:
    game = games.find("sevens")
    digests = {digest_of_moves(game, 2, {}), digest_of_moves(game, 2, {"parameters": "T0"})}
    assert len(digests) == 2


def test_a_game_without_a_ladder_ships_none() -> None:
    assert kept("dilemma") is None


def test_a_file_that_is_no_ladder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / shipped_rungs.FILE).write_text("{}")
    with pytest.raises(InputError, match="this is not a ladder: "):
        kept(str(tmp_path / "own"))


@pytest.mark.soak
@pytest.mark.parametrize("name", SHIPPED)
def test_the_ends_of_a_ladder_keep_their_order_when_they_play_again(name: str, tmp_path: Path) -> None:
    ladder = shipped(name)
    budgets = [play_outs_of([each.bot]) for each in ladder.rungs if is_sparring(each.bot)]
    words = [f"--option={key}={value}" for key, value in ladder.options.items()]
    words += [f"--play-outs={number}" for number in (budgets[0], budgets[-1])]
    told = harness("rungs", name, *words, "--meet", "8", "--logs", tmp_path, "--json")
    again = [each["bot"] for each in msgspec.json.decode(told.stdout) if is_sparring(each["bot"])]
    assert name == "squash" or again == [f"spar:{budgets[0]}", f"spar:{budgets[-1]}"]
