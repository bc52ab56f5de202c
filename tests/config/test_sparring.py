"""Tests words such as `spar:16`: which of them are right, and which sparring bots a plan makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.config import FrozenBot, frozen_bot, needs, read_bot
from harness.config.sparring import play_outs_of
from harness.errors import InputError


def test_a_word_stands_for_a_sparring_bot() -> None:
    bot = read_bot(Path("spar:16"))
    assert (bot.name, bot.run, bot.play_outs, needs(bot)) == ("spar:16", ("spar:16",), 16, ())
    assert frozen_bot(bot) == FrozenBot("spar:16", "spar:16", bot.digest, ("spar:16",), (), "")
    assert read_bot(Path("spar:16"), "rung 5").name == "rung 5"
    assert bot.digest == read_bot(Path("spar:32")).digest != ""


def test_other_commands_have_no_play_outs() -> None:
    assert [play_outs_of(each) for each in ((), ("python3", "spar:4"), ("spar:4",), ("spar:1.25",))] == [
        0,
        0,
        4,
        1.25,
    ]


@pytest.mark.parametrize(
    "word",
    [
        "spar:",
        "spar:0",
        "spar:-1",
        "spar:many",
        "spar:100001",
        "spar:07",
        "spar:0.5",
        "spar:1.",
        "spar:1.50",
        "spar:1.125",
        "spar:1e2",
        "spar:100000.5",
    ],
)
def test_a_wrong_number_is_one_sentence(word: str) -> None:
    with pytest.raises(InputError) as found:
        read_bot(Path(word))
    told = "the number of play-outs for an answer is from 1 to 100000, as in spar:16 or spar:1.5"
    assert str(found.value) == f"{word}: {told}"


def test_no_manifest_may_name_a_sparring_bot(tmp_path: Path) -> None:
    """If a manifest could name one, a team could hand in a bot that plays inside harness."""
    (tmp_path / "bot.toml").write_text('run = "spar:16"\n')
    with pytest.raises(
        InputError, match=r'bot.toml:1: run: "spar:16" is a sparring bot, which has no program'
    ):
        read_bot(tmp_path)


def test_a_file_with_such_a_name_stays_a_file(tmp_path: Path) -> None:
    path = tmp_path / "spar:16"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    assert read_bot(path).run == ("./spar:16",)
