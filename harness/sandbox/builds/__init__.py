"""Copies bots, builds them, and keeps the results of builds."""
