"""Makes schedules of numbered bots in which pairs meet as equally often as possible; pure.

Other rooms and files take what they need from here, and import none of the files.
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
