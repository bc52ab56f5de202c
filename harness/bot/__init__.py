"""Runs one live bot: its process, its questions and its clock; knows no rules of a game."""
