"""Owns the build of a bot, done once for each state of its files; knows no match and no plan."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
from typing import IO

from harness.config import Bot
from harness.errors import InputError
from harness.escape import shown
from harness.sandbox import resolved

STAMP = ".built"
"""In the bot's folder: the digest of the files from which it was built last. No digest covers it."""
SAID = ".build.log"
"""Beside it: what a build that failed had to say."""
MOST_SAID = 1_000_000
MOST_SECONDS = 300.0


def build(bot: Bot, most_seconds: float = MOST_SECONDS) -> bool:
    """Builds the bot in its folder, unless there is nothing to do; says whether there was.

    Raises InputError where the build fails, is not done in time or cannot be started.
    """
    if not bot.build or _is_built(bot):
        return False
    argv = resolved(bot.build, bot.folder)
    status, said = _run(argv, bot, most_seconds)
    if status != 0:
        _keep(bot, SAID, said)
        raise InputError(f"{_failure(bot, status, most_seconds)}: {_gist(said)}", bot.path)
    _keep(bot, STAMP, bot.digest.encode())
    return True


def _is_built(bot: Bot) -> bool:
    program = bot.run[0]
    try:
        built = (bot.folder / STAMP).read_text()
    except (OSError, UnicodeDecodeError):
        return False
    return built == bot.digest and ("/" not in program or (bot.folder / program).is_file())


def _run(argv: tuple[str, ...], bot: Bot, most_seconds: float) -> tuple[int | None, bytes]:
    """The exit status (None: not done in time) and what the build printed."""
    with tempfile.TemporaryFile() as said:
        status = _status(argv, bot, most_seconds, said)
        said.seek(0)
        return status, said.read(MOST_SAID)


def _status(argv: tuple[str, ...], bot: Bot, most_seconds: float, said: IO[bytes]) -> int | None:
    # To a file, not a pipe: a process that the build left behind would keep a pipe open.
    try:
        process = subprocess.Popen(
            argv,
            cwd=bot.folder,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise InputError(f"the build cannot be started: {error.strerror}", bot.path) from None
    try:
        return process.wait(most_seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _failure(bot: Bot, status: int | None, most_seconds: float) -> str:
    command = shlex.join(bot.build)
    if status is None:
        return f"the build `{command}` is not done after {most_seconds:g} s"
    return f"the build `{command}` failed with exit status {status}; all it said is in {bot.path}/{SAID}"


def _gist(said: bytes) -> str:
    """The line that tells most: the first with an error in it, else the last."""
    lines = [line.strip() for line in said.decode(errors="replace").splitlines() if line.strip()]
    first = next(
        (line for line in lines if "error" in line.lower()), lines[-1] if lines else "it said nothing"
    )
    return shown(first)


def _keep(bot: Bot, name: str, data: bytes) -> None:
    # A folder that cannot be written to costs a build each time, and no more.
    with contextlib.suppress(OSError):
        (bot.folder / name).write_bytes(data)
