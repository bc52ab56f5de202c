"""Tests of what a cluster is made of, without machines: parcels, keys, addresses, what a node lacks."""

import os
from pathlib import Path
from typing import Any

import pytest

from harness import games
from harness.cluster.errand import (
    NO_RESULT,
    Session,
    Shipment,
    done_in,
    errand_of,
    errands_in,
    job_here,
    packed,
    result_of,
)
from harness.cluster.host import HostFacts, Lodging, Parcels
from harness.cluster.keys import KEY, find_keys, make_keys, read_address
from harness.cluster.node_log import FILE, NodeLog
from harness.cluster.parcel import pack
from harness.config import frozen_game
from harness.config.folder import BOUNDS
from harness.errors import InputError
from harness.events import Brief, Fault
from harness.job import Done, Entrant, Job, PlainRules

FACTS = HostFacts("lab1", "1.0", "3.12.1", "Linux x86_64", "glibc 2.36", "Xeon", "bwrap", True, 8)


def a_bot(folder: Path) -> Path:
    """A bot with everything that a bot may have."""
    (folder / "empty").mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "lib" / "bot").write_bytes(b"\x7fELF")
    (folder / "lib" / "bot").chmod(0o700)
    (folder / "run").symlink_to("lib/bot")
    (folder / ".hidden").write_text("kept")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"made")
    return folder


def files(folder: Path) -> dict[str, object]:
    """What is in a folder: the content of each file with whether it can be executed, the target of a link."""
    return {
        path.relative_to(folder).as_posix(): path.readlink()
        if path.is_symlink()
        else (path.read_bytes(), path.stat().st_mode & 0o111 != 0)
        if path.is_file()
        else "folder"
        for path in folder.rglob("*")
    }


def test_a_bot_arrives_as_it_was_sent(tmp_path: Path) -> None:
    parcel = pack(a_bot(tmp_path / "bot"), tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    parcels = Parcels(store)
    assert parcels.lacking((parcel.name,)) == [parcel.name]
    for piece in parcel.pieces():
        parcels.store(parcel.name, *piece)
    assert parcels.lacking((parcel.name,)) == []
    parcels.unpack(parcel.name, tmp_path / "there")
    sent = {name: what for name, what in files(tmp_path / "bot").items() if "__pycache__" not in name}
    assert files(tmp_path / "there") == sent


def test_the_same_files_make_the_same_parcel(tmp_path: Path) -> None:
    one, other = pack(a_bot(tmp_path / "one"), tmp_path), pack(a_bot(tmp_path / "other"), tmp_path)
    assert one.name == other.name
    (tmp_path / "other" / ".hidden").write_text("changed")
    assert pack(tmp_path / "other", tmp_path).name != one.name


def test_a_parcel_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    parcel = pack(a_bot(tmp_path / "bot"), tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    with pytest.raises(InputError, match="did not arrive whole"):
        Parcels(store).store(parcel.name, 0, parcel.file.read_bytes()[:-1], True)
    assert Parcels(store).lacking((parcel.name,)) == [parcel.name]


def test_a_large_parcel_travels_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.cluster.parcel.PIECE", 1_000)
    parcel = pack(a_bot(tmp_path / "bot"), tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    pieces = list(parcel.pieces())
    assert len(pieces) > 5
    assert [last for *_, last in pieces] == [False] * (len(pieces) - 1) + [True]
    for piece in pieces:
        Parcels(store).store(parcel.name, *piece)
    assert (store / parcel.name).read_bytes() == parcel.file.read_bytes()


# -- errands ---------------------------------------------------------------------------------------


def test_a_job_travels_without_its_machine() -> None:
    rules = PlainRules("sevens", {})
    here = {name: Entrant(name, (f"/here/{name}",), "/here") for name in "ab"}
    there = {name: Entrant(name, (f"/there/{name}",), "/there") for name in "ab"}
    job = Job(1, 2, 3, 4, 5, rules, (here["b"], here["a"]), (2**64 - 1,), ((1, 2),), ((2, 1),))
    [errand] = errands_in(packed([errand_of(job)]))
    assert b"/here" not in packed([errand_of(job)])
    assert job_here(errand, rules, there) == job._replace(entrants=(there["b"], there["a"]))
    done = Done(job, b"log", (), ((1, b"said"),), "void")
    assert done_in(packed([result_of(done)]), [job]) == [done]


SEATED = Job(1, 2, 3, 4, 5, PlainRules("sevens", {}), (Entrant("a", (), ""), Entrant("b", (), "")), (7,), ())
WON = Brief((1, 2), (1, 0))
PLAYED = Done(SEATED, b"{}\n", (WON,), ((2, b"said"),))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, ""),
        ({"matches": ()}, "the number of matches is 0, not 1"),
        ({"matches": (WON, WON)}, "the number of matches is 2, not 1"),
        ({"matches": (Brief((1, 2, 3), (1, 0)),)}, "a match does not have 2 seats"),
        (
            {"matches": (Brief((1, 2), (1, 0), (Fault(3, "late", "it was"),)),)},
            "a match does not have 2 seats",
        ),
        ({"log": b""}, "the log has no end"),
        ({"log": b"{}"}, "the log has no end"),
        ({"stderr": ((3, b""),)}, "a bot that did not play wrote to stderr"),
        ({"stderr": ((1, b""), (1, b""))}, "a bot that did not play wrote to stderr"),
        ({"matches": (), "void": "its worker was lost"}, ""),
    ],
)
def test_what_cannot_have_come_of_a_job_is_told(changed: dict[str, Any], why: str) -> None:
    done = PLAYED._replace(**changed)
    assert done.misfit() == why
    [back] = done_in(packed([result_of(done)]), [SEATED])
    assert back == (Done(SEATED, void=f"{NO_RESULT}: {why}") if why else done)


# -- what a node is --------------------------------------------------------------------------------


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


# -- keys and addresses ----------------------------------------------------------------------------


def test_keys_are_private_and_never_overwritten(tmp_path: Path) -> None:
    keys = make_keys(tmp_path / "keys")
    assert find_keys(keys.folder) == keys
    assert keys.key.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InputError, match="there are keys already"):
        make_keys(keys.folder)
    keys.key.chmod(0o644)
    with pytest.raises(InputError, match="other users may read this key"):
        find_keys(keys.folder)


def test_the_key_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = make_keys(tmp_path / "keys")
    uid = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    with pytest.raises(InputError, match=r"key\.pem: this key belongs to another user"):
        find_keys(keys.folder)


def test_missing_keys_are_named_with_the_command_that_makes_them(tmp_path: Path) -> None:
    keys = make_keys(tmp_path / "keys")
    (keys.folder / KEY).unlink()
    with pytest.raises(InputError, match=r"key\.pem: this file is missing; `harness cluster keys"):
        find_keys(keys.folder)


@pytest.mark.parametrize("text", ["tls://head:8786", "tls://[::1]:65535", "tls://localhost:0"])
def test_an_address_is_that_of_an_encrypted_port(text: str) -> None:
    assert read_address(text).text == text


@pytest.mark.parametrize(
    "text", ["", "head:8786", "tls://head", "tls://head:99999", "http://head:1", "tls://a:1/b"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected an address as tls://head:8786"):
        read_address(text)


@pytest.mark.parametrize("text", ["tcp://head:8786", "tcp://0.0.0.0:8786", "tcp://127.0.0.1:8786"])
def test_a_plain_port_is_refused_because_even_on_one_machine_others_reach_it(text: str) -> None:
    with pytest.raises(InputError, match="must be encrypted: write tls://"):
        read_address(text)


def test_what_nodes_did_is_written_after_a_torn_line_too(tmp_path: Path) -> None:
    job = Job(1, 1, 12, 2, 1, PlainRules("sevens", {}), (), (), ())
    told: list[str] = []
    with NodeLog(tmp_path, told.append) as log:
        log.tell("lab3", "plays with 8 workers")
        log.played("lab3", [Done(job), Done(job, void="its node was lost")])
    with (tmp_path / FILE).open("a") as file:
        file.write('{"node":"lab')
    with NodeLog(tmp_path, told.append) as log:
        log.note("lab4", "is dismissed")
    assert told == ["node lab3 plays with 8 workers"]
    played = '{"node":"lab3","run":1,"encounter":12,"seating":2,"attempt":1'
    assert (tmp_path / FILE).read_text().splitlines() == [
        '{"node":"lab3","said":"plays with 8 workers"}',
        played + "}",
        played + ',"void":"its node was lost"}',
        '{"node":"lab4","said":"is dismissed"}',
    ]


def test_no_link_redirects_what_nodes_did(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    (tmp_path / FILE).symlink_to(elsewhere)
    with pytest.raises(OSError, match=FILE):
        NodeLog(tmp_path, lambda said: None)
    assert elsewhere.read_text() == "mine"
