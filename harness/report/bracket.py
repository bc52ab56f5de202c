"""Builds the bracket of a stage from which bots drop out: the tables of each round, and their winners."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from harness.config import FrozenPlan
from harness.record.history import History, MatchResult
from harness.report.names import Names
from harness.schedule.bouts import Bout, Elimination, bouts_of
from harness.schedule.formats import find
from harness.schedule.stages import format_of, stages_of, view_of
from harness.schedule.view import Block, View, lineage, past_of

MOST_TABLES = 32
"""The most tables of a round in a bracket. Rounds with more tables are left out, because nobody could read
them."""


class BracketBot(NamedTuple):
    """A bot at a table, with the number of its wins there. A first place that n bots share is 1/n of a
    win."""

    name: str
    wins: str
    on: bool
    """True if the bot went on to the next round, or won the table."""
    out: bool
    """True if the bot was disqualified at this table or earlier."""


class BracketTable(NamedTuple):
    """The bots at a table, the best bot first, and the link to the first match of the table."""

    bots: Sequence[BracketBot]
    href: str


class BracketRound(NamedTuple):
    """A round: its tables, and the bots without a match."""

    title: str
    tables: Sequence[BracketTable]
    rest: str


def bracket(
    plan: FrozenPlan, history: History, names: Names, link: Callable[[str], str]
) -> list[BracketRound]:
    """Returns the rounds of all stages that have a bracket, or [] if no stage has a bracket."""
    run = history.last
    drawn = [find(stage.format).drawing == "bracket" for stage in stages_of(plan)]
    if run is None or not any(drawn):
        return []
    past = past_of(lineage(history, run.began.seats, keep=plan.rerun == "keep"))
    found: list[BracketRound] = []
    for stage, is_drawn in enumerate(drawn, start=1):
        if is_drawn and any(each.stage == stage for each in past.rounds):
            found += _rounds_of(view_of(plan, past, stage), names, link)
    return found


def _rounds_of(view: View, names: Names, link: Callable[[str], str]) -> Iterator[BracketRound]:
    format_ = format_of(view)
    assert isinstance(format_, Elimination), "only such a format has a bracket"
    firsts = [each for each in view.past.rounds if not each.again]
    fields: list[set[str] | None] = [*(set(each.field) for each in firsts[1:]), None]
    places: dict[str, int] = {}
    rounds: list[BracketRound] = []
    for number, bout in reversed([*enumerate(bouts_of(view))]):
        # The tables are in the order in which their bots sit at the tables of the next round.
        first = firsts[number]
        tables = sorted(bout.blocks, key=lambda block: min(places.get(bot, len(places)) for bot in block))
        places = {bot: place for place, bot in enumerate(chain.from_iterable(tables))}
        # If bots have several lives, a bot that has not won its table may go on too. Then only the winners of
        # tables are marked.
        going = fields[number] if format_.lives == 1 else None
        shown = [_table(block, bout, going, view.seed, names, link) for block in tables]
        again = ", ties played again" if bout.again else ""
        if len(shown) <= MOST_TABLES:
            rest = ", ".join(map(names.in_sentence, first.byes))
            rounds.insert(0, BracketRound(f"Round {number + 1}{again}", shown, rest))
    return iter(rounds)


def wins_of(bot: str, results: Sequence[MatchResult]) -> str:
    """Returns the number of matches that a bot won at a table. A first place that n bots share is 1/n of a
    win."""
    if not results:
        return "–"
    firsts = ((match.ranks[match.bots.index(bot)], match.ranks) for match in results)
    return f"{round(sum(1 / ranks.count(rank) for rank, ranks in firsts if rank == min(ranks)), 2):g}"


def _table(
    block: Block,
    bout: Bout,
    going: set[str] | None,
    seed: int,
    names: Names,
    link: Callable[[str], str],
) -> BracketTable:
    order, results = bout.order(block, seed), bout.results[block]
    going = set(order[:1]) if going is None else going
    bots = [
        BracketBot(
            names.bot(bot),
            wins_of(bot, results),
            bool(results) and bot in going,
            bot not in bout.left,
        )
        for bot in (*order, *(bot for bot in block if bot not in order))
    ]
    return BracketTable(bots, link(results[0].id) if results else "")
