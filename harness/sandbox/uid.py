"""Gives each bot its own user id if root runs the harness."""

from __future__ import annotations

import socket

STRANGERS = range(60_000, 65_000)
"""The user ids for bots. No account has one of them."""


class Uid:
    """A user id for one bot. No other bot on this machine gets it until it is released.

    The lock is an abstract socket name. The kernel frees this name when our process ends, even after a crash.
    """

    def __init__(self) -> None:
        """Takes a free user id. Raises OSError if no user id is free."""
        self._lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        for number in STRANGERS:
            try:
                self._lock.bind(f"\0harness-uid-{number}")
            except OSError:
                continue
            self.number = number
            return
        self._lock.close()
        raise OSError(11, "no user id is free for the bot")

    def release(self) -> None:
        self._lock.close()
