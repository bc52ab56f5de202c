"""Tests which machines may play for a tournament, and the message about what a node lacks."""

from pathlib import Path
from typing import Any

import pytest

from harness import games
from harness.cluster.errand import (
    Session,
    Shipment,
)
from harness.cluster.host import HostFacts, Lodging, Parcels
from harness.config import frozen_game
from harness.config.folder import BOUNDS
from harness.errors import InputError
from harness.job import PlainRules
from harness.model import Limits
from harness.sandbox import cgroup, cpu_counter

FACTS = HostFacts("lab1", "1.0", "3.12.1", "Linux x86_64", "glibc 2.36", "Xeon", "bwrap", True, 8, "group")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"harness": "1.1"}, "harness is 1.1 there, and 1.0 here"),
        ({"python": "3.11.2"}, "Python is 3.11.2 there, and 3.12.1 here"),
        ({"system": "Linux aarch64"}, "the system is Linux aarch64 there, and Linux x86_64 here"),
        ({"cpu": "Opteron", "host": "lab2", "workers": 2}, ""),
    ],
)
def test_a_machine_that_cannot_play_says_why(changed: dict[str, Any], why: str) -> None:
    assert FACTS._replace(**changed).unlike(FACTS) == why


def test_machines_of_other_kinds_are_told_apart() -> None:
    other = FACTS._replace(cpu="Opteron", libc="musl 1.2")
    assert other.differences(FACTS) == [
        "its processor is Opteron, not Xeon",
        "its C library is musl 1.2, not glibc 2.36",
    ]
    assert FACTS._replace(host="lab2", workers=2).differences(FACTS) == []
    uncounted = FACTS._replace(account="incomplete")
    assert uncounted.differences(FACTS) == ["its account of CPU time is incomplete, not group"]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"needs": ("no-such-program",)}, "no-such-program is not installed"),
        ({"needs": ("julia",)}, r"julia is not installed \(Debian: sudo apt-get install julia\)"),
        ({"visible": ("/no/such/path",)}, "bots may read /no/such/path, and it does not exist"),
        ({"rules": PlainRules("no-such-game", {})}, "no game is called 'no-such-game'"),
        ({"game": "another digest"}, "the rules of sevens are others than here"),
    ],
)
def test_what_a_node_lacks_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: dict[str, Any], why: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    bot = Shipment("a", ("python3", "x.py"), "", "", BOUNDS, broken="it is broken")
    session = Session("1", "cup", PlainRules("sevens", {}), "", "", "none", (), 1, (), (bot,))
    with pytest.raises(InputError, match=why):
        Lodging(session._replace(**wanted), Parcels(tmp_path), tmp_path / "new")


def test_a_node_without_the_isolation_of_the_tournament_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.sandbox.isolation.missing", lambda: "bwrap is not installed")
    session = Session("1", "cup", PlainRules("sevens", {}), "", "", "bwrap", (), 1, (), ())
    session = session._replace(game=frozen_game(games.find("sevens"), "sevens").digest)
    with pytest.raises(InputError, match='isolation = "bwrap" does not work here: bwrap is not installed'):
        Lodging(session, Parcels(tmp_path), tmp_path / "new")


def test_a_node_that_cannot_count_cpu_time_gets_no_tournament_that_charges_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cgroup, "available", lambda: False)
    monkeypatch.setattr(cpu_counter, "available", lambda: False)
    rules = PlainRules("sevens", {}, Limits(wall_ms=30_000))
    bot = Shipment("a", ("python3", "x.py"), "", "", BOUNDS, broken="it is broken")
    session = Session("1", "cup", rules, "", "", "none", (), 1, (), (bot,))
    session = session._replace(game=frozen_game(games.find("sevens"), "sevens").digest)
    with pytest.raises(InputError, match='clock = "cpu" does not work here: nobody counts the children'):
        Lodging(session, Parcels(tmp_path), tmp_path / "refused")
    by_wall = Lodging(session._replace(rules=PlainRules("sevens", {})), Parcels(tmp_path), tmp_path / "wall")
    assert by_wall.entrants["a"].account == "incomplete"
    monkeypatch.setattr(cpu_counter, "available", lambda: True)
    by_cpu = Lodging(session, Parcels(tmp_path), tmp_path / "cpu")
    assert by_cpu.entrants["a"].account == "counter"
