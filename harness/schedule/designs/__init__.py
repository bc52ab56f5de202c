"""Makes schedules of numbered bots in which all pairs meet about equally often. All functions are pure.

Files outside this package import the names below from the package, and never from one of its files.
"""

from harness.schedule.designs.blocks import Block, Each, EverySet, Meet, Round, Rounds, Wanted, in_rounds
from harness.schedule.designs.choice import rounds_for, rounds_to_complete
from harness.schedule.designs.seats import IMPOSSIBLE
from harness.schedule.designs.tally import Tally, links, no_counts

__all__ = [
    "IMPOSSIBLE",
    "Block",
    "Each",
    "EverySet",
    "Meet",
    "Round",
    "Rounds",
    "Tally",
    "Wanted",
    "in_rounds",
    "links",
    "no_counts",
    "rounds_for",
    "rounds_to_complete",
]
