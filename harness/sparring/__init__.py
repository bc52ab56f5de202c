"""Defines players without a program, which choose their moves by random play-outs. They can play a game if it
has the method `State.alike`, which draws the hidden facts of a position again at random."""
