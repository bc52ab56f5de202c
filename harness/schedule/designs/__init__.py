"""Designs: blocks of points in which pairs meet as equally often as possible; pure, knows no bots."""
