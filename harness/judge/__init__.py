"""Judges one match by the rules: while the match is played, or later from its log. This room uses no process
and no file."""
