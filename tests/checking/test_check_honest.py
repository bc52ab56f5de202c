"""Owns the proof that `check bot` gives no hint to a bot that makes no mistake: house bots and starters."""

import json
import shutil

import pytest

from harness import config
from harness.cli.workspace import HOUSE, STARTERS, house_bots
from tests.cli.door import TINY, harness

pytestmark = pytest.mark.real

GAMES = ("biplane", "sevens", "squadron", "squash", "stratego")
HONEST = [(str(path), TINY) for path in sorted(STARTERS.iterdir()) if path.is_dir()]
HONEST += [(path, game) for game in GAMES for path in house_bots(game)]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("path", "game"), HONEST, ids=[path.removeprefix(f"{HOUSE}/bots/") for path, _ in HONEST]
)
def test_an_honest_bot_gets_no_hint(path: str, game: str) -> None:
    if config.missing(config.read_bot(STARTERS / path), shutil.which):
        pytest.skip("this machine lacks the language")
    told = json.loads(harness("check", "bot", path, "--game", game, "--house", "0", "--json").stdout)
    assert [
        (step["told"], step["hint"]) for step in told["steps"] if not step["passed"] or step["hint"]
    ] == []
    assert told["passed"]
