"""Defines each kind of line in a log as a struct. The code in this package reads and writes no files.

A log consists of lines of JSON. Each line is one of these structs, and its key `is` has the kind of the line.
If a key has its default value, the line leaves out the key. All times are microseconds of the monotonic
clock. If a tournament is played twice, the two logs differ only in the keys of time (`us`, `at`,
`excused_us`, `unseen_us`, `waited_us`, `cpu_us`). Seats are numbered from 1.

An encounter's file has a line `seating` for each sitting. The matches of the sitting follow this line, and
one set of processes plays all of them. The key `seating` of this line is the number of the sitting. A match
begins with a line `match` and ends with a line `result`. Between these two are the lines `chance`, `event`,
`turn`, `usage`, `fault` and `stderr` in the order in which they happened. tournament.jsonl has all other
kinds of lines.
"""

from harness.events.encounter import (
    MOST_IN_BRIEF,
    Drawn,
    Event,
    Fault,
    InEncounter,
    Match,
    Record,
    Result,
    Scalar,
    SittingBegan,
    Stderr,
    Turn,
    Usage,
)
from harness.events.tournament import (
    Brief,
    Disqualified,
    Ended,
    Entered,
    InTournament,
    Newcomer,
    Opened,
    Played,
    RoundBegan,
    RunBegan,
    Voided,
)

__all__ = [
    "MOST_IN_BRIEF",
    "Brief",
    "Disqualified",
    "Drawn",
    "Ended",
    "Entered",
    "Event",
    "Fault",
    "InEncounter",
    "InTournament",
    "Match",
    "Newcomer",
    "Opened",
    "Played",
    "Record",
    "Result",
    "RoundBegan",
    "RunBegan",
    "Scalar",
    "SittingBegan",
    "Stderr",
    "Turn",
    "Usage",
    "Voided",
]
