"""Judges one match by the rules, while it is played or again from its log. This room uses no process and no
file."""
