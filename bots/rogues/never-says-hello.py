"""Reads everything and writes nothing. Expected fault: `no-start`."""

import sys

for _ in sys.stdin:
    pass
