"""Makes the schedule: the encounters that a plan needs, their order, and the ones to play next."""
