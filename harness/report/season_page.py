"""Makes the page of a season: a table of all bots in several records, and a link to each record's report."""

from __future__ import annotations

from collections.abc import Sequence

from harness.escape import shown
from harness.report import charts, grids
from harness.report.grids import Grid, GridCell
from harness.report.page import PAGES, Plot
from harness.results.columns import Column
from harness.results.season import ORDER, RECORDS, Season, columns, ranges, remarks, shared
from harness.results.standings import Row

SAID = (
    "The dot is the rating, the band its 95 % interval. The rating of a bot is the average rank that it "
    "would have if all bots had met the same opponents."
)
COURSE = (
    "The line of a bot shows, for each record, the rating of the version that played in this record. A "
    "version has one rating in the whole season, so a line changes only where a ring marks a new version."
)
WITHOUT_BANDS = (
    "The dot is the rating of a bot: the average rank that it would have if all bots had met the same "
    "opponents."
)


def season_page(season: Season, links: Sequence[str]) -> str:
    """Makes the page. For each record, `links` has the address of the record's own report, or ""."""
    svg = charts.in_widths(
        "Ratings", lambda wide: charts.standings(shared(season), ORDER, season.seats, shown, wide)
    )
    return PAGES.get_template("season.html").render(
        remarks=[shown(line) for line in remarks(season)],
        standings=_standings(season),
        course=_course(season),
        plot_of_ratings=Plot("Ratings", WITHOUT_BANDS if season.uncertain else SAID, svg, None),
        records=_records(season, links),
    )


def _course(season: Season) -> Plot:
    """Makes the plot of the ratings, record by record."""
    title, records = "Record by record", len(season.records)
    svg = charts.in_widths(title, lambda wide: charts.by_record(season.rows, records, shown, wide))
    return Plot(title, COURSE, svg, None)


def _standings(season: Season) -> Grid:
    chosen = grids.decisive_first(columns(season))
    place = next(at for at, column in enumerate(chosen) if column.name == "matches")
    first, last = chosen[:place], chosen[place:]

    def cells(row: Row, some: Sequence[Column]) -> list[GridCell]:
        return [grids.standing(row, column, ORDER, lambda bot: GridCell(shown(bot))) for column in some]

    rows = [
        [*cells(row, first), GridCell(ranges(own.records), own.records[0]), *cells(row, last)]
        for row, own in zip(shared(season), season.rows, strict=True)
    ]
    return grids.of_columns((*first, RECORDS, *last), rows)


def _records(season: Season, links: Sequence[str]) -> Grid:
    rows = []
    for number, (name, played, link) in enumerate(zip(season.records, season.played, links, strict=True), 1):
        out = [f"{each.bot} ({each.fault})" for record, each in season.disqualified if record == number]
        cells = [
            GridCell(str(number), number),
            GridCell(shown(name), href=link),
            grids.count(played),
        ]
        rows.append([*cells, GridCell(shown(", ".join(out)) or "–")])
    return Grid("Records", ("Record", "Name", "Matches", "Disqualified"), frozenset({0, 2}), rows)
