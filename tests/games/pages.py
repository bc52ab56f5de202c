"""Owns how tests read the pages of games."""

import re


def blocks(page: str, kind: str) -> list[str]:
    """What stands on the page between fences of this kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
