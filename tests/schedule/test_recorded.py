"""Tests that every plan that can be read can be recorded, and that a forged recorded plan is an error."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from harness.config import FrozenPlan, OpenPlan, freeze, thaw
from harness.config.frozen import encoded
from harness.config.terms import SprtTerms, Stage, Stop
from harness.errors import InputError, RecordError
from harness.judge.rules import rules_of
from harness.schedule.plan import read_plan, without
from harness.schedule.recorded import check_recorded

ROOT = Path(__file__).parents[2]
BOTS = "abcdefgh"
SCHEME = 'staff = ["a"]\n[[item]]\nkind = "beats"\nbots = ["a"]\npoints = 1\n'


def plan_file(folder: Path, text: str, game: str = "sevens") -> Path:
    for bot in BOTS:
        (folder / f"{bot}.py").write_text("")
    (folder / "scheme.toml").write_text(SCHEME)
    (folder / "cup.toml").write_text(f'game = "{game}"\nbots = ["?.py"]\n{text}\n')
    return folder / "cup.toml"


def on_record(folder: Path, text: str = "seats = 3", game: str = "sevens") -> FrozenPlan:
    return thaw(encoded(freeze(read_plan(plan_file(folder, text, game)), 7)))


def checked(plan: FrozenPlan) -> None:
    check_recorded(plan, Path("logs/plan.json"), rules_of(plan))


SOUND = (
    "seats = 3",
    "seats = 2\nmeet = 3\nsitting = 2",
    "seats = 2\nencounters = 3",
    "seats = 3\nevery_set = true",
    'seats = 2\nformat = "swiss"\nrounds = 2',
    'seats = 2\nformat = "knock-out"',
    'seats = 2\nformat = "double-elimination"',
    'seats = 3\nformat = "gauntlet"\nhouse = ["a", "b"]',
    'seats = 2\nbots = ["a.py", "b.py"]\nformat = "sprt"\nsprt = {elo0 = 0, elo1 = 5}',
    'seats = 3\npolicy = "strikes"\nstrikes = 3\nluck = "off"',
    'seats = 2\nclock = "cpu"\nlimits = {bank_ms = 1000, increment_ms = 5}',
    'seats = 2\nstop = {settled = "places 1-3", most = 9}',
    'seats = 2\nstop = {settled = "grades", scheme = "scheme.toml", budget = 7}',
    'seats = 2\n[[stage]]\nformat = "groups"\ngroups = 2\nthrough = 4\n'
    '[[stage]]\nformat = "swiss"\nrounds = 2\ncarry = true\nthrough = 2\n[[stage]]\nformat = "knock-out"',
)


def test_a_ladder_has_its_house_bots_in_its_journal(tmp_path: Path) -> None:
    plan = on_record(tmp_path)
    fields = {name: getattr(plan, name) for name in plan.__struct_fields__}
    checked(OpenPlan(**fields | {"format": "ladder", "meet": None, "house": ("a", "b")}))


@pytest.mark.parametrize("text", SOUND)
def test_each_plan_that_can_be_read_can_be_on_record(tmp_path: Path, text: str) -> None:
    bots = 'bots = ["?.py"]\n'
    file = plan_file(tmp_path, text)
    if text.count("bots"):
        file.write_text(file.read_text().replace(bots, ""))
    checked(thaw(encoded(freeze(read_plan(file), 7))))


PLANS = [
    file for file in sorted((ROOT / "tournaments").glob("*.toml")) if "\ngame = " in f"\n{file.read_text()}"
]


@pytest.mark.parametrize("file", PLANS, ids=lambda file: file.stem)
def test_the_plans_of_this_repository_can_be_on_record(file: Path) -> None:
    checked(freeze(read_plan(file, missing="leave-out", broken="no-start"), 7))


def stop(settled: str, scheme: str = "") -> Stop:
    return Stop(settled, scheme=scheme)


@pytest.mark.parametrize(
    ("forged", "why"),
    [
        ({"seats": 0}, "seats: expected a whole number from 2 to 9 for sevens, not 0"),
        ({"bots": ()}, "bots: 3 seats need at least 3 bots, not 0"),
        ({"chance": {"deal": (1,)}}, "chance.deal: "),
        ({"format": "nonsense"}, "format: expected "),
        (
            {"format": "gauntlet", "house": tuple(BOTS)},
            "bots: a gauntlet needs a bot that is not a house bot",
        ),
        ({"house": ("a",)}, 'house: this needs format = "gauntlet"'),
        ({"stop": stop("nonsense")}, "stop.settled: expected "),
        ({"stop": stop("grades")}, "stop.scheme: "),
        ({"stop": stop("grades", "[[[")}, "this is not TOML"),
        ({"stop": stop("grades", "x = 1")}, "x: there is no such key"),
        ({"stop": stop("grades", f"{'.'.join('a' * 100_000)} = 1")}, "a key here has more than 16 parts"),
        ({"stop": stop("grades", f"[{'.'.join('a' * 100_000)}]")}, "a key here has more than 16 parts"),
        ({"meet": None, "stage": (Stage(format="swiss"),)}, 'stage.format: "swiss" needs a number of rounds'),
        (
            {"meet": None, "format": "sprt", "sprt": SprtTerms(0, 5)},
            'format: "sprt" needs 2 seats and 2 bots',
        ),
        ({"policy": "strikes"}, 'policy: "strikes" needs a number of strikes'),
    ],
)
def test_a_forged_plan_is_refused_with_its_file(tmp_path: Path, forged: dict[str, Any], why: str) -> None:
    plan = replace(on_record(tmp_path), **forged)
    with pytest.raises(RecordError) as caught:
        check_recorded(plan, Path("logs/plan.json"), rules_of(plan))
    assert str(caught.value).startswith(f"logs/plan.json: {why}")


def test_two_bots_of_one_name_are_refused(tmp_path: Path) -> None:
    plan = on_record(tmp_path)
    with pytest.raises(RecordError, match=r"plan\.json: bots: two bots have the same name"):
        checked(replace(plan, bots=(*plan.bots, plan.bots[0])))


def test_bots_may_be_left_out_only_if_the_rest_can_play_the_plan(tmp_path: Path) -> None:
    """Without this check, a run would make a record that no command can read."""
    text = 'seats = 2\n[[stage]]\nformat = "swiss"\nrounds = 2\nthrough = 7\n[[stage]]\nformat = "knock-out"'
    plan = read_plan(plan_file(tmp_path, text))
    checked(freeze(without(plan, ["h"]), 7))
    with pytest.raises(InputError, match=r"without g, h: stage\.through: expected 2 to 6, not 7"):
        without(plan, ["g", "h"])
