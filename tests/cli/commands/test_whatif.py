"""`harness whatif` says what another answer was worth, and refuses what it cannot play."""

import json
import shutil
from pathlib import Path

import pytest

from harness.cli import progress
from harness.cli.commands.whatif import _gain
from harness.record.fork_file import FILE
from harness.record.log import encounter_path
from harness.results.statistics.paired import MeanDifference
from tests.cli.door import TINY, a_bot, harness

pytestmark = pytest.mark.whole

DILEMMA = """#!/bin/sh
# Cooperates if this file exists, and defects otherwise.
move=D
[ -e "FILE" ] && move=C
while read -r word rest; do
    case $word in
    hello) echo hello 1 ;;
    new) echo ready ;;
    act) echo act $move ;;
    esac
done
"""
LOW_IS_GOOD = """
    def keys(self):
        return tuple(-score for score in self.scores())

    def outcome(self):
        return None if self.to_act() else Outcome(ranks(self.keys()), self.scores(), "the end of the game")

    # -- what each seat may see"""
BASE = ("1.1.1.1", "--from", "2", "--isolation", "none")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a tournament of two sparring bots."""
    folder = tmp_path_factory.mktemp("logs")
    told = harness("rungs", TINY, "--play-outs", "2", "--play-outs", "4", "--meet", "1", "--logs", folder)
    assert told.exit_code == 0, told.output
    return folder / "rungs-tiny"


@pytest.fixture
def logs(tmp_path: Path, played: Path) -> Path:
    """A copy of the record, for one test."""
    return Path(shutil.copytree(played, tmp_path / "rungs-tiny"))


def test_without_a_change_the_match_is_played_again(logs: Path) -> None:
    told = harness("whatif", logs, *BASE)
    assert "From question 2 on, match 1.1.1.1 was played again without a change." in told.stdout
    assert "trust no fork" not in told.stdout


def test_another_move_has_a_worth(logs: Path) -> None:
    told = harness("whatif", logs, *BASE, "--move", "bid 0", "--json")
    found = json.loads(told.stdout)
    [one], [two] = found["as_on_record"], found["otherwise"]
    seat = found["seat"] - 1
    assert (found["question"], found["instead"], found["draws"], one["same"]) == (2, "bid 0", 0, True)
    assert found["points"] == [two["scores"][seat] - one["scores"][seat], None, None, 1]


def test_more_points_are_worse_in_a_game_in_which_a_low_score_is_good(tmp_path: Path) -> None:
    text = Path(TINY).read_text().replace("\n    # -- what each seat may see", LOW_IS_GOOD)
    game = tmp_path / "golf.py"
    game.write_text(
        text.replace("Options, State", "Options, Outcome, State, ranks").replace('"tiny"', '"golf"')
    )
    played = harness("rungs", game, "--play-outs", "2", "--play-outs", "4", "--meet", "1", "--logs", tmp_path)
    assert played.exit_code == 0, played.output
    words = ("whatif", tmp_path / "rungs-golf", *BASE, "--move", "bid 0", "--keep")
    for again in (words, words):  # The second call judges the forks that the first one kept.
        found = json.loads(harness(*again, "--json").stdout)
        [one], [two] = found["as_on_record"], found["otherwise"]
        seat = found["seat"] - 1
        assert found["points"][0] == one["scores"][seat] - two["scores"][seat] < 0
        assert f"the seat ends {-found['points'][0]:g} points worse, and " in harness(*again).stdout


def test_a_gain_of_nothing_is_neither_better_nor_worse() -> None:
    assert _gain(MeanDifference(0, 0, -0.001, 20), "place") == (
        "0.00 places better or worse (95 % interval: 0.00 to 0.00)"
    )
    assert _gain(MeanDifference(0.5, -0.25, 1.25, 20), "point") == (
        "0.50 points better (95 % interval: 0.25 worse to 1.25 better)"
    )


def test_without_a_terminal_the_number_of_forks_is_told_now_and_then(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", -1)
    told = harness("whatif", logs, *BASE, "--move", "bid 0", "--draws", "2").stderr
    assert "0 of 2 pairs of forks played\n1 of 2 pairs of forks played\n" in told


def test_draws_have_an_interval_and_stand_ins(logs: Path) -> None:
    told = harness("whatif", logs, *BASE, "--move", "bid 0", "--draws", "6").stdout
    assert "trust no fork" not in told
    assert "By what the seat knew, at question 2 of match 1.1.1.1, seat " in told
    assert "(6 draws, against sparring bots)." in told
    assert "95 % interval: " in told


@pytest.mark.parametrize("draws", ["0", "2"])
def test_a_bot_that_plays_otherwise_in_forks_is_told(tmp_path: Path, draws: str) -> None:
    tournament_is_over = tmp_path / "over"
    text = DILEMMA.replace("FILE", str(tournament_is_over))
    bots = ", ".join(f'{{path = "{a_bot(tmp_path, text, name)}"}}' for name in ("sly", "other"))
    plan = tmp_path / "sly.toml"
    plan.write_text(f'game = "dilemma"\nisolation = "none"\nbots = [{bots}]\n[options]\nturns = 2\n')
    ran = harness("run", plan, "--logs", tmp_path / "logs")
    assert ran.exit_code == 0, ran.output
    tournament_is_over.touch()
    told = harness(
        "whatif", tmp_path / "logs" / "sly", *BASE, "--plan", plan, "--move", "act C", "--draws", draws
    )
    assert "did not repeat the match on record: trust no fork." in " ".join(told.stdout.split()), told.output


def test_another_bot_may_play_on(logs: Path) -> None:
    told = harness("whatif", logs, *BASE, "--bot", "spar:1").stdout
    assert "spar:1 instead of `bid " in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("1.1.1.1", "--from", "99"), "--from: match 1.1.1.1 has 6 questions, and no question 99"),
        ((*BASE, "--move", ""), "--move: this is not a legal move at question 2: "),
        ((*BASE, "--bot", ""), "'': expected a path, but this is empty"),
        ((*BASE, "--move", "bid 77"), "--move: this is not a legal move at question 2: "),
        (("9.9.9.9", "--from", "1"), "match 9.9.9.9 is not on record"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(logs: Path, words: tuple[str, ...], told: str) -> None:
    result = harness("whatif", logs, *words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_bot_that_has_changed_is_refused(logs: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "{TINY}"\nseats = 2\nbots = [{{path = "spar:3", name = "spar:2"}}, "spar:4"]\n')
    result = harness("whatif", logs, *BASE, "--plan", plan)
    assert result.exit_code == 2
    told = "spar:3: this bot is not as it was when it played this match; name a plan with a copy"
    assert told in " ".join(result.stderr.split())


def test_a_changed_bot_is_named_by_a_path_that_can_be_typed(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plans").mkdir()
    (tmp_path / "bots").mkdir()
    a_bot(tmp_path / "bots", "#!/bin/sh\n", "new")
    entry = '{path = "../bots/new", name = "spar:2"}'
    plan = tmp_path / "plans" / "plan.toml"
    plan.write_text(f'game = "{TINY}"\nseats = 2\nbots = [{entry}, "spar:4"]\n')
    monkeypatch.chdir(tmp_path)
    told = " ".join(harness("whatif", logs, *BASE, "--plan", plan).stderr.split())
    assert "Error: bots/new: this bot is not as it was" in told


def test_kept_forks_are_judged_again_and_only_missing_ones_are_played(logs: Path) -> None:
    keep = logs / FILE
    words = ("whatif", logs, *BASE, "--move", "bid 0", "--keep", "--json", "--draws")
    first = harness(*words, "2")
    lines = keep.read_bytes().splitlines(keepends=True)
    assert len(lines) == 4
    keep.write_bytes(b"".join(lines[:3]) + lines[3][:50])  # The writer was killed.
    again = harness(*words, "2")
    assert json.loads(again.stdout) == json.loads(first.stdout)
    assert len(keep.read_bytes().splitlines()) == 4
    assert harness(*words, "3").exit_code == 0
    assert len(keep.read_bytes().splitlines()) == 6


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"said":"bid 0"', '"said":"bid 1"', "the answer to the question is not the move of the fork"),
        ('"is":"fork"', '"is":"spoon"', "this line is no fork"),
        ('"reason":"', '"reason":"not ', "`reason` of `result`"),
    ],
)
def test_a_forged_fork_is_refused(logs: Path, old: str, new: str, told: str) -> None:
    keep = logs / FILE
    words = ("whatif", logs, *BASE, "--move", "bid 0", "--keep")
    assert harness(*words).exit_code == 0
    first, second = keep.read_text().splitlines()
    assert old in second
    keep.write_text(f"{first}\n{second.replace(old, new)}\n")
    for again in (words, ("verify", logs, "--workers", "1")):
        result = harness(*again)
        assert result.exit_code == 1
        assert told in result.stderr


def test_verify_checks_the_forks_beside_a_record(logs: Path) -> None:
    assert harness("whatif", logs, *BASE, "--move", "bid 0", "--keep").exit_code == 0
    checked = ("verify", logs, "--workers", "1")
    assert "2 forks beside the record: right too." in harness(*checked).stdout
    fork = json.loads((logs / FILE).read_text().splitlines()[0])
    for key, value in (("match", "1.9.1.1"), ("match", "first"), ("question", 99)):
        (logs / FILE).write_text(json.dumps({**fork, key: value}, separators=(",", ":")) + "\n")
        result = harness(*checked)
        assert result.exit_code == 1
        assert (
            "forks.jsonl:1: this is a fork of a match or of a question that is not on record" in result.stderr
        )


@pytest.mark.parametrize("text", ["my only notes", '{"is":"match"', "{}\nmy only notes"])
def test_a_file_of_something_else_stays_as_it_is(logs: Path, text: str) -> None:
    keep = logs / FILE
    keep.write_text(text)
    result = harness("whatif", logs, *BASE, "--move", "bid 0", "--keep")
    assert result.exit_code == 1
    assert "this line is no fork" in result.stderr
    assert keep.read_text() == text


def test_a_fork_passed_off_as_a_match_is_refused(logs: Path) -> None:
    assert harness("whatif", logs, *BASE, "--move", "bid 0", "--keep").exit_code == 0
    line = (logs / FILE).read_text().splitlines()[1]
    records = [json.dumps(each, separators=(",", ":")) for each in json.loads(line)["records"]]
    file = encounter_path(logs, 1, 1)
    whole = file.read_text().splitlines()
    first, second = (number for number, each in enumerate(whole) if '"is":"match"' in each)
    assert harness("verify", logs, "--workers", "1").exit_code == 0
    for forged in (
        [*whole, line],
        [*whole[:first], line, *whole[second:]],
        [whole[0], *records, *whole[second:]],
    ):
        file.write_text("\n".join(forged) + "\n")
        assert harness("verify", logs, "--workers", "1").exit_code == 1
