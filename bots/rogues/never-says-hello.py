"""Reads all and says nothing. It must yield `no-start`."""

import sys

for _ in sys.stdin:
    pass
