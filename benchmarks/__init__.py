"""Measures how fast the harness is, as ratios to yardsticks of the same run."""
