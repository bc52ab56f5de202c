"""Builds the tables of a report as rows of cells. The templates of the pages turn the cells into HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from harness.escape import count_of, grouped
from harness.events import Disqualified
from harness.model import Number, span
from harness.record.history import History
from harness.report.names import Names, to_bot, to_matches
from harness.report.pace import AnswerTimes
from harness.report.results import Results
from harness.results.columns import Column, columns, ranged
from harness.results.ordering import Decider
from harness.results.standings import Row
from harness.results.tables import elo_of, place_of

SHADES = 7
PLACES = 9


class GridCell(NamedTuple):
    """A cell: its text, the value by which the table sorts it, its link, and its CSS class."""

    text: str
    key: Number | str | None = None
    href: str = ""
    look: str = ""
    band: tuple[float, float, float] | None = None
    """The start, the end and the value of an interval, in per cent of the range of all intervals together."""


class Grid(NamedTuple):
    """A table. `numbers` has the indexes of the columns that are aligned to the right. `meanings` explains
    the columns if their headers are not enough."""

    title: str
    columns: Sequence[str]
    numbers: frozenset[int]
    rows: Sequence[Sequence[GridCell]]
    meanings: Sequence[str] = ()


def standings(found: Results, names: Names) -> Grid:
    """Makes the table of the standings, without the former bots of a ladder."""
    return _standings("Standings", found.standings.playing, found, names)


def former(found: Results, names: Names) -> Grid:
    """Makes the table of the former bots of a ladder."""
    return _standings("Former bots", found.standings.former, found, names)


def _standings(title: str, wanted: Sequence[Row], found: Results, names: Names) -> Grid:
    shown, order = decisive_first(columns(found.standings)), found.standings.order
    bands = _bands(found)
    rows = [
        [
            standing(row, column, order, lambda bot: named(bot, names))._replace(
                band=bands.get(row.bot) if column.kind == "interval" else None
            )
            for column in shown
        ]
        for row in wanted
    ]
    return of_columns(shown, rows)._replace(title=title)


def decisive_first(shown: Sequence[Column]) -> list[Column]:
    """Moves the column with the number of matches to the right. It then comes after two other columns: the
    number that decides the places, and the interval of this number. The screen of a phone has room for only
    the first columns, so the important columns come first."""
    found = list(shown)
    place = next(at for at, column in enumerate(found) if column.name == "matches")
    matches = found.pop(place)
    found.insert(place + 1 + any(column.kind == "interval" for column in found), matches)
    return found


def of_columns(shown: Sequence[Column], rows: Sequence[Sequence[GridCell]]) -> Grid:
    """Makes a table of standings with these columns."""
    numbers = frozenset(at for at, column in enumerate(shown) if column.kind != "bot")
    meanings = [f"{column.meaning[0].upper()}{column.meaning[1:]}" for column in shown]
    return Grid("Standings", [column.title for column in shown], numbers, rows, meanings)


def standing(row: Row, column: Column, order: Decider, name: Callable[[str], GridCell]) -> GridCell:
    """Makes a cell of the standings. `order` names the value that decides the places."""
    if column.kind == "bot":
        return name(row.bot)
    if column.kind == "interval":
        _, low, high = ranged(row, order)
        return GridCell("–" if low is None or high is None else f"{low:.2f} – {high:.2f}", low)
    value = getattr(row, column.name)
    if value is None:
        return GridCell("–")
    if column.kind == "elo":
        return GridCell(elo_of(row), value)
    if column.kind == "place":
        return GridCell(place_of(row) or "–", row.place)
    if column.kind == "mean":
        return GridCell(f"{value:.3f}", value)
    return count(value)._replace(look="bad" if value and column.kind == "faults" else "")


def _bands(found: Results) -> dict[str, tuple[float, float, float]]:
    """Computes where each bot's interval is, in per cent of the range from the lowest to the highest end of
    any interval."""
    order = found.standings.order
    known = {
        row.bot: (low, high, value)
        for row in found.standings.rows
        for value, low, high in [ranged(row, order)]
        if value is not None and low is not None and high is not None
    }
    first = min((low for low, _, _ in known.values()), default=0)
    width = max((high for _, high, _ in known.values()), default=1) - first or 1
    return {
        bot: (100 * (low - first) / width, 100 * (high - first) / width, 100 * (value - first) / width)
        for bot, (low, high, value) in known.items()
    }


def beats(found: Results, names: Names) -> Grid:
    """Makes the table that shows, in per cent, how often each bot ranked better than each other bot."""
    bots, others = found.bots, found.across
    rows = []
    for bot in bots:
        cells = [named(bot, names)]
        for other in others:
            met = found.pairs.get((bot, other))
            cells.append(
                GridCell(f"{100 * met.share:.0f}", met.share, together(bot, other, names))
                if met
                else GridCell("·")
            )
        rows.append(cells)
    columns = ("Bot", *map(names.bot, others))
    return Grid(
        "Ranked better than ..., in % of their matches", columns, frozenset(range(1, len(columns))), rows
    )


def together(bot: str, other: str, names: Names) -> str:
    """Returns the address of the list of matches that two bots played together."""
    return to_matches(bot=names.bot(bot), against=names.bot(other))


def places(found: Results, names: Names) -> Grid:
    """Makes the table that shows how often each bot finished at each place."""
    seats = range(1, found.seats + 1)
    rows = [[named(bot, names), *map(count, found.places[bot])] for bot in found.bots]
    return Grid("Matches by place", ("Bot", *map(str, seats)), frozenset(range(1, found.seats + 1)), rows)


def seats(found: Results, names: Names) -> Grid:
    """Makes the table that shows how often each bot sat in each seat, and the average rank of each seat."""
    columns = ("Bot", *(f"Seat {seat}" for seat in range(1, found.seats + 1)))
    rows = [[named(bot, names), *map(count, found.sat[bot])] for bot in found.bots]
    ends = {each.seat: f" ({each.low:.2f} – {each.high:.2f})" for each in found.standings.seats}
    averages = [
        GridCell("–" if rank is None else f"{rank:.3f}{ends.get(seat, '')}", rank)
        for seat, rank in enumerate(found.by_seat, start=1)
    ]
    rows.append([GridCell("average rank in this seat", look="quiet"), *averages])
    return Grid("Matches by seat", columns, frozenset(range(1, len(columns))), rows)


def pace(times: dict[str, AnswerTimes], names: Names) -> Grid:
    """Makes the table that shows how long the answers of each bot took."""
    columns = ("Bot", "Answers", "Median", "95 % within", "Slowest", "Most of a limit", "Total", "Excused")
    rows = []
    for bot, one in times.items():
        spans = [one.median_us, one.most_of_us, one.slowest_us]
        rows.append(
            [
                named(bot, names),
                count(one.answers),
                *(GridCell(span(time), time) for time in spans),
                GridCell(f"{100 * one.closest:.1f} %", one.closest, look="bad" if one.closest > 1 else ""),
                GridCell(span(one.total_us), one.total_us),
                GridCell(span(one.excused_us) if one.excused_us else "–", one.excused_us),
            ]
        )
    return Grid("Time for answers", columns, frozenset(range(1, len(columns))), rows)


def runs(history: History, names: Names) -> Grid:
    """Makes the table of the runs of the tournament, with the bots that were disqualified in each run."""
    columns = ("Run", "Bots", "Matches played", "Matches planned", "Void attempts", "Disqualified")
    rows = [
        [
            count(run.number),
            count(len(run.bots)),
            count(run.matches),
            count(run.planned),
            count(sum(run.attempts.values())),
            GridCell(", ".join(names.in_sentence(out.bot) for out in run.disqualified) or "–"),
        ]
        for run in history.runs
    ]
    return Grid("Runs", columns, frozenset(range(5)), rows)


def voids(history: History, names: Names) -> Grid:
    """Makes the table of the void attempts, each with the bots that had a seat, and the reason."""
    columns = ("Run", "Round", "Encounter", "Sitting", "Attempt", "Bots", "Reason")
    rows = [
        [
            *map(count, (void.run, void.round, void.encounter, void.sitting, void.attempt)),
            GridCell(", ".join(map(names.in_sentence, void.bots))),
            # The text after the second colon may come from a bot's stderr, which only its team should see.
            GridCell(names.text(": ".join(void.note.split(": ")[:2]) if names.masked else void.note)),
        ]
        for run in history.runs
        for void in run.voided
    ]
    return Grid("Void attempts", columns, frozenset(range(5)), rows)


def disqualified(outs: Iterable[Disqualified], names: Names, link: Callable[[str], str]) -> Grid:
    """Makes the table of the disqualified bots, each with its fault."""
    columns = ("Bot", "Run", "Round", "Match", "Fault", "Reason", "Question", "Answer")
    rows = [
        [
            named(out.bot, names),
            count(out.run),
            count(out.round),
            GridCell(out.match, out.match, link(out.match)),
            GridCell(out.fault, look="bad"),
            GridCell(names.text(out.reason), look="words"),
            GridCell(names.text(out.ask), look="code"),
            GridCell("–" if out.said is None else names.text(out.said), look="code"),
        ]
        for out in outs
    ]
    return Grid("Disqualified", columns, frozenset((1, 2)), rows)


def named(bot: str, names: Names) -> GridCell:
    """Makes a cell with the name of a bot and a link to its page."""
    return GridCell(names.bot(bot), href=to_bot(names.bot(bot)))


def count(number: Number) -> GridCell:
    """Makes a cell with a number."""
    return GridCell(grouped(number), number)


# -- the evenness of a schedule, in sentences --------------------------------------------------------
#
# If the numbers of matches differ by at most 1, `evenness` says in sentences how often bots met, and how
# often they sat in each seat. Then a page needs no chart of meetings.


def met_evenly(found: Results) -> bool:
    """Returns whether all pairs of bots played together equally often. A difference of one match is allowed.

    In a gauntlet, only the pairs of a house bot and another bot count.
    """
    bots = [bot for bot in found.bots if bot not in found.house]
    counts = _met(found)
    wanted = len(bots) * (len(found.house) or len(bots) - 1)
    return len(counts) == wanted and max(counts, default=0) - min(counts, default=0) <= 1


def _met(found: Results) -> list[int]:
    """Returns the number of matches of each pair. In a gauntlet, only pairs with one house bot count."""
    house = found.house
    return [
        met.matches
        for (bot, other), met in found.pairs.items()
        if not house or (bot not in house and other in house)
    ]


def evenness(found: Results) -> list[str]:
    """Returns up to two sentences: one about opponents and one about seats."""
    said = []
    if met_evenly(found) and found.pairs:
        often = _between(_met(found))
        house = f"Each bot played {often} with each house bot."
        said.append(house if found.house else f"Every two bots played {often} together.")
    sat = [matches for seats in found.sat.values() for matches in seats]
    if sat and max(sat) - min(sat) <= 1:
        said.append(f"Each bot sat in each seat in {_between(sat)}.")
    return said


def _between(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    return " or ".join([*map(grouped, numbers[:-1]), count_of(numbers[-1], "match")])
