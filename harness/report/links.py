"""Makes the addresses by which pages of a report lead to each other."""

from __future__ import annotations

from jinja2.utils import url_quote


def to_bot(name: str) -> str:
    """The page of a bot; `name` is its name on the pages."""
    return f"bot.html#{url_quote(name)}"


def to_match(match: str, step: str = "") -> str:
    """The page of a match, at a step."""
    return f"match.html#{match}{step and '/'}{step}"


def to_matches(**choice: str) -> str:
    """The list of matches with this choice, for example of two bots."""
    words = "&".join(f"{key}={url_quote(value, for_qs=True)}" for key, value in choice.items())
    return f"index.html#matches?{words}"
