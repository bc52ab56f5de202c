"""Judges one match by the rules, in play or again from a log; pure: uses no process and no file."""
