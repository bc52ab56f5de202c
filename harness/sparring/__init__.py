"""Defines players without a program, which choose their moves by random play-outs. They can play any game
that has the method `State.alike`, which replaces the hidden facts of a position by random facts."""
