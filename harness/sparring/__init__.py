"""Defines players without a program, which choose their moves by random play-outs. They play every game that
can draw again what a seat cannot see (`State.alike`)."""
