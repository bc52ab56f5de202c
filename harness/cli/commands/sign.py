"""The command `sign`: signs a record with an SSH key. The signature shows who made the record."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.arguments import FILE
from harness.cli.command import Command
from harness.cli.output import tell
from harness.escape import shown
from harness.record import log, run_folder, signature
from harness.record.lock import lock_for_controller


@click.command(
    cls=Command,
    examples=("harness sign logs/first --key ~/.ssh/id_ed25519",),
)
@click.argument("logs", type=FILE)
@click.option(
    "--key", required=True, metavar="KEY", type=FILE, help="The SSH key, such as ~/.ssh/id_ed25519."
)
def sign(logs: Path, key: Path) -> None:
    """Sign the record of a tournament with an SSH key.

    The command writes the signature beside the record, in tournament.jsonl.sig. `harness verify` checks the
    signature and names its key. If the tournament continues, sign its record again.
    """
    run_folder.plan_of(logs)
    with lock_for_controller(logs):
        digest = log.whole(logs)
        signed = signature.sign(logs, key.expanduser())
    tell(f"Signed with the key {signed.key}: {shown(str(logs / signature.SIGNATURE))}")
    tell(f"Digest of the whole:     {digest}")
