"""The command `verify`: checks whether a record follows from the rules, and names the first difference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click
import msgspec

from harness.cli.arguments import FILE, RECORD, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, tell
from harness.cli.progress import counting
from harness.config import digest
from harness.errors import RecordError
from harness.escape import count_of, shown
from harness.record import signature
from harness.record.accounts import accounts, told
from harness.record.signature import CheckedSignature
from harness.verify import Verified
from harness.verify import verify as derive_again


class VerifiedRecord(msgspec.Struct, frozen=True):
    """A record that was computed again and is right."""

    verified: Literal[True]
    name: str
    game: str
    version: int
    """The version of the game."""
    same_rules: bool
    """False if the files of the game have changed since the matches were played."""
    harness: str
    """The version of harness that played the matches."""
    matches: int
    runs: int
    accounts: Mapping[str, int]
    """For each way to count the CPU time of bots (`harness.model.ACCOUNTS`), the number of sittings."""
    ended: bool
    plan: str
    """The digest of the plan."""
    standings: str
    """The digest of the standings, or "" if the tournament has not ended."""
    grades: bool
    """True if there are grades beside the record, and they are right too."""
    forks: int
    """The number of forks beside the record (`harness whatif --keep`); all of them are right too."""
    signed: CheckedSignature | None
    digest: str
    """The digest of the whole record."""


@click.command(
    cls=Command,
    prints={"verify": VerifiedRecord},
    examples=(
        "harness verify logs/first",
        "harness verify logs/first --digest 460693d65bb79290f10274e92b40b10a",
    ),
)
@click.argument("logs", type=RECORD)
@click.option(
    "--digest",
    "published",
    metavar="DIGEST",
    help="The published digest of the whole record; it is an error if the record has another digest.",
)
@click.option(
    "--signer",
    "signers",
    metavar="FILE",
    type=FILE,
    help="A file of SSH keys (allowed signers of ssh-keygen); one of the keys must have signed the record.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    show_default="all cores",
    help="Processes that judge the matches again.",
)
@as_json
def verify(
    logs: Path, published: str | None, signers: Path | None, workers: int | None, as_json: bool
) -> None:
    """Check a record: compute every result again and compare.

    LOGS is the folder of a tournament. The command checks the digests, and judges every match again. It also
    checks that the schedule, the disqualifications, the runs and the standings follow from the plan and the
    results. If something differs, the command names the file, the line and the first difference, and the exit
    code is 1. Grades and forks in the folder are checked in the same way.

    A forged record passes these checks if it breaks no rule. To exclude a forgery, give the published digest
    as --digest, or the key of the author as --signer.
    """
    with counting("matches judged again") as seen:
        found = derive_again(logs, seen, workers)
    if published is not None and published.strip().lower() != found.digest:
        raise RecordError(
            f"the record follows from the rules, but it is not the published one: its digest is "
            f"{found.digest}, not {published.strip()}",
            str(logs),
        )
    unchecked = signature.missing() if signature.is_signed(logs) and signers is None else ""
    signed = None if unchecked else signature.signature_of(logs, signers)
    if as_json:
        print_json(_as_json(found, signed))
    else:
        _tell(found)
        _tell_author(signed, unchecked)
        tell(f"Digest of the whole:     {found.digest}")


def _as_json(found: Verified, signed: CheckedSignature | None) -> VerifiedRecord:
    plan = found.plan
    return VerifiedRecord(
        verified=True,
        name=plan.name,
        game=plan.game.name,
        version=plan.game.version,
        same_rules=found.same_rules,
        harness=plan.harness,
        matches=found.matches,
        runs=len(found.history.runs),
        accounts=accounts(found.history.runs),
        ended=found.ended is not None,
        plan=digest(plan),
        standings=found.ended.standings if found.ended else "",
        grades=found.grades,
        forks=found.forks,
        signed=signed,
        digest=found.digest,
    )


def _tell(found: Verified) -> None:
    plan, runs = found.plan, count_of(len(found.history.runs), "run")
    click.echo(f"{count_of(found.matches, 'match')} in {runs}: all digests and verdicts are right.")
    files = "whose files have not changed since" if found.same_rules else "whose files have changed since"
    tell(f"Played and judged by version {plan.game.version} of {plan.game.name}, {files}.")
    if line := told(accounts(found.history.runs)):
        tell(line)
    if found.grades:
        tell("The grades beside the record follow from it and from their scheme.")
    if found.forks:
        tell(f"{count_of(found.forks, 'fork')} beside the record: right too. Forks do not count.")
    if found.ended is None:
        tell("The tournament has not ended; its record is right so far.")
    else:
        tell(f"Digest of the standings: {found.ended.standings}")


def _tell_author(signed: CheckedSignature | None, unchecked: str) -> None:
    if unchecked:
        tell(f"The record is signed, but the signature is not checked: {unchecked}")
    elif signed and signed.signer:
        tell(f"Signed by {shown(signed.signer)} with the key {signed.key}.")
    elif signed:
        tell(f"Signed with the key {signed.key}; --signer checks whose key this is.")
