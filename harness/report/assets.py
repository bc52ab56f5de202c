"""Reads the style sheets and scripts of the pages, packs replays, and makes a page that is a single file."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping
from importlib.resources import files
from itertools import chain
from typing import Any

import msgspec
from markupsafe import Markup

from harness.config import FrozenPlan
from harness.judge.rules import game_of
from harness.report.names import Names
from harness.report.page import PAGES

BOARD = "boards/{}"
"""In SCRIPTS, a place for the script that draws the positions of a game. `asset` fills in its name."""
SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "page.js": ("index/make", "index/memory", "index/tables", "index/lines", "index/finder"),
    "bot.js": ("index/make", "bot/bot"),
    "watch.js": ("index/watching",),
    "viewer.js": tuple(
        chain(
            ("draw", BOARD),
            (f"viewer/{part}" for part in ("packs", "frames", "telling", "patch", "seats", "story")),
            (f"viewer/{part}" for part in ("branches", "curve", "tempo", "slide", "stage")),
            (f"viewer/{part}" for part in ("steps", "controls", "address", "sharing", "loading", "handle")),
        )
    ),
    "thumbnails.js": ("draw", "viewer/packs", "viewer/frames", BOARD, "thumbnails"),
}
"""The parts of each script, in the order in which they run. A script cannot use the functions and
variables of another script."""


def asset(name: str, board: str = "text") -> bytes:
    """Returns the content of a file that is copied into a report.

    `board` names the script that draws the positions of the game. Scripts with BOARD among their parts
    contain the script that `board` names.
    """
    web = files("harness.report").joinpath("web")
    if name not in SCRIPTS:
        return web.joinpath(name).read_bytes()
    parts = (web.joinpath(f"{part.format(board)}.js").read_bytes() for part in SCRIPTS[name])
    return b'"use strict";\n(() => {\n' + b"\n".join(parts) + b"})();\n"


# -- packed data -------------------------------------------------------------------------------------
#
# `packed` puts the replay of a match into a script, because browsers load scripts from disk, but not data.
#
# A file has the scripts of several matches of a sitting. Each match is packed separately, so that a page
# unpacks only the match that it shows.


LEVEL = 5
"""The level of compression. Level 6 needs a third more time and saves only 1 % of the bytes."""
_encode = msgspec.json.Encoder().encode


def packed(replay: Any) -> bytes:
    """Makes a script that calls a function with the id of the match and the compressed replay.

    The replay is in base64, because a script is text.
    """
    squeeze = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    squeezed = squeeze.compress(_encode(replay)) + squeeze.flush()
    return b'packed("%b", "%b");\n' % (replay["id"].encode(), base64.b64encode(squeezed))


# -- a match in one file -----------------------------------------------------------------------------


def one_file(plan: FrozenPlan, names: Names, board: str, replay: dict[str, Any]) -> str:
    """Makes the page of a match. The page loads no other file. Its security policy allows only the scripts
    that the page contains."""
    scripts = [asset("viewer.js", board), packed(replay)]
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    styles = b"\n".join(map(asset, ("style.css", "viewer.css", "boards.css")))
    return PAGES.get_template("match.html").render(
        name=names.text(plan.name),
        title=game_of(plan).title,
        masked=names.masked,
        rules=False,
        policy=f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        styles=Markup(styles.decode()),
        scripts=[Markup(script.decode()) for script in scripts],
    )


def _digest(script: bytes) -> str:
    return base64.b64encode(hashlib.sha256(script).digest()).decode()
