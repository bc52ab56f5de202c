"""Checks a machine and a bot, before and after a tournament; prints nothing."""
