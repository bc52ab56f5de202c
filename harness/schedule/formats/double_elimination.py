"""A double elimination: a bot that loses twice is out.

```toml
format = "double-elimination"
```

This format is for two seats. At a larger table several bots lose at once, and a bot in the middle has neither
won nor lost. At larger tables, play a [knock-out](#knock-out). A bot that loses for the second time is out.
Bots that have not lost meet each other as in a knock-out. Bots that have lost once meet each other in the
same way. If the number of these bots is odd, the bot that is first in the order of [seeds](#knock-out) rests.
As in a knock-out, a table plays more encounters in later rounds, and plays on after a tie. There are more
rounds than in a knock-out. If each table played only one encounter, all rounds together would have about a
third as many encounters. At the end the last bot without a loss meets the last bot with one loss. If the bot
without a loss loses, the two bots meet again. A bot that met a disqualified bot in a round has not lost in
this round.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.config.terms import PlanTerms, Stage
from harness.escape import count_on_record
from harness.schedule.bouts import Bout, Elimination, bouts_of, decisions, first_round, replay, tables_of
from harness.schedule.formats import Trouble
from harness.schedule.strength import Tiers
from harness.schedule.view import Block, Pairing, View

SEATS = 2


class DoubleElimination(Elimination):
    name = "double-elimination"
    title = "Double elimination"
    meeting = "who loses twice is out"
    use = "for a show in which one unlucky match puts no bot out"
    lives = 2

    def trouble(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        why = f'"{self.name}" needs seats = {SEATS}: at a larger table no single bot loses; use "knock-out"'
        return (("format",), why) if seats != SEATS else None

    def next(self, view: View) -> Pairing | None:
        """Returns the next round, or None when all bots except one have lost twice."""
        bouts = list(bouts_of(view))
        if bouts and (tied := [block for block in bouts[-1].blocks if bouts[-1].is_open(block, 1)]):
            lost = _losses(view, bouts[:-1])
            playing = [bot for bot in view.bots if lost[bot] < self.lives]
            return replay(view, len(bouts), bouts[-1], tied, playing)
        lost = _losses(view, bouts)
        winners = [bot for bot in view.bots if lost[bot] == 0]
        losers = [bot for bot in view.bots if lost[bot] == 1]
        if len(winners) + len(losers) < SEATS:
            return None
        blocks = _pairs_of_winners(winners) + _pairs_of_losers(losers)
        why = f"{self.name}, {count_on_record(len(winners), 'bot')} without a loss, {len(losers)} with one"
        if len(winners) == len(losers) == 1:
            blocks, why = [(winners[0], losers[0])], f"{why} (final)"
        seated = {bot for block in blocks for bot in block}
        byes = [bot for bot in (*winners, *losers) if bot not in seated]
        return first_round(len(bouts), blocks, byes, f"{why}{_decisions(view, bouts)}")

    def order(self, view: View) -> Tiers:
        """Returns the winner, then the other bots. If two bots are out, the bot that was in the tournament
        longer is better."""
        bouts = list(bouts_of(view))
        lost = _losses(view, bouts)
        tiers: Tiers = []
        out: set[str] = set()
        for number in range(len(bouts) + 1):
            now = {bot for bot, count in _losses(view, bouts[:number]).items() if count == self.lives}
            if now - out:
                tiers.insert(0, tuple(sorted(now - out)))
            out |= now
        standing = sorted(
            (bot for bot in view.bots if lost[bot] < self.lives), key=lambda bot: (lost[bot], bot)
        )
        return [*((bot,) for bot in standing), *tiers]

    def why(self, view: View) -> str:
        """Returns a phrase that says how ties in the last bout were decided, or "" if there was no tie."""
        return _decisions(view, list(bouts_of(view))).removeprefix("; ")


FORMAT = DoubleElimination()


def _decisions(view: View, bouts: Sequence[Bout]) -> str:
    """Returns a phrase that says how the ties of the last bout were decided, or "" if there was no tie."""
    return decisions(bout.decision(block, 1, view.seed) for bout in bouts[-1:] for block in bout.blocks)


def _losses(view: View, bouts: Sequence[Bout]) -> dict[str, int]:
    """Returns the number of losses of each bot that is not disqualified. A bot that met a disqualified bot in
    a bout has not lost in that bout."""
    lost = dict.fromkeys(view.entry, 0)
    for bout in bouts:
        for block in bout.blocks:
            order = bout.order(block, view.seed)
            if len(order) == len(block):
                lost[order[-1]] += 1
    left = frozenset(view.bots)
    return {bot: count for bot, count in lost.items() if bot in left}


def _pairs_of_winners(bots: Sequence[str]) -> list[Block]:
    """Pairs the bots that have not lost, as in a knock-out."""
    if len(bots) < SEATS:
        return []
    return [tuple(bots[place] for place in table.places) for table in tables_of(len(bots), SEATS)]


def _pairs_of_losers(bots: Sequence[str]) -> list[Block]:
    """Pairs the first bot with the last bot, the second bot with the bot before the last, and so on. If the
    number of bots is odd, the first bot rests, and the other bots are paired in this way."""
    playing = bots[len(bots) % 2 :]
    return [(playing[place], playing[-1 - place]) for place in range(len(playing) // 2)]
