"""Owns the first step of the command `harness`: what it needs is there, or is named; knows no command."""

from __future__ import annotations

import sys

MACHINE = 3
"""The exit code where the machine, and not what the user wrote, is to blame."""


def main() -> None:
    """The command. An environment that lacks a dependency is told so in a sentence: it may be older than
    the checkout that it runs."""
    try:
        from harness.cli import main as door
    except ImportError as error:
        if told := _missing(error):
            print(f"Error: {told}", file=sys.stderr)
            sys.exit(MACHINE)
        raise
    door(prog_name="harness")


def _missing(error: ImportError) -> str:
    """Which dependency is not as setup.cfg asks for it, and what installs it; "" where it is none."""
    module = (error.name or "").partition(".")[0]
    if module in ("", "harness"):
        return ""
    package = module.replace("_", "-")
    return f"{package} is not installed, or too old: run `make setup`, or `pip install -U {package}`"


if __name__ == "__main__":
    main()
