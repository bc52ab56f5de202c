"""Removes the message queues, semaphores and shared memory of System V that a user has left in the kernel.

The kernel keeps these objects after the end of the process that made them. A bot that runs as a user of its
own, without a sandbox, could leave so many objects that other programs cannot make new ones. Such a bot could
also leave a note for itself, to be read in a later match. A bot in a sandbox cannot make such objects.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

LISTS = Path("/proc/sysvipc")
REMOVE = 0
"""The kernel's command IPC_RMID."""
KINDS = {"msg": ("msqid", "msgctl"), "sem": ("semid", "semctl"), "shm": ("shmid", "shmctl")}
"""For each kind of object, the name of the column with the id in the kernel's list of these objects, and the
function of the C library that removes such an object."""


def remove_all(user: int) -> None:
    """Removes all objects that this user has made."""
    library = ctypes.CDLL(None, use_errno=True)
    for kind, (_, function) in KINDS.items():
        remove = getattr(library, function)
        for number in made_by(user, kind):
            # `semctl` has one more argument, which this command ignores: the number of a semaphore.
            remove(number, *((0,) if kind == "sem" else ()), REMOVE, None)


def made_by(user: int, kind: str) -> list[int]:
    """Returns the ids of the objects of this kind that this user has made."""
    try:
        head, *lines = (LISTS / kind).read_text().splitlines()
    except (OSError, ValueError):  # This kernel does not know this kind of object.
        return []
    columns = head.split()
    number, maker = columns.index(KINDS[kind][0]), columns.index("cuid")
    return [int(words[number]) for words in map(str.split, lines) if int(words[maker]) == user]
