"""Starts the command `harness`. If a dependency is missing, names it.

Therefore this file imports no dependency at its top.
"""

from __future__ import annotations

import sys

from harness import install_command

MACHINE = 3
"""The exit code if the machine causes the error, not the user."""


def main() -> None:
    """Runs the command. If a dependency is missing, prints one sentence that names it.

    A dependency can be missing if the checkout was updated after the virtual environment was made.
    """
    try:
        from harness.cli import main as command
    except ImportError as error:
        if sentence := _missing(error):
            print(f"Error: {sentence}", file=sys.stderr)
            sys.exit(MACHINE)
        raise
    command(prog_name="harness")


def _missing(error: ImportError) -> str:
    """Returns a sentence that names the missing or too old dependency and the command that installs it.

    Returns "" if the error has another cause.
    """
    module = (error.name or "").partition(".")[0]
    if module in ("", "harness"):
        return ""
    package = module.replace("_", "-")
    return f"{package} is not installed, or too old: run `{install_command(package)}`"


if __name__ == "__main__":
    main()
