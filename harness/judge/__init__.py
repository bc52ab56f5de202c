"""Judges one match by the rules, either while the match is played or later from its log. This package (a
"room" in docs/design.md, section 3) starts no process and reads no file."""
