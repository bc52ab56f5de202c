"""Removes or damages its own files before it dies, so that its death looks like a failure of the machine.
Expected fault: `crash`."""

import contextlib
import os
import sys

for line in sys.stdin:
    word = line.split(" ")[0].rstrip()
    if word == "hello":
        print("hello 1", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "play":
        for harm in (
            lambda: os.truncate("main.py", 0),
            lambda: os.unlink("main.py"),
            lambda: os.symlink("/proc/uptime", "clock"),
            lambda: os.mkfifo("pipe"),
        ):
            with contextlib.suppress(OSError):
                harm()
        os._exit(1)
