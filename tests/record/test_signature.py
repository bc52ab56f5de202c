"""Tests signatures of records: who signed what, and that a changed record has none."""

import subprocess
from pathlib import Path

import pytest

from harness.errors import InputError, RecordError
from harness.record import signature
from harness.record.signature import CheckedSignature, fingerprint, sign, signature_of
from tests.cli.workshop import Workshop, harness
from tests.play.seated import needs

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key that is used only in these tests."""
    return a_key(tmp_path_factory.mktemp("key") / "key")


def a_key(path: Path) -> Path:
    needs("ssh-keygen")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)], check=True)
    return path


def allowed(path: Path, *keys: Path) -> Path:
    """A file that says whose keys these are: person 1, person 2, ..."""
    lines = [f"person{n} {key.with_suffix('.pub').read_text()}" for n, key in enumerate(keys, start=1)]
    path.write_text("".join(lines))
    return path


def test_a_signed_record_says_with_which_key(copy: Path, key: Path) -> None:
    assert signature_of(copy) is None
    assert sign(copy, key) == signature_of(copy) == CheckedSignature(fingerprint(key), "")
    told = harness("verify", str(copy))
    assert told.returncode == 0
    assert f"Signed with the key {fingerprint(key)}; --signer checks whose key this is." in told.stdout
    assert told.stdout.splitlines()[-1].startswith("Digest of the whole:")


def test_anyone_can_check_it_with_openssh_alone(copy: Path, key: Path) -> None:
    sign(copy, key)
    command = ["ssh-keygen", "-Y", "check-novalidate", "-n", "harness-record", "-s", "tournament.jsonl.sig"]
    with (copy / "tournament.jsonl").open() as journal:
        assert subprocess.run(command, cwd=copy, stdin=journal, capture_output=True).returncode == 0


def test_a_list_of_signers_says_who_it_was(copy: Path, key: Path, tmp_path: Path) -> None:
    sign(copy, key)
    signers = allowed(tmp_path / "signers", a_key(tmp_path / "other"), key)
    assert signature_of(copy, signers) == CheckedSignature(fingerprint(key), "person2")
    told = harness("verify", str(copy), "--signer", str(signers))
    assert f"Signed by person2 with the key {fingerprint(key)}." in told.stdout


def test_a_key_that_is_not_in_the_list_is_refused(copy: Path, key: Path, tmp_path: Path) -> None:
    sign(copy, key)
    signers = allowed(tmp_path / "signers", a_key(tmp_path / "other"))
    told = harness("verify", str(copy), "--signer", str(signers))
    assert told.returncode == 1
    assert f"the record is signed with the key {fingerprint(key)}, which {signers} does not" in told.stderr


def test_a_list_counts_only_for_the_namespaces_that_it_names(copy: Path, key: Path, tmp_path: Path) -> None:
    sign(copy, key)
    line = key.with_suffix(".pub").read_text()
    signers = tmp_path / "signers"
    signers.write_text(f'anna namespaces="git" {line}')
    with pytest.raises(RecordError, match="does not allow"):
        signature_of(copy, signers)
    signers.write_text(f'anna namespaces="harness-record" {line}')
    assert signature_of(copy, signers) == CheckedSignature(fingerprint(key), "anna")


def test_a_record_without_a_signature_is_no_record_of_a_signer(copy: Path, key: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="the record is not signed"):
        signature_of(copy, allowed(tmp_path / "signers", key))
    with pytest.raises(InputError, match="there is no such file of allowed signers"):
        signature_of(copy, tmp_path / "nobody")


def test_a_forgery_that_follows_from_the_rules_has_no_signature(copy: Path, key: Path) -> None:
    sign(copy, key)
    journal = copy / "tournament.jsonl"
    *rest, _ = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(rest))
    told = harness("verify", str(copy))
    assert told.returncode == 1
    assert "this is not a signature of the record as it is now" in told.stderr


def test_a_signature_of_something_else_is_no_signature_of_a_record(copy: Path, key: Path) -> None:
    other = ["ssh-keygen", "-Y", "sign", "-q", "-n", "git", "-f", str(key)]
    with (copy / "tournament.jsonl").open() as journal:
        made = subprocess.run(other, stdin=journal, capture_output=True, check=True)
    (copy / signature.SIGNATURE).write_bytes(made.stdout)
    with pytest.raises(RecordError, match="namespace does not match"):
        signature_of(copy)


def test_what_is_no_key_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    needs("ssh-keygen")
    shop = Workshop(tmp_path, 2)
    told = shop.run_here("--sign", str(shop.plan))
    assert told.returncode == 2
    assert f"{shop.plan}: this is not an SSH key: " in told.stderr
    assert not shop.logs.exists()


def test_run_signs_at_the_end_and_a_finished_record_too(tmp_path: Path, key: Path) -> None:
    shop = Workshop(tmp_path, 2, workers=1)
    assert shop.run().returncode == 0
    assert signature_of(shop.logs) is None
    told = shop.run_here("--sign", str(key))
    assert told.returncode == 0
    assert f"Signed with the key {fingerprint(key)}: " in told.stderr
    assert told.stderr.splitlines()[-1].startswith("Digest of the whole:")
    assert signature_of(shop.logs) == CheckedSignature(fingerprint(key), "")


def test_the_command_signs_a_record_and_replaces_the_signature(copy: Path, key: Path, tmp_path: Path) -> None:
    sign(copy, a_key(tmp_path / "old"))
    told = harness("sign", str(copy), "--key", str(key))
    assert told.returncode == 0
    assert f"Signed with the key {fingerprint(key)}: {copy / 'tournament.jsonl.sig'}" in told.stdout
    assert signature_of(copy) == CheckedSignature(fingerprint(key), "")


def test_a_damaged_record_is_not_signed(copy: Path, key: Path) -> None:
    journal = copy / "tournament.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"round":1', b'"round":2', 1))
    assert harness("sign", str(copy), "--key", str(key)).returncode == 1
    assert not signature.is_signed(copy)


def test_without_ssh_keygen_a_sentence_says_what_to_install(
    copy: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign(copy, key)
    install = "ssh-keygen is not installed: sudo apt-get install openssh-client"
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    told = harness("verify", str(copy))
    assert told.returncode == 0
    assert f"The record is signed, but the signature is not checked: {install}" in told.stdout
    for asks in (("verify", str(copy), "--signer", str(key)), ("sign", str(copy), "--key", str(key))):
        told = harness(*asks)
        assert (told.returncode, told.stderr.strip()) == (2, f"Error: {install}")
