"""Simulations and trials that judge methods of the harness by a known truth (docs/studies.md)."""
