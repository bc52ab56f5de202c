"""Makes the links of a copied Markdown page lead to where things are in the new place."""

from __future__ import annotations

import re
from collections.abc import Callable
from os.path import normpath, relpath
from pathlib import PurePosixPath

_LINK = re.compile(r"\[([^\]\n]*)\]\(([^()\s]+)\)")


Moved = Callable[[PurePosixPath], PurePosixPath | None]
"""Where a path of the old tree is in the new one; None if it was not copied."""


def relinked(text: str, source: PurePosixPath, place: PurePosixPath, moved: Moved) -> str:
    """The page with each link as it must be at `place`. It was written for `source`.

    Of a link to something that was not copied, only the words stay.
    """

    def link(found: re.Match[str]) -> str:
        label, address = found.groups()
        if address.startswith("#") or ":" in address:
            return found[0]
        path, sign, anchor = address.partition("#")
        target = moved(PurePosixPath(normpath(source.parent / path)))
        return f"[{label}]({relpath(target, place.parent)}{sign}{anchor})" if target else label

    return _LINK.sub(link, text)


def section(text: str, title: str) -> str:
    """The section of a page under this heading of the second level, with the heading."""
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", text, re.M | re.S)
    assert found, f"a page without the section {title!r}"
    return found[0]
