"""Tests records in which every match has its own deal, and one set of processes plays a whole encounter."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from harness.errors import RecordError
from harness.record.log import encounter_path, stderr_path
from harness.record.run_folder import history_of
from harness.verify import verify
from tests.cli.workshop import NOISY, TINY, Workshop, harness
from tests.verify import forger

pytestmark = pytest.mark.whole

NAMES = ("anna", "bert", "carl", "violator")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a small tournament with fresh deals, two runs, a bot that breaks a rule, and stderr."""
    shop = Workshop(tmp_path_factory.mktemp("fresh"), 0)
    shop.bots += [shop.add_bot(name, NOISY) for name in NAMES]
    shop.write_plan(game=str(TINY), deal="fresh", deals=3, workers=1)
    assert shop.run().returncode == 0
    return shop.logs


@pytest.fixture
def forged(fresh: Path, tmp_path: Path) -> Path:
    """A copy of the logs, which a test may change."""
    return Path(shutil.copytree(fresh, tmp_path / "logs"))


def test_a_record_of_fresh_deals_holds_and_has_every_bot_in_every_seat(fresh: Path) -> None:
    run = verify(fresh).history.runs[1]
    assert (run.began.sittings, run.began.deals) == (1, 6)
    matches = [match for key in run.played for match in run.sitting(key)]
    assert set(Counter((bot, seat) for match in matches for seat, bot in enumerate(match.bots)).values()) == {
        6
    }
    assert len({match.deal for match in matches}) == len(matches) == 18


def test_what_a_bot_wrote_to_stderr_is_found_from_each_of_its_seats(fresh: Path) -> None:
    for number in (1, 2, 3, 4):
        shown = json.loads(harness("show", str(fresh), f"2.1.1.{number}", "--json").stdout)
        for seat in (1, 2):
            told = harness("show", str(fresh), f"2.1.1.{number}", "--seat", str(seat)).stdout
            [line] = [line for line in told.splitlines() if "wrote to stderr" in line]
            seats = Path(line.rpartition(": ")[2]).read_text().splitlines()
            assert seats[number - 1] == f"I am seat {seat}", shown["bots"]


def test_a_bot_is_fed_the_earlier_matches_of_its_sitting_in_its_own_seats(fresh: Path) -> None:
    bot = fresh.parent.parent / "anna"
    run = history_of(fresh).runs[1]
    encounter = min(number for number, each in run.encounters.items() if "anna" in each.bots)
    told = harness(
        "replay", str(fresh), f"2.{encounter}.1.6", "--bot", str(bot), "--sitting", "--isolation", "none"
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert "all answers are as on record; questions: 18." in told.stdout


def test_orders_of_seats_that_were_changed_are_found(forged: Path) -> None:
    journal = forged / "tournament.jsonl"
    forger.change(journal, lambda line: line["is"] == "run", orders=[[2, 1], [1, 2]])
    forger.seal(forged)
    with pytest.raises(RecordError, match="`orders` of `run`"):
        verify(forged)


def test_orders_that_are_no_orders_are_refused_by_every_reader(forged: Path) -> None:
    journal = forged / "tournament.jsonl"
    forger.change(journal, lambda line: line["is"] == "run", orders=[[1, 3], [2, 1]])
    forger.seal(forged)
    with pytest.raises(RecordError, match="run 2 has `orders` that do not have each of 2 places once"):
        history_of(forged)


def test_two_bots_of_a_match_that_changed_seats_are_found(forged: Path) -> None:
    path = encounter_path(forged, 2, 1)
    bots = next(line["bots"] for line in reversed(forger.read(path)) if line["is"] == "match")
    forger.change(path, lambda line: line["is"] == "match", bots=bots[::-1])
    forger.seal(forged)
    with pytest.raises(RecordError, match="`bots` of `match`"):
        verify(forged)


def test_the_order_of_matches_in_a_sitting_cannot_be_changed(forged: Path) -> None:
    path = encounter_path(forged, 2, 1)
    lines = forger.read(path)
    begins = [at for at, line in enumerate(lines) if line["is"] == "match"]
    first, second, third = begins[1:4]
    forger.write(path, [*lines[:first], *lines[second:third], *lines[first:second], *lines[third:]])
    forger.seal(forged)
    with pytest.raises(RecordError):
        verify(forged)


def test_stderr_is_kept_by_bot_and_not_by_seat(fresh: Path) -> None:
    for place in (1, 2):
        seats = stderr_path(fresh, 2, 1, 1, place).read_text().split("I am seat ")[1:]
        assert [int(seat) for seat in seats] == [place, 3 - place] * 3


def test_a_plan_with_the_same_deals_is_recorded_as_before_the_key(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, deal="same")
    assert shop.run().returncode == 0
    plan = json.loads((shop.logs / "plan.json").read_bytes())
    assert not {"deal", "sitting"} & plan.keys()
    assert "orders" not in (shop.logs / "tournament.jsonl").read_text()
    verify(shop.logs)
    shop.write_plan(deal="fresh")
    changed = shop.run_here()
    assert changed.returncode == 2
    assert 'deal: "same" -> "fresh"' in changed.stderr


def test_feedback_has_the_stderr_of_the_bot_itself(forged: Path, tmp_path: Path) -> None:
    scheme = tmp_path / "scheme.toml"
    scheme.write_text('[[item]]\nkind = "start"\npoints = 1\n')
    told = harness("grade", str(forged), "--scheme", str(scheme))
    assert told.returncode == 0, told.stderr
    bots = history_of(forged).runs[1].played[1, 1].bots
    for place, bot in enumerate(bots, start=1):
        [page] = forged.rglob(f"{bot}.html")
        begin = page.read_text().partition("Sitting 2.1.1")[2]
        assert begin.partition("I am seat ")[2][0] == str(place)
