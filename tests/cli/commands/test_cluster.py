"""Tests the commands for clusters, as far as this needs no cluster."""

from pathlib import Path

import pytest

import harness.cluster
from tests.cli.workshop import harness as command

NOT_HERE = "tls://head:8786"


@pytest.mark.parametrize(
    "arguments",
    [("worker", NOT_HERE), ("nodes", NOT_HERE), ("cluster", "scheduler", NOT_HERE), ("cluster", "keys", "x")],
)
def test_without_the_extra_one_sentence_says_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setattr(harness.cluster, "find_spec", lambda package: None)
    done = command(*arguments)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith("Error: distributed and cryptography are not installed; a cluster needs: ")
    assert line.endswith(" -m pip install --upgrade distributed cryptography")


@pytest.mark.parametrize("arguments", [("worker", NOT_HERE), ("nodes", NOT_HERE)])
def test_without_keys_one_sentence_says_what_makes_them(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = command(*arguments, "--keys", str(tmp_path))
    assert done.returncode == 2
    assert "this file is missing; `harness cluster keys" in done.stderr


def test_new_keys_are_made_where_the_user_says(tmp_path: Path) -> None:
    done = command("cluster", "keys", str(tmp_path / "keys"))
    assert done.returncode == 0
    assert {path.name for path in (tmp_path / "keys").iterdir()} == {"ca.pem", "cert.pem", "key.pem"}
    assert "Copy this folder to each machine, and keep it secret." in done.stderr


def test_a_shard_is_not_played_on_a_cluster(tmp_path: Path) -> None:
    keys, bot = tmp_path / "keys", tmp_path / "a.py"
    command("cluster", "keys", str(keys))
    bot.write_text("")
    plan = tmp_path / "cup.toml"
    plan.write_text('game = "sevens"\nbots = ["a.py", {path = "a.py", name = "b"}]\nseats = 2\nmeet = 1\n')
    options = ("--shard", "1/2", "--cluster", NOT_HERE, "--keys", str(keys))
    done = command("run", str(plan), *options)
    assert done.returncode == 2
    assert "--cluster: this option is for a whole tournament, not for a shard" in done.stderr
