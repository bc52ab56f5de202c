"""Contains the command line. No other package of harness prints anything or ends the program."""
