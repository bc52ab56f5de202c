"""Writes standings as text, Markdown, CSV and JSON.

Text from bots and teams is escaped for each of these formats.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

import msgspec
from tabulate import tabulate

from harness.config.policies import said
from harness.escape import (
    WIDTH,
    broken,
    count_of,
    fitted,
    fitted_name,
    grouped,
    in_csv,
    in_markdown,
    padded,
    text_table,
    width_of,
)
from harness.events import Disqualified
from harness.model import Number
from harness.results.columns import BY_ORDER, Column, Ranged, columns, ranged
from harness.results.ordering import BY_FORMAT, Decider
from harness.results.ranges import apart_but_open
from harness.results.round_robin import learnt
from harness.results.standings import NO_INTERVALS, STOPPED, Row, Standings
from harness.results.totals import FaultKind

NAME = 20
"""The largest number of characters of a name in a table for a terminal."""
FORMER = "Former bots, which play no more. Their matches still count for all ratings."
SITTINGS = (
    "Sittings differ more than luck explains, so a sitting counts as one deal, and intervals are wider. More "
    "and shorter sittings (key `sitting`) would make the intervals narrower."
)
CHOSEN = (
    "Somebody chose this condition after the matches. So there are no intervals and no ranges of places, and "
    "a difference in this table proves nothing: it only shows where to look."
)
RANGES = "In brackets: the best and the worst place that more matches could still give to a bot."
APART = (
    "There are two bots whose intervals do not overlap, though each of the two could have the place of the "
    "other. An interval is about one bot and one look at the results. A range of places must be right about "
    "all other bots, however often you look."
)
WIDEST_BAR, NARROWEST_BAR = 30, 6
"""The largest and the smallest number of characters of a drawn interval."""
MOST_NAMED = 5
"""The largest number of bots that are named for one kind of fault."""


class PrintedOut(msgspec.Struct, frozen=True):
    """A disqualification, with its evidence: the question and the answer, if the fault has them."""

    bot: str
    run: int
    round: int
    match: str
    fault: str
    reason: str
    ask: str
    said: str | None


class PrintedStandings(msgspec.Struct, frozen=True):
    """The standings in JSON. `results.standings.Standings` describes the keys after `faults`."""

    rows: tuple[Row, ...] = msgspec.field(name="standings")
    disqualified: tuple[PrintedOut, ...]
    faults: tuple[FaultKind, ...]
    """The kinds of faults in the matches that count, the most frequent first."""
    policy: str
    strikes: int | None
    run: int
    runs: int
    alone: bool
    matches: int
    """The number of matches that count."""
    missing: int
    encounters: tuple[int, int]
    order: Decider
    """The number that decides the places."""
    adaptive: bool
    """True if results decide who meets whom. Then only ratings that come from the model of
    `results.round_robin` have intervals."""
    where: str
    """The condition by which the results were chosen, or ""."""


def as_text(standings: Standings, every: bool = False, screen: int = 0) -> str:
    """Returns the standings for a terminal, at most `WIDTH` characters wide. With `every`, the table has all
    columns that fit. Otherwise the table has only the columns that a terminal shows by default. `screen` is
    the number of characters in a line of the screen. If the line has room, each row has a drawing of its
    interval."""
    parts = [_in_text(standings, standings.playing, every, screen)] if standings.playing else []
    if standings.former:
        parts.append(f"{FORMER}\n\n{_in_text(standings, standings.former, every, screen)}")
    if standings.disqualified:
        lines = [line for out in standings.disqualified for line in _expelled(out)]
        last = f", with strike {standings.strikes} of {standings.strikes}" if standings.strikes else ""
        parts.append("\n".join([f"disqualified{last}:", *(fitted(line, WIDTH) for line in lines)]))
    if standings.faults:
        rows = [(kind.fault, kind.matches, len(kind.bots), _named(kind.bots)) for kind in standings.faults]
        parts.append(text_table(("fault", "matches", "bots", "who"), rows, {"matches", "bots"}))
    return "\n\n".join(
        [*parts, "\n".join(line for each in _remarks(standings, _name) for line in broken(each, WIDTH))]
    )


def winner(standings: Standings) -> str:
    """Returns a sentence that says who won, or "" if no bot won."""
    first = [row for row in standings.playing if row.place == 1 and row.matches]
    if not first:
        return ""
    if len(first) > 1:
        return f"The first place is shared: {_named([row.bot for row in first])}."
    [row] = first
    value = None if standings.why == BY_FORMAT else ranged(row, standings.order).value
    why = "" if value is None else f" ({BY_ORDER[standings.order].noun} {_decimal(value, 3)})"
    if standings.why == BY_FORMAT or row.worst == 1:
        return f"{_name(row.bot)} won{why}."
    if row.worst is None:  # No ranges: there are too many bots or matches, or results decided who met whom.
        return f"{_name(row.bot)} is first{why}; harness did not compute how certain this is."
    return f"{_name(row.bot)} is first{why}, but more matches could still put another bot there."


def best(standings: Standings, count: int) -> str:
    """Returns the table of the first `count` bots for a terminal, at most `WIDTH` wide if its columns fit.
    The table leaves out the former bots of a ladder."""
    return _in_text(standings, standings.playing[:count])


def _in_text(standings: Standings, rows: Sequence[Row], every: bool = False, screen: int = 0) -> str:
    order = standings.order
    text = in_text(narrowed(filled(rows, columns(standings, every), order, _name), order))
    head, dashes, *lines = text.split("\n")
    widest = max(map(width_of, (head, *lines)))
    bars = _bars([ranged(row, order) for row in rows], min(WIDEST_BAR, screen - widest - 2))
    if not bars or len(bars) != len(lines):
        return text
    drawings = (f"{padded(line, widest)}  {bar}".rstrip() for line, bar in zip(lines, bars, strict=True))
    return "\n".join([head, dashes, *drawings])


def _bars(found: Sequence[Ranged], width: int) -> list[str]:
    """Draws the interval of each bot as a line on one common scale, with a dot for the number itself. Returns
    [] if no bot has an interval, or if there is no room."""
    ends = [end for each in found for end in (each.low, each.high) if end is not None]
    if not ends or width < NARROWEST_BAR:
        return []
    first, scale = min(ends), (width - 1) / (max(ends) - min(ends) or 1)

    def bar(each: Ranged) -> str:
        if each.low is None or each.high is None or each.value is None:
            return ""
        low, at, high = (round((end - first) * scale) for end in (each.low, each.value, each.high))
        return " " * low + "─" * (at - low) + "●" + "─" * (high - at)

    return [bar(each) for each in found]


def as_markdown(standings: Standings) -> str:
    """Returns the standings for a web page. The former bots of a ladder and the disqualified bots are in
    tables of their own."""
    shown, order = columns(standings), standings.order
    parts = [
        as_pipes(filled(rows, shown, order, in_markdown))
        for rows in (standings.playing, standings.former)
        if rows
    ]
    parts[1:1] = [FORMER] if standings.former else []
    if standings.disqualified:
        headers = ["disqualified", "run", "round", "match", "fault", "reason"]
        outs = [
            (in_markdown(out.bot), out.run, out.round, out.match, out.fault, in_markdown(out.reason))
            for out in standings.disqualified
        ]
        parts.append(tabulate(outs, headers, "pipe", disable_numparse=True))
    return "\n\n".join([*parts, " ".join(_remarks(standings, in_markdown))])


def as_csv(standings: Standings) -> str:
    """Returns the standings for a spreadsheet: a header, then a line for each bot. The disqualified bots are
    last."""
    lines: list[Sequence[object]] = [(*Row.__struct_fields__, "disqualified_for", "disqualified_in")]
    lines += ((*_csv_cells(row), "", "") for row in standings.rows)
    empty = ("",) * (len(Row.__struct_fields__) - 2)
    lines += (("", in_csv(out.bot), *empty, out.fault, out.match) for out in standings.disqualified)
    return csv_text(lines)


def as_json(standings: Standings) -> str:
    """Returns the standings as JSON. The same history gives the same text on every machine.

    The text is ASCII, so no name can control a terminal.
    """
    printed = msgspec.convert(standings, PrintedStandings, from_attributes=True)
    return json.dumps(msgspec.to_builtins(printed), indent=2)


# -- cells and tables, also of a season --------------------------------------------------------------


class Filled(NamedTuple):
    """A column with the texts of its cells, from top to bottom."""

    column: Column
    cells: list[str]


def filled(
    rows: Sequence[Row], shown: Iterable[Column], order: Decider, name: Callable[[str], str]
) -> list[Filled]:
    """Returns the columns with their cells, for standings that are ordered by `order`. `name` escapes the
    name of a bot."""
    return [
        Filled(column, [name(row.bot) if column.kind == "bot" else _cell(row, column, order) for row in rows])
        for column in shown
    ]


def narrowed(table: Sequence[Filled], order: Decider) -> list[Filled]:
    """Returns the same table, but without the least important columns if not all columns fit into `WIDTH`."""
    shown = list(table)
    may_go = [each for each in table if each.column.gives_way and each.column.order != order]
    for least in sorted(may_go, key=lambda each: each.column.gives_way):
        if sum(max(map(width_of, (column.header, *cells))) + 2 for column, cells in shown) - 2 > WIDTH:
            shown.remove(least)
    return shown


def in_text(table: Sequence[Filled]) -> str:
    """Returns the table for a terminal, at most `WIDTH` wide if its columns fit."""
    headers = [column.header for column, _ in table]
    right = {column.header for column, _ in table if column.kind != "bot"}
    return text_table(headers, zip(*(cells for _, cells in table), strict=True), right)


def as_pipes(table: Sequence[Filled]) -> str:
    """Returns the table in Markdown."""
    headers = [column.header for column, _ in table]
    sides = ["left" if column.kind == "bot" else "right" for column, _ in table]
    cells = list(zip(*(cells for _, cells in table), strict=True))
    return tabulate(cells, headers, "pipe", colalign=sides, disable_numparse=True)


def _cell(row: Row, column: Column, order: Decider) -> str:
    if column.kind == "interval":
        return written(ranged(row, order))[1]
    if column.kind == "elo":
        return elo_of(row)
    value = getattr(row, column.name)
    if value is None:
        return "-"
    if column.kind == "place":
        return place_of(row) or "-"
    if column.kind == "mean":
        return _decimal(value, 3)
    return _short(value) if column.kind == "sum" else str(value)


def elo_of(row: Row) -> str:
    """Returns the Elo rating of a bot with its interval, for example "+35 (-10 to +80)"."""
    if row.elo is None or row.elo_low is None or row.elo_high is None:
        return "-"
    return f"{row.elo:+d} ({row.elo_low:+d} to {row.elo_high:+d})"


def place_of(row: Row) -> str:
    """Returns the place of a bot with its range, or "" for a former bot of a ladder."""
    return "" if row.former else placed(row.place, row.best, row.worst)


def placed(place: int, best: int | None, worst: int | None) -> str:
    """Returns a place with its range, for example "3 (2-5)". Without a range, or with a range of one place,
    returns only the place."""
    return str(place) if best is None or best == worst else f"{place} ({best}-{worst})"


def written(found: Ranged) -> tuple[str, str]:
    """Returns an estimate and its interval as two cells."""
    value = "-" if found.value is None else _decimal(found.value, 3)
    if found.low is None or found.high is None:
        return value, "-"
    return value, f"{_decimal(found.low, 2)} - {_decimal(found.high, 2)}"


def _decimal(number: float, digits: int) -> str:
    """Returns a number with `digits` decimals. A large number has fewer decimals."""
    return f"{number:.{digits}f}" if abs(number) < 100_000 else f"{number:.5g}"


def _short(number: Number) -> str:
    """Returns a number in at most 12 characters."""
    text = f"{number:.2f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)
    return text if len(text) <= 12 else f"{number:.5g}"


def _name(bot: str) -> str:
    """Returns the name of a bot for a terminal."""
    return fitted_name(bot, NAME)


def _named(bots: Sequence[str], name: Callable[[str], str] = _name) -> str:
    """Returns the names of the first bots, and the number of the other bots."""
    first, more = ", ".join(map(name, bots[:MOST_NAMED])), len(bots) - MOST_NAMED
    return f"{first} and {more} more" if more > 0 else first


def _expelled(out: Disqualified) -> Iterator[str]:
    """Yields the lines that explain a disqualification."""
    where = f"match {out.match} (round {out.round} of run {out.run})"
    yield f"  {_name(out.bot)}, {out.fault} in {where}:"
    yield f"    {out.reason}"
    if out.ask:
        yield f"    asked: {out.ask}"
    if out.said is not None:
        yield f"    said:  {out.said}"


def _remarks(standings: Standings, name: Callable[[str], str]) -> Iterator[str]:
    """Yields sentences that say which matches count."""
    if not standings.run:
        yield "No run has started."
        return
    policy = said(standings.policy, standings.strikes)
    runs = "run 1" if standings.runs == 1 else f"run {standings.run} of {standings.runs}"
    what = "the format" if standings.why == BY_FORMAT else BY_ORDER[standings.order].noun
    what += "," if "," in what else ""
    chosen = f" with {' '.join(map(name, standings.where.split()))}" if standings.where else ""
    count = f"{count_of(standings.matches, 'match')} of {runs} that count (policy: {policy})"
    if not standings.matches:
        yield f"No match of {runs}{chosen} counts (policy: {policy})."
    elif chosen:
        yield f"Only results{chosen}, by {what}, from {count}."
    else:
        yield f"By {what} in the {count}."
    yield from reasons(standings, name)
    if any(each.sure for each in standings.seats):
        best, worst = (pick(standings.seats, key=lambda each: each.average) for pick in (min, max))
        yield (
            f"Seats differ: average rank {best.average:.2f} ({best.low:.2f} - {best.high:.2f}) in seat "
            f"{best.seat}, {worst.average:.2f} ({worst.low:.2f} - {worst.high:.2f}) in seat {worst.seat}."
        )
    if not standings.alone:
        who = (
            "These bots had no run of their own"
            if standings.playing[1:]
            else "This bot had no run of its own"
        )
        yield f"{who}: only matches without a disqualified bot count."
    if standings.missing:
        yield provisional(standings)


def provisional(standings: Standings) -> str:
    """Returns a sentence that says how much of the run has been played."""
    complete, expected = standings.encounters
    about = "about " if standings.adaptive else ""
    encounters = f"{grouped(complete)} of {about}{count_of(expected, 'encounter')} of run {standings.run}"
    are = "is" if standings.missing == 1 else "are"
    matches = f"{count_of(standings.missing, 'match')} {are} missing"
    return f"Provisional: only {encounters} are complete, and {matches}."


def reasons(standings: Standings, name: Callable[[str], str]) -> Iterator[str]:
    """Yields sentences that explain the places and their ranges, and say if there are no intervals. If
    `standings.why` is empty, there are no sentences about the places. `name` escapes the name of a bot."""
    if not standings.matches:
        return
    if standings.where:
        yield CHOSEN
    elif standings.uncertain:
        yield NO_INTERVALS
    elif not standings.has_intervals:
        yield STOPPED
    if standings.why:
        yield from _of_places(standings, name)
    if standings.by_sitting:
        yield SITTINGS
    if standings.model and standings.by_model:
        ranges = [(row.best, row.worst) for row in standings.playing]
        yield from learnt(standings.model, len(ranges) > 1 and set(ranges) == {(1, len(ranges))})
    if any(row.best != row.worst for row in standings.rows):
        yield RANGES
        if apart_but_open(standings):
            yield APART


def _of_places(standings: Standings, name: Callable[[str], str]) -> Iterator[str]:
    """Yields sentences that say which number decides the places, and why."""
    if standings.why == BY_FORMAT:
        yield "The format decides the places."
    else:
        yield f"The places go by {BY_ORDER[standings.order].noun}: {standings.why}."
    yield from _turned(standings, name)
    if standings.order == "rating":
        yield (
            "The rating of a bot is the average rank that it would have if all bots had met the same "
            "opponents."
        )
    if standings.luck_off:
        yield (
            "Luck is taken off: good dice and cards do not count for a bot, and bad dice and cards do not "
            "count against it."
        )
    if standings.order in ("score", "score-luck-off") and standings.same:
        yield (
            "The mean score of each deal is subtracted from the scores of this deal, because all bots of a "
            "table play the same deals."
        )


def _turned(standings: Standings, name: Callable[[str], str]) -> Iterator[str]:
    """Yields a sentence if average ranks decide the places, but ratings would put two bots into the opposite
    order."""
    if standings.order != "rank" or not standings.differ or standings.why == BY_FORMAT:
        return
    ranked = [(row.rating, row) for row in standings.playing if row.rating is not None]
    pairs = [
        (rating - better, two, one)
        for (rating, one), (better, two) in combinations(ranked, 2)
        if one.place < two.place and better < rating
    ]
    if pairs:
        _, first, second = max(pairs, key=itemgetter(0))
        more = f", and {count_of(len(pairs) - 1, 'more pair')} would change places" if pairs[1:] else ""
        said = f"By rating, {name(first.bot)} would be before {name(second.bot)}{more}"
        yield f"{said}, because not all bots met the same opponents."


def _csv_cells(row: Row) -> Sequence[object]:
    cells = msgspec.structs.asdict(row) | {"bot": in_csv(row.bot)}
    return ["" if value is None else value for value in cells.values()]


def csv_text(lines: Iterable[Iterable[object]]) -> str:
    """Returns the text of a CSV file, without the newline at its end."""
    writer = csv.writer(_Echo(), lineterminator="\n")
    return "".join(writer.writerow(line) for line in lines).removesuffix("\n")


class _Echo:
    """A file for `csv` that returns each text written to it."""

    def write(self, text: str) -> str:
        return text
