"""Checks a machine and bots, before and after a tournament; prints nothing."""
