"""Tests how often a sitting starts its bots."""

from pathlib import Path

import pytest

from tests.play.live_sittings import job, played, script

pytestmark = pytest.mark.real

COUNTS_AND_ENDS = """#!/bin/sh
echo started >> "$0.log"
"""
PLAYS = """#!/bin/sh
while read -r word rest; do
    case $word in
        hello) echo started >> "$0.log"; echo "hello 1 legal" ;;
        new) echo ready ;;
        move) move=$rest ;;
        play) echo "$move" ;;
    esac
done
"""


async def test_a_bot_that_does_not_start_is_tried_once_for_each_match(tmp_path: Path) -> None:
    bots = (script(tmp_path, "ends", COUNTS_AND_ENDS), script(tmp_path, "plays", PLAYS))
    done = await played(job(bots, deals=(1, 2)))
    assert [match.faults[0].name for match in done.matches] == ["no-start", "no-start"]
    assert (tmp_path / "ends.log").read_text() == "started\n" * 2
    assert (tmp_path / "plays.log").read_text() == "started\n"
