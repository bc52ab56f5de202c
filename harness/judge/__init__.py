"""Judges one match by the rules; pure, so that it can be judged again from a log: no process and no file."""
