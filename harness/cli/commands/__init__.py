"""Contains the commands. Each command has a file of the same name."""
