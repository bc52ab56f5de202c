"""Writes a record as tables for other programs."""
