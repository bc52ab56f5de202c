"""Writes the manuals for authors of bots into a folder: the protocol, languages, and the page of a game."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from harness.cli.links import relinked
from harness.cli.template_files import read, write
from harness.cli.workspace import HOUSE, TEMPLATES
from harness.games import Game

PROTOCOL = PurePosixPath("protocol.md")
LANGUAGES = PurePosixPath("docs", "languages.md")


def page_in(game: Game) -> PurePosixPath:
    """The path of the page of this game in a folder with manuals."""
    return PurePosixPath("games", f"{game.name}.md")


def write_manuals(directory: Path, game: Game, page: Path) -> None:
    """Writes the manuals. It keeps links to files of the folder, and makes other links plain text."""
    package = TEMPLATES.parent.parent
    own = page.is_relative_to(package)
    source = PurePosixPath("harness", page.relative_to(package)) if own else PurePosixPath("/", page.name)
    place = page_in(game)
    pages = {PROTOCOL: PROTOCOL, LANGUAGES: LANGUAGES}
    if page.is_file():
        pages[source] = place

    def moved(path: PurePosixPath) -> PurePosixPath | None:
        if path in pages:
            return pages[path]
        return path if not path.is_absolute() and (directory / path).exists() else None

    for old, new in pages.items():
        text = relinked(read(page if new == place else HOUSE / old), old, new, moved)
        write(directory / new, text)
