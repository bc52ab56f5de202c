"""Reads faults, void attempts and ranks from the record of a tournament."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from harness.events import Played, RunBegan
from harness.record.log import read_journal
from harness.record.run_folder import history_of


def faults_of(logs: Path, level: str) -> dict[str, list[list[str]]]:
    """For each bot, the names of its faults, match by match. Asserts that all matches were played with this
    level of isolation."""
    faults: dict[str, list[list[str]]] = defaultdict(list)
    for record in (line.record for line in read_journal(logs)):
        if isinstance(record, RunBegan):
            began = record
        elif isinstance(record, Played):
            assert record.isolation == level, record
            for number, match in enumerate(record.matches, start=1):
                for seat, bot in enumerate(began.by_seat(record.bots, record.sitting, number), start=1):
                    faults[bot].append([each.name for each in match.faults if each.seat == seat])
    return faults


def voids_of(logs: Path) -> list[str]:
    """A sentence for each attempt that was void. A rogue must not be able to make an attempt void, because
    then its matches would be played again."""
    records = map(json.loads, (logs / "tournament.jsonl").read_text().splitlines())
    return [f"void: {' and '.join(each['bots'])}: {each['note']}" for each in records if each["is"] == "void"]


def ranks_of(logs: Path) -> dict[frozenset[str], list[dict[str, float]]]:
    """For each table of the last run, the ranks of the bots, match by match."""
    history = history_of(logs)
    ranks = defaultdict(list)
    for match in history.matches(history.runs[-1]):
        ranks[frozenset(match.bots)].append(dict(zip(match.bots, match.ranks, strict=True)))
    return ranks
