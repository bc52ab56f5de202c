"""Starts the command `harness`, and names a dependency that is missing.

This file imports no dependency at its top, so that it can run without them.
"""

from __future__ import annotations

import signal
import sys

from harness import missing_package


def main() -> None:
    """Runs the command. If a dependency is missing, prints one sentence that names it.

    A dependency can be missing if the checkout was updated after the virtual environment was made. Ctrl-C
    raises KeyboardInterrupt only while the command runs. Before and after that, Ctrl-C ends the process at
    once, because no code would catch the exception.
    """
    obeys = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # A shell may ignore SIGINT.
    if obeys:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from harness.cli.main import main as command
    except ImportError as error:
        if sentence := missing_package(error):
            from harness.cli.exit_codes import MACHINE

            print(f"Error: {sentence}", file=sys.stderr)
            sys.exit(MACHINE)
        raise
    try:
        if obeys:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        command(prog_name="harness")
    finally:
        if obeys:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
