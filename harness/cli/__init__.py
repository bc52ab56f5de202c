"""Contains the command line. This is the only room of harness that prints, or that ends the program."""
