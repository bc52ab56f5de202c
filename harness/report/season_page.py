"""Makes the page of a season: one table of all bots in several records, and a link to the page of each."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from harness import __version__
from harness.escape import shown
from harness.report import charts
from harness.report.grids import Grid, GridCell
from harness.report.page import PAGES, Draw, Plot, inline
from harness.results import season as season_tables
from harness.results.season import Season
from harness.results.standings import Row

SAID = (
    "The dot is the rating, the band its 95 % interval. The rating of a bot is its average rank if all bots "
    "had met the same opponents."
)


def season_page(season: Season, links: Sequence[str], draw: Draw, missing: str) -> str:
    """The page; `links` has for each record the address of its own report, or ""."""
    rows = [
        Row(
            row.place, row.bot, row.matches, row.average_rank, None, None, row.wins, 0, row.faults, 0,
            rating=row.rating, rating_low=row.rating_low, rating_high=row.rating_high,
        )
        for row in season.rows
    ]  # fmt: skip
    svg = Markup(inline(draw(charts.standings(rows, "rating", season.seats, shown)), "Ratings"))
    return PAGES.get_template("season.html").render(
        version=__version__,
        remarks=[shown(line) for line in season_tables.remarks(season)],
        standings=_standings(season),
        plot_of_ratings=Plot("Ratings", SAID, svg, None),
        records=_records(season, links),
        missing=missing,
    )


def _standings(season: Season) -> Grid:
    sorts = [
        (row.place, None, row.records[0], row.matches, row.rating, row.rating_low) for row in season.rows
    ]
    rest = [(row.average_rank, row.wins, row.faults) for row in season.rows]
    rows = [
        [GridCell(text, key) for text, key in zip(cells, (*first, *others), strict=True)]
        for cells, first, others in zip(season_tables.cells(season, shown), sorts, rest, strict=True)
    ]
    numbers = frozenset(range(len(season_tables.HEADERS))) - {1}
    return Grid("Standings", season_tables.HEADERS, numbers, rows)


def _records(season: Season, links: Sequence[str]) -> Grid:
    rows = []
    for number, (name, played, link) in enumerate(zip(season.records, season.played, links, strict=True), 1):
        out = [f"{each.bot} ({each.fault})" for record, each in season.disqualified if record == number]
        cells = [
            GridCell(str(number), number),
            GridCell(shown(name), href=link),
            GridCell(str(played), played),
        ]
        rows.append([*cells, GridCell(shown(", ".join(out)) or "–")])
    return Grid("Records", ("Record", "Name", "Matches", "Disqualified"), frozenset({0, 2}), rows)
