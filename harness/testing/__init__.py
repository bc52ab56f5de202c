"""The conformance kit plays random matches of a game and checks the laws that every game must keep."""

from harness.testing.laws import LAWS, Finding, assert_conforms, broken, check
from harness.testing.playing import Choose, Playout, at_random, heard, play_out

__all__ = [
    "LAWS",
    "Choose",
    "Finding",
    "Playout",
    "assert_conforms",
    "at_random",
    "broken",
    "check",
    "heard",
    "play_out",
]
