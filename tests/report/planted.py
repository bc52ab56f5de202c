"""Owns records with a secret of seat 2: one record of every kind that could contain a secret."""

from harness.events import Drawn, Event, Fault, Record, Stderr, Turn

SECRET = "K77.1"
SECRETS: tuple[Record, ...] = (
    Drawn("deal", (SECRET,)),
    Event(f"hand {SECRET}", (2,)),
    Turn(2, f"play {SECRET}", f"play {SECRET}", 5, 6, comments=(f"# {SECRET}",)),
    Fault(2, "illegal", SECRET, SECRET, SECRET, (f"hand {SECRET}",)),
    Stderr(2, SECRET),
)
