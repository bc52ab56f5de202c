"""Runs one live bot: its process, its questions and its clock. This package knows no rules of a game."""
