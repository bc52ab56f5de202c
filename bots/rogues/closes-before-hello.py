"""Closes its output before its first line. Expected fault: `no-start`."""

import os
import sys

os.close(1)
for _ in sys.stdin:
    pass
os._exit(0)
