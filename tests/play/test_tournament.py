"""Owns the tests of how tournaments are played, with an invented runner: no process, no bot, any order."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.events import Brief, Disqualified, Ended, Played, RunBegan, Voided
from harness.job import Done, Entrant, Job
from harness.play.tournament import Tournament
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.run_folder import opened
from harness.results import discipline
from tests.play.scripted import (
    SEVENS,
    AnyOrder,
    Killed,
    World,
    a_plan,
    but_voids,
    carried_on,
    of,
    on_record,
    played,
)

pytestmark = pytest.mark.virtual


def test_a_blameless_tournament_is_one_run_and_ends(tmp_path: Path) -> None:
    records = played(a_plan(), tmp_path, AnyOrder(World()))
    assert [type(record).__name__ for record in records[:2]] == ["Opened", "RunBegan"]
    assert len(of(RunBegan, records)) == 1
    (ended,) = of(Ended, records)
    assert (ended, ended.note, ended.unplayed) == (records[-1], "", 0)


def test_every_sitting_of_every_encounter_is_played_once_in_the_order_of_the_schedule(tmp_path: Path) -> None:
    records = played(a_plan(), tmp_path, AnyOrder(World(), order=3, hands=4))
    sittings = [(each.round, each.encounter, each.sitting) for each in of(Played, records)]
    assert sittings == sorted(set(sittings))
    assert {each.sitting for each in of(Played, records)} == {1, 2, 3}


def test_an_offender_is_thrown_out_and_the_rest_play_again(tmp_path: Path) -> None:
    records = played(a_plan(), tmp_path, AnyOrder(World({"c": 2})))
    (out,) = of(Disqualified, records)
    assert (out.bot, out.run) == ("c", 1)
    second = records[records.index(out) + 1]
    assert isinstance(second, RunBegan)
    assert second.bots == ("a", "b", "d", "e")
    assert all("c" not in each.bots for each in of(Played, records) if each.run == 2)


def test_nothing_is_on_record_of_rounds_after_the_one_in_which_somebody_fell(tmp_path: Path) -> None:
    records = played(a_plan(), tmp_path, AnyOrder(World({"c": 2}), hands=6, order=5))
    (out,) = of(Disqualified, records)
    rounds = [each.round for each in of(Played, records) if each.run == 1]
    assert max(rounds) == out.round


def test_a_forfeit_costs_the_match_and_no_more(tmp_path: Path) -> None:
    records = played(a_plan(policy="forfeit"), tmp_path, AnyOrder(World({"c": 2})))
    assert not of(Disqualified, records)
    assert len(of(RunBegan, records)) == 1


def test_with_strikes_the_third_faulty_match_throws_out(tmp_path: Path) -> None:
    records = played(a_plan(policy="strikes", strikes=3), tmp_path, AnyOrder(World({"c": 2})))
    (out,) = of(Disqualified, records)
    before = [each for each in of(Played, records) if each.run == 1]
    faulty = [brief for each in before for brief in each.matches if brief.faults]
    assert len(faulty) >= 3
    assert out.bot == "c"


def test_faults_that_end_no_run_are_not_counted_anew_in_each_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulings = []
    plain = discipline.ruling

    def counted(history: History, *policy: Any) -> discipline.Ruling:
        rulings.append(history)
        return plain(history, *policy)

    monkeypatch.setattr(discipline, "ruling", counted)
    records = played(a_plan(policy="strikes", strikes=1_000, meet=9), tmp_path, AnyOrder(World({"c": 2})))
    assert len({each.round for each in of(Played, records)}) == 30
    assert len(rulings) < 10


def test_the_strikes_of_a_run_are_the_offences_that_count_in_it(tmp_path: Path) -> None:
    cheats = {"b": 3, "e": 4, "a": 5}
    plan = a_plan("abcdefg", rerun="keep", policy="strikes", strikes=4, meet=3)
    history = History.of(played(plan, tmp_path, AnyOrder(World(cheats))))
    assert any(run.began.kept for run in history.runs)
    for run in history.runs:
        assert run.strikes == Counter(offence.bot for offence in history.offences(run))
    assert any(len(history.offences(run)) > len(run.offences) for run in history.runs), (
        "some are of kept encounters"
    )


def test_keep_lets_the_encounters_without_the_offender_stand(tmp_path: Path) -> None:
    records = played(a_plan(rerun="keep", policy="strikes", strikes=2), tmp_path, AnyOrder(World({"e": 2})))
    second = of(RunBegan, records)[1]
    assert second.kept
    stands = [each for each in of(Played, records) if f"{each.run}.{each.encounter}" in second.kept]
    new = [each for each in of(Played, records) if each.run == 2]
    assert len(new) < 4 * 3, "fewer than a fresh run would play"
    met = {frozenset(pair) for each in (*stands, *new) for pair in combinations(each.bots, 2)}
    assert met == {frozenset(pair) for pair in combinations("abcd", 2)}


def test_fewer_bots_than_seats_play_a_smaller_table_if_the_game_allows_it(tmp_path: Path) -> None:
    records = played(a_plan("abc", 3), tmp_path, AnyOrder(World({"b": 1})))
    second = of(RunBegan, records)[1]
    assert (second.seats, second.bots) == (2, ("a", "c"))


def test_with_one_bot_left_the_tournament_ends_and_says_so(tmp_path: Path) -> None:
    records = played(a_plan("ab", 2), tmp_path, AnyOrder(World({"b": 1})))
    assert isinstance(records[-1], Ended)
    assert "only a is left" in records[-1].note


def test_a_void_sitting_is_played_again_and_changes_no_result(tmp_path: Path) -> None:
    void, calm = tmp_path / "void", tmp_path / "calm"
    for folder in (void, calm):
        folder.mkdir()
    with_voids = played(a_plan(), void, AnyOrder(World(void_for=2), order=1, hands=3))
    assert of(Voided, with_voids)
    assert but_voids(with_voids) == played(a_plan(), calm, AnyOrder(World()))


def test_what_is_void_three_times_is_left_unplayed_until_the_next_command(tmp_path: Path) -> None:
    ended = carried_on(a_plan(), tmp_path, AnyOrder(World(void_for=3)))
    assert ended is not None
    assert ended.unplayed == len({(each.encounter, each.sitting) for each in of(Voided, on_record(tmp_path))})
    again = carried_on(a_plan(), tmp_path, AnyOrder(World(void_for=3)))
    assert again is not None
    assert again.unplayed == 0


def test_a_finished_tournament_is_not_played_again(tmp_path: Path) -> None:
    first = played(a_plan(), tmp_path, AnyOrder(World()))
    assert played(a_plan(), tmp_path, AnyOrder(World(), life=0)) == first


def test_no_two_sittings_of_one_deal_give_a_bot_the_same_seed(tmp_path: Path) -> None:
    jobs: list[Job] = []

    class Watching(World):
        def play(self, job: Job) -> Done:
            jobs.append(job)
            return super().play(job)

    played(a_plan(deals=2), tmp_path, AnyOrder(Watching()))
    seeds = [seed for job in jobs for match in job.seeds for seed in match]
    assert len(set(seeds)) == len(seeds)
    by_encounter = {(job.encounter, job.deals) for job in jobs}
    assert len(by_encounter) == len({job.encounter for job in jobs})
    deals = [deal for _, each in by_encounter for deal in each]
    assert len(set(deals)) == len(deals)


def test_with_fresh_deals_one_sitting_is_an_encounter(tmp_path: Path) -> None:
    records = played(a_plan(deal="fresh", deals=2), tmp_path, AnyOrder(World(), order=3, hands=4))
    (run,) = of(RunBegan, records)
    assert (run.sittings, run.deals) == (1, 6)
    assert [(each.encounter, each.sitting) for each in of(Played, records)] == [
        (encounter, 1) for encounter in range(1, run.encounters + 1)
    ]


def test_with_fresh_deals_a_fault_is_charged_to_the_bot_that_sat_there(tmp_path: Path) -> None:
    records = played(a_plan(deal="fresh", deals=3), tmp_path, AnyOrder(World({"c": 4})))
    (out,) = of(Disqualified, records)
    assert out.bot == "c"


def test_an_encounter_that_the_plan_cuts_has_the_same_matches(tmp_path: Path) -> None:
    def matches(folder: Path, runner: AnyOrder, **terms: Any) -> list[Brief]:
        folder.mkdir()
        records = played(a_plan(deal="fresh", deals=2, **terms), folder, runner)
        return [brief for each in of(Played, records) for brief in each.matches]

    whole = matches(tmp_path / "whole", AnyOrder(World()))
    assert matches(tmp_path / "cut", AnyOrder(World(), order=2, hands=3), sitting=2) == whole


def test_a_void_sitting_of_fresh_deals_is_played_again_with_its_deals(tmp_path: Path) -> None:
    void, calm = tmp_path / "void", tmp_path / "calm"
    for folder in (void, calm):
        folder.mkdir()
    plan = a_plan(deal="fresh", sitting=1)
    with_voids = played(plan, void, AnyOrder(World(void_for=2), order=1, hands=3))
    assert of(Voided, with_voids)
    assert but_voids(with_voids) == played(plan, calm, AnyOrder(World()))


class Looking(World):
    """Looks at the encounters that are played at the same time."""

    def __init__(self, void_for: int = 0) -> None:
        super().__init__(void_for=void_for)
        self.twice = 0

    def begin(self, jobs: list[Job]) -> None:
        encounters = [job.encounter for job in jobs]
        self.twice += len(set(encounters)) < len(encounters)


@pytest.mark.parametrize("void_for", [0, 2])
@pytest.mark.parametrize("hands", [2, 5, 40])
def test_two_sittings_with_the_same_deals_are_never_played_at_once(
    tmp_path: Path, hands: int, void_for: int
) -> None:
    world = Looking(void_for)
    runner = AnyOrder(world, order=7, hands=hands)
    records = played(a_plan("abcdefghi", 3, meet=3), tmp_path, runner)
    assert world.twice == 0
    (run,) = of(RunBegan, records)
    assert runner.most == min(hands, run.encounters), "other encounters are played meanwhile"


def test_of_one_encounter_with_the_same_deals_one_sitting_waits_for_the_other(tmp_path: Path) -> None:
    world = Looking()
    runner = AnyOrder(world, hands=4)
    records = played(a_plan("abc", 3, deals=2), tmp_path, runner)
    assert [each.sitting for each in of(Played, records)] == [1, 2, 3]
    assert runner.most == 1


def test_sittings_with_the_same_deals_are_played_at_once_if_these_are_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(SEVENS), "secret_chance", False)
    runner = AnyOrder(Looking(), hands=4)
    records = played(a_plan("abc", 3, deals=2), tmp_path, runner)
    assert [each.sitting for each in of(Played, records)] == [1, 2, 3]
    assert runner.most == 3


def test_sittings_with_fresh_deals_are_played_at_once(tmp_path: Path) -> None:
    world = Looking()
    played(a_plan("abc", 3, deal="fresh", sitting=1), tmp_path, AnyOrder(world, hands=3))
    assert world.twice > 0


def test_a_tournament_that_is_stopped_keeps_nobody_waiting(tmp_path: Path) -> None:
    """The tournament is stopped while other sittings wait for the sitting that is being played."""

    class Stopping(World):
        def play(self, job: Job) -> Done:
            tournament.stop()
            return super().play(job)

    plan = a_plan("abc", 3)
    history = History()
    journal = Journal(tmp_path, history.add)
    journal.append(opened(plan))
    history.add(opened(plan))
    entrants = {bot.name: Entrant(bot.name, ("true",), "/") for bot in plan.bots}
    tournament = Tournament(plan, SEVENS, entrants, journal, history, lambda record: None)
    assert trio.run(tournament.conduct, AnyOrder(Stopping(), hands=2)) is None
    journal.close()
    assert len(of(Played, on_record(tmp_path))) == 1


def test_the_number_of_unplayed_matches_counts_all_matches_of_a_sitting(tmp_path: Path) -> None:
    ended = carried_on(a_plan(deal="fresh", deals=2), tmp_path, AnyOrder(World(void_for=3)))
    assert ended is not None
    lost = {(each.encounter, each.sitting) for each in of(Voided, on_record(tmp_path))}
    assert ended.unplayed == 6 * len(lost) > 0


@pytest.mark.parametrize("deal", [{}, {"deal": "fresh"}, {"deal": "fresh", "sitting": 2}])
@pytest.mark.parametrize("rerun", ["fresh", "keep"])
@settings(max_examples=25, deadline=None)
@given(
    order=st.integers(0, 99),
    hands=st.integers(1, 8),
    lives=st.lists(st.integers(0, 12), max_size=6),
    cheats=st.dictionaries(st.sampled_from("abcdef"), st.integers(2, 9), max_size=3),
    void_for=st.integers(0, 2),
)
def test_the_record_is_the_same_whatever_the_order_and_however_often_it_is_killed(
    tmp_path_factory: pytest.TempPathFactory,
    rerun: str,
    deal: dict[str, Any],
    order: int,
    hands: int,
    lives: list[int],
    cheats: dict[str, int],
    void_for: int,
) -> None:
    plan = a_plan("abcdef", 3, rerun=rerun, **deal)
    calm, wild = tmp_path_factory.mktemp("calm"), tmp_path_factory.mktemp("wild")
    undisturbed = played(plan, calm, AnyOrder(World(cheats)))
    for life in lives:
        try:
            carried_on(plan, wild, AnyOrder(World(cheats, void_for), order + life, hands, life))
        except* Killed:
            pass
    disturbed = played(plan, wild, AnyOrder(World(cheats, void_for), order, hands))
    assert but_voids(disturbed) == undisturbed
    assert {out.bot for out in of(Disqualified, disturbed)} <= cheats.keys()
    assert msgspec.json.encode(undisturbed[-1]) == msgspec.json.encode(disturbed[-1])
