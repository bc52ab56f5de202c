"""Writes and reads the files of a tournament, and decides what each seat may see of these files."""
