"""The commands: one file a command, named like the command."""
