"""Owns the schedule: which encounters a plan wants, in which order, and what of it is due; plays nothing."""
