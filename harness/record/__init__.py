"""Writes and reads the files of a tournament, and decides which records each seat may see."""
