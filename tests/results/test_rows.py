"""Tests the rows that notebooks get: the rows of the standings, and the lines of the log."""

from pathlib import Path

import pytest

from harness.errors import InputError, RecordError
from harness.record.log import encounter_path
from harness.results.rows import read_log, standings
from tests.cli.logs import SAID, write


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return write(tmp_path)


def test_standings_are_one_dict_for_each_bot_and_the_best_is_first(logs: Path) -> None:
    rows = standings(str(logs), "forfeit")
    assert [(row["place"], row["bot"], row["matches"]) for row in rows] == [(1, "anna", 4), (1, "bert", 4)]
    assert [row["faults"] for row in rows] == [1, 0]
    assert {"average_rank", "low", "high", "wins", "points", "voids"} < set(rows[0])


def test_another_policy_judges_the_record_anew(logs: Path) -> None:
    assert [row["bot"] for row in standings(logs, "disqualify")] == ["bert"]
    assert [row["bot"] for row in standings(logs, "strikes", 2)] == ["anna", "bert"]


def test_elo_is_computed_if_somebody_asks_for_it(logs: Path) -> None:
    assert {row["elo"] for row in standings(logs, "forfeit")} == {None}
    rows = standings(logs, "forfeit", rating="elo")
    assert [row["elo_low"] < row["elo"] < row["elo_high"] for row in rows] == [True, True]
    assert sum(row["elo"] for row in rows) == 0
    with pytest.raises(InputError, match="'elo' is the only rating"):
        standings(logs, "forfeit", rating="glicko")


@pytest.mark.parametrize("wrong", [("lenient",), ("strikes",), ("strikes", 0), ("forfeit", 2)])
def test_a_policy_that_does_not_exist_is_told(logs: Path, wrong: tuple[str, int]) -> None:
    with pytest.raises(InputError, match="polic"):
        standings(logs, *wrong)


def test_each_line_of_the_log_is_a_row_that_says_where_it_belongs(logs: Path) -> None:
    turns = [row for row in read_log(logs, "turn") if row["ask"].startswith("bid")]
    assert {row["match"] for row in turns} == set(SAID)
    (first, *_) = turns
    assert (first["match"], first["bot"], first["seat"], first["said"]) == ("1.1.1.1", "anna", 1, "bid 1")
    place = {key: first[key] for key in ("is", "run", "round", "encounter", "seating", "deal")}
    assert place == {"is": "turn", "run": 1, "round": 1, "encounter": 1, "seating": 1, "deal": 1}
    assert [row["bot"] for row in turns if row["match"] == "1.1.2.1"][:1] == ["bert"]


def test_all_rows_of_a_kind_have_the_same_keys(logs: Path) -> None:
    keys: dict[str, set[tuple[str, ...]]] = {}
    for row in read_log(logs):
        keys.setdefault(row["is"], set()).add(tuple(row))
    assert {"opened", "run", "played", "seating", "match", "turn", "fault", "result"} <= set(keys)
    assert {kind for kind, found in keys.items() if len(found) > 1} == set()


def test_a_result_names_the_bots_beside_their_ranks(logs: Path) -> None:
    results = list(read_log(logs, "result"))
    assert [row["bots"] for row in results] == [["anna", "bert"]] * 2 + [["bert", "anna"]] * 2
    assert all(len(row["ranks"]) == len(row["scores"]) == 2 for row in results)


def test_rows_hold_plain_values_alone(logs: Path) -> None:
    def kinds(value: object) -> set[type]:
        if isinstance(value, dict):
            return {dict}.union(*map(kinds, value.values()))
        if isinstance(value, list):
            return {list}.union(*map(kinds, value))
        return {type(value)}

    found = set().union(*(kinds(row) for row in read_log(logs)))
    assert found <= {dict, list, str, int, float, bool, type(None)}


def test_a_kind_that_does_not_exist_is_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'turns'"):
        read_log(tmp_path, "turns")
    with pytest.raises(InputError, match="no folder of a run"):
        read_log(tmp_path)


def test_a_file_that_is_gone_is_told(logs: Path) -> None:
    encounter_path(logs, 1, 1).unlink()
    assert [row["is"] for row in read_log(logs, "opened", "run")] == ["opened", "run"]
    with pytest.raises(RecordError, match="some are missing"):
        list(read_log(logs))
