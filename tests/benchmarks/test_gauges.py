"""Tests the benchmarks that measure something else than time, each in its own unit; no test measures time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from benchmarks import growth, judging, memory, playing, record, rounds, yardsticks
from benchmarks.entrants import python_bots, python_starters
from benchmarks.gauges import COUNTED, EVERYWHERE, Gauge, answered_us, missed, readings, table
from benchmarks.growth import Grown, Part
from benchmarks.playing import FOUR, PATIENT, job, moves_in
from benchmarks.rows import ROWS
from harness import games
from harness.events import Brief, Fault, Turn
from harness.job import Done
from harness.judge.rules import Rules
from harness.play import sitting
from harness.play.sitting import play_together
from harness.verify.chunk import judge
from tests.play.seated import needs

# -- the table -------------------------------------------------------------------------------------


def never(build: Path) -> float:
    raise AssertionError("no test measures anything")


LIGHT = Gauge("light", "a light one", "kB", never, at_most=20)
HEAVY = Gauge("heavy", "a heavy one", "kB", never, at_most=20)
FREE = Gauge("free", "one without a bound", "s", never, once=True)
VALUES = {"light": [18.0, 20.0, 21.0], "heavy": [20.5, 21.0, 19.0], "free": [0.123]}


def test_a_median_above_its_bound_is_missed_and_said_to_be() -> None:
    found = readings([LIGHT, HEAVY, FREE], VALUES)
    assert [missed(reading) for reading in found] == [False, True, False]
    light, heavy, free = (" ".join(line.split()) for line in table(found).splitlines()[2:])
    assert light == "a light one 20.0 19.0..20.5 kB 20 kept"
    assert heavy == "a heavy one 20.5 19.8..20.8 kB 20 MISSED"
    assert free == "one without a bound 0.12 s"


def test_each_gauge_has_a_name_of_its_own_that_no_row_has() -> None:
    names = Counter(each.name for each in (*EVERYWHERE, *COUNTED, *ROWS))
    assert set(names.values()) == {1}


# -- the rounds ------------------------------------------------------------------------------------


def test_each_round_runs_every_program_once_with_what_was_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "told.py").write_text("import sys; print(*sys.argv[1:])")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = rounds.told({"one": "told", "two": "told"}, 2, Path("/build"), once={"two"})
    assert found == {"one": [b"one /build\n"] * 2, "two": [b"two /build\n"]}


def test_programs_of_a_family_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    (tmp_path / "told.py").write_text("import sys; open(sys.argv[2], 'a').write(sys.argv[1])")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    names = ("a1", "b1", "a2", "b2", "a3", "b3")
    rounds.told(dict.fromkeys(names, "told"), 2, log, family=lambda name: name[0])
    ran = log.read_text()
    for turn in (ran[:12], ran[12:]):
        assert turn[::2] in ("aaabbb", "bbbaaa")
        assert sorted(turn[1::2]) == list("112233")


# -- judged again ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The result of two matches of connect four."""
    bots = python_bots(tmp_path_factory.mktemp("bots"))
    [done] = trio.run(play_together, [job(FOUR, bots, 1, 2)])
    return done


def rules() -> Rules:
    game = games.find(FOUR)
    return Rules(game, game.options(), PATIENT)


def test_the_rules_alone_are_given_what_was_said_but_not_that_bots_were_ready(done: Done) -> None:
    matches = judging.said(done)
    assert [match.seed for match in matches] == list(done.job.deals)
    assert sum(len(match.answers) for match in matches) == moves_in(done)
    assert all(answer.startswith("drop ") for match in matches for answer in match.answers)


def test_a_sitting_is_judged_again_and_replayed_by_its_rules_alone(done: Done, tmp_path: Path) -> None:
    assert judge(tmp_path, rules(), judging.written(done, tmp_path)) is None
    judging.replay(judging.said(done), rules())


def test_the_rules_alone_play_every_match_to_its_end(done: Done) -> None:
    first, *_ = judging.said(done)
    with pytest.raises(StopIteration):
        judging.replay([first._replace(answers=first.answers[:-1])], rules())


def test_without_its_log_a_sitting_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # `unlogged` replaces the encoder. This line makes pytest restore the encoder after the test.
    monkeypatch.setattr(sitting, "_encoder", sitting._encoder)
    sample = playing.unlogged(FOUR, python_bots(tmp_path), 2)
    assert sample.units >= 2 * 7, "nobody connects four in fewer moves"


# -- the same work ---------------------------------------------------------------------------------


def test_the_same_work_leaves_the_same_log_but_for_times() -> None:
    sitting_of_two = job("sevens", python_starters(Path("/"), 2), 1, 2)
    [done] = trio.run(play_together, [sitting_of_two])
    [same] = yardsticks.played([sitting_of_two])
    assert timeless(same) == timeless(done)


def timeless(done: Done) -> list[dict[str, Any]]:
    """The lines of the log of these matches, without times."""
    lines = [json.loads(line) for line in done.log.splitlines()]
    times = {"us", "at", "cpu_us"}
    return [{key: value for key, value in line.items() if key not in times} for line in lines]


# -- the probe -------------------------------------------------------------------------------------


def test_the_answers_that_are_looked_at_are_the_moves_of_seat_1(done: Done) -> None:
    turns = [
        Turn(seat, "drop", said, us, 0, 1)
        for seat, said, us in ((1, "ready", 9), (2, "drop 1", 8), (1, "drop 2", 7), (1, "drop 3", 6))
    ]
    log = b"".join(msgspec.json.encode(turn) + b"\n" for turn in turns)
    assert answered_us(done._replace(log=log)) == [7, 6]


# -- memory ----------------------------------------------------------------------------------------


def test_the_peak_of_a_worker_is_read_when_it_has_played(tmp_path: Path) -> None:
    [peak] = memory.of_a_worker(python_bots(tmp_path))
    assert peak > 1_000_000


def test_the_logs_of_matches_do_not_count_as_their_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_peak", lambda: 1_000_000)
    one, two = memory.of_matches(python_bots(tmp_path), 2)
    assert 0 < two < one < 1_000_000


# -- the record ------------------------------------------------------------------------------------


def test_the_commands_are_measured_on_a_real_record(tmp_path: Path) -> None:
    needs("cc")
    record.played(tmp_path, count=4)
    assert record.verifying_ms(tmp_path) > 0
    assert record.placing_ms(tmp_path) > 0
    assert record.reporting_ms(tmp_path) > 0


def test_the_first_report_is_compared_with_the_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    clock = iter((1.0, 2.5, 10.0, 10.25))
    monkeypatch.setattr(record, "_report", written.append)
    monkeypatch.setattr(record, "perf_counter", lambda: next(clock))
    assert record.first_report_s(tmp_path) == 1.25
    assert written == [tmp_path / record.NAME] * 2


# -- growth ----------------------------------------------------------------------------------------


def test_a_tournament_is_looked_at_when_each_part_of_it_is_on_record(tmp_path: Path) -> None:
    found = growth.measured(tmp_path, 500)
    assert [part.matches for part in found.parts] == [100, 200, 300, 400, 500]
    assert found.results_mb > 0


def test_a_plan_has_at_least_as_many_matches_as_are_wanted() -> None:
    matches = growth.BOTS * (growth.BOTS - 1) // 2 * growth.SEATS * growth.DEALS
    assert growth.plan_of(matches).meet == 1
    assert growth.plan_of(matches + 1).meet == 2


def test_of_what_a_tournament_grows_by_its_results_are_taken_off() -> None:
    parts = [Part(20, 1.0, 40.0), Part(100, 5.0, 60.0)]
    assert growth.more_mb(Grown(parts, 20.0, 0, 0)) == pytest.approx(4.0)


def test_an_object_that_is_referred_to_twice_counts_once() -> None:
    text = "a text that is long enough to matter"
    twice, once = growth.bytes_of([text, text]), growth.bytes_of([text])
    assert twice - once < growth.bytes_of(text)


def test_what_a_result_refers_to_counts_although_the_collector_ignores_it() -> None:
    reason = "a text that is long enough to matter"
    fault = Fault(1, "late", reason)
    assert growth.bytes_of(Brief((1, 2), (1, 0), (fault,))) > growth.bytes_of(reason) + growth.bytes_of(fault)


def test_the_account_of_growth_is_read_as_it_was_left(tmp_path: Path) -> None:
    found = Grown([Part(20, 1.0, 40.0)], 20.0, 0.5, 0.6)
    (tmp_path / growth.ACCOUNT).write_bytes(msgspec.json.encode(found))
    assert growth.account(tmp_path) == found
    assert "resumed in 0.5 s, standings in 0.6 s" in growth.table(found)
