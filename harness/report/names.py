"""Prepares names, texts and addresses for the pages of a report, with or without masks."""

from __future__ import annotations

from jinja2.utils import url_quote

from harness.escape import isolated, shown
from harness.record.masking import Mask

MOST = 4_000
"""The most characters of a text that a page shows."""


class Names:
    """Prepares names and texts that will be published. The page escapes them for HTML."""

    def __init__(self, mask: Mask, masked: bool) -> None:
        self._mask = mask
        self.masked = masked

    def bot(self, name: str) -> str:
        """Returns the name of a bot on the pages."""
        return shown(self._mask.name(name))

    def in_sentence(self, name: str) -> str:
        """Returns the name of a bot for a sentence or a list. A name that is written from right to left does
        not change the order of the words beside this name."""
        return isolated(self.bot(name))

    def text(self, text: str) -> str:
        """Prepares a text that may contain names, and makes one line of the text."""
        return shown(self._cut(self._mask.text(text)))

    def lines(self, text: str) -> str:
        """Prepares a text that may contain names, and keeps its line breaks."""
        return "\n".join(map(shown, self._cut(self._mask.text(text)).splitlines()))

    @staticmethod
    def _cut(text: str) -> str:
        return text if len(text) <= MOST else f"{text[:MOST]} ..."


# -- addresses of pages ------------------------------------------------------------------------------


def to_bot(name: str) -> str:
    """Returns the address of the page of a bot. `name` is the bot's name on the pages."""
    return f"bot.html#{url_quote(name)}"


def to_match(match: str, step: str = "") -> str:
    """Returns the address of the page that shows a match, at this step of the match."""
    return f"match.html#{match}{step and '/'}{step}"


def to_matches(**choice: str) -> str:
    """Returns the address of the list of those matches that fit `choice`, for example the matches of two
    bots."""
    words = "&".join(f"{key}={url_quote(value, for_qs=True)}" for key, value in choice.items())
    return f"index.html#matches?{words}"
