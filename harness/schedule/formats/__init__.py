"""Computes the rounds of tournaments in which the encounters of a round depend on earlier results."""
