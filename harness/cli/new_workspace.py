"""Makes a workspace on disk: a first bot, opponents, a plan and the manuals, with links that work there.

The originals are in `templates/`. `workspace/` has files that only a workspace has, with placeholders such as
`$name` for parts that depend on the game. `house/` has links to files at the root of a checkout; a wheel has
copies of these files.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from difflib import get_close_matches
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from string import Template
from typing import NamedTuple

from harness import config
from harness.cli.games import page_of
from harness.cli.links import relinked, section
from harness.cli.workspace import BOTS, HOUSE, STARTERS, TEMPLATES
from harness.config import Bot
from harness.config.manifest import MADE_BY_BUILDS, MANIFEST
from harness.errors import InputError
from harness.games import Game, is_path

SECTIONS = ("bot.toml", "Advice")
"""Of bots/README.md, what applies to every game."""
MINE = "my-bot"
"""The name of the user's first bot, which is a copy of the starter."""
LIGHT = ("random", "greedy", "sensible")
"""The house bots of the first tournament. They need no compiler and little time."""
LEFT_BY_BUILDS = ("bot", *MADE_BY_BUILDS, "__pycache__", ".*")
"""The files that builds and runs create in the folders of a checkout."""


class Wanted(NamedTuple):
    """The choices of the user for a workspace."""

    game: Game
    named: str
    """The name of the game in plans."""
    language: str
    """The folder of the starter."""


def starter_in(language: str) -> str:
    """The folder of the starter in this language. `language` is the name of the language or of the folder.

    Raises InputError, with the most similar name, if there is no such starter.
    """
    known = {folder.name: folder.name for folder in sorted(STARTERS.iterdir()) if folder.is_dir()}
    names = {config.read_bot(STARTERS / name).language.lower(): name for name in known} | known
    if (found := names.get(language.lower())) is not None:
        return found
    near = get_close_matches(language.lower(), names, 1)
    hint = f"did you mean {names[near[0]]!r}?" if near else "there are " + ", ".join(known)
    raise InputError(f"no starter is written in {language!r}: {hint}", "--language")


def fill(directory: Path, wanted: Wanted) -> Bot:
    """Writes all files of a workspace into this folder, and returns the user's first bot."""
    game = wanted.game.name
    _copy(STARTERS, directory / BOTS / STARTERS.name)
    if (own := HOUSE / BOTS / game).is_dir() and not is_path(wanted.named):
        _copy(own, directory / BOTS / game)
        for plan in sorted((HOUSE / "tournaments").glob(f"{game}*.toml")):
            _copy(plan, directory / "tournaments" / plan.name)
    mine = directory / BOTS / MINE
    _copy(STARTERS / wanted.language, mine)
    manifest = _read(mine / MANIFEST)
    _write(mine / MANIFEST, re.sub(r'^name = ".*"', f'name = "{MINE}"', manifest, count=1, flags=re.M))
    page = page_of(wanted.named)
    _write_templates(directory, wanted, page.is_file())
    _write_pages(directory, wanted.game, page)
    return config.read_bot(mine)


def _write_templates(directory: Path, wanted: Wanted, has_page: bool) -> None:
    """Writes the files that only a workspace has, and replaces their placeholders."""
    game, named = wanted.game, wanted.named
    seats = max(2, game.seats[0])
    opponents = _opponents(directory, wanted)
    called = shlex.quote(named)
    paths = [f"{BOTS}/{MINE}", *(opponent.path for opponent in opponents)]
    page = f"games/{game.name}.md"
    manual = _read(HOUSE / BOTS / "README.md")
    words = {
        "title": game.title,
        "called": called,
        "game": _quoted(named),
        "seats": str(seats),
        "language": wanted.language,
        "opponents": "".join(f"    {_entry(opponent)},\n" for opponent in opponents),
        "house": "".join(f"    {_entry(opponent, '')},\n" for opponent in opponents),
        "staff": ", ".join(_quoted(opponent.name) for opponent in opponents),
        "match": shlex.join(paths[:seats]),
        "human": shlex.join([*paths[: seats - 1], "human"]),
        "page": f"`{page}` has the rules" if has_page else "the game has no page",
        "sections": "\n".join(section(manual, title) for title in SECTIONS).rstrip(),
    }
    for path in _files(TEMPLATES / "workspace"):
        place = directory / path.relative_to(TEMPLATES / "workspace")
        _write(place, Template(_read(path)).substitute(words))


class _Opponent(NamedTuple):
    path: str
    name: str
    own: bool
    """Whether it plays under the name in its manifest."""


def _opponents(directory: Path, wanted: Wanted) -> list[_Opponent]:
    """The LIGHT house bots of this game, or the starter in Python if there are none. If they are too few for
    the seats, the first of them is repeated under other names."""
    homes = [f"{BOTS}/{wanted.game.name}/{name}" for name in LIGHT]
    homes = [home for home in homes if (directory / home / MANIFEST).is_file()]
    homes = homes or [f"{BOTS}/{STARTERS.name}/python"]
    found = [_Opponent(home, config.read_bot(directory / home).name, True) for home in homes]
    for number in range(2, 2 + max(0, wanted.game.seats[0] - 1 - len(found))):
        found.append(_Opponent(found[0].path, f"{found[0].name} {number}", False))
    return found


def _entry(opponent: _Opponent, up: str = "../") -> str:
    path = _quoted(f"{up}{opponent.path}")
    return path if opponent.own else f"{{ path = {path}, name = {_quoted(opponent.name)} }}"


def _write_pages(directory: Path, game: Game, page: Path) -> None:
    """Writes the manuals. It keeps links to files of the workspace, and makes other links plain text."""
    package = TEMPLATES.parent.parent
    own = page.is_relative_to(package)
    source = PurePosixPath("harness", page.relative_to(package)) if own else PurePosixPath("/", page.name)
    place = PurePosixPath("games", f"{game.name}.md")
    pages = {PurePosixPath("protocol.md"): PurePosixPath("protocol.md")}
    if page.is_file():
        pages[source] = place

    def moved(path: PurePosixPath) -> PurePosixPath | None:
        if path in pages:
            return pages[path]
        return path if not path.is_absolute() and (directory / path).exists() else None

    for old, new in pages.items():
        text = relinked(_read(page if new == place else HOUSE / old), old, new, moved)
        _write(directory / new, text)


# -- files -----------------------------------------------------------------------------------------


def _files(folder: Path) -> Iterator[Path]:
    """Yields the files in this folder and its subfolders, without LEFT_BY_BUILDS."""
    for path in sorted(folder.iterdir()):
        if any(fnmatch(path.name, pattern) for pattern in LEFT_BY_BUILDS):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _copy(source: Path, place: Path) -> None:
    """Copies only the bytes, not the mode: an installed package may be read-only, but a workspace is not."""
    for path in _files(source) if source.is_dir() else (source,):
        target = place / path.relative_to(source) if source.is_dir() else place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def _read(path: Path) -> str:
    """The text of a file. `_write` restores bytes that are not UTF-8."""
    return path.read_bytes().decode(errors="surrogateescape")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors="surrogateescape"))


def _quoted(text: str) -> str:
    """The text as a string of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
