"""Reads the style sheets and scripts of the pages; a script is joined from small files of one noun each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from itertools import chain

SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "page.js": ("index/make", "index/memory", "index/tables", "index/finder"),
    "bot.js": ("index/make", "bot/bot"),
    "watch.js": ("index/watching",),
    "viewer.js": tuple(
        chain(
            ("draw",),
            (f"viewer/{part}" for part in ("frames", "telling", "seats", "story", "curve", "slide", "stage")),
            (f"viewer/{part}" for part in ("steps", "controls", "address", "sharing", "loading")),
        )
    ),
}
"""The parts of each script, in the order in which they run."""


def asset(name: str) -> bytes:
    """A file as it is copied into a report."""
    web = files("harness.report").joinpath("web")
    if name in SCRIPTS:
        return b"\n".join(web.joinpath(f"{part}.js").read_bytes() for part in SCRIPTS[name])
    return web.joinpath(name).read_bytes()
