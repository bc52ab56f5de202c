"""Owns the small records of version 0.9.0, which later versions must still read. This command plays such
records again, for a new version:

    python -m tests.verify.golden
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "records-0.9.0"
DIGESTS = FOLDER / "digests.txt"
"""A file with the name and the digest of each record."""
OPTIONS = {
    "biplane": ("turns=12",),
    "chess": ("plies=12",),
    "dilemma": ("turns=6",),
    "sevens": ("parameters=T0",),
    "squadron": ("battles=1", "turns=4"),
    "squash": ("turns=60",),
    "stratego": ("plies=8",),
}
"""The games, each with options that make its matches short."""
HIDDEN = ".*"
"""Hidden files, such as locks, are no part of a record."""


def known() -> dict[str, str]:
    """The digest of each record by its name."""
    return dict(line.split() for line in DIGESTS.read_text().splitlines())


def play(game: str, logs: Path) -> None:
    """Plays a match of two copies of a starter bot, and keeps the record."""
    bot = "bots/starters/python"
    options = [word for option in OPTIONS[game] for word in ("--option", option)]
    seed = ("--seed", f"{9:032x}", "--isolation", "none", "--logs", str(logs), "--workers", "1")
    command = ("run", "--game", game, f"one={bot}", f"two={bot}", "--seats", "2", *options, *seed)
    subprocess.run([sys.executable, "-m", "harness", *command], cwd=ROOT, check=True, capture_output=True)
    shutil.copytree(logs / game, FOLDER / game, ignore=shutil.ignore_patterns(HIDDEN))


if __name__ == "__main__":
    from harness.record.log import whole

    shutil.rmtree(FOLDER, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        for name in OPTIONS:
            play(name, Path(place))
    DIGESTS.write_text("".join(f"{name} {whole(FOLDER / name)}\n" for name in OPTIONS))
