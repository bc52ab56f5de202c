"""A course: hand-ins as they come from learning platforms, the versions of each team, and who is who."""
