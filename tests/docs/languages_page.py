"""Writes the texts that follow from languages.toml. `make docs` runs it; a test compares the texts.

These texts are the first columns of the table in docs/languages.md, and the manifest of each starter.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.languages import PAGE, kept, with_table
from harness.config.languages import Language, with_starter
from harness.config.manifest import MANIFEST

STARTERS = Path(__file__).parent.parent.parent / "bots" / "starters"


def page() -> str:
    """The text of docs/languages.md with the table from languages.toml. Measured figures stay as they are."""
    text = PAGE.read_text()
    return with_table(text, kept(text))


def manifest(language: Language) -> str:
    """The manifest of the starter in this language."""
    return language.manifest(f"starter-{language.folder}")


if __name__ == "__main__":
    for each in with_starter():
        (STARTERS / each.folder / MANIFEST).write_text(manifest(each))
    PAGE.write_text(page())
