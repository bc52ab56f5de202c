"""Reads plans, and makes the schedule: the encounters of a plan, their order, and the next encounters to
play."""
