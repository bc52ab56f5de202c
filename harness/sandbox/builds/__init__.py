"""Copies bots, builds them, and keeps what was built."""
