"""Writes and reads the files of a tournament, and says who may read what."""
