"""Makes the HTML of the pages: puts the data of a report into templates that escape all values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from harness import __version__
from harness.config import FrozenPlan
from harness.config.policies import said
from harness.config.sparring import is_sparring
from harness.errors import RecordError
from harness.escape import count_of, grouped, html_templates, shown
from harness.model import ACCOUNTS, QUOTED
from harness.record.accounts import accounts, told
from harness.record.history import History, Run
from harness.report import charts, grids, opponents, scenes
from harness.report.bracket import bracket
from harness.report.fault_groups import fault_groups
from harness.report.grids import Grid, evenness, met_evenly
from harness.report.moments import worth_watching
from harness.report.names import Names, to_match
from harness.report.results import Results
from harness.report.stage_results import group_tables, rounds
from harness.report.survey import MOST_FAULTS, Survey
from harness.report.svg import Drawing
from harness.results.columns import BY_ORDER, ranged
from harness.results.habits import DiagnosedBot
from harness.results.standings import Standings
from harness.results.statistics.sprt import elo
from harness.results.tables import FORMER, provisional, reasons
from harness.schedule.certificate import Certificate, certificate_on_record
from harness.schedule.formats import Ratios, find
from harness.schedule.stages import stages_of, view_of
from harness.schedule.view import past_of

PAGES = html_templates("harness.report", "web")
PAGES.filters["shown"] = shown
PAGES.globals["quoted"] = QUOTED
PAGES.globals["grouped"] = grouped
PAGES.globals["version"] = __version__
PAGES.globals["count_of"] = count_of
PAGES.globals["policy"] = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
"""The security policy of the pages. A page may load only the scripts and style sheets of the report, and
pictures whose address contains the picture (`data:`)."""
PAGES.globals["policy_alone"] = Markup(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
"""The security policy of pages that are a single file without scripts."""

UNTIMED = " Sparring bots are left out, because harness itself chooses their moves and measures no times."
OPENED = 10
"""The number of groups of faults that the page shows at first. A click shows the other groups."""


class Plot(NamedTuple):
    """A drawing, a sentence that explains the drawing, and a table with the numbers of the drawing."""

    title: str
    said: str
    svg: Markup
    table: Grid | None


RERUNS = {
    "fresh": "no match of the run in which a bot was disqualified counts: the others play everything again",
    "keep": "a match of the run in which a bot was disqualified counts only if the bot did not play in it",
}
"""Which matches count after a bot was disqualified, for each `rerun` of a plan."""


class ReportData(NamedTuple):
    """All data of a report."""

    plan: FrozenPlan
    title: str
    history: History
    results: Results
    counting: frozenset[str]
    """The encounters whose matches count, for example "1.12"."""
    survey: Survey
    names: Names
    replays: bool
    """True if the report has replays of matches."""
    rules: bool
    """True if the report has a page with the rules of the game."""
    isolation: Mapping[str, int]
    """The number of matches played at each level of isolation."""
    digest: str
    """The digest of the whole record."""
    diagnoses: Mapping[str, DiagnosedBot]
    """How much each diagnosed bot lost through its decisions (`harness diagnose --keep`)."""


def index(data: ReportData, stamp: str) -> str:
    """Makes the first page. If `stamp` is not "", the page in a browser reloads itself when a new page with
    another stamp is written."""
    names, found = data.names, data.results
    plots = _plots(data) if found.bots and found.standings.matches else {}
    return PAGES.get_template("index.html").render(
        plan=data.plan,
        name=names.text(data.plan.name),
        title=data.title,
        facts=_facts(data),
        remarks=_remarks(data),
        digests=_digests(data),
        watch=_watch(data),
        score=_score(data),
        standings=grids.standings(found, names),
        former=grids.former(found, names),
        of_former=FORMER,
        reasons=list(reasons(found.standings, names.in_sentence)),
        disqualified=grids.disqualified(found.standings.disqualified, names, link(data, "fault")),
        plots=plots,
        test=_test(data),
        bracket=bracket(data.plan, data.history, names, link(data)),
        rounds=rounds(data.plan, data.history, names, link(data)),
        group_tables=group_tables(data.plan, data.history, names),
        interval=_interval(found),
        even=evenness(found) if found.standings.matches else (),
        seats=grids.seats(found, names),
        runs=grids.runs(data.history, names),
        voids=grids.voids(data.history, names),
        certificates=[(run.number, _certificate(data.history, run)) for run in data.history.runs],
        groups=fault_groups(data.history, data.survey.first_faults, names, data.replays),
        fault_count=data.survey.fault_count,
        most_faults=MOST_FAULTS,
        opened=OPENED,
        matches=_played(data),
        uncounted=_played(data) - found.standings.matches,
        rerun=_rerun(data),
        replays=data.replays,
        rules=data.rules,
        masked=names.masked,
        stamp=stamp,
    )


def _played(data: ReportData) -> int:
    """Returns the number of matches on record, including the matches that do not count."""
    return sum(run.matches for run in data.history.runs)


def _watch(data: ReportData) -> list[tuple[str, str, tuple[str, ...], str]]:
    if not data.replays:
        return []
    return worth_watching(data.plan, data.history, data.counting, data.survey, data.names)


def match(data: ReportData) -> str:
    """Makes the page that can show each match."""
    return PAGES.get_template("match.html").render(
        name=data.names.text(data.plan.name),
        title=data.title,
        masked=data.names.masked,
        rules=data.rules,
        styles="",
        scripts=[],
    )


def link(data: ReportData, step: str = "") -> Callable[[str], str]:
    """Returns a function that gives the link to this step of a match, or "" if the report has no replays."""
    return lambda match: to_match(match, step) if data.replays else ""


def bot(data: ReportData) -> str:
    """Makes the page that can show each bot."""
    return PAGES.get_template("bot.html").render(
        name=data.names.text(data.plan.name), title=data.title, replays=data.replays
    )


# -- the parts of the first page -------------------------------------------------------------------


def _facts(data: ReportData) -> list[tuple[str, str]]:
    table, ended = data.results.standings, data.history.ended
    over = ended is not None and not ended.unplayed
    played = _played(data)
    of_played = f" of {grouped(played)} played" if played > table.matches else ""
    facts = [
        ("Game", data.title),
        ("Bots", _bots(table)),
        ("Seats", str(data.results.seats)),
        ("Matches counted", f"{grouped(table.matches)}{of_played}"),
        ("Runs", str(table.runs)),
        ("Policy", said(table.policy, table.strikes)),
        ("State", "ended" if over else "running"),
    ]
    if data.isolation:
        facts.append(("Isolation", ", ".join(sorted(data.isolation))))
    if counts := accounts(data.history.runs):
        facts.append(("CPU time", "; ".join(ACCOUNTS[each] for each in counts)))
    return facts


def _bots(table: Standings) -> str:
    """Says how many bots there are, and how many former bots of a ladder are among them."""
    former = len(table.former)
    of_them = f", of them {grouped(former)} former" if former else ""
    return f"{grouped(len(table.rows))}{of_them}"


def _digests(data: ReportData) -> list[tuple[str, str]]:
    ended = data.history.ended
    found = [("Digest of the standings", ended.standings)] if ended is not None and ended.standings else []
    return [*found, ("Digest of the whole", data.digest)] if data.history.runs else found


def _score(data: ReportData) -> str:
    """Says whether more or fewer points are better. Returns "" if the game has no scene."""
    found = scenes.standing_of(data.plan.game.name)
    if found is None:
        return ""
    return f"Points: {found.noun}, fewer is better." if found.fewer else "Points: more is better."


def _interval(found: Results) -> str:
    """Explains the column with the intervals. Returns "" if no bot has an interval."""
    order = found.standings.order
    if all(ranged(row, order).low is None for row in found.standings.rows):
        return ""
    return (
        f"The dot is the {BY_ORDER[order].noun}, the band its 95 % interval. If two bands overlap widely, "
        "only more deals can show which bot is better."
    )


def _rerun(data: ReportData) -> str:
    """Says which matches count after a bot was disqualified."""
    table = data.results.standings
    if table.alone or data.plan.rerun != "fresh":
        return RERUNS[data.plan.rerun]
    # Too few bots are left for another run, or the next run has not begun yet.
    return (
        "after a disqualification the others play everything again, and then no earlier match counts. After "
        f"run {table.run} no other run began. So a match of run {table.run} counts if no disqualified bot "
        "played in it"
    )


def _remarks(data: ReportData) -> list[str]:
    table, ended = data.results.standings, data.history.ended
    said = []
    if not table.run:
        said.append("No run has started.")
    elif not table.alone:
        said.append(
            f"These bots had no run of their own: the matches of run {table.run} without a disqualified bot "
            "are counted."
        )
    if table.missing:
        said.append(provisional(table))
    if open_ := data.isolation.get("none"):
        said.append(
            f"Without isolation: {count_of(open_, 'match')}. Their bots could read and write every file "
            "that the harness can, and leave notes on disk for later matches."
        )
    if apart := data.isolation.get("user"):
        said.append(
            f"Without sandboxes, but with a separate user for each bot: {count_of(apart, 'match')}. "
            "These bots could use the network, and leave notes on disk for later matches."
        )
    if uncounted := accounts(data.history.runs).get("incomplete"):
        said.append(
            f"In {count_of(uncounted, 'sitting')} {ACCOUNTS['incomplete']}, so waiting was not excused for a "
            "bot that started processes."
        )
    if ended is not None and ended.note:
        said.append(f"How it ended: {data.names.text(ended.note)}.")
    return said


def _test(data: ReportData) -> Plot | None:
    """Makes the plot of a sequential test, or returns None if the tournament has no such test."""
    stages, run = stages_of(data.plan), data.history.last
    if run is None or not stages or find(stages[0].format).drawing != "ratios":
        return None
    found = find(stages[0].format).ratios(view_of(data.plan, past_of([run]), 1))
    title = "Sequential test"
    said = (
        "How likely the results are if elo1 is true, divided by how likely they are if elo0 is true: the "
        "logarithm of this ratio, after each encounter. At the upper line the test accepts elo1, and at the "
        "lower line elo0."
    )
    drawn = charts.in_widths(title, lambda wide: charts.ratios(found, wide))
    return Plot(title, f"{said} {elo_told(found)}", drawn, _pentanomial(found))


def elo_told(found: Ratios) -> str:
    """Says which Elo difference the pairs show. Returns "" before the first pair."""
    if not any(found.pairs):
        return ""
    if sum(map(bool, found.pairs)) == 1:
        return "All pairs so far ended with the same points, so no Elo difference can be computed yet."
    difference, low, high = elo(found.pairs, found.model)
    return (
        f"The pairs so far show a difference of {difference:+.1f} {found.model} Elo, with the 95 % interval "
        f"from {low:+.1f} to {high:+.1f}. After a test that stopped early, this interval is a little too "
        "narrow."
    )


def _pentanomial(found: Ratios) -> Grid:
    """Makes the table that shows in how many pairs of matches the tested bot got 0, ½, 1, 1½ or 2 points."""
    columns = ("Points in a pair", "0", "½", "1", "1½", "2")
    rows = [[grids.GridCell("Pairs"), *map(grids.count, found.pairs)]]
    return Grid("Pairs by points", columns, frozenset(range(1, 6)), rows)


def _plots(data: ReportData) -> dict[str, Plot]:
    found, names, plan = data.results, data.names, data.plan
    bots, name, times = found.bots, names.bot, data.survey.paces.times()
    # While a tournament runs, some bots may have no match. Their rows would be empty.
    met = [bot for bot in bots if any(found.places[bot])] or bots
    timed = {bot: times[bot] for bot in (*bots, *(bot for bot in times if bot not in bots)) if bot in times}
    # If new bots can join during the tournament, a team may have several versions.
    versions = find(plan.format).open_field

    def plot(title: str, said: str, draw: Callable[[int], Drawing], table: Grid | None) -> Plot:
        return Plot(title, said, charts.in_widths(title, draw), table)

    drawn = {
        "beats": plot("Head to head", *_head_to_head(found, met, name), grids.beats(found, names)),
        "places": plot(
            "Places",
            "How often each bot finished at each place.",
            lambda wide: charts.places(found.places, met, name, wide),
            grids.places(found, names),
        ),
        "progress": plot(
            "Over time",
            charts.OVER_TIME[bool(found.ratings)] + charts.OF_VERSIONS * versions,
            lambda wide: charts.progress(
                found.ratings or found.progress, bots, name, versions=versions, wide=wide
            ),
            None,
        ),
    }
    if timed:
        left_out = any(is_sparring(bot.path) for bot in plan.bots)
        drawn["pace"] = plot(
            "Time for answers",
            "The dot is the median. 95 of 100 answers were not slower than the end of the band. The short "
            "line is the slowest answer. The dashed line is the limit for an answer." + UNTIMED * left_out,
            lambda wide: charts.pace(times, list(timed), plan.limits.move_ms, name, wide),
            grids.pace(timed, names),
        )
    if not met_evenly(found):
        drawn["meetings"] = plot(
            "Matches together",
            "How many of the counted matches each two bots played together.",
            lambda wide: opponents.meetings(found.pairs, met, _among(found, met), name, wide),
            None,
        )
    return drawn


def _among(found: Results, met: Sequence[str]) -> list[str]:
    """Returns the columns of a heat map: the bots of `found.across` that are also in `met`."""
    those = frozenset(met)
    return [bot for bot in found.across if bot in those]


def _head_to_head(
    found: Results, met: Sequence[str], name: charts.Name
) -> tuple[str, Callable[[int], Drawing]]:
    """Makes a plot of these bots, and a sentence that explains the plot. The plot is a list of bars for each
    house bot, or a heat map."""
    house, said = found.house, "In how many of 100 common matches"
    if 0 < len(house) <= opponents.MOST_LISTS:
        others = [bot for bot in met if bot not in house]
        return (
            f"{said} a bot ranked better than the house bot above the list. A tie counts as half a match.",
            lambda wide: opponents.against_house(found.pairs, others, house, name, wide),
        )
    return (
        f"{said} the bot of the row ranked better than the bot of the column. A tie counts as half a match.",
        lambda wide: opponents.beats(found.pairs, met, _among(found, met), name, wide),
    )


def _certificate(history: History, run: Run) -> str:
    """Returns the certificate of a run's schedule, and a line that says who counted the CPU time in the
    sittings of the run."""
    found = run.began.certificate
    try:
        if run.rounds:
            even = certificate_on_record(history, run).text
        else:
            even = msgspec.convert(found, Certificate).text if found else ""
    except msgspec.ValidationError as error:
        raise RecordError(f"the certificate of run {run.number} is damaged: {error}") from None
    return "\n".join(filter(None, (even, told(accounts([run])))))
