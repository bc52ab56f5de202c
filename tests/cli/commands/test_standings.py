"""Owns the tests of `harness standings --policy`: standings by another policy, and the limits of that."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.config.policies import forms
from tests.cli.workshop import NOISY, TINY, Workshop, harness

pytestmark = pytest.mark.whole


def judged(logs: Path, policy: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(harness("standings", str(logs), "--policy", policy, "--json").stdout)
    return found


@pytest.fixture(scope="module")
def forfeits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of the same tournament as in `record`, but played with the policy "forfeit"."""
    shop = Workshop(tmp_path_factory.mktemp("forfeits"), 0)
    shop.bots += [shop.add_bot(name, NOISY) for name in ("anna", "bert", "carl", "violator")]
    shop.write_plan(game=str(TINY), policy="forfeit", workers=1)
    assert shop.run().returncode == 0
    return shop.logs


def test_a_record_of_disqualifications_is_provisional_by_laxer_policies(record: Path) -> None:
    for policy in ("forfeit", "strikes=9"):
        found = judged(record, policy)
        assert {row["bot"] for row in found["standings"]} == {"anna", "bert", "carl", "violator"}
        assert (found["run"], found["disqualified"]) == (1, [])
        assert 0 < found["missing"] == 12 - found["matches"]
    told = harness("standings", str(record), "--policy", "strikes=9").stdout
    assert "(policy: strikes = 9)" in told
    provisional = r"Provisional: only \d of 6 encounters of run 1 are complete, and \d matches are missing\."
    assert re.search(provisional, " ".join(told.split()))
    assert "The places go by rating: the schedule is not complete, so" in told
    assert told.endswith("The tournament was played by another policy: disqualify.\n")


def test_a_record_of_forfeits_is_exact_by_stricter_policies(record: Path, forfeits: Path) -> None:
    strict = judged(forfeits, "disqualify")
    assert strict["missing"] == 0
    assert [out["bot"] for out in strict["disqualified"]] == ["violator"]
    assert {row["bot"] for row in strict["standings"]} == {"anna", "bert", "carl"}
    first = json.loads(harness("standings", str(record), "--json").stdout)["disqualified"]
    assert strict["disqualified"] == first
    assert judged(forfeits, "strikes=1")["standings"] == strict["standings"]
    assert judged(forfeits, "strikes=99")["standings"] == judged(forfeits, "forfeit")["standings"]


def test_by_the_policy_that_was_played_by_nothing_is_said_of_another(record: Path) -> None:
    assert judged(record, "disqualify") == json.loads(harness("standings", str(record), "--json").stdout)
    assert "another policy" not in harness("standings", str(record), "--policy", "disqualify").stdout


@pytest.mark.parametrize("wish", ["kill", "strikes", "strikes=0", "strikes=x", "forfeit=2", "strikes=-1", ""])
def test_a_policy_that_is_none_is_refused_with_those_there_are(record: Path, wish: str) -> None:
    told = harness("standings", str(record), "--policy", wish)
    assert (told.returncode, f"expected one of {', '.join(forms())}, not" in told.stderr) == (
        2,
        True,
    )
