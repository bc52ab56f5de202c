"""Tests what `check plan` says about a run's time, the width of its intervals, and a plan with more deals."""

import json
import re
from pathlib import Path

import pytest

from harness.cli.commands.check_plan import Estimate, PlanTrial
from harness.schedule.forecast import Scale, Seconds
from tests.cli.door import STARTER, TINY, harness

PLAN = """
game = "{game}"
seats = 2
deals = {deals}
isolation = "none"
workers = 2
options = {{ rounds = 1 }}
limits = {{ start_ms = 60_000, move_ms = 60_000 }}
bots = [{bots}]
"""


def a_plan(folder: Path, bots: int, deals: int = 1, more: str = "") -> Path:
    """A plan for Tiny with this number of bots."""
    path = folder / "plan.toml"
    entries = ", ".join(f'{{ path = "{STARTER}", name = "bot{number}" }}' for number in range(bots))
    path.write_text(more + PLAN.format(game=TINY, deals=deals, bots=entries))
    return path


def test_without_a_trial_it_says_what_it_assumes(tmp_path: Path) -> None:
    told = harness("check", "plan", a_plan(tmp_path, 6), "--no-trial")
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    [time] = [line for line in lines if line.startswith("about ")]
    # Each of 15 encounters has one sitting. So two workers start 30 processes (0.05 s each) and play 30
    # matches (0.2 s each).
    assert time == (
        "about 4 s for a run on 2 workers; 20 % of this time starts and ends processes, "
        "if a process starts in 0.05 s and a match takes 0.2 s (assumed)"
    )
    at = lines.index(time)
    assert (
        lines[at + 1]
        == "95 % intervals: about ±0.30 or less around an average rank, from 10 matches of each bot"
    )
    assert lines[at + 2] == (
        "the standings probably leave open the order of two bots less than 0.90 apart: "
        "at most 1 of 5 neighbours in the table can be told apart"
    )
    assert lines[at + 3] == 'grades with looks = "once" leave the order open below 0.60'
    assert lines[at + 4] == (
        "deals = 2: 2 times the matches for 1.8 times the time, ±0.21, at most 1 of 5 neighbours told apart"
    )


def test_it_says_that_its_forecasts_are_about_average_ranks_if_places_go_by_something_else(
    tmp_path: Path,
) -> None:
    told = harness("check", "plan", a_plan(tmp_path, 6, more='order = "score"\n'), "--no-trial")
    assert (
        "places go by mean score: as the plan says; the lines below are about average ranks\n" in told.stdout
    )


def test_the_order_of_the_games_document_is_told(tmp_path: Path) -> None:
    entries = ", ".join(f'{{ path = "{STARTER}", name = "bot{number}" }}' for number in range(5))
    for game, why in (("sevens", "as the document of the game says"), ("squash", "all pairs of bots meet")):
        (tmp_path / "plan.toml").write_text(f'game = "{game}"\nseats = 4\nbots = [{entries}]\n')
        told = harness("check", "plan", tmp_path / "plan.toml", "--no-trial")
        assert f"\nplaces go by average rank: {why}" in told.stdout


def test_it_says_if_there_is_no_luck_to_take_off(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    bots = str(Path(__file__).parents[3] / "bots" / "squash" / "*")
    for dice, warned in (("1, 2, 6", True), ("", False)):
        path.write_text(
            f'game = "squash"\nseats = 2\nisolation = "none"\nluck = "off"\nbots = ["{bots}"]\n'
            f"options = {{ dice = [{dice}] }}\n"
        )
        told = harness("check", "plan", path, "--no-trial")
        assert told.exit_code == 0
        assert ('luck = "off" changes nothing' in told.output) == warned
        assert ('luck = "off" subtracts luck from the results' in told.output) != warned


def test_a_trial_measures_the_share_of_processes(tmp_path: Path) -> None:
    told = harness("check", "plan", a_plan(tmp_path, 3, deals=20))
    assert told.exit_code == 0
    found = re.search(
        r"^about \d+ s(?: \(\d+ s to \d+ s\))? for a run on 2 workers; (\d+) % of .*\(measured in (.*)\)$",
        told.stdout,
        re.M,
    )
    assert found
    assert found[2] == "a trial of 24 matches"
    assert 0 < int(found[1]) < 100, "both the starts and the matches take time, on a busy machine too"


def test_a_bot_that_does_not_start_is_told_before_the_tournament(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "main.py").write_text("open('/opt/engine/weights.bin')\n")
    (tmp_path / "engine" / "bot.toml").write_text('run = ["python3", "main.py"]\n')
    plan = a_plan(tmp_path, 2)
    plan.write_text(plan.read_text().replace("bots = [", 'bots = ["engine", '))
    told = harness("check", "plan", plan, "--json")
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    assert list(found["unable"]) == ["engine"]
    assert "before it answers `hello`: FileNotFoundError" in found["unable"]["engine"]
    least, most = found["seconds_range"]
    assert 0 < least <= found["seconds"] <= most


def test_the_range_goes_from_the_shortest_to_the_longest_sitting() -> None:
    trial = PlanTrial(16, (Seconds(0.2, 0.1), Seconds(0.6, 0.3)), {})
    assert trial.each == pytest.approx(Seconds(0.4, 0.2))
    scale = Scale(
        bots=3, seats=2, encounters=3, per_bot=2, sittings=1, matches=8, lots=8, groups=8, variance=0.25
    )
    found = Estimate(trial, 1, 1, scale, 8, True, None)
    assert found.range == pytest.approx((3 * 0.2 + 24 * 0.1, 3 * 0.6 + 24 * 0.3))
    assert found._replace(trial=trial._replace(sittings=trial.sittings[:1])).range is None


def test_json_has_the_same_numbers(tmp_path: Path) -> None:
    told = json.loads(harness("check", "plan", a_plan(tmp_path, 6), "--no-trial", "--json").stdout)
    assert told["seconds"] == pytest.approx(30 * 0.05 / 2 + 30 * 0.2 / 2)
    assert (told["tried"], told["starting"], told["told_apart"]) == (0, 0.2, 1)
    assert told["advice"]["deals"] == 2
    assert told["advice"]["reach"] < told["reach"] < told["apart_once"] < told["apart"]


def test_a_format_whose_rounds_depend_on_results_gets_a_time_and_advice_of_its_own(tmp_path: Path) -> None:
    plan = a_plan(tmp_path, 6, more='format = "swiss"\nrounds = 3\n')
    told = harness("check", "plan", plan, "--no-trial")
    assert told.exit_code == 0
    assert "about 2 s for a run on 2 workers" in told.stdout
    assert "so only ratings will have intervals\n" in told.stdout
    assert "95 %" not in told.stdout
    assert "rounds = 5: the order is much more certain" in told.stdout
    assert "places go by rating: not all pairs of bots meet equally often" in told.stdout
    assert json.loads(harness("check", "plan", plan, "--no-trial", "--json").stdout)["advice"] is None


def test_a_test_of_two_bots_takes_at_least_the_time_of_its_first_round(tmp_path: Path) -> None:
    plan = a_plan(tmp_path, 2, more='format = "sprt"\nsprt = { elo0 = 0, elo1 = 50 }\n')
    told = harness("check", "plan", plan, "--no-trial")
    assert told.exit_code == 0
    assert "\nat least about 2 s for a run on 2 workers; 20 % of this time" in told.stdout
    assert (
        "\nthe test needs about 128 pairs if elo0 is true, 128 if elo1 is true, 210 in the middle"
        in told.stdout
    )


def test_a_knock_out_says_what_the_matches_of_a_table_tell_and_who_decides_the_places(tmp_path: Path) -> None:
    told = harness("check", "plan", a_plan(tmp_path, 6, 3, 'format = "knock-out"\n'), "--no-trial").stdout
    assert (
        "\na bot that wins 60 % of its matches against another one goes on after 6 matches in 79 % of "
        "cases\neach round has 6 more matches at a table: 86 % in round 3\n"
        "deals = 15: it goes on in 90 % of cases\n"
    ) in told
    assert "places go by the format: how far each bot comes" in told


def test_a_tournament_that_plays_on_says_which_difference_it_can_settle(tmp_path: Path) -> None:
    def check(most: int) -> str:
        stop = f'stop = {{ settled = "places", most = {most} }}\n'
        return harness("check", "plan", a_plan(tmp_path, 6, more=stop), "--no-trial").stdout

    assert "100 encounters of a pair (200 deals) probably settle who is better if one wins 64 % or" in check(
        100
    )
    assert "2 encounters of a pair (4 deals) can settle nothing at this error: raise most" in check(2)
