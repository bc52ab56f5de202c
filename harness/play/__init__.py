"""Plays matches, sittings and tournaments, and makes the record of them."""
