"""Owns the way from matches on record to places; knows no file and no process."""
