"""Marks a bot that was built, so that it is not built again, in a way that a stranger cannot forge.

The mark is a file in the bot's folder. It covers all files of the bot, also those that the build made, and it
is keyed with a secret of this user. So a hand-in cannot contain a program that its own files do not give
together with a mark that says that they do.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
from pathlib import Path

from harness.config import Bot
from harness.sandbox.build_results import put_text
from harness.sandbox.copies import whole_digest

STAMP = ".built"
"""The name of the file. The digest of a bot does not cover it."""
KEY_BYTES = 32


def is_built(bot: Bot, beside: tuple[str, ...]) -> bool:
    """Whether the bot was built here and nothing has changed since; files named in `beside` may have."""
    try:
        found = (bot.folder / STAMP).read_bytes()[:200]
    except OSError:
        return False
    mark = _mark(bot, beside)
    return mark != b"" and hmac.compare_digest(found, mark)


def stamp(bot: Bot, beside: tuple[str, ...]) -> None:
    """Marks the bot as built. If nobody can write to the folder, the bot is only built again each time."""
    if mark := _mark(bot, beside):
        with contextlib.suppress(OSError):
            put_text(bot.folder / STAMP, mark)


def _mark(bot: Bot, beside: tuple[str, ...]) -> bytes:
    """The mark of the bot as it is now; b"" if it cannot be read or this user can keep no secret."""
    digest, key = whole_digest(bot, (STAMP, ".git", *beside)), _key()
    if not digest or not key:
        return b""
    return hmac.digest(key, f"{bot.digest} {digest}".encode(), "sha256").hex().encode()


def _key() -> bytes:
    """The secret of this user, which the first call makes; b"" if there can be none."""
    # RuntimeError means that this user has no home.
    with contextlib.suppress(OSError, RuntimeError):
        state = Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser()
        path = state / "harness" / "build.key"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
            with contextlib.suppress(FileExistsError):
                os.link(new, path)  # If two make it at once, both use the first.
            new.unlink()
        key = path.read_bytes()
        return key if len(key) == KEY_BYTES else b""
    return b""
