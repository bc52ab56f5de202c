"""Owns the public kit: matches of random movers, and checks that any game passes; knows no single game."""

from harness.testing.laws import LAWS, Finding, assert_conforms, check
from harness.testing.playing import Choose, Playout, at_random, play_out

__all__ = ["LAWS", "Choose", "Finding", "Playout", "assert_conforms", "at_random", "check", "play_out"]
