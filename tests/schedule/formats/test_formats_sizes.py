"""Tests formats with 5 to 5,000 bots: a run that is killed and continued ten times writes the same bytes."""

from pathlib import Path

import pytest

from harness.events import Disqualified, Ended, Played
from tests.play.scripted import of, on_record
from tests.schedule.formats.sized import FORMATS, a_sized, at_once, bytes_of, killed, sizes_of

pytestmark = pytest.mark.virtual


def check_the_same_bytes(folder: Path, name: str, bots: int, rerun: str) -> None:
    cheats = {f"bot{number:04}": 3 for number in (2, 7)}
    plan = a_sized(name, bots, rerun=rerun)
    at_once(plan, folder / "calm", cheats)
    records = on_record(folder / "calm")
    (ended,) = of(Ended, records)
    assert not ended.unplayed
    assert of(Disqualified, records)
    calm = bytes_of(folder / "calm")
    for hands in (1, 2):
        killed(plan, folder / str(hands), cheats, hands, len(of(Played, records)))
        assert bytes_of(folder / str(hands)) == calm


@pytest.mark.parametrize("name", ["round-robin", "gauntlet", "stages"])
def test_a_killed_tournament_of_five_bots_leaves_the_same_bytes(tmp_path: Path, name: str) -> None:
    check_the_same_bytes(tmp_path, name, 5, "keep")


@pytest.mark.soak
@pytest.mark.parametrize("rerun", ["keep", "fresh"])
@pytest.mark.parametrize(("name", "bots"), [(name, bots) for name in FORMATS for bots in sizes_of(name)])
def test_a_killed_tournament_of_any_size_leaves_the_same_bytes(
    tmp_path: Path, name: str, bots: int, rerun: str
) -> None:
    check_the_same_bytes(tmp_path, name, bots, rerun)
