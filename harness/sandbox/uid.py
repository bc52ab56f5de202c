"""Gives each bot of root a user id of its own."""

from __future__ import annotations

import socket

STRANGERS = range(60_000, 65_000)
"""User ids that no account has, of which root gives each bot one."""


class Uid:
    """A user id that no other bot on this machine has until it is released.

    Locked by a name in the kernel, which the kernel frees however we end.
    """

    def __init__(self) -> None:
        """Raises OSError if no user id is free."""
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
