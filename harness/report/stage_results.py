"""Builds what a report shows of stages. For a Swiss tournament, a report shows who met whom at each table of
a round, and the result. For groups, a report shows the results of each group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from harness.config import FrozenPlan
from harness.record.history import History, MatchResult
from harness.report.bracket import MOST_TABLES, BracketBot, BracketRound, BracketTable, wins_of
from harness.report.grids import Grid, GridCell, count, named
from harness.report.names import Names
from harness.schedule.formats import find
from harness.schedule.stages import format_of, stages_of, view_of
from harness.schedule.view import Block, View, lineage, past_of


def _views(plan: FrozenPlan, history: History, drawing: str) -> Iterator[View]:
    """Yields the stages that have begun and whose format has this drawing (`Format.drawing`)."""
    run = history.last
    wanted = [find(stage.format).drawing == drawing for stage in stages_of(plan)]
    if run is None or not any(wanted):
        return
    past = past_of(lineage(history, run.began.seats, keep=plan.rerun == "keep"))
    for stage, is_wanted in enumerate(wanted, start=1):
        if is_wanted and any(each.stage == stage for each in past.rounds):
            yield view_of(plan, past, stage)


def rounds(
    plan: FrozenPlan, history: History, names: Names, link: Callable[[str], str]
) -> list[BracketRound]:
    """Returns the rounds of all stages in which the results decide who meets whom. Rounds with too many
    tables are left out."""
    return [
        BracketRound(
            f"Round {number}",
            [
                _table(block, results, names, link)
                for block, results in zip(each.blocks, each.results, strict=True)
            ],
            ", ".join(map(names.bot, each.byes)),
        )
        for view in _views(plan, history, "rounds")
        for number, each in enumerate(view.past.rounds, start=1)
        if len(each.blocks) <= MOST_TABLES
    ]


def _table(
    block: Block, results: tuple[MatchResult, ...], names: Names, link: Callable[[str], str]
) -> BracketTable:
    """Makes a table whose bots are sorted by the sums of their ranks. If one bot is better than all others,
    its name is bold."""
    ranks = {bot: sum(match.ranks[match.bots.index(bot)] for match in results) for bot in block}
    order = sorted(block, key=lambda bot: ranks[bot])
    best = [bot for bot in order if ranks[bot] == ranks[order[0]]]
    bots = [
        BracketBot(names.bot(bot), wins_of(bot, results), bool(results) and [bot] == best, False)
        for bot in order
    ]
    return BracketTable(bots, link(results[0].id) if results else "")


def group_tables(plan: FrozenPlan, history: History, names: Names) -> list[Grid]:
    """Makes a table for each group, in all stages that have groups. The best bot of the group comes first."""
    return [
        _group(view, number, bots, names)
        for view in _views(plan, history, "groups")
        for number, bots in enumerate(format_of(view).groups(view), start=1)
    ]


def _group(view: View, number: int, bots: tuple[str, ...], names: Names) -> Grid:
    inside = frozenset(bots)
    matches = [match for match in view.past.matches() if inside.issuperset(match.bots)]
    rows = []
    for place, bot in enumerate(bots, start=1):
        own = [match for match in matches if bot in match.bots]
        ranks = sum(match.ranks[match.bots.index(bot)] for match in own)
        rows.append(
            [
                count(place),
                named(bot, names),
                count(len(own)),
                GridCell(wins_of(bot, own)),
                GridCell(f"{ranks / len(own):.2f}" if own else "–", ranks / len(own) if own else None),
            ]
        )
    columns = ("Place", "Bot", "Matches", "Wins", "Average rank")
    return Grid(f"Group {number}", columns, frozenset((0, 2, 3, 4)), rows)
