"""Tests a record whose plan subtracts luck: standings say so, `verify` accepts it, and finds forged luck."""

import json
from pathlib import Path

import pytest

from harness.errors import RecordError
from harness.verify import verify
from tests.cli.workshop import Workshop, harness
from tests.verify import forger

pytestmark = pytest.mark.whole


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The logs of two bots that play Squash, with a plan that subtracts luck."""
    shop = Workshop(tmp_path, 2, game="squash", deals=12, luck="off", workers=1)
    assert shop.run().returncode == 0
    return shop.logs


def test_the_record_of_a_plan_that_takes_luck_off_holds_and_its_averages_are_corrected(logs: Path) -> None:
    assert verify(logs).matches == 24
    rows = json.loads(harness("standings", str(logs), "--json").stdout)["standings"]
    one, other = rows
    assert one["rank_luck_off"] + other["rank_luck_off"] == pytest.approx(3)
    assert one["rank_luck_off"] != one["average_rank"]
    plain, corrected = (one[f"{name}high"] - one[f"{name}low"] for name in ("", "rank_luck_off_"))
    assert 0 < corrected < plain
    assert "Luck is taken off" in harness("standings", str(logs)).stdout


def test_luck_on_record_that_does_not_follow_from_the_log_is_found(logs: Path) -> None:
    journal = logs / "tournament.jsonl"
    lines = forger.read(journal)
    played = next(line for line in lines if line["is"] == "played")
    played["matches"][0]["luck"] = [0.25, -0.25]
    forger.write(journal, lines)
    forger.seal(logs)
    with pytest.raises(RecordError, match="`matches` are"):
        verify(logs)


def test_a_plan_that_keeps_luck_has_no_luck_on_record(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, game="squash", deals=1, workers=1)
    assert shop.run().returncode == 0
    assert b"luck" not in (shop.logs / "tournament.jsonl").read_bytes()
    assert b'"luck"' not in (shop.logs / "plan.json").read_bytes()


def test_luck_is_not_taken_off_wins(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 2, game="squash", luck="off", order="wins")
    refused = shop.run_here()
    assert refused.returncode == 2
    assert 'luck: this does not go with order = "wins"' in refused.stderr
