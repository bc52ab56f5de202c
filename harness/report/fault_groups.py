"""Groups the faults of a report by bot and kind, with all details of the first faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from harness.escape import count_of, last_lines
from harness.model import ACCOUNTS, TIMED
from harness.protocol import asked
from harness.record.history import History
from harness.report.names import Names, to_bot, to_match, to_matches
from harness.report.survey import LoggedFault


class FaultGroup(NamedTuple):
    """All faults of the same kind that one bot committed."""

    bot: str
    to_bot: str
    fault: str
    faults: int
    matches: int
    reason: str
    """The reason of the first fault."""
    to_matches: str
    """The address of the list of matches with these faults."""
    first: tuple[dict[str, Any], ...]
    """The first faults, with all details."""

    @property
    def said(self) -> str:
        """The number of faults and the number of matches with them, in words."""
        return f"{count_of(self.faults, 'fault')} in {count_of(self.matches, 'match')}"


def fault_groups(
    history: History, detailed: Iterable[LoggedFault], names: Names, replays: bool
) -> list[FaultGroup]:
    """Groups the faults of all matches on record. The largest group comes first.

    `detailed` has the first faults, with all details.
    """
    faults, matches = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    reasons: dict[tuple[str, str], str] = {}
    for match in history.played():
        found = [(match.bots[fault.seat - 1], fault.name) for fault in match.faults]
        faults.update(found)
        matches.update(set(found))
        for kind, fault in zip(found, match.faults, strict=True):
            reasons.setdefault(kind, fault.reason)
    first: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in detailed:
        first.setdefault((each.bot, each.fault.name), []).append(_details(each, history, names, replays))
    return [
        FaultGroup(
            names.bot(bot),
            to_bot(names.bot(bot)),
            name,
            count,
            matches[bot, name],
            names.text(reasons[bot, name]),
            to_matches(bot=names.bot(bot), fault=name, counts="all"),
            tuple(first.get((bot, name), ())),
        )
        for (bot, name), count in faults.most_common()
    ]


def _details(each: LoggedFault, history: History, names: Names, replays: bool) -> dict[str, Any]:
    text: Callable[[str], str] = names.text
    fault = each.fault
    return {
        "match": each.match,
        "href": to_match(each.match, "fault") if replays else "",
        "bot": names.bot(each.bot),
        "seat": fault.seat,
        "fault": fault.name,
        "reason": text(fault.reason),
        "account": ACCOUNTS[history.account(each.match)] if fault.name in TIMED else "",
        "ask": text(asked(fault.ask, fault.name, fault.reason)),
        "said": None if fault.said is None else text(fault.said),
        "view": [text(line) for line in fault.view],
        "stderr": "" if names.masked else names.lines(last_lines(each.stderr)),
        "place": f"{each.file}:{each.line}",
        "log": f"../{each.file}" if each.linked and not names.masked else "",
    }
