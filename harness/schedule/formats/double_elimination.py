"""Makes the rounds of a double elimination: who loses twice is out."""

from __future__ import annotations

from collections.abc import Sequence

from harness.escape import count_of
from harness.schedule.formats.knock_out import Bout, bouts_of, opened, replay, tables_of, ties
from harness.schedule.formats.past import Pairing, View
from harness.schedule.formats.strength import Tiers
from harness.schedule.rounds import Block

LIVES = 2


def double_elimination(view: View) -> Pairing | None:
    """The next round; None when only one bot has not lost twice."""
    bouts = list(bouts_of(view))
    if bouts and (tied := [block for block in bouts[-1].blocks if bouts[-1].unclear(block, 1)]):
        lost = _losses(view, bouts[:-1])
        playing = [bot for bot in view.bots if lost[bot] < LIVES]
        return replay(view, len(bouts), bouts[-1], tied, playing)
    lost = _losses(view, bouts)
    winners = [bot for bot in view.bots if lost[bot] == 0]
    losers = [bot for bot in view.bots if lost[bot] == 1]
    if len(winners) + len(losers) < LIVES:
        return None
    blocks = _of_winners(winners) + _folded(losers)
    stage = f"double-elimination, {count_of(len(winners), 'bot')} without a loss, {len(losers)} with one"
    if len(winners) == len(losers) == 1:
        blocks, stage = [(winners[0], losers[0])], f"{stage} (final)"
    seated = {bot for block in blocks for bot in block}
    byes = [bot for bot in (*winners, *losers) if bot not in seated]
    return opened(view, len(bouts), blocks, byes, f"{stage}{_told(view, bouts)}")


def why_double_elimination(view: View) -> str:
    """How a tie in the last bout was decided; "" without one."""
    return _told(view, list(bouts_of(view))).removeprefix("; ")


def order_of_double_elimination(view: View) -> Tiers:
    """The winner, then the others: who lost for the second time later is better."""
    bouts = list(bouts_of(view))
    lost = _losses(view, bouts)
    tiers: Tiers = []
    out: set[str] = set()
    for number in range(len(bouts) + 1):
        now = {bot for bot, count in _losses(view, bouts[:number]).items() if count == LIVES}
        if now - out:
            tiers.insert(0, tuple(sorted(now - out)))
        out |= now
    standing = sorted((bot for bot in view.bots if lost[bot] < LIVES), key=lambda bot: (lost[bot], bot))
    return [*((bot,) for bot in standing), *tiers]


def _told(view: View, bouts: Sequence[Bout]) -> str:
    """How the ties of the last bout were decided; "" without one."""
    return ties(bout.told(block, 1, view.seed) for bout in bouts[-1:] for block in bout.blocks)


def _losses(view: View, bouts: Sequence[Bout]) -> dict[str, int]:
    """How often each bot that is left has lost. Who met a bot that was disqualified there has not lost."""
    lost = dict.fromkeys(view.entry, 0)
    for bout in bouts:
        for block in bout.blocks:
            order = bout.order(block, view.seed)
            if len(order) == len(block):
                lost[order[-1]] += 1
    left = frozenset(view.bots)
    return {bot: count for bot, count in lost.items() if bot in left}


def _of_winners(bots: Sequence[str]) -> list[Block]:
    """Pairs those who have not lost, as in a knock-out."""
    if len(bots) < LIVES:
        return []
    return [tuple(bots[place] for place in table.places) for table in tables_of(len(bots), 2)]


def _folded(bots: Sequence[str]) -> list[Block]:
    """Pairs the best seed with the last, and so on; if the number is odd, the best seed rests."""
    playing = bots[len(bots) % 2 :]
    return [(playing[place], playing[-1 - place]) for place in range(len(playing) // 2)]
