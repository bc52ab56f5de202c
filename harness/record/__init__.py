"""Owns what is on disk of a tournament, and who may read what of it; judges nothing."""
