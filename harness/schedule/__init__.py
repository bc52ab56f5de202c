"""Makes the schedule: which encounters a plan needs, in which order, and which of them come next."""
