"""Owns what bots are called and how their words are shown in a report, masked or not; knows no page."""

from __future__ import annotations

from harness.escape import shown
from harness.record.masking import Mask

MOST = 4_000
"""Characters of a text that a page shows at most."""


class Names:
    """Names and words as they may be published. Escaping them for HTML is left to the page."""

    def __init__(self, mask: Mask, masked: bool) -> None:
        self._mask = mask
        self.masked = masked

    def bot(self, name: str) -> str:
        """What a bot is called."""
        return shown(self._mask.name(name))

    def text(self, text: str) -> str:
        """Words that may hold names, in one line."""
        return shown(self._cut(self._mask.text(text)))

    def lines(self, text: str) -> str:
        """The same in as many lines as they have."""
        return "\n".join(map(shown, self._cut(self._mask.text(text)).splitlines()))

    @staticmethod
    def _cut(text: str) -> str:
        return text if len(text) <= MOST else f"{text[:MOST]} ..."
