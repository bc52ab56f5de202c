"""Owns the tests of `show`: the list of matches, a match as all or one seat may see it, a wrong record."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from harness.cli.commands.show import _names
from harness.config import OpenPlan
from harness.record import run_folder
from harness.record.team_names import TeamBook, write_book
from tests.cli import logs
from tests.cli.door import harness

LIST = """\
no.  match    faults              who (rank)
---  -------  ------------------  ------------------
  1  1.1.1.1                      anna (1)  bert (2)
  2  1.1.1.2                      anna (1)  bert (2)
  3  1.1.2.1  malformed (seat 2)  bert (1)  anna (2)
  4  1.1.2.2                      bert (1)  anna (2)
"""
WHOLE = r"""tiny: tiny, match 1.1.2.1
  ready    seat 1 (bert), after 1.5 ms
  ready    seat 2 (anna), after 1.5 ms
  seat 1   secret 3
  seat 2   secret 2

Question 1: seat 1 (bert)

rounds 2
coins 4 4
points 0 0
secrets 3 2

  asked    bid 1000 -1
  said     bid 1   (after 1.5 ms)

Question 2: seat 2 (anna)
  asked    bid 1000 -1
  said     bid 5\x1b[31m   (after 1.5 ms)

  FAULT    seat 2 (anna), malformed: expected `bid COINS`; it said 'bid
           5\x1b[31m'
  position rounds 2 | coins 4 4 | points 0 0 | secret 2
  idle     CPU time used while not asked: seat 1 0 µs, seat 2 1.23 ms

The result: a fault of seat 2 stopped the match

rank  seat  who   score
----  ----  ----  -----
   1     1  bert      0
   2     2  anna      0
  stderr   the last text that seat 2 (anna) wrote:
           I only
           meant \x1b[2J well
All that seat 2 wrote to stderr in this sitting: """
AS_SEAT_1 = """tiny: tiny, match 1.1.2.1, as seat 1 saw it
  ready    seat 1 (bert), after 1.5 ms
  seat 1   secret 3

Question 1: seat 1 (bert)

rounds 2
coins 4 4
points 0 0
secret 3

  asked    bid 1000 -1
  said     bid 1   (after 1.5 ms)

Question 2: seat 2 (anna), after 1.5 ms

  FAULT    seat 2 (anna), malformed

The result: a fault of seat 2 stopped the match

rank  seat  who   score
----  ----  ----  -----
   1     1  bert      0
   2     2  anna      0
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of logs that no test changes."""
    return logs.write(tmp_path_factory.mktemp("show"))


def test_without_a_match_all_are_listed(record: Path) -> None:
    assert harness("show", record).stdout == LIST


def test_the_list_can_be_of_one_bot(record: Path) -> None:
    assert harness("show", record, "--bot", "anna").stdout == LIST
    told = harness("show", record, "--bot", "ana")
    why = "--bot: no bot of this tournament has the name 'ana'; did you mean anna?"
    assert (told.exit_code, why in told.stderr, told.stdout) == (2, True, "")


def test_the_list_can_be_of_a_team_by_its_name_then_and_now(tmp_path: Path) -> None:
    record = logs.write(tmp_path)
    (tmp_path / "league.toml").write_text("")
    (tmp_path / "entries").mkdir()
    write_book(tmp_path, TeamBook(names=(("anna", "Polar Bears"),)))
    for name in ("anna", "Polar Bears"):
        assert harness("show", record, "--bot", name).stdout == LIST
    assert "did you mean Polar Bears?" in harness("show", record, "--bot", "Polar Bear").stderr


def test_in_a_ladder_a_team_stands_for_all_versions_of_its_bot(tmp_path: Path) -> None:
    record = logs.write(tmp_path)
    plan = run_folder.plan_of(record)
    bots = tuple(replace(plan.bots[0], name=name) for name in ("greedy", "red@1", "red@2", "blue@1"))
    fields = {name: getattr(plan, name) for name in plan.__struct_fields__}
    ladder = OpenPlan(**fields | {"bots": bots, "format": "ladder", "meet": None, "house": ("greedy",)})
    for name, meant in (("red", {"red@1", "red@2"}), ("red@1", {"red@1"}), ("greedy", {"greedy"})):
        assert _names(record, ladder, name) == meant


def test_the_list_as_json_has_the_faults(record: Path) -> None:
    third = json.loads(harness("show", record, "--json").stdout)[2]
    assert (third["number"], third["id"], third["bots"]) == (3, "1.1.2.1", ["bert", "anna"])
    assert third["faults"][0]["name"] == "malformed"


@pytest.mark.parametrize("match", ["3", "1.1.2.1", "01.1.2.1"])
def test_a_match_is_told_question_by_question(record: Path, match: str) -> None:
    told = harness("show", record, match).stdout
    assert told.startswith(WHOLE)
    assert told.removeprefix(WHOLE).endswith("run-1/000/000001.2.2.stderr\n")


def test_a_seat_is_told_what_it_could_know(record: Path) -> None:
    assert harness("show", record, "3", "--seat", "1").stdout == AS_SEAT_1


def test_brief_leaves_out_the_positions_and_no_comment(record: Path) -> None:
    told = harness("show", record, "2", "--brief").stdout
    assert "rounds" not in told
    assert told.count("  comment  # hm\n") == 4


def test_json_holds_the_records_with_the_positions(record: Path) -> None:
    told = json.loads(harness("show", record, "1", "--json").stdout)
    assert (told["match"], told["seeds"]) == ("1.1.1.1", [1, 2])
    kinds = [each["is"] for each in told["records"]]
    assert kinds.count("turn") == 6
    assert kinds.count("chance") == 4
    turns = [each for each in told["records"] if each["is"] == "turn"]
    assert turns[2]["position"] == ["rounds 2", "coins 4 4", "points 0 0", "secrets 3 2"]


def test_json_of_a_seat_holds_nothing_that_it_could_not_know(record: Path) -> None:
    text = harness("show", record, "3", "--seat", "1", "--json").stdout
    told = json.loads(text)
    assert told["seeds"] == [1]
    assert {each["is"] for each in told["records"]} == {"turn", "event", "fault", "result"}
    for secret in ("secret 2", "I only", "bid 5", "COINS"):
        assert secret not in text


NOWHERE = ["5", "1.1.2", "1.1.2.3", "2.1.1.1", "0.1.1.1", "first", "-1", "²", "9" * 20]


@pytest.mark.parametrize("match", NOWHERE)
def test_a_match_that_is_not_there_is_refused(record: Path, match: str) -> None:
    refused = harness("show", record, "--", match)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Error: MATCH: ")
    assert refused.stderr.count("\n") == 1


def test_flags_that_do_not_fit_are_refused(record: Path, tmp_path: Path) -> None:
    assert (
        "the match has 2 seats, so there is no seat 3" in harness("show", record, "1", "--seat", "3").stderr
    )
    assert harness("show", record, "1", "--bot", "anna").exit_code == 2
    assert "no folder of a run" in harness("show", tmp_path).stderr


def test_a_record_that_lies_one_level_deeper_may_be_meant(record: Path) -> None:
    for command in ("show", "verify"):
        assert harness(command, record.parent).stderr.endswith(f"; did you mean {record}?\n")


def test_a_record_that_the_rules_contradict_is_told_with_its_place(record: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(record, tmp_path / "changed")
    file = changed / "run-1" / "000" / "000001.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"bids 1 2"', b'"bids 2 1"'))
    told = harness("show", changed, "1.1.1.1")
    assert told.exit_code == 1
    assert f"{file}:" in told.stderr
    assert "`line` of `event` is 'bids 2 1', but the rules say 'bids 1 2'" in told.stderr
    # The correct part of the match, before the wrong line, is printed.
    assert "Question 2" in told.stdout
