"""Tests the starters of all languages on this machine: `make languages`. `.ci/run` installs all other
languages.

Each starter is built as in a tournament: in a sandbox, if this machine can make one. `.ci/run` runs the tests
with "sandbox" in their names twice: as root and as an ordinary user.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import config
from harness.checking.machine import tried
from harness.config import Bot
from harness.config.languages import with_starter
from harness.config.manifest import MANIFEST
from harness.sandbox import resolved
from harness.sandbox.builds.build import BuildSettings, built
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.isolation import achieved
from harness.sandbox.isolation import entrant as entrant_of
from tests.cli.door import harness
from tests.play.seated import BOTS, entrant, played

pytestmark = pytest.mark.languages
LISTED = ["play 2C 2 0", "play TC 10 -3", "play KC 4 5"]
LEVEL = achieved("auto").level


@pytest.fixture(scope="session")
def copies() -> Iterator[Path]:
    with folder_of_copies() as place:
        yield place


@pytest.fixture(scope="session", params=with_starter(), ids=lambda language: language.folder)
def starter(request: pytest.FixtureRequest) -> Bot:
    """The starter in this language. The test is skipped if the machine lacks the language."""
    bot = config.read_bot(BOTS / "starters" / request.param.folder)
    if trouble := config.missing(bot, shutil.which):
        pytest.skip(trouble)
    return bot


@pytest.fixture(scope="session")
def ready(starter: Bot, copies: Path) -> Bot:
    """The starter, built in a copy of its folder."""
    return built(starter, fresh(copies), BuildSettings(LEVEL)).bot


def fresh(copies: Path) -> Path:
    """A path that is new each time, because pytest may set up the same fixture again."""
    return Path(tempfile.mkdtemp(dir=copies)) / "bot"


def heard(bot: Bot, *lines: str) -> list[str]:
    """All lines that a bot writes when it reads these lines and then the end of its input."""
    text = "".join(f"{line}\n" for line in lines)
    argv = resolved(bot.run, bot.folder)
    ended = subprocess.run(
        argv, cwd=bot.folder, input=text, capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def question(moves: list[str]) -> list[str]:
    return ["played 1 5D 5 5", f"legal all {len(moves)}", *(f"move {move}" for move in moves), "play 1000 -1"]


def random_moves(seed: int, count: int) -> list[str]:
    """The moves that each starter must play from this seed: all starters use Lehmer's random generator."""
    state, moves = seed % (2**31 - 1) or 1, []
    for _ in range(count):
        state = state * 48271 % (2**31 - 1)
        moves.append(LISTED[state % len(LISTED)])
    return moves


def test_the_starters_of_all_languages_play_the_same_moves_from_the_seed_of_each_match(ready: Bot) -> None:
    seeds = [1, 1804289383, 2**31 - 2, 2**31 - 1, 1]
    matches = [line for seed in seeds for line in (f"new 1 1 2 {seed}", *question(LISTED) * 20, "over")]
    said = heard(ready, "hello 1 sevens", *matches, "bye")
    answers = [line for seed in seeds for line in ("ready", *random_moves(seed, 20))]
    assert said == ["hello 1 legal", *answers]


def test_a_starter_answers_a_single_move_and_a_sample(ready: Bot) -> None:
    sample = ["legal some 1", "move act 5D 1 2 3", "act 1000 20 7"]
    said = heard(ready, "hello 1 some-game", "new 1 1 2 5", *sample, "bye")
    assert said == ["hello 1 legal", "ready", "act 5D 1 2 3"]


def test_a_starter_ends_with_its_input_even_where_nobody_said_bye(ready: Bot) -> None:
    for last in ([], ["fault late no answer", "over"], ["legal all 2"], ["legal all 1", "move act 1"]):
        assert heard(ready, "hello 1 sevens", "new 1 1 2 5", *last) == ["hello 1 legal", "ready"], last


def test_a_starter_plays_two_matches_by_the_rules(ready: Bot) -> None:
    done = played([entrant(BOTS / "sevens" / "random"), entrant_of(ready, "none")], matches=2)
    assert [match.faults for match in done.matches] == [(), ()]
    assert done.stderr == ()


def test_a_starter_is_built_and_plays_in_a_sandbox(starter: Bot, copies: Path) -> None:
    """It plays with the default limits, although some languages need many threads and much address space."""
    opponent = entrant_of(config.read_bot(BOTS / "starters" / "python"), LEVEL)
    language = tried(starter, opponent, fresh(copies), LEVEL)
    assert (language.trouble, language.install) == ("", "")
    assert language.version


def test_a_new_bot_is_blameless_in_a_sandbox(starter: Bot, tmp_path: Path) -> None:
    """A bot from `harness new bot` passes the check without a hint. The check leaves no file in
    the bot's folder."""
    folder = tmp_path / "mine"
    made = harness("new", "bot", folder, "--game", "sevens", "--language", starter.language)
    assert (made.exit_code, "cannot play" in made.stdout) == (0, False), made.output
    before = sorted(folder.rglob("*"))
    checked = harness("check", "bot", folder, "--game", "sevens", "--seats", "2", "--house", "0", "--json")
    told = json.loads(checked.stdout)
    assert (checked.exit_code, told["passed"]) == (0, True), told
    assert not any(step["hint"] or step["advice"] or step["stderr"] for step in told["steps"]), told
    assert sorted(folder.rglob("*")) == before
    assert (folder / MANIFEST).is_file()
