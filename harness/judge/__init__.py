"""Judges one match by the rules: while the match is played, or later from its log. This room
(docs/design.md, section 3) uses no process and no file."""
