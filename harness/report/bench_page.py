"""Makes the page of a bench. The page shows the champion, what happens now, and all versions. Each version
comes with the reason for its state (promoted or not)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.escape import count_of, grouped, shown
from harness.record.bench import BenchState, BenchVersion
from harness.report.grids import Grid, GridCell
from harness.report.page import PAGES

COLUMNS = ("Version", "Result", "Against", "Won", "Elo", "Matches", "Faults", "Found")
MEANINGS = (
    "The bot and the number of its version",
    "Whether the version became the champion",
    "The champion of that time",
    "The share of opponents that the version beat; a tie counts half",
    "The Elo difference to the champion of that time, with its 95 % interval",
    "The matches that were played to judge the version",
    "The faults of the version in these matches",
    "When the files of the version were found",
)


def bench_page(state: BenchState, title: str, now: str, troubles: Sequence[str], stamp: str) -> str:
    """Makes the page. `now` is a sentence about what happens now, and `troubles` has sentences about bots
    that cannot be read. A page with a `stamp` reloads itself when the stamp changes."""
    return PAGES.get_template("bench.html").render(
        title=title,
        facts=[
            ("Champion", shown(state.champion or "none yet")),
            ("Versions", str(len(state.versions))),
            ("Promoted", count_of(sum(each.state == "promoted" for each in state.versions), "time")),
        ],
        now=now,
        troubles=list(map(shown, troubles)),
        table=_table(state),
        versions=[_escaped(each) for each in reversed(state.versions)],
        stamp=stamp,
    )


def _escaped(version: BenchVersion) -> Mapping[str, object]:
    return {
        "number": version.number,
        "name": shown(version.name),
        "state": version.state,
        "why": shown(version.why),
        "evidence": list(map(shown, version.evidence)),
        "logs": shown(version.logs),
    }


def _table(state: BenchState) -> Grid:
    known = [
        (each.elo - each.error, each.elo + each.error)
        for each in state.versions
        if each.elo is not None and each.error is not None
    ]
    low, high = min((one for one, _ in known), default=0), max((two for _, two in known), default=1)
    rows = [_row(each, low, high - low or 1) for each in reversed(state.versions)]
    return Grid("Versions", COLUMNS, frozenset((3, 5, 6)), rows, MEANINGS)


def _row(version: BenchVersion, low: float, width: float) -> list[GridCell]:
    elo, error = version.elo, version.error
    cell = GridCell("–")
    if elo is not None and error is not None:
        ends = (elo - error, elo + error, elo)
        start, end, value = (100 * (each - low) / width for each in ends)
        cell = GridCell(f"{elo:+.0f} ± {error:.0f}", elo, band=(start, end, value))
    share = version.share
    return [
        GridCell(shown(version.name), version.number, f"#version-{version.number}"),
        GridCell(version.state, look="bad" if version.state == "faulty" else ""),
        GridCell(shown(version.against) or "–"),
        GridCell("–" if share is None else f"{100 * share:.0f} %", share),
        cell,
        GridCell(grouped(version.matches), version.matches),
        GridCell(str(version.faults), version.faults, look="bad" if version.faults else ""),
        GridCell(f"{version.found[:16].replace('T', ' ')} UTC", version.found),
    ]
