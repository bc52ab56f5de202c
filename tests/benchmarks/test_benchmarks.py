"""Tests the benchmarks' arithmetic, table and trivial game; no test measures time."""

from __future__ import annotations

import sys
from hashlib import blake2b
from pathlib import Path

import pyperf
import pytest

from benchmarks import instructions
from benchmarks.__main__ import wanted
from benchmarks.entrants import PROGRAMS
from benchmarks.figures import Spread, figures, missed, spread, table
from benchmarks.playing import FOUR, job
from benchmarks.results import keep, suite
from benchmarks.rows import ROWS, Row, family
from benchmarks.sample import Sample, Stopwatch
from harness import games
from harness.chance import Seeded
from harness.games import State
from harness.job import Done
from harness.model import Illegal, Malformed, Outcome
from harness.record.journal import Journal
from harness.record.log import DIGEST


def never(build: Path, size: int) -> Sample:
    raise AssertionError("no test measures anything")


YARDSTICK = Row("blocking", "the yardstick", never, 1)
FAST = Row("fast", "a fast one", never, 1, at_most=3)
SLOW = Row("slow", "a slow one", never, 1, at_most=3)
SAMPLES = {
    # In microseconds, a move takes 10, 20, 40 in the first row, 15, 30, 60 in the second, and 40, 90, 120 in
    # the third. The CPU time of a move in the first row is 5, 5, 5.
    "blocking": [Sample(100, 0.001, 0.0005), Sample(100, 0.002, 0.0005), Sample(100, 0.004, 0.0005)],
    "fast": [Sample(200, 0.003, 0.002), Sample(200, 0.006, 0.002), Sample(200, 0.012, 0.001)],
    "slow": [Sample(10, 0.0004, 0.0001), Sample(10, 0.0009, 0.0002), Sample(10, 0.0012, 0.0003)],
}


def test_a_spread_is_the_median_and_the_quartiles() -> None:
    assert spread([5.0, 1.0, 2.0, 4.0, 3.0]) == Spread(3.0, 2.0, 4.0)


def test_one_value_is_its_own_spread() -> None:
    assert spread([7.0]) == Spread(7.0, 7.0, 7.0)


def test_times_are_microseconds_of_each_unit() -> None:
    [figure] = figures([FAST], SAMPLES)
    assert figure.wall_us == pytest.approx(30)
    assert figure.cpu_us == pytest.approx(10)


def test_a_ratio_is_taken_within_each_round() -> None:
    fast, slow = figures([FAST, SLOW], SAMPLES)
    assert fast.ratio == pytest.approx((1.5, 1.5, 1.5)), "although the times vary fourfold"
    assert slow.ratio == pytest.approx((4, 3.5, 4.25))


def test_a_row_can_be_compared_with_another_row_than_the_yardstick() -> None:
    [figure] = figures([SLOW._replace(against="fast")], SAMPLES)
    assert figure.ratio.median == pytest.approx(8 / 3)


def test_a_ratio_above_its_bound_is_missed_and_said_to_be() -> None:
    found = figures([YARDSTICK, FAST, SLOW], SAMPLES)
    assert [missed(figure) for figure in found] == [False, False, True]
    _, _, yardstick, fast, slow = table(found).splitlines()
    assert fast.endswith(" 3  kept")
    assert slow.endswith(" 3  MISSED")
    assert not yardstick.endswith(("kept", "MISSED"))


def test_a_line_of_the_table_says_time_cpu_ratio_spread_and_bound() -> None:
    line = table(figures([SLOW], SAMPLES)).splitlines()[-1]
    assert " ".join(line.split()) == "a slow one 90.0 20.0 4.00 3.50..4.25 blocking 3 MISSED"


def test_results_are_kept_as_pyperf_reads_them(tmp_path: Path) -> None:
    path = keep(suite(SAMPLES, {"light": ("kB", [18.0, 20.0]), "quick": ("ms for each", [2.0])}), tmp_path)
    found = pyperf.BenchmarkSuite.load(str(path))
    assert found.get_benchmark("slow").get_values() == pytest.approx((0.00004, 0.00009, 0.00012))
    assert found.get_benchmark("light").get_values() == (18_000, 20_000)
    assert found.get_benchmark("light").get_unit() == "byte"
    assert found.get_benchmark("quick").get_values() == (0.002,)


def test_the_stopwatch_counts_the_units_that_it_is_told() -> None:
    sample = Stopwatch().sample(3)
    assert sample.units == 3
    assert sample.wall_s >= 0
    assert sample.cpu_s >= 0


# -- the rows --------------------------------------------------------------------------------------


def test_each_row_has_a_name_of_its_own_and_another_row_to_be_compared_with() -> None:
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)
    assert {row.against for row in ROWS} <= set(names)


def test_one_row_brings_the_rows_it_is_compared_with() -> None:
    assert [row.name for row in wanted(["sevens"])] == ["blocking", "same-sevens", "sevens"]
    assert wanted([]) == list(ROWS)


def test_a_family_has_the_rows_that_are_compared_with_each_other() -> None:
    families = {row.name: family(row) for row in ROWS}
    assert {name for name, head in families.items() if head == "same-sevens"} == {"same-sevens", "sevens"}
    assert families["judged-again"] == families["one"] == families["same-four"] == "same-four"
    assert [name for name, head in families.items() if head == "blocking"] == ["blocking"]


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_each_program_has_its_source(source: Path) -> None:
    assert source.is_file()


# -- the count of instructions ---------------------------------------------------------------------


def test_a_ratio_that_grows_by_a_twentieth_is_not_unnoticed() -> None:
    assert instructions.wrong(12.59, 12.0, 13) == ""
    assert instructions.wrong(12.61, 12.0, 13) == "more than 12.00 and a twentieth"


def test_a_ratio_above_its_bound_is_wrong_whatever_was_kept() -> None:
    assert instructions.wrong(13.1, 13.0, 13) == "above 13"
    assert instructions.wrong(13.1, None, 13) == "above 13"


def test_a_build_of_python_without_a_kept_figure_has_the_bound_alone() -> None:
    assert instructions.wrong(12.9, None, 13) == ""


def test_each_build_of_python_has_ratios_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text('{"another": {"one": 12.5}}')
    instructions.keep({"one": 12.0}, path)
    instructions.keep({"one": 11.123, "waiting": 30.0}, path)
    assert instructions.read(path) == {
        "another": {"one": 12.5},
        sys.version: {"one": 11.12, "waiting": 30.0},
    }


def test_no_digest_of_a_record_counts_instructions_that_valgrind_hides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in instructions.HASHING:
        monkeypatch.setitem(vars(module), "sha256", blake2b)
    journal = Journal(tmp_path, lambda record: None)
    played = journal.append_sitting(Done(job("sevens", [], 1, 0), b"a log\n"), 0)
    journal.close()
    assert played.file == blake2b(b"a log\n").hexdigest()[:DIGEST]


def test_no_ratio_is_kept_that_is_above_the_bound() -> None:
    for kept in instructions.read().values():
        assert all(kept[name] <= at_most for name, at_most in instructions.AT_MOST.items())


# -- the trivial game ------------------------------------------------------------------------------

CHANCE = Seeded(1)


def after(*columns: int) -> State:
    """The position of connect four after the two seats have put discs into these columns in turn."""
    state, _ = games.find(FOUR).start(games.Options(), 2, CHANCE)
    for column in columns:
        [seat] = state.to_act()
        move = state.check(seat, f"drop {column}")
        assert isinstance(move, str)
        state, _ = state.play({seat: move}, CHANCE)
    return state


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param((4, 1, 4, 1, 4, 1, 4), id="in a column"),
        pytest.param((1, 1, 2, 2, 3, 3, 4), id="in a row"),
        pytest.param((1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4), id="rising"),
        pytest.param((7, 6, 6, 5, 5, 4, 5, 4, 4, 2, 4), id="falling"),
    ],
)
def test_four_in_a_line_win(columns: tuple[int, ...]) -> None:
    assert after(*columns[:-1]).outcome() is None
    assert after(*columns).outcome() == Outcome((1, 2), (1, 0), "seat 1 connected four")


def test_a_column_does_not_go_on_in_the_next() -> None:
    # Seat 1 has the top three squares of column 1 and the lowest square of column 2.
    state = after(7, 1, 7, 1, 6, 1, 1, 3, 1, 3, 1, 5, 2)
    assert state.view(1)[0] == "row 1......"
    assert state.view(1)[-1] == "row 212.211"
    assert state.outcome() is None


def test_a_full_board_is_a_draw() -> None:
    pairs = [(1, 2), (3, 4), (5, 6)]
    columns = [column for one, two in pairs for column in (one, two, one, two, one, two)]
    columns += [column for one, two in pairs for column in (two, one, two, one, two, one)]
    state = after(*columns, 7, 7, 7, 7, 7, 7)
    assert state.outcome() == Outcome((1.5, 1.5), (0, 0), "the board is full")


def test_a_full_column_takes_no_disc() -> None:
    state = after(2, 2, 2, 2, 2, 2)
    assert state.check(1, "drop 2") == Illegal("column 2 is full")
    assert "drop 2" not in state.legal(1)
    assert len(list(state.legal(1))) == 6


def test_a_column_that_is_none_is_malformed() -> None:
    assert isinstance(after().check(1, "drop 8"), Malformed)


def test_the_board_is_seen_from_its_top_row_down() -> None:
    assert after(1, 1, 3).view(1)[-2:] == ("row 2......", "row 1.1....")
