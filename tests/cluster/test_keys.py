"""Tests the keys and the address of a cluster."""

import os
from pathlib import Path

import pytest

from harness.cluster.keys import KEY, find_keys, make_keys, read_address
from harness.errors import InputError


def test_keys_are_private_and_never_overwritten(tmp_path: Path) -> None:
    keys = make_keys(tmp_path / "keys")
    assert find_keys(keys.folder) == keys
    assert keys.key.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InputError, match="this file exists already; to make new keys, delete the old keys"):
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
    with pytest.raises(InputError, match="expected an address like tls://head:8786"):
        read_address(text)


@pytest.mark.parametrize("text", ["tcp://head:8786", "tcp://0.0.0.0:8786", "tcp://127.0.0.1:8786"])
def test_a_plain_port_is_refused_because_even_on_one_machine_others_reach_it(text: str) -> None:
    with pytest.raises(InputError, match="must be encrypted: write tls://"):
        read_address(text)
