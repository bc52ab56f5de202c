"""Measures how fast the harness is, as ratios to yardsticks measured in the same run."""
