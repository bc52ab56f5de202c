"""Starts the command `harness`, or names the dependency that is missing, so it imports nothing at first."""

from __future__ import annotations

import sys

MACHINE = 3
"""The exit code if the machine is to blame, not the user."""


def main() -> None:
    """Runs the command, or says in one sentence which dependency is missing: the environment may be older
    than the checkout that it runs."""
    try:
        from harness.cli import main as command
    except ImportError as error:
        if sentence := _missing(error):
            print(f"Error: {sentence}", file=sys.stderr)
            sys.exit(MACHINE)
        raise
    command(prog_name="harness")


def _missing(error: ImportError) -> str:
    """Which dependency is missing or too old, and what installs it; "" if the error has another cause."""
    module = (error.name or "").partition(".")[0]
    if module in ("", "harness"):
        return ""
    package = module.replace("_", "-")
    return f"{package} is not installed, or too old: run `make setup`, or `pip install -U {package}`"


if __name__ == "__main__":
    main()
