"""Prepares names and texts of bots for a report, with or without masks."""

from __future__ import annotations

from harness.escape import shown
from harness.record.masking import Mask

MOST = 4_000
"""The most characters of a text that a page shows."""


class Names:
    """Names and texts as they may be published. The page escapes them for HTML."""

    def __init__(self, mask: Mask, masked: bool) -> None:
        self._mask = mask
        self.masked = masked

    def bot(self, name: str) -> str:
        """The name of a bot on the pages."""
        return shown(self._mask.name(name))

    def text(self, text: str) -> str:
        """A text that may contain names, in one line."""
        return shown(self._cut(self._mask.text(text)))

    def lines(self, text: str) -> str:
        """A text that may contain names, with its line breaks."""
        return "\n".join(map(shown, self._cut(self._mask.text(text)).splitlines()))

    @staticmethod
    def _cut(text: str) -> str:
        return text if len(text) <= MOST else f"{text[:MOST]} ..."
