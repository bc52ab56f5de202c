"""Owns the public kit: matches of random movers, and checks that any game passes; knows no single game."""

from harness.testing.playing import Choose, Playout, at_random, play_out

__all__ = ["Choose", "Playout", "at_random", "play_out"]
