"""Makes fingerprints of source code, which stay the same if names, numbers, texts, comments, spaces and the
order of functions change.

A program becomes a sequence of tokens. In this sequence, all names are the same token, all numbers are the
same token, and all texts are the same token. Every `GRAM` tokens in a row have a hash. From every `WINDOW`
hashes in a row, the smallest hash is kept as a fingerprint. So if two programs share GRAM + WINDOW - 1 tokens
in a row, they always share a fingerprint. It does not matter where in the programs these tokens are.

Name: winnowing. Formula: the fingerprints are the minima of all windows of WINDOW hashes of GRAM tokens. If a
window has several equal minima, the last one counts. Source: Schleimer, Wilkerson and Aiken, "Winnowing:
local algorithms for document fingerprinting" (2003).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

GRAM, WINDOW = 16, 8
LONGEST = 1_000_000
"""A file with more characters than this has no fingerprints."""


class Token(NamedTuple):
    """A token of a program, and its line, from 1."""

    text: str
    line: int


class Lines(NamedTuple):
    """The lines of a file from which a fingerprint comes: `first`, `last` and all lines between them."""

    file: str
    first: int
    last: int


def is_source(name: str) -> bool:
    """Tells from the name of a file whether it has code that can be compared."""
    return bool(_lexer(name))


def tokens(name: str, text: str) -> list[Token]:
    """Returns the tokens of a file. `name` decides its language.

    Returns [] for a file without code. Raises ImportError if the library that knows the languages is not
    installed.
    """
    lexer = _lexer(name)
    if not lexer or len(text) > LONGEST:
        return []
    found, line, at = [], 1, 0
    for place, kind, written in lexer.get_tokens_unprocessed(text):
        line += text.count("\n", at, place)
        at = place
        if shape := _shape(str(kind), written.strip()):
            found.append(Token(shape, line))
    return found


def fingerprints(files: Mapping[str, str]) -> dict[int, list[Lines]]:
    """Returns the fingerprints of a program with these files, each with the lines from which it comes."""
    found: dict[int, list[Lines]] = {}
    for name, text in sorted(files.items()):
        for hashed, lines in _winnowed(name, tokens(name, text)):
            found.setdefault(hashed, []).append(lines)
    return found


def _lexer(name: str):  # type: ignore[no-untyped-def]
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        found = get_lexer_for_filename(name)
    except ClassNotFound:
        return None
    return None if found.name in NO_CODE else found


NO_CODE = frozenset(
    ("Text only", "TOML", "JSON", "YAML", "Markdown", "markdown", "CSV", "INI", "XML", "HTML")
)
"""The names of lexers for files that are no programs."""


def _shape(kind: str, written: str) -> str:
    """Returns a token in the form in which it is compared: "name", "number" or "text" for tokens of these
    kinds, or else the token itself. Returns "" for comments, docstrings and spaces, which are not
    compared."""
    if not written or kind.startswith(("Token.Comment", "Token.Text", "Token.Literal.String.Doc")):
        return ""
    if kind.startswith(("Token.Name", "Token.Keyword.Type")):
        return "name"
    if kind.startswith("Token.Literal"):
        return "number" if ".Number" in kind else "text"
    return written


def _winnowed(file: str, found: Sequence[Token]) -> Iterator[tuple[int, Lines]]:
    merged = [each for number, each in enumerate(found) if not _goes_on(found, number)]
    hashes = [_hash(merged[at : at + GRAM]) for at in range(len(merged) - GRAM + 1)]
    kept = -1
    for begin in range(max(1, len(hashes) - WINDOW + 1)):
        window = hashes[begin : begin + WINDOW]
        if not window:
            return
        least = min(window)
        at = begin + max(place for place, each in enumerate(window) if each == least)
        if at != kept:
            kept = at
            yield least, Lines(file, merged[at].line, merged[at + GRAM - 1].line)


def _goes_on(found: Sequence[Token], number: int) -> bool:
    """Tells whether a token only continues a text, whose quotes and escapes are tokens of their own."""
    return number > 0 and found[number].text == "text" == found[number - 1].text


def _hash(found: Sequence[Token]) -> int:
    digest = blake2b("\0".join(each.text for each in found).encode(), digest_size=8).digest()
    return int.from_bytes(digest)
