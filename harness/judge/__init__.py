"""Owns one match as the rules see it: pure, so that it can be judged again; knows no process and no file."""
