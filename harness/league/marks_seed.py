"""Keeps the seed of a league's marks in the file `marks.seed`, and derives the seed of each hand-in from it.

The marks of a bot quote what the bot said, so a bot can tell its author the deals that it saw. But this does
not help the author, because the deals depend on the files of the bot: as soon as a file changes, the bot
plays other deals. The same files play the same deals, so the same bot can be marked again.

The first command that needs the seed of the marks draws it. Nobody can guess this seed, and only the owner of
the file may read it. The seed of the marks does not depend on the key `seed` of a plan, because a seed in a
plan may be so short that somebody can find it from the deals of a tournament.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from harness.chance import derived
from harness.config import Bot
from harness.config.folder import content, survey
from harness.config.seeds import BITS, DIGITS, guessable, read_seed
from harness.errors import InputError
from harness.record.run_folder import drawn_seed, placed

MARKS_SEED = "marks.seed"
OWNER = 0o600


def marks_seed(folder: Path) -> int:
    """Returns the seed of the marks in the folder of a league or a plan. If the file does not exist, draws a
    seed and makes the file.

    Raises InputError if the file contains no valid seed, or if it cannot be read or made.
    """
    path = folder / MARKS_SEED
    try:
        if not os.path.lexists(path):
            write_marks_seed(folder, drawn_seed())
        seed = read_seed(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise InputError(f"the seed of the marks cannot be kept here: {error.strerror}", str(path)) from None
    except ValueError:
        seed = 0
    if guessable(seed):
        raise InputError(
            f"expected a seed of {DIGITS} random digits 0-9 and a-f; without this file, harness draws one",
            str(path),
        )
    return seed


def write_marks_seed(folder: Path, seed: int) -> None:
    """Writes this seed into the folder, unless another command has written a seed there in the meantime.
    Raises OSError if this fails."""
    placed(f"{seed:0{DIGITS}x}\n".encode(), folder / MARKS_SEED, OWNER)


def seed_of_hand_in(seed: int, bot: Bot) -> int:
    """Derives the seed of a bot's matches from the seed of the marks and all that the bot can see of its
    files."""
    digest = sha256(b"\n".join(sorted(_seen(bot)))).hexdigest()
    return one_way(seed, "hand-in", digest)


def one_way(seed: int, *parts: str) -> int:
    """Derives another seed from `seed`. Nobody can guess it, and nobody can compute `seed` from it."""
    return 1 << BITS - 1 | derived(seed, *parts, size=BITS // 8)


def _seen(bot: Bot) -> Iterator[bytes]:
    """Yields each path in the folder of a bot, with its kind and its content.

    No other digest covers all of this. The digest of a bot on record does not cover the products of a build,
    empty folders, or the permission to execute a file. The digest of a receipt does not cover the name of a
    single script. If the seed came from such a digest, a student could write the deals of an earlier hand-in
    into a part that the digest does not cover. The new hand-in would then play the same deals again.
    """
    for each in survey(bot.folder, bot.bounds, bot.alone):
        runs = "x" if each.mode & 0o111 and not each.target else "-"
        has = "folder" if each.is_folder() else f"{runs} {content(bot.folder, each)}"
        yield os.fsencode(each.path) + b"\0" + has.encode(errors="surrogateescape")
