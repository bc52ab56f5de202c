"""Tests what every game must do: how games are found, and the kit that checks them."""

import sys
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chance import Chance, Seeded
from harness.cli.templates.game.tiny import GAME as TINY_GAME
from harness.cli.templates.game.tiny import Tiny, TinyState
from harness.cli.workspace import TEMPLATES
from harness.errors import HarnessError, InputError
from harness.events import Fault
from harness.games import Game, Options, State, find, names, page_of
from harness.model import Illegal, Reply
from harness.testing import LAWS, assert_conforms, at_random, check, play_out
from harness.testing.ends import changeable
from tests.games.planted import FAULTS, Planted

TINY = TEMPLATES / "game" / "tiny.py"
MODULE = Tiny.__module__
MATCHES = 6
"""The number of matches that play Tiny twice with each number of seats."""


@pytest.mark.parametrize("name", names())
def test_a_game_has_the_name_of_its_file_and_a_page_beside_it(name: str) -> None:
    game = find(name)
    page = page_of(name)
    assert game.name == name
    assert page.read_text().startswith(f"# {game.title}\n")


def test_a_name_that_is_nearly_right_is_answered_with_the_right_one() -> None:
    with pytest.raises(InputError, match="no game is called 'sevnes': did you mean 'sevens'"):
        find("sevnes")


@pytest.mark.parametrize("title", ["Evil Squash", "SQUASH", "evil squash game"])
def test_the_title_of_a_game_is_answered_with_its_name(title: str) -> None:
    with pytest.raises(InputError, match="did you mean 'squash'"):
        find(title)


def test_a_name_that_is_nothing_like_a_game_is_answered_with_all_games() -> None:
    with pytest.raises(InputError, match=r"no game is called 'xyzzy': there are .*sevens"):
        find("xyzzy")


def test_a_game_is_found_by_the_path_of_its_file_without_any_edit_elsewhere() -> None:
    game = find(str(TINY))
    assert game.name == "tiny"
    assert "tiny" not in names()
    assert play_out(game).outcome.reason == "the end of the game"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (None, "no game here: no such file or folder"),
        ("GAME = (", "the game does not load: SyntaxError"),
        ("import harness_no_such_module", "the game does not load: ModuleNotFoundError"),
        ("GAME = 1 // 0", "the game does not load: ZeroDivisionError"),
        ("", "must define GAME"),
        ("GAME = 'sevens'", "must define GAME"),
        ("from harness.games.sevens import Sevens as GAME", "must define GAME"),
    ],
)
def test_a_file_that_holds_no_game_is_an_error_of_its_author(
    tmp_path: Path, source: str | None, words: str
) -> None:
    path = tmp_path / "broken.py"
    if source is not None:
        path.write_text(source)
    with pytest.raises(InputError, match=words) as error:
        find(str(path))
    assert error.value.where == str(path)


def test_a_game_of_several_files_is_found_by_the_path_of_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "rules.py").write_text(TINY.read_text())
    (folder / "__init__.py").write_text("from .rules import GAME\n")
    assert find(str(folder)).name == "tiny"


def test_each_of_two_folders_with_one_name_is_loaded_with_its_own_files(tmp_path: Path) -> None:
    for place, title in (("spring", "Tiny"), ("autumn", "Tiny Again")):
        folder = tmp_path / place / "tiny"
        folder.mkdir(parents=True)
        (folder / "rules.py").write_text(TINY.read_text().replace('title = "Tiny"', f'title = "{title}"'))
        (folder / "__init__.py").write_text("from .rules import GAME\n")
        assert find(str(folder)).title == title


def test_a_game_that_does_not_load_leaves_no_module_behind(tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    folder.mkdir()
    (folder / "rules.py").write_text("GAME = None\n")
    (folder / "__init__.py").write_text("from .rules import GAME\n1 // 0\n")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        find(str(folder))
    assert not [name for name in sys.modules if name.startswith("harness_game_torn")]


def test_a_folder_that_is_no_game_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no game here: no __init__\.py in this folder"):
        find(str(tmp_path))


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """Puts a package on Python's path that adds the game "guest"."""
    about = folder / "guest-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[harness.games]\nguest = {target}\n")
    monkeypatch.syspath_prepend(folder)


def test_another_package_adds_a_game_by_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, f"{MODULE}:GAME")
    assert "guest" in names()
    assert isinstance(find("guest"), Tiny)


@pytest.mark.parametrize("target", [f"{MODULE}:Tiny", f"{MODULE}:NONE", "harness_no_such:GAME"])
def test_an_entry_point_that_names_no_game_is_an_error_of_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    install(tmp_path, monkeypatch, target)
    with pytest.raises(InputError, match=f"game 'guest': the entry point '{target}'"):
        find("guest")


def test_when_faults_stopped_a_match_nothing_more_is_asked_or_played() -> None:
    state, _ = TINY_GAME.start(TINY_GAME.options(), 3, Seeded(1))
    stopped, told = state.forfeit((2,), Seeded(1))
    assert told == ()
    assert stopped.to_act() == ()
    assert list(stopped.legal(1)) == []
    assert stopped.check(1, "bid 0") == Illegal("the match is over")
    assert stopped.view(1) == state.view(1)
    assert stopped.text(1) == state.text(1)
    other = stopped.alike(1, Seeded(1))
    assert other is not None
    assert other.view(1) == state.view(1)
    with pytest.raises(LookupError):
        stopped.question(1)
    with pytest.raises(LookupError):
        stopped.play({1: "bid 0"}, Seeded(1))


class Choices(Options, frozen=True):
    """Options of each kind."""

    open: bool = True
    board: tuple[int, ...] = (3, 4)
    banned: tuple[str, ...] = ()
    cap: int = 50


def test_options_are_announced_in_plain_words() -> None:
    assert TINY_GAME.announce(Choices()) == ("open yes", "board 3 4", "banned none", "cap 50")
    assert TINY_GAME.announce(Choices(open=False))[0] == "open no"


# -- the kit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*names(), str(TINY)], ids=lambda name: Path(name).stem)
def test_a_game_of_the_house_passes(name: str) -> None:
    assert_conforms(find(name))


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_its_law(name: str) -> None:
    game, law, reason = FAULTS[name]
    found = {finding.law: finding.reason for finding in check(game, matches=MATCHES, most_turns=40)}
    assert reason in found.get(law, ""), found


def test_each_law_has_a_planted_fault() -> None:
    assert {fault.law for fault in FAULTS.values()} == {*LAWS, "game", "plays", "elsewhere"}


def test_a_finding_names_its_match() -> None:
    [finding] = check(FAULTS["Wide"].game, seats=3, matches=1, seed=5)
    assert str(finding) == (
        f"texts: the text for all is 81 columns wide: {'-' * 81!r} (3 seats, seed 5, turn 1)"
    )


def test_all_findings_stand_in_the_failed_assertion() -> None:
    with pytest.raises(AssertionError, match="81 columns wide"):
        assert_conforms(FAULTS["Wide"].game)


def test_the_kit_keeps_to_the_number_of_seats_it_is_given() -> None:
    assert [finding.seats for finding in check(FAULTS["Wide"].game, seats=4)] == [4]


class Brief(Tiny):
    """Tiny, but the kit is told to play brief matches of one round."""

    brief: ClassVar[dict[str, Any]] = {"rounds": 1}


def test_the_kit_plays_brief_matches_unless_it_is_given_options() -> None:
    assert check(Brief(), matches=1, most_turns=1) == []
    [finding] = check(Brief(), Brief.options(), matches=1, most_turns=1)
    assert finding.reason == "it has not ended after 1 turns"


def test_a_match_that_does_not_end_is_broken_off() -> None:
    endless: Game = FAULTS["Endless"].game
    with pytest.raises(HarnessError, match="has not ended after 50 questions"):
        play_out(endless, most_questions=50)


ERRORS = {
    "crash": Reply(None, failed="crash", why="the program ended"),
    "late": Reply("bid 0", us=10**9),
    "malformed": Reply("nonsense"),
}


@given(st.data(), st.sampled_from(["sevens", str(TINY)]), st.integers(0, 9))
def test_offenders_are_exactly_those_who_erred_and_they_are_last(
    data: st.DataObject, name: str, seed: int
) -> None:
    game = find(name)
    seats = data.draw(st.integers(*game.seats), "seats")
    errors = data.draw(st.dictionaries(st.integers(1, 20), st.sampled_from(sorted(ERRORS))), "errors")
    erred: list[tuple[int, str]] = []
    asked = 0

    def choose(state: State, seat: int, chance: Chance) -> str | Reply:
        nonlocal asked
        asked += 1
        if asked not in errors:
            return at_random(state, seat, chance)
        erred.append((seat, errors[asked]))
        return ERRORS[errors[asked]]

    played = play_out(game, seats=seats, seed=seed, choose=choose)
    faults = [(fault.seat, fault.name) for fault in played.records if isinstance(fault, Fault)]
    assert faults == erred
    last = sorted(played.outcome.ranks)[seats - len(erred) :]
    assert [played.outcome.ranks[seat - 1] for seat, _ in erred] == last
    assert sum(played.outcome.ranks) == seats * (seats + 1) / 2


def test_a_game_that_nobody_can_play_by_these_options_does_not_pass() -> None:
    [finding] = check(TINY_GAME, seats=5)
    assert str(finding) == "game: nobody can play it: Tiny is for 2 to 4"


def test_a_game_made_inside_a_function_is_spared_the_other_process() -> None:
    class Local(TinyState, frozen=True):
        pass

    assert check(Planted(Local), matches=1) == []


class Leaf(msgspec.Struct):
    """A struct that can be changed."""

    part: int = 0


class Branch(msgspec.Struct, frozen=True):
    """A struct that cannot."""

    part: object


@dataclass(frozen=True)
class Twig:
    """A data class that cannot be changed."""

    part: object


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ((1, 2.0, "three", b"four", None, True, (5, frozenset({6})), range(7)), ""),
        (Branch(Twig((1, 2))), ""),
        (MappingProxyType({"a": 1}), ""),
        ([], "it is a list"),
        ({"a": 1}, "it is a dict"),
        (((1,), ({2},)), "it[1][0] is a set"),
        (Leaf(), "it is a Leaf"),
        (Branch(Twig([1])), "it.part.part is a list"),
        (MappingProxyType({"a": bytearray()}), "it['a'] is a bytearray"),
    ],
)
def test_what_can_be_changed_is_found_however_deep_it_lies(value: object, where: str) -> None:
    assert changeable(value, "it", set()) == where


def test_a_match_that_a_fault_stopped_has_the_keys_of_its_last_position() -> None:
    class Golf(TinyState, frozen=True):
        """A low score is good."""

        def keys(self) -> tuple[int, ...]:
            return tuple(-score for score in self.scores())

    last = Golf(rounds=1, coins=(4, 4), points=(3, 5), secrets=(1, 1))
    stopped, _ = last.forfeit((2,), Seeded(1))
    assert stopped.scores() == (3, 5)
    assert stopped.keys() == (-3, -5)
