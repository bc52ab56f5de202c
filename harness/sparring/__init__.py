"""Players that need no program: they choose their moves by random play-outs, in any game that can draw again
what a seat cannot see (`State.alike`)."""
