"""Writes and reads the files of a tournament, and decides which lines of them each seat may see."""
