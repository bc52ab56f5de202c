"""Tests that the rules of a plan are the same in a live match, in a worker and in a second judgement."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from harness import __version__
from harness.chance import Seeded
from harness.config import FrozenGame, FrozenPlan
from harness.errors import InputError, RecordError
from harness.events import Match, Record
from harness.games import find
from harness.job import Entrant, Job, PlainRules
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.judge.rules import Ask, Rules, Terms, plain_rules, resolve, rules_of
from harness.model import Limits
from harness.protocol import Wants

SEVENS = find("sevens")
NAMES = ("anna", "bert")


def plan(version: int = SEVENS.version, **changes: Any) -> FrozenPlan:
    keys: dict[str, Any] = {
        "harness": __version__,
        "name": "cup",
        "game": FrozenGame("sevens", version, "sevens", ""),
        "seats": 2,
        "seed": 1,
        "options": {},
        "bots": (),
        "text": "",
    }
    return FrozenPlan(**(keys | changes))


def test_each_key_that_reaches_a_match_is_in_the_rules() -> None:
    limits = Limits(move_ms=70)
    found = rules_of(plan(limits=limits, names="shown", ponder=True, chance={"deal": ("7S", "8S")}))
    assert found == Rules(
        SEVENS,
        SEVENS.options(),
        limits,
        names_shown=True,
        ponder=True,
        script={"deal": ("7S", "8S")},
    )


def test_no_key_of_a_plan_is_forgotten_on_its_way_to_the_rules() -> None:
    chosen: dict[str, Any] = {"names": "shown", "ponder": True, "chance": {"deal": ("7S",)}, "luck": "off"}
    found = rules_of(plan(limits=Limits(move_ms=70), **chosen))
    lost = [name for name, default in Rules._field_defaults.items() if getattr(found, name) == default]
    assert not lost, f"plain_rules leaves out {lost}, or this test's plan does not set it"


def test_a_plan_that_says_nothing_has_the_usual_rules() -> None:
    assert rules_of(plan()) == Rules(SEVENS, SEVENS.options())


def test_the_plain_rules_have_the_same_fields_with_the_same_defaults() -> None:
    assert PlainRules._fields == Rules._fields
    assert PlainRules._field_defaults == Rules._field_defaults


def test_a_worker_that_unpickles_a_job_has_the_rules_of_the_plan() -> None:
    wanted = plan(names="shown", ponder=True, chance={"deal": ("7S",)})
    entrants = tuple(Entrant(name, ("true",), "/") for name in NAMES)
    sent = pickle.dumps(Job(1, 1, 1, 1, 1, plain_rules(wanted), entrants, (1,), ((1, 2),)))
    assert b"harness.games" not in sent, "a game is live, and its module may not be importable by its name"
    plain = pickle.loads(sent).rules
    assert resolve(plain, find(plain.game)) == rules_of(wanted)


def test_options_that_the_game_does_not_take_are_refused() -> None:
    with pytest.raises(InputError, match=r"^cup: options: "):
        rules_of(plan(options={"variant": 17}))


@pytest.mark.parametrize("path", ["game.py", "./game.py", "game/", "../game.py"])
def test_a_game_beside_a_record_is_not_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """A stranger could send a record together with a game whose code does harm."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.py").write_text('open("executed", "w").close()\n')
    with pytest.raises(RecordError, match="the path of the game is relative"):
        rules_of(plan(game=FrozenGame("game", 1, path, "")))
    assert not (tmp_path / "executed").exists()


def test_another_version_of_the_game_is_refused() -> None:
    with pytest.raises(InputError, match="played with version 99 of sevens, but version"):
        rules_of(plan(version=99))


def test_a_process_may_use_the_cpu_all_the_time_only_if_it_may_ponder() -> None:
    limits = Limits(ponder_ms=3)
    rules = Rules(SEVENS, SEVENS.options(), limits)
    assert rules.process_limits == limits
    assert rules._replace(ponder=True).process_limits.ponder_ms == limits.cpu_ms


@pytest.mark.parametrize("names_shown", [True, False])
def test_bots_are_told_the_names_only_if_the_rules_say_so(names_shown: bool) -> None:
    rules = Rules(SEVENS, SEVENS.options(), names_shown=names_shown)
    written: list[Record] = []
    first = next(Referee(Terms(rules, 2, names=NAMES), Seeded(1), written.append).questions())
    assert isinstance(first, Ask)
    assert (b"anna" in first.block) == names_shown


def test_the_terms_on_record_are_those_of_the_match() -> None:
    rules = Rules(SEVENS, SEVENS.options())
    head = Match("1.1.1.2", NAMES, (5, 6), ("legal", "legal state"))
    wants = (Wants(legal=True), Wants(legal=True, state=True))
    assert terms_on_record(rules, head, 2) == Terms(
        rules, 2, number=2, seeds=(5, 6), names=NAMES, wants=wants, fresh=(False, False), heard=False
    )
