"""Says who counted the CPU time of bots in the sittings on record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from harness.escape import count_of
from harness.model import ACCOUNTS
from harness.record.run import Run


def accounts(runs: Iterable[Run]) -> dict[str, int]:
    """Returns the number of sittings with each account of time, in the order of `harness.model.ACCOUNTS`.
    Accounts that no sitting has are left out."""
    found = Counter(sitting.account for run in runs for sitting in run.played.values())
    return {account: found[account] for account in ACCOUNTS if account in found}


def told(counts: Mapping[str, int]) -> str:
    """Returns a line that says for each account of time how many sittings have it, or "" if there are no
    sittings.

    >>> told({"group": 12})
    'time: counted exactly by control groups (12 sittings)'
    """
    each = (f"{ACCOUNTS[account]} ({count_of(count, 'sitting')})" for account, count in counts.items())
    return f"time: {'; '.join(each)}" if counts else ""
