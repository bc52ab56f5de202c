"""Makes fingerprints of source code. Fingerprints stay the same if names, numbers, texts, comments, spaces
or the order of functions change.

A program becomes a sequence of tokens. In this sequence, all names are the same token, all numbers are the
same token, and all texts are the same token. Brackets, commas, colons and semicolons are left out, because
programs that format code add and remove them. Each sequence of GRAM tokens has a hash, which is a
fingerprint. So if two programs share GRAM tokens in a row, they always share a fingerprint. It does not
matter where in the programs these tokens are.

Name: shingles. Formula: the set of the hashes of all GRAM tokens in a row. Source: Broder, "On the
resemblance and containment of documents" (1997).
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from types import FrameType
from typing import NamedTuple

GRAM = 12
"""The number of tokens in a fingerprint. With fewer tokens, programs that different people wrote share more
fingerprints. With more tokens, a copy in which some lines were changed keeps fewer fingerprints. In
`studies/similar.py`, fingerprints of 12 tokens tell copies from programs of different people.
"""
SEPARATORS = frozenset("()[]{},:;")
"""Tokens that consist only of these characters are left out."""
LONGEST = 1_000_000
"""The largest number of characters that are read of a program, in all its files together."""
PATIENCE = 60.0
"""The largest CPU time, in seconds, for the fingerprints of a program. A million characters take about 10 s.
But for some texts, the library that knows the languages needs hours."""


class TooSlow(Exception):
    """The work took more CPU time than `at_most` allows."""


class Token(NamedTuple):
    """A token of a program, and its line, from 1."""

    text: str
    line: int


class Lines(NamedTuple):
    """The lines from which a fingerprint comes: those from `first` to `last` in a file."""

    file: str
    first: int
    last: int


def is_source(name: str) -> bool:
    """Tells from the name of a file whether it has code that can be compared."""
    return bool(_lexer(name))


def tokens(name: str, text: str) -> list[Token]:
    """Returns the tokens of a file. The name of the file decides in which language it is read.

    Returns [] for a file without code. This may take very long: call it within `at_most`. Raises ImportError
    if the library that knows the languages is not installed.
    """
    lexer = _lexer(name)
    if not lexer:
        return []
    found, line, at, last = [], 1, 0, ""
    for place, kind, written in lexer.get_tokens_unprocessed(text):
        line += text.count("\n", at, place)
        at = place
        shape = _shape(str(kind), written.strip())
        goes_on = shape == "text" == last  # The quotes and escapes of a text are tokens of their own.
        last = shape or last
        if shape and not goes_on and not SEPARATORS.issuperset(shape):
            found.append(Token(shape, line))
    return found


def fingerprints(files: Mapping[str, str]) -> dict[int, list[Lines]]:
    """Returns the fingerprints of a program with these files, each with the lines from which it comes."""
    found: dict[int, list[Lines]] = {}
    for name, text in sorted(files.items()):
        listed = tokens(name, text)
        for at in range(len(listed) - GRAM + 1):
            gram = listed[at : at + GRAM]
            found.setdefault(_hash(gram), []).append(Lines(name, gram[0].line, gram[-1].line))
    return found


def short_enough(files: Mapping[str, str]) -> dict[str, str]:
    """Takes the files one by one, the smallest first, as long as all of them together have at most LONGEST
    characters. Returns the files that were taken."""
    found, room = {}, LONGEST
    for name, text in sorted(files.items(), key=lambda file: (len(file[1]), file[0])):
        if (room := room - len(text)) < 0:
            break
        found[name] = text
    return found


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TooSlow as soon as the `with` block has used more CPU time than `seconds`, even in the middle of
    a search by a regular expression. Only the main thread can use this function."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _lexer(name: str):  # type: ignore[no-untyped-def]
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    for each in (name, name.lower()):
        with suppress(ClassNotFound):
            found = get_lexer_for_filename(each)
            break
    else:
        return None
    return None if found.name in NO_CODE else found


NO_CODE = frozenset(
    ("Text only", "TOML", "JSON", "YAML", "Markdown", "markdown", "CSV", "INI", "XML", "HTML")
)
"""The lexers of kinds of files that are not programs."""


def _shape(kind: str, written: str) -> str:
    """Returns a token in the form in which programs are compared: "name" for every name, "number" for every
    number, "text" for every text, and any other token itself. Returns "" for comments, docstrings and spaces,
    which are not compared."""
    if not written or kind.startswith(("Token.Comment", "Token.Text", "Token.Literal.String.Doc")):
        return ""
    if kind.startswith(("Token.Name", "Token.Keyword.Type")):
        return "name"
    if kind.startswith("Token.Literal"):
        return "number" if ".Number" in kind else "text"
    return written


def _hash(found: Sequence[Token]) -> int:
    words = "\0".join(each.text for each in found).encode("utf-8", "surrogateescape")
    digest = blake2b(words, digest_size=8).digest()
    return int.from_bytes(digest)
