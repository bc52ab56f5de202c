"""Plays matches, sittings and tournaments, and writes their record."""
