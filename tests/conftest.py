"""Owns how hypothesis searches in every test; knows no room of the harness."""

from hypothesis import settings

# The same examples every time, on any machine: a test that fails, fails for everyone.
settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")
