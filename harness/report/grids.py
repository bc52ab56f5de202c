"""Owns the tables of a report as rows of cells that sort; knows no HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from harness.events import Disqualified
from harness.model import Number
from harness.record.history import History
from harness.report.names import Names
from harness.report.pace import Used
from harness.report.results import Results
from harness.results.standings import Row

SHADES = 7


class Cell(NamedTuple):
    """What a cell says, what it sorts by, where it leads, and a class for its looks."""

    text: str
    key: Number | str | None = None
    href: str = ""
    look: str = ""


class Table(NamedTuple):
    """A table: its title, its columns (those with a number in `numbers` stand to the right), its rows."""

    title: str
    columns: Sequence[str]
    numbers: frozenset[int]
    rows: Sequence[Sequence[Cell]]


def standings(found: Results, names: Names) -> Table:
    """Who stands where."""
    voids = any(row.voids for row in found.standings.rows)
    columns = (
        "Place",
        "Bot",
        "Matches",
        "Average rank",
        "95 % interval",
        "Wins",
        "Points",
        "Faults",
        "Voids",
    )
    rows = [_standing(row, names) for row in found.standings.rows]
    width = len(columns) if voids else len(columns) - 1
    return Table("Standings", columns[:width], _all_but(1, width), [row[:width] for row in rows])


def _standing(row: Row, names: Names) -> list[Cell]:
    interval = "–" if row.low is None or row.high is None else f"{row.low:.2f} – {row.high:.2f}"
    average = "–" if row.average_rank is None else f"{row.average_rank:.3f}"
    return [
        count(row.place),
        Cell(names.bot(row.bot)),
        count(row.matches),
        Cell(average, row.average_rank),
        Cell(interval, row.low),
        count(row.wins),
        count(row.points),
        Cell(str(row.faults), row.faults, look="bad" if row.faults else ""),
        count(row.voids),
    ]


def beats(found: Results, names: Names) -> Table:
    """Each bot against each, in per cent."""
    bots = found.bots
    rows = []
    for bot in bots:
        cells = [Cell(names.bot(bot))]
        for other in bots:
            met = found.pairs.get((bot, other))
            cells.append(Cell(f"{100 * met.share:.0f}", met.share) if met else Cell("·"))
        rows.append(cells)
    columns = ("Bot", *map(names.bot, bots))
    return Table("Ranked better than ..., in % of their matches", columns, _all_but(0, len(columns)), rows)


def places(found: Results, names: Names) -> Table:
    """How often each bot ended where."""
    seats = range(1, found.seats + 1)
    rows = [[Cell(names.bot(bot)), *map(count, found.places[bot])] for bot in found.bots]
    return Table("Matches by place", ("Bot", *map(str, seats)), _all_but(0, found.seats + 1), rows)


def seats(found: Results, names: Names) -> Table:
    """How often each bot sat where, and how good each seat was."""
    columns = ("Bot", *(f"Seat {seat}" for seat in range(1, found.seats + 1)))
    rows = [[Cell(names.bot(bot)), *map(count, found.sat[bot])] for bot in found.bots]
    averages = [Cell("–" if rank is None else f"{rank:.3f}", rank) for rank in found.by_seat]
    rows.append([Cell("average rank there", look="quiet"), *averages])
    return Table("Matches by seat", columns, _all_but(0, len(columns)), rows)


def pace(used: dict[str, Used], names: Names) -> Table:
    """How long answers took."""
    columns = ("Bot", "Answers", "Median", "95 % within", "Slowest", "Closest to limit", "All", "Not its own")
    rows = []
    for bot, one in used.items():
        times = [one.median_us, one.most_of_us, one.slowest_us]
        rows.append(
            [
                Cell(names.bot(bot)),
                count(one.answers),
                *(Cell(span(time), time) for time in times),
                Cell(f"{100 * one.closest:.1f} %", one.closest, look="bad" if one.closest > 1 else ""),
                Cell(span(one.total_us), one.total_us),
                Cell(span(one.excused_us) if one.excused_us else "–", one.excused_us),
            ]
        )
    return Table("Time for answers", columns, _all_but(0, len(columns)), rows)


def runs(history: History, names: Names) -> Table:
    """The runs of the tournament, and who left it with each."""
    columns = ("Run", "Bots", "Matches", "Of", "Void attempts", "Disqualified")
    rows = [
        [
            count(run.number),
            count(len(run.bots)),
            count(run.matches),
            count(run.began.matches),
            count(sum(run.attempts.values())),
            Cell(", ".join(names.bot(out.bot) for out in run.disqualified) or "–"),
        ]
        for run in history.runs
    ]
    return Table("Runs", columns, frozenset(range(5)), rows)


def disqualified(outs: Iterable[Disqualified], names: Names, link: Callable[[str], str]) -> Table:
    """Who is out, and why."""
    columns = ("Bot", "Run", "Round", "Match", "Fault", "Why", "Asked", "Said")
    rows = [
        [
            Cell(names.bot(out.bot)),
            count(out.run),
            count(out.round),
            Cell(out.match, out.match, link(out.match)),
            Cell(out.fault, look="bad"),
            Cell(names.text(out.reason)),
            Cell(names.text(out.ask), look="code"),
            Cell("–" if out.said is None else names.text(out.said), look="code"),
        ]
        for out in outs
    ]
    return Table("Disqualified", columns, frozenset((1, 2)), rows)


def count(number: Number) -> Cell:
    """A number, as short as it can be."""
    short = int(number) if number == int(number) else round(number, 2)
    return Cell(f"{short:,}".replace(",", " "), number)


def span(us: float) -> str:
    """A time in the unit that fits it."""
    if us >= 1_000_000:
        return f"{us / 1_000_000:.2f} s"
    return f"{us / 1_000:.1f} ms" if us >= 1_000 else f"{us:.0f} µs"


def _all_but(column: int, columns: int) -> frozenset[int]:
    return frozenset(range(columns)) - {column}
