"""Turns matches on record into standings and comparisons."""
