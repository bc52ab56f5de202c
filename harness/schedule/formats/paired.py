"""Paired: the listed bots meet the same house bots on the same deals.

```toml
format = "paired"
bots = ["../bots/new", "../bots/old", "../bots/greedy", "../bots/random"]
house = ["greedy", "random"]

[stop]
settled = "beats old"
```

This format finds out which of two bots is better, although these two bots never sit at the same table. The
listed bots are all bots that are not house bots. In each match, one listed bot meets house bots. The bot that
`settled` names and each other listed bot play the same deals, in the same seats, with the same house bots.
The random seeds (SEED) of all bots are the same too. So as long as two bots give the same answers, their
matches are the same. Only a difference between the two bots can lead to different results. The two bots of
such a comparison play the same deal, so they must trust each other. In a course, teams do not trust each
other. `harness better` uses this format.

The test is the same as in other formats with [`[stop]`](#until-it-is-settled), but here the test compares the
ranks of the two bots in two matches with the same deal. A comparison also ends if the two bots have the same
rank in each of the first 100 deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from harness.config.terms import PlanTerms, Stage, Stop
from harness.escape import count_on_record
from harness.schedule.formats import Format, Need, Trouble
from harness.schedule.stop import SLOWER, TABLES, read_settled
from harness.schedule.strength import by_lot
from harness.schedule.twins import leads, twins
from harness.schedule.view import Block, Pairing, View
from harness.schedule.without_luck import takes_luck_off


class Paired(Format):
    name = "paired"
    title = "Paired"
    meeting = "each listed bot meets the same house bots on the same deals"
    use = "to learn whether a change made a bot better, in a game of more than two seats"
    keys = ("house", "stop")
    needs: Mapping[str, Need] = {"house": Need("house bots", 'house = ["NAME"]')}
    is_stage = False
    same_deals = True
    listed = 2, f'"{name}" needs at least two bots that are not house bots'

    def trouble(self, terms: PlanTerms, stage: Stage, seats: int, bots: int) -> Trouble | None:
        against = _against(terms.stop)
        if terms.stop is None:
            return ("format",), f'"{self.name}" needs [stop] with settled = "beats NAME"'
        if not against or against in terms.house:
            why = f'"{self.name}" needs settled = "beats NAME", where NAME is not a house bot'
            return ("stop", "settled"), why
        return None

    def size(self, stage: Stage, bots: int, seats: int, house: int = 0) -> int:
        """Returns the number of encounters of the first round, because the number of rounds is not known
        before the comparisons end."""
        tables = len(tables_of(tuple(map(str, range(house))), seats - 1)) if house >= seats > 1 else 1
        return tables * max(0, bots - house)

    def next(self, view: View) -> Pairing | None:
        """Returns the next round. First come some tables at which the reference bot sits. Then, for each bot
        that must still be compared, come the same tables with this bot instead of the reference bot."""
        stop = _stop(view)
        against = _against(stop)
        blocks = [block for each in view.past.rounds for block in each.blocks]
        met = Counter(bot for block in blocks for bot in block)
        room = {bot: stop.most - met[bot] for bot in open_bots(view)}
        candidates = [bot for bot in room if room[bot] > 0]
        if against not in view.bots or not candidates:
            return None
        house = by_lot([bot for bot in view.plan.house if bot in view.bots], view.seed)
        tables = tables_of(tuple(house), view.past.seats - 1)
        played = min(met[bot] for bot in candidates) // len(tables)
        again = max(1, TABLES // (len(tables) * (len(candidates) + 1)), played // SLOWER)
        again = min(again, max(1, min(room[bot] for bot in candidates) // len(tables)))
        found = [(bot, *table) for bot in (against, *candidates) for table in tables] * again
        if stop.budget is not None and stop.budget < len(blocks) + len(found):
            return None
        byes = tuple(bot for bot in view.bots if not any(bot in block for block in found))
        return Pairing(tuple(found), byes, f"{count_on_record(len(candidates), 'comparison')} open")

    def why(self, view: View) -> str:
        stop = _stop(view)
        if _against(stop) not in view.bots:
            return f"not settled: {_against(stop)} is not among the bots that are left"
        if left := open_bots(view):
            return f"not settled: {', '.join(f'{bot} and {_against(stop)}' for bot in left)}"
        return f"settled at an error of {stop.error}: {stop.settled}"


FORMAT = Paired()


def tables_of(house: tuple[str, ...], others: int) -> list[Block]:
    """The house bots stand in a circle. Returns sets of neighbours in this circle, with `others` bots in
    each set. Each house bot is in the same number of sets. A listed bot completes each set to a table."""
    tables: list[Block] = []
    first = 0
    while not tables or first % len(house):
        tables.append(tuple(house[(first + seat) % len(house)] for seat in range(others)))
        first += others
    return tables


def open_bots(view: View) -> list[str]:
    """Returns the listed bots that are not yet known to be better or worse than the bot that `settled`
    names."""
    stop = _stop(view)
    against = _against(stop)
    listed = [bot.name for bot in view.plan.bots if bot.name not in view.plan.house and bot.name != against]
    left = []
    for bot in listed:
        if bot not in view.bots:
            continue
        found = leads(twins(view.counted, bot, against), takes_luck_off(view.plan))
        if not found.alike and found.doubt(2 * len(listed)) > stop.error:
            left.append(bot)
    return left


def _stop(view: View) -> Stop:
    assert view.plan.stop is not None, "the plan was checked"
    return view.plan.stop


def _against(stop: Stop | None) -> str:
    goal = read_settled(stop.settled) if stop else None
    return goal.against if goal else ""
