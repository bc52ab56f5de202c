"""Tests `check bot`: which bots pass, and why others do not."""

import json
import re
import shutil
from pathlib import Path

import pytest
import trio

from harness.checking.ear import Ear, Patience
from harness.checking.probe import ASKED, CLOSED, SentBlock, probe
from harness.model import Limits
from tests.cli.door import STARTER, TINY, a_bot, harness
from tests.play.seated import entrant

# Options for one sitting of two short matches. Only a bot that hangs is late by these limits.
QUICK = ("--game", TINY, "--seats", "2", "--option", "rounds=1", "--limit", "start_ms=60000")
PATIENT = (*QUICK, "--limit", "move_ms=60000")

# A match of Evil Squash can end before the bot is asked a question.
ONE_SCRIPT = ("--game", "squash", "--seats", "2", "--limit", "start_ms=60000", "--house", "0")

HELLO_BLOCK = SentBlock(b"hello 1 tiny\n")
HELLO = "echo 'hello 1 legal'"
READY = "echo ready"
BID = "echo bid 0"
UNFLUSHED = """#!/usr/bin/perl
while (<STDIN>) {
    print "hello 1\\n" if /^hello/;
}
"""


def shell(hello: str = HELLO, ready: str = READY, bid: str = BID, over: str = ":") -> str:
    """The text of a bot in shell. The parameters are its commands for each kind of line."""
    return f"""#!/bin/sh
while read -r word rest; do
    case $word in
        hello) {hello} ;;
        new) {ready} ;;
        bid) {bid} ;;
        over) {over} ;;
    esac
done
"""


def unflushed(folder: Path) -> Path:
    """A bot in Perl that does not flush."""
    if shutil.which("perl") is None:
        pytest.skip("this machine has no perl")
    bot = folder / "perl"
    bot.mkdir()
    (bot / "main.pl").write_text(UNFLUSHED)
    (bot / "bot.toml").write_text("name = 'quiet'\nrun = 'perl main.pl'\nlanguage = 'Perl'\n")
    return bot


def test_a_blameless_bot_passes_in_every_seat() -> None:
    told = harness("check", "bot", STARTER, "--game", TINY)
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert lines[0].startswith("✓ starts, and answers `hello` after ")
    assert [line[2:17] for line in lines[1:3]] == ["every seat of 2", "every seat of 4"]
    assert all(re.search(r": won [0-4] of [24] matches; slowest answer", line) for line in lines[1:3])
    assert lines[3:5] == [
        "✓ rests while slow opponents think",
        "✓ plays the same match again with the same SEED",
    ]
    assert lines[-1] == "starter-python plays tiny as it should."


def test_a_sparring_bot_may_be_the_opponent() -> None:
    told = harness("check", "bot", STARTER, "--game", TINY, "--against", "spar:2", "--house", "0").stdout
    assert "starter-python plays tiny as it should." in told
    told = harness("check", "bot", "spar:2", "--game", TINY).stderr
    assert "spar:2: this is a sparring bot, which needs no check; to use it as an opponent: --against" in told


def test_the_same_in_json() -> None:
    told = json.loads(harness("check", "bot", STARTER, *PATIENT, "--json").stdout)
    assert (told["bot"], told["game"], told["passed"]) == ("starter-python", "tiny", True)
    assert [(step["passed"], step["hint"]) for step in told["steps"]] == [(True, None)] * 4


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("#!/bin/sh\necho oh no >&2; exit 3\n", "ends, with exit status 3, before it answers `hello`"),
        (shell(hello="echo hi"), "starts, but its answer to `hello` is wrong: `hello 1` is due"),
        (shell(hello="echo hello 2"), "is wrong: `hello 1` is due"),
        (shell(hello="echo hello 1 fast"), "is wrong: after `hello 1` may come `legal` and `state`"),
        (shell(hello="printf 'hell\\377\\n'"), "is wrong: byte 5 of a line is not valid UTF-8: 'hell\\xff'"),
        (shell(ready="echo yes"), "malformed: `ready` is due; it said 'yes'"),
        (shell(bid="echo bid 9"), "illegal: it has 4 coins, not 9"),
        (
            shell(bid="printf 'bid \\033[31m\\n'"),
            "malformed: an answer consists of printable ASCII characters, but character 5 is U+001B; "
            "it said 'bid \\x1b[31m'",
        ),
        (shell(bid="exit 4"), "crash: ended with exit status 4"),
        (shell(bid="printf 'bid 0\\nbid 0\\n'"), "unasked: said 'bid 0' right after its answer 'bid 0'"),
        (shell(over="exit 0"), "seat 2 of 2, match 2: "),
    ],
)
def test_what_is_wrong_is_told_in_plain_words(tmp_path: Path, script: str, told: str) -> None:
    said = harness("check", "bot", a_bot(tmp_path, script), *PATIENT)
    assert said.exit_code == 1
    failed = " ".join(said.stdout.split("✗ ")[1].split())
    assert told in failed
    assert said.stdout.endswith("\nbot does not play tiny as it should.\n")
    assert said.stdout.count("✗") == 1


def test_the_evidence_is_the_question_the_answer_and_what_the_bot_knew(tmp_path: Path) -> None:
    told = harness("check", "bot", a_bot(tmp_path, shell(bid="echo why >&2; echo bid 9")), *PATIENT).stdout
    assert "\n  asked    bid 60000 -1\n  said     bid 9\n  position rounds 1 | coins 4 4 | " in told
    assert told.count("\n  stderr ") == 1
    assert "\n           why\n" in told


def test_a_bot_that_was_not_asked_plays_more_deals_until_it_is(tmp_path: Path) -> None:
    a_coin_tosser = shell(bid=":").replace("bid)", "land) echo land squash ;;\n        bid)")
    told = harness("check", "bot", a_bot(tmp_path, a_coin_tosser), *ONE_SCRIPT, "--option", "variant=cards")
    assert told.exit_code == 0
    assert told.stdout.count("; slowest answer ") == 1


def test_a_bot_that_is_never_asked_does_not_pass(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, shell())
    told = harness("check", "bot", bot, *ONE_SCRIPT, "--option", "turns=1")
    said = " ".join(told.stdout.split())
    assert told.exit_code == 1
    assert "✓ every seat of 2: it was never asked in " in said
    assert said.count("✗") == 1
    assert "✗ its answers are not tested, because no match asked it a question" in said
    assert said.endswith("bot does not play squash as it should.")


def test_a_bot_of_another_game_is_found_out_by_the_first_question(tmp_path: Path) -> None:
    told = harness("check", "bot", a_bot(tmp_path, shell(bid="exit")), *ONE_SCRIPT, "--limit", "move_ms=200")
    assert (told.exit_code, "late: " in told.stdout) == (1, True)


def test_of_a_bot_that_said_too_much_it_is_not_told_that_it_said_nothing(tmp_path: Path) -> None:
    told = harness(
        "check", "bot", a_bot(tmp_path, shell(bid="printf 'thinking\\nbid 0\\n'")), *PATIENT
    ).stdout
    assert "said 'bid 0' right after its answer 'thinking'; notes go to" in " ".join(told.split())
    assert "\n  asked    bid 60000 -1\n  position" in told
    assert "nothing" not in told


def test_a_bot_that_is_silent_at_hello_is_not_said_to_be_asked_new(tmp_path: Path) -> None:
    told = harness(
        "check", "bot", a_bot(tmp_path, shell(hello=":")), *QUICK, "--limit", "start_ms=500"
    ).stdout
    assert "no-start: at `hello`: no answer within 500.0 ms" in " ".join(told.split())
    assert "\n  asked    hello\n  said     nothing\n" in told


def test_a_bot_that_is_silent_in_time_is_late(tmp_path: Path) -> None:
    told = harness("check", "bot", a_bot(tmp_path, shell(bid=":")), *QUICK, "--limit", "move_ms=250").stdout
    assert "late: no answer within 250.0 ms" in told
    assert "\n  said     nothing\n" in told


def test_a_bot_that_never_flushes_is_told_so(tmp_path: Path) -> None:
    told = harness("check", "bot", unflushed(tmp_path), *QUICK, "--limit", "start_ms=1000")
    assert told.exit_code == 1
    said = " ".join(told.stdout.split())
    assert "✗ starts, but does not answer `hello` hint The bot's answer to `hello 1 tiny` lay in a" in said
    assert "after every line: set $| = 1" in said


def test_a_bot_that_is_slow_to_end_is_heard_to_the_end(tmp_path: Path) -> None:
    bot = unflushed(tmp_path)
    with (bot / "main.pl").open("a") as script:
        # At its end the bot computes for one or two seconds, and only then writes its buffer.
        script.write("END { my $until = time + 2; 1 while time < $until }\n")
    told = harness("check", "bot", bot, *QUICK, "--limit", "start_ms=1000").stdout
    assert "hint The bot's answer to `hello 1 tiny` lay in a buffer" in " ".join(told.split())


@pytest.mark.parametrize(
    ("script", "seen"),
    [
        (shell(), (1, ASKED)),
        ("#!/bin/sh\nread line\n", (0, "")),
        ("#!/bin/sh\nread line; cat > /dev/null; echo 'hello 1'\n", (0, CLOSED)),
        ("#!/bin/sh\nread line; echo '# thinking'; cat > /dev/null; echo 'hello 1'\n", (0, CLOSED)),
    ],
)
def test_what_comes_out_only_when_the_input_is_closed_was_held_back(
    tmp_path: Path, script: str, seen: tuple[int, str]
) -> None:
    found = trio.run(probe, entrant(a_bot(tmp_path, script)), [HELLO_BLOCK], Limits(), Patience(30.0, 0.3))
    assert (found.answered, found.came) == seen


def test_a_bot_whose_cpu_time_is_not_known_at_first_is_not_taken_for_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, unknown = Ear._counted_us, [1 << 50] * 2
    monkeypatch.setattr(Ear, "_counted_us", lambda ear: unknown.pop() if unknown else known(ear))
    thinks = "#!/bin/sh\nread line; i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo 'hello 1'\n"
    bot = entrant(a_bot(tmp_path, thinks))
    assert trio.run(probe, bot, [HELLO_BLOCK], Limits(), Patience(30.0, 0.2)).answered == 1


def test_at_the_end_it_is_told_how_far_the_bot_is_from_each_house_bot() -> None:
    short = ("--game", "squash", "--seats", "2", "--limit", "move_ms=60000", "--house", "4")
    told = json.loads(harness("check", "bot", STARTER, *short, "--json").stdout)
    far = [step["distance"] for step in told["steps"] if step["distance"]]
    assert [each["bot"] for each in far][:2] == ["squash-random", "squash-sensible"]
    assert all(each["won"] + each["drawn"] + each["lost"] == each["matches"] == 4 for each in far)
    assert all(0 <= each["low"] < each["share"] < each["high"] <= 1 for each in far if 0 < each["share"] < 1)
    assert told["steps"][-1]["told"].startswith("against squash-")


def test_if_matches_take_long_fewer_are_played_and_the_check_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.cli.commands.check_bot.SECONDS", 0.0)
    short = ("--game", "squash", "--seats", "2", "--limit", "move_ms=60000")
    told = json.loads(harness("check", "bot", STARTER, *short, "--json").stdout)
    far = [step for step in told["steps"] if step["distance"]]
    assert far
    assert all(step["distance"]["matches"] == 2 for step in far), "one match in every seat"
    said = "matches take long here, so some were left out: --house 10 plays all"
    assert [step["told"] for step in told["steps"]][-1] == said


def test_a_larger_folder_is_allowed_on_request(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, shell())
    (tmp_path / "bot.toml").write_text("run = './bot'")
    refused = harness("check", "bot", tmp_path, *PATIENT, "--folder-files", "1")
    assert (refused.exit_code, refused.stdout.count("✗")) == (1, 1)
    assert "more than 1 files and folders" in " ".join(refused.stdout.split())
    assert harness("check", "bot", bot.parent, *PATIENT, "--folder-files", "2").exit_code == 0


def test_the_bot_leaves_nothing_in_its_folder(tmp_path: Path) -> None:
    a_bot(tmp_path, shell(bid="touch left; echo bid 0"), "source")
    (tmp_path / "bot.toml").write_text("run = './bot'\nbuild = ['cp', 'source', 'bot']")
    told = harness("check", "bot", tmp_path, *PATIENT, "--isolation", "none")
    assert "! writes into its own folder" in told.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.toml", "source"]


def test_a_bot_is_built_first_and_a_build_that_fails_is_told(tmp_path: Path) -> None:
    a_bot(tmp_path, shell(), "source")
    manifest = tmp_path / "bot.toml"
    manifest.write_text("name = 'built'\nrun = './bot'\nbuild = ['cp', 'source', 'bot']\n")
    assert "✓ is built: cp source bot\n" in harness("check", "bot", tmp_path, *PATIENT).stdout
    manifest.write_text("name = 'built'\nrun = './bot'\nbuild = ['false']\n")
    told = harness("check", "bot", tmp_path, *PATIENT)
    assert (told.exit_code, "✗ " in told.stdout) == (1, True)
    assert "the build `false` failed with exit status 1" in " ".join(told.stdout.split())
    manifest.write_text("name = 'built'\nrun = './bot'\nbuild = ['sh', '-c', 'cat no-such-source']\n")
    told = harness("check", "bot", tmp_path, *PATIENT)
    assert told.stdout.count("No such file") == 1


def test_a_build_that_does_not_end_is_told_with_its_limit(tmp_path: Path) -> None:
    build = "['sh', '-c', 'echo linking; exec sleep 1000']"
    (tmp_path / "bot.toml").write_text(f"run = './bot'\nbuild = {build}\n")
    told = harness("check", "bot", tmp_path, *PATIENT, "--isolation", "none", "--build-ms", "600")
    assert "did not end within 0.6 s" in " ".join(told.stdout.split())
    assert told.stdout.count("linking\n") == 1
    assert told.exit_code == 1


def test_a_bot_in_this_folder_that_cannot_be_checked_has_the_name_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.toml").write_text("run = ['no-such-program']")
    monkeypatch.chdir(tmp_path)
    told = harness("check", "bot", ".", *PATIENT).stdout
    assert " .: no-such-program is not installed" in " ".join(told.split()), "the bot is named once"
    assert told.splitlines()[-1].startswith(f"{tmp_path.name} does not play tiny")


def test_a_program_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    told = harness("check", "bot", a_bot(tmp_path, "no program"), *PATIENT)
    assert (told.exit_code, "must name its interpreter" in told.stdout + told.stderr) == (1, True)


def test_the_opponents_can_be_chosen_and_their_failure_proves_nothing(tmp_path: Path) -> None:
    other = a_bot(tmp_path, shell(bid="echo bid 9"), "other")
    told = harness("check", "bot", STARTER, *PATIENT, "--against", str(other))
    assert told.exit_code == 1
    assert "Error: opponent other failed, so the test proves nothing: it has 4 coins, not 9" in told.stderr


def test_seats_that_the_game_has_not_are_refused() -> None:
    for what in (("bot", STARTER, "--game", TINY), ("game", TINY)):
        refused = harness("check", *what, "--seats", "9")
        assert refused.exit_code == 2
        assert "--seats: tiny has from 2 to 4 seats, not 9" in refused.stderr


TWO_ON_ONE = ("--option", "alliance=two-on-one")
FOR_THREE = '--option: alliance "two-on-one" is for 3 players, not 2: '


def test_without_a_number_of_seats_those_are_taken_that_the_options_allow() -> None:
    short = ("--option", "turns=9", "--house", "0")
    told = harness("check", "bot", STARTER, "--game", "biplane", *TWO_ON_ONE, *short).stdout
    assert [line for line in told.splitlines() if "every seat of" in line] == [told.splitlines()[1]]
    assert told.splitlines()[1].startswith("✓ every seat of 3: ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("check", "bot", STARTER, "--game", "biplane", *TWO_ON_ONE, "--seats", "2"), "give --seats 3"),
        (("check", "game", "biplane", *TWO_ON_ONE, "--seats", "2"), "give --seats 3"),
        (("play", "biplane", STARTER, STARTER, *TWO_ON_ONE), "name 3 bots"),
    ],
)
def test_options_for_another_number_of_seats_are_refused_with_what_mends_it(
    arguments: tuple[str, ...], told: str
) -> None:
    refused = harness(*arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"Error: {FOR_THREE}{told}\n" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "bot", STARTER, "--game", "stratego"),
        ("check", "game", "stratego"),
        ("play", "stratego", STARTER, STARTER),
    ],
)
def test_options_that_no_match_can_begin_with_are_refused_with_their_flag(arguments: tuple[str, ...]) -> None:
    refused = harness(*arguments, "--option", "zones=[3, 4]")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "Error: --option: zones: the blocks at columns 3 and 4 overlap" in refused.stderr
