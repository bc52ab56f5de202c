"""Changes the links of a copied Markdown page so that they are right in its new place."""

from __future__ import annotations

import re
from collections.abc import Callable
from os.path import normpath, relpath
from pathlib import PurePosixPath

_LINK = re.compile(r"\[([^\]\n]*)\]\(([^()\s]+)\)")


Moved = Callable[[PurePosixPath], PurePosixPath | None]
"""Returns the new path of a file of the old tree; None if the file was not copied."""


def relinked(text: str, source: PurePosixPath, place: PurePosixPath, moved: Moved) -> str:
    """The text of the page `source` with the links that it needs at `place`.

    If the target of a link was not copied, the link becomes plain text.
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
