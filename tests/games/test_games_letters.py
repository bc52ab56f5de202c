"""Tests that in no game a letter which is not ASCII passes as another letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import games
from harness.events import Fault, SittingBegan, Turn
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from tests.bots.test_rogues import ROGUES
from tests.play.live_sittings import kept
from tests.play.seated import entrant, played, records

pytestmark = pytest.mark.real

TINY = Path(games.__file__).parent.parent / "cli" / "templates" / "game" / "tiny.py"


@pytest.mark.parametrize("find", [*games.names(), pytest.param(str(TINY), id="template")])
def test_a_letter_in_disguise_is_malformed_in_every_game(find: str) -> None:
    game = games.find(find)
    rogue = entrant(ROGUES / "letters-in-disguise.py")
    done = played([rogue] * game.seats[0], game=find)
    fault, turn = kept(done, Fault)[0], next(turn for turn in kept(done, Turn) if turn.failed)
    assert (fault.name, fault.said) == ("malformed", turn.said)
    assert fault.reason.startswith("an answer consists of printable ASCII characters, but character ")
    assert fault.said is not None
    assert not fault.said.isascii()
    lines = LogLines(enumerate(records(done), start=1))
    assert isinstance(lines.take(), SittingBegan)
    _, brief = rejudge(lines, Rules(game, game.options(), done.job.rules.limits), done.job.deals[0], 1)
    assert brief.faults[0] == fault.brief()
