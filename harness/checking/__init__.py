"""Owns the trials of a machine and of a bot, before and after a tournament; prints nothing."""
