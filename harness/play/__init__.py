"""Plays matches, seatings and tournaments, and makes the record of them."""
