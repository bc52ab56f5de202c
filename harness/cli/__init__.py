"""Contains the command line. This is the only package of harness that prints or ends the program."""
