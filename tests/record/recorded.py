"""Owns records of small tournaments, made by hand for tests; asserts nothing."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from harness.events import (
    Brief,
    Disqualified,
    Entered,
    Fault,
    InTournament,
    Newcomer,
    Opened,
    Played,
    RoundBegan,
    RunBegan,
    Voided,
)
from harness.model import Number, ranks
from harness.record.history import History

OPENED = Opened("cup", "sevens", "digest of the plan", "0.1.0")


def began(
    run: int,
    bots: str,
    *,
    seats: int = 2,
    encounters: int = 9,
    sittings: int = 2,
    deals: int = 1,
    kept: tuple[str, ...] = (),
    orders: tuple[tuple[int, ...], ...] = (),
) -> RunBegan:
    """A run of bots with names of one letter."""
    return RunBegan(run, tuple(bots), seats, encounters, sittings, deals, kept, orders=orders)


def fault(seat: int, name: str = "illegal") -> Fault:
    """A fault with its evidence."""
    return Fault(seat, name, "there are reasons", "move", "5D 5 0")


def brief(scores: Sequence[Number], *faults: Fault) -> Brief:
    """A match in which the highest score is best."""
    return Brief(ranks(scores), tuple(scores), faults)


def played(place: str, bots: str, *matches: Brief, run: int = 1, size: int | None = None) -> Played:
    """A sitting at "round.encounter.sitting". Without `matches` it has one match, which the first seat
    wins."""
    round_, encounter, sitting = map(int, place.split("."))
    matches = matches or (brief(range(len(bots), 0, -1)),)
    return Played(
        run, round_, encounter, sitting, tuple(bots), matches, size or 100 * sitting, f"file {place}"
    )


def faulty(place: str, bots: str, offenders: str, *, run: int = 1) -> Played:
    """A sitting of one match in which these bots break a rule."""
    faults = [fault(bots.index(bot) + 1) for bot in offenders]
    return played(place, bots, brief([int(bot not in offenders) for bot in bots], *faults), run=run)


def both(round_: int, encounter: int, pair: str, offender: str = "", *, run: int = 1) -> list[Played]:
    """The two sittings of an encounter of two; the offender, if any, breaks a rule in the first."""
    first = f"{round_}.{encounter}.1"
    return [
        faulty(first, pair, offender, run=run) if offender else played(first, pair, run=run),
        played(f"{round_}.{encounter}.2", pair[::-1], run=run),
    ]


def voided(place: str, bots: str, attempt: int = 1, *, run: int = 1) -> Voided:
    """A void attempt, at "round.encounter.sitting"."""
    round_, encounter, sitting = map(int, place.split("."))
    return Voided(run, round_, encounter, sitting, tuple(bots), attempt, "a worker was lost")


def out(bot: str, match: str, round_: int) -> Disqualified:
    """A disqualification for `fault`."""
    run = int(match.partition(".")[0])
    return Disqualified(run, round_, bot, match, "illegal", "there are reasons", "move", "5D 5 0")


def a_ladder(pairs: Sequence[str], *lines: str) -> History:
    """The history of a ladder in which the first bot of each pair wins. Each of `lines` has a bot that plays
    after these matches, and then its former versions."""
    bots = sorted({bot for pair in pairs for bot in pair})
    return history(
        replace(began(1, "", sittings=1), stages=("ladder",)),
        Entered(1, tuple(Newcomer(bot, bot, "", ()) for bot in bots), tuple((bot,) for bot in bots)),
        RoundBegan(1, 1, 1, tuple(tuple(pair) for pair in pairs)),
        [played(f"1.{number}.1", pair) for number, pair in enumerate(pairs, start=1)],
        Entered(1, (), tuple(tuple(line) for line in lines)),
    )


def history(*records: InTournament | Iterable[InTournament]) -> History:
    """The history of these records, with a first record `opened`. An argument may also be a list of
    records."""
    told = History.of([OPENED])
    for record in records:
        for each in record if isinstance(record, Iterable) else (record,):
            told.add(each)
    return told
