"""Starts the command `harness`, and names a dependency that is missing.

This file imports no dependency at its top, so that it can run if dependencies are missing.
"""

from __future__ import annotations

import signal
import sys

from harness import missing_package, streams


def main() -> None:
    """Runs the command. If a dependency is missing, prints one sentence that names it.

    A dependency can be missing if somebody updated the checkout of harness after the virtual environment was
    made. Ctrl-C raises KeyboardInterrupt while the command runs. Before the command starts and after it ends,
    no code would catch this exception, so Ctrl-C then ends the process at once.
    """
    streams.keep(for_terminal=_in_order)
    # The shell may have told this process to ignore SIGINT.
    obeys = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if obeys:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from harness.cli.exit_codes import MACHINE, NO_MEMORY

    try:
        _run(obeys)
    except (MemoryError, ImportError, SystemError) as error:
        # There may be too little memory to import the code that turns an error into a sentence.
        if (short := _short_of_memory(error)) is None:
            raise
        print(f"Error: {str(short) or NO_MEMORY}", file=sys.stderr)
        sys.exit(MACHINE)


def _in_order(text: str) -> str:
    """Changes a text for a terminal. Most texts are ASCII and stay the same. So `harness --version` does not
    pay for the import."""
    if text.isascii():
        return text
    from harness.escape import in_order

    return in_order(text)


def _short_of_memory(error: BaseException | None) -> MemoryError | None:
    """Returns this error if it is a MemoryError, else the MemoryError that was being handled when this error
    was raised. Returns None if there is neither."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__context__
    return error


def _run(obeys: bool) -> None:
    """Runs the command. `obeys` is true if Ctrl-C ends the command."""
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
    except SystemExit as end:
        sys.exit(_told_of_loss(end.code))
    finally:
        if obeys:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _told_of_loss(code: str | int | None) -> str | int | None:
    """Returns the exit code of the command. If the system lost a part of standard output, prints an error and
    returns MACHINE instead of exit code 0."""
    if (lost := streams.lost()) is None:
        return code
    from harness.cli.error_for import CommandError, machine_failure
    from harness.cli.exit_codes import MACHINE

    CommandError(machine_failure(lost), MACHINE).show()
    return code or MACHINE


if __name__ == "__main__":
    main()
