"""Owns how tests read the pages of games."""

import re


def blocks(page: str, kind: str) -> list[str]:
    """The content of each block on the page that begins with a fence of this kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
