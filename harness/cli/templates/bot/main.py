"""Plays with the function `choose` of policy.py: reads the lines of the harness, and writes the answers."""

import sys

from function_bot import FunctionBot  # type: ignore[import-not-found]


def main() -> None:
    harness = sys.stdout
    sys.stdout = sys.stderr  # Text that the function prints must not become an answer.
    from policy import choose  # type: ignore[import-not-found]

    bot = FunctionBot(choose)
    for line in sys.stdin:
        if answer := bot.answer(line.rstrip("\n")):
            print(answer, file=harness, flush=True)


if __name__ == "__main__":
    main()
