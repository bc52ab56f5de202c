"""Owns the making of a record: matches, seatings and tournaments, and where they are played."""
