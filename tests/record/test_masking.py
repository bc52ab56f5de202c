"""Tests masked names: one mask for each name, which reveals nothing about it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harness.config import FrozenBot
from harness.errors import InputError
from harness.record.mask_key import KEY, mask_of, mask_of_season
from harness.record.masking import Mask, unmasked
from harness.record.run_folder import plan_of
from harness.record.team_names import TeamNames
from tests.cli import logs

TEAMS = ("anna", "bert", "carl", "anna & bert")
SECRET = "0123456789abcdef"


def test_each_team_has_a_mask_of_its_own() -> None:
    mask = Mask(TEAMS, SECRET)
    assert len({mask.name(team) for team in TEAMS}) == len(TEAMS)
    assert all(mask.name(team).startswith("team-") for team in TEAMS)


def test_a_mask_stays_the_same_whoever_else_plays_and_in_whatever_order() -> None:
    assert Mask(TEAMS, SECRET).name("bert") == Mask(("zoe", "bert"), SECRET).name("bert")


def test_another_key_gives_other_masks() -> None:
    assert Mask(TEAMS, SECRET).name("anna") != Mask(TEAMS, SECRET + "!").name("anna")


def test_bots_of_the_house_keep_their_names() -> None:
    mask = Mask(TEAMS, SECRET, clear=("carl", "nobody"))
    assert mask.name("carl") == "carl"
    assert mask.table["anna"] != "anna"


def test_a_name_that_is_not_known_is_an_error() -> None:
    with pytest.raises(KeyError):
        Mask(TEAMS, SECRET).name("zoe")


def test_names_in_a_text_are_masked_where_they_are_words_and_the_longest_first() -> None:
    mask = Mask(TEAMS, SECRET, clear=("carl",))
    told = mask.text("anna beat bert and carl; susanna met (anna & bert)")
    anna, bert, both = map(mask.name, ("anna", "bert", "anna & bert"))
    assert told == f"{anna} beat {bert} and carl; susanna met ({both})"


def test_without_names_a_text_stays() -> None:
    assert Mask((), SECRET).text("anna") == "anna"


def test_a_mask_that_hides_nothing_gives_every_name_back() -> None:
    assert [unmasked(TEAMS).name(team) for team in TEAMS] == list(TEAMS)
    assert unmasked(TEAMS).text("anna") == "anna"


def test_masks_that_would_be_one_grow_until_they_differ() -> None:
    many = [f"t{number}" for number in range(3_000)]
    mask = Mask(many, SECRET)
    assert len(set(mask.table.values())) == len(many)
    assert len(mask.name("t7")) > len(Mask(["t7"], SECRET).name("t7"))


@given(st.sets(st.text(min_size=1, max_size=40), max_size=12))
def test_any_name_is_masked_by_itself_and_in_a_text(names: set[str]) -> None:
    mask = Mask(names, SECRET)
    assert all(mask.text(name) == mask.name(name) != name for name in names)


def test_the_key_is_made_once_private_and_says_who_is_who(tmp_path: Path) -> None:
    folder = logs.write(tmp_path)
    mask = mask_of(folder, plan_of(folder))
    path = folder / KEY
    assert path.stat().st_mode & 0o077 == 0
    assert json.loads(path.read_text())["names"] == {mask.name(bot): bot for bot in logs.BOTS}
    assert dict(mask_of(folder, plan_of(folder)).table) == dict(mask.table)


def test_in_the_record_of_a_league_the_bots_of_its_key_house_keep_their_names(tmp_path: Path) -> None:
    house = (
        'deadline = 2026-12-01T23:59:00+01:00\nhouse = ["bots/tiny/*", {path = "spar:4", name = "rung 3"}]\n'
    )
    bots = {"greedy": "bots/tiny/greedy", "rung 3": "spar:4", "anna": "entries/anna/1/files"}
    frozen = tuple(FrozenBot(name, path, "", ("true",), (), "") for name, path in bots.items())
    folder = logs.write(tmp_path)
    plan = replace(plan_of(folder), bots=frozen)
    league = mask_of(folder, replace(plan, text=house))
    assert [league.name(bot) == bot for bot in bots] == [True, True, False]
    plain = mask_of(folder, replace(plan, text=f'bots = ["bots/tiny/greedy"]\n{house}'))
    assert not any(plain.name(bot) == bot for bot in bots)


def test_a_team_has_a_mask_in_a_season_also_if_a_house_bot_once_had_its_name(tmp_path: Path) -> None:
    folder = logs.write(tmp_path)
    weeks = [{"anna": "bots/tiny/greedy"}, {"anna": "entries/anna/1/files", "greedy": "bots/tiny/greedy"}]
    plans = [
        replace(
            plan_of(folder),
            text='house = ["bots/tiny/greedy"]',
            bots=tuple(FrozenBot(name, path, "", ("true",), (), "") for name, path in week.items()),
        )
        for week in weeks
    ]
    mask = mask_of_season([folder, folder], plans)
    assert [mask.name(bot) == bot for bot in ("anna", "greedy")] == [False, True]


@pytest.mark.parametrize("text", ["", "{}", '{"secret": 7}', '{"secret": "short"}'])
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, text: str) -> None:
    folder = logs.write(tmp_path)
    (folder / KEY).write_text(text)
    with pytest.raises(InputError, match=KEY):
        mask_of(folder, plan_of(folder))


def test_a_renamed_team_keeps_its_mask_and_shows_its_present_name() -> None:
    renamed = TeamNames([("anna", "ada")])
    assert Mask(("ada", "bert"), SECRET, teams=renamed).name("ada") == Mask(TEAMS, SECRET).name("anna")
    clear = unmasked(("anna", "anna@2", "bert"), renamed)
    assert [clear.name(name) for name in ("anna", "anna@2", "bert")] == ["ada", "ada@2", "bert"]
    assert clear.text("anna lost to bert") == "ada lost to bert"
