"""Kills tournaments of each format with real processes at ten random moments, and continues them.

With one worker and with two, the record must be that of a tournament that was never killed. In each
tournament with more than two bots, one bot is disqualified. test_formats_sizes.py does the same with many
more bots and without
processes, and tests/league does it with a ladder.
"""

import os
import signal
from pathlib import Path
from random import Random

import pytest

from harness.bot.process import become_subreaper
from harness.events import Disqualified, Ended, Played
from tests.cli.workshop import STEADY, Workshop, harness, timeless, wait_for_orphans
from tests.play.scripted import of, on_record

pytestmark = pytest.mark.whole

FORMATS = {
    "round-robin": (6, "deals = 2\nsitting = 2\n"),
    "gauntlet": (6, 'format = "gauntlet"\nhouse = ["bot1", "bot2"]\ndeals = 3\n'),
    "swiss": (8, 'format = "swiss"\nrounds = 5\ndeals = 2\n'),
    "swiss at tables": (9, 'format = "swiss"\nrounds = 5\nseats = 3\n'),
    "knock-out": (8, 'format = "knock-out"\ndeals = 2\n'),
    "knock-out at tables": (12, 'format = "knock-out"\nseats = 3\ndeals = 2\n'),
    "double elimination": (4, 'format = "double-elimination"\n'),
    "until it is settled": (4, 'deals = 3\n[stop]\nsettled = "places 1-1"\nmost = 6\n'),
    "stages": (
        9,
        '[[stage]]\nformat = "groups"\ngroups = 2\nthrough = 5\n'
        '[[stage]]\nformat = "round-robin"\ncarry = true\nthrough = 4\n[[stage]]\nformat = "knock-out"\n',
    ),
    "sprt": (2, 'format = "sprt"\n[sprt]\nelo0 = 0\nelo1 = 50\nmost = 40\n'),
}
KILLS = 10
CHEAT = STEADY.replace("count >> 8) % len(moves)]", 'count >> 8) % len(moves)] if count % 29 else "cheat"')


def a_shop(folder: Path, bots: int, keys: str) -> Workshop:
    """A workshop with this plan. If it has more than two bots, the last one makes a mistake at some time."""
    shop = Workshop(folder, bots)
    given = shop.plan.read_text().replace("seats = 2\n", "" if "seats =" in keys else "seats = 2\n")
    shop.plan.write_text(f"{given}{LIMITS}{keys}")
    if bots > 2:
        (shop.bots[-1] / "main.py").write_text(CHEAT)
    return shop


LIMITS = "limits = { start_ms = 600_000, move_ms = 600_000 }\n"


def killed(shop: Workshop, workers: int, matches: int) -> None:
    """Kills the run at ten random moments. All ten together need about half of the matches of the run.

    All bots share one file `.fuse`. Each bot in each match counts it down, and at 0 the run is killed.
    """
    random = Random(workers)
    shop.set_fuse(10**9, 0)
    for bot in shop.bots[1:]:
        os.link(shop.bots[0] / ".fuse", bot / ".fuse")
    seats = 2 * matches // KILLS
    for _ in range(KILLS):
        process = shop.start("--workers", str(workers))
        shop.set_fuse(random.randint(1, seats), signal.SIGKILL, process.pid)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        wait_for_orphans()
    shop.set_fuse(10**9, 0)


@pytest.mark.soak
@pytest.mark.parametrize("name", FORMATS)
def test_a_tournament_that_is_killed_at_ten_moments_has_the_same_record(tmp_path: Path, name: str) -> None:
    become_subreaper()
    calm = a_shop(tmp_path / "calm", *FORMATS[name])
    told = calm.run("--json")
    assert told.returncode == 0, told.stderr
    records = on_record(calm.logs)
    assert bool(of(Disqualified, records)) is (name != "sprt")
    assert of(Ended, records)
    record = timeless(calm.logs)
    matches = sum(len(each.matches) for each in of(Played, records))
    for workers in (1, 2):
        shop = a_shop(tmp_path / str(workers), *FORMATS[name])
        killed(shop, workers, matches)
        last = shop.run("--json", "--workers", str(workers))
        assert last.returncode == 0, last.stderr
        assert last.stdout == told.stdout
        assert timeless(shop.logs) == record
        assert harness("verify", str(shop.logs)).returncode == 0
