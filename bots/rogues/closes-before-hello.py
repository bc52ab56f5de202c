"""Closes its output before it has said a word. It must yield `no-start`."""

import os
import sys

os.close(1)
for _ in sys.stdin:
    pass
os._exit(0)
