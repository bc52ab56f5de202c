"""Judges one match by the rules, in play or again from a log. It uses no process and no file."""
