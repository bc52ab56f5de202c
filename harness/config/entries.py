"""Reads the list of bots in a plan: paths, patterns and names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

import msgspec

from harness.config.document import Document, quoted
from harness.config.folder import BOUNDS, Bounds
from harness.config.lines import Key
from harness.config.manifest import MANIFEST, Bot, read_bot
from harness.config.names import looks, strange, unfit
from harness.errors import InputError, together
from harness.escape import shown


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the list `bots` in the form of a table: the path of a bot, and a name that replaces the
    bot's own name."""

    path: str
    name: str = ""


def read_entries(
    document: Document, folder: Path, entries: Sequence[str | Entry], bounds: Bounds = BOUNDS
) -> tuple[Bot, ...]:
    """Reads the bots in the order of the plan. No two bots have the same name. Relative paths start from
    `folder`.

    If a bot cannot be read, its `trouble` is a sentence. This sentence names the line of the bot in the plan,
    and the wrong line in the manifest of the bot. `bounds` limits the size of each bot. If an entry itself is
    wrong, raises one InputError that names all errors.
    """
    bots: list[Bot] = []
    wrong: list[InputError] = []
    known: dict[tuple[int, str], tuple[Bot, Key]] = {}
    for place, written in enumerate(entries):
        key: Key = ("bots", place)
        entry = Entry(written) if isinstance(written, str) else written
        try:
            for path in _paths(document, key, folder, entry):
                above = "" if _exists(folder / path) or not _exists(folder.parent / path) else f"../{path}"
                bot = _bot(document, key, folder / path, entry.name, bounds, above)
                bot = msgspec.structs.replace(bot, path=shown(path))
                _add(bots, bot, document, key, known)
        except InputError as error:
            wrong.append(error)
    if wrong:
        raise together(wrong + [InputError(bot.trouble) for bot in bots if bot.trouble])
    return tuple(bots)


def _add(
    bots: list[Bot], bot: Bot, document: Document, key: Key, known: dict[tuple[int, str], tuple[Bot, Key]]
) -> None:
    """Adds a bot to the known bots. Raises InputError if another bot has this name, or a name that looks like
    this name."""
    forms = tuple(enumerate(looks(bot.name)))
    if form := next((form for form in forms if form in known), None):
        raise _taken(document, key, bot, *known[form])
    known |= dict.fromkeys(forms, (bot, key))
    bots.append(bot)


def _bot(document: Document, key: Key, path: Path, name: str, bounds: Bounds, above: str) -> Bot:
    """Reads the bot of an entry. `above` is the path that the user probably meant; "" if there is no such
    path."""
    if name and (trouble := unfit(name)):
        raise document.complaint((*key, "name"), trouble)
    try:
        return read_bot(path, name, bounds)
    except InputError as error:
        complaint = document.complaint(
            key, f"{error}; did you mean {quoted(above)}?" if above else str(error)
        )
        instead = name or (path.parent if path.name == MANIFEST else path).stem
        if unfit(instead):
            raise complaint from None
        return Bot(
            instead, str(path), path, (), trouble=str(complaint), reason=reason_of(error, shown(str(path)))
        )


def reason_of(error: InputError, path: str) -> str:
    """Says why the bot at `path` cannot play, without naming paths of this machine."""
    if error.reason:
        return error.reason
    inside = error.where.removeprefix(path).lstrip("/") if error.where.startswith(path) else ""
    return f"{inside}: {error.message}" if inside else error.message


def _taken(document: Document, key: Key, bot: Bot, other: Bot, before: Key) -> InputError:
    typed = "bots" in document.flags
    line = "" if typed else f" (line {document.lines.get(before)})"
    places = f"{other.path}{line} and {bot.path}"
    mend = "give one of them another name: " + ("NAME=PATH" if typed else '{path = "...", name = "..."}')
    if bot.name == other.name:
        return document.complaint(key, f"two bots are named {quoted(bot.name)}: {places}; {mend}")
    names = " and ".join(
        quoted(name) + (f" (with {numbers})" if (numbers := strange(name)) else "")
        for name in (other.name, bot.name)
    )
    return document.complaint(key, f"two names look alike, {names}: {places}; {mend}")


def _paths(document: Document, key: Key, folder: Path, entry: Entry) -> Iterator[str]:
    """Yields the path of an entry, or all paths that match its pattern. Relative paths start from
    `folder`."""
    if not any(sign in entry.path for sign in "*?[") or _exists(folder / entry.path):
        yield entry.path
        return
    if entry.name:
        raise document.complaint(
            (*key, "name"), "a pattern can match several bots, so an entry with a pattern cannot have a name"
        )
    found = _matches(document, key, folder, entry.path)
    if not found:
        raise document.complaint(key, f"nothing matches {quoted(entry.path)}")
    yield from found


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _matches(document: Document, key: Key, folder: Path, pattern: str) -> list[str]:
    start = Path(Path(pattern).anchor) if Path(pattern).is_absolute() else folder
    try:
        found = sorted(start.glob(str(Path(pattern).relative_to(Path(pattern).anchor))))
    except (OSError, ValueError, NotImplementedError, IndexError) as error:
        raise document.complaint(key, f"this is not a pattern of paths: {shown(str(error))}") from None
    seen = [path for path in found if not path.name.startswith((".", "__pycache__"))]
    head = _head(start, pattern)
    inner = (each for path in seen for each in (path, *path.parents) if each.is_relative_to(head))
    if link := next((each for each in inner if each != head and each.is_symlink()), None):
        raise document.complaint(
            key, f"{shown(str(link))} is a link; a pattern must match only folders and files, not links"
        )
    return [str(path if start is not folder else path.relative_to(folder)) for path in seen]


def _head(start: Path, pattern: str) -> Path:
    """Returns the folder that the pattern names before its first part with `*`, `?` or `[`. Below this
    folder, strangers may have made links."""
    parts = Path(pattern).relative_to(Path(pattern).anchor).parts
    return start.joinpath(*takewhile(lambda part: not any(sign in part for sign in "*?["), parts))
