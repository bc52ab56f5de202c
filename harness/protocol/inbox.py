"""Divides the bytes that a bot writes into comments and answers, and checks these bytes. This file reads no
pipe itself.

All bytes that a bot writes go through its `Inbox`, which has two checks:

- `before_question` checks the bytes that came before a question was written. Only comments are allowed there.
- `answer` checks the bytes that came after the question. `answer` returns the answer, a Problem, or None if
  the answer is not complete yet. If the answer has a character that is never allowed, `answer` returns a
  Misspelt, so no game ever gets such a character.
"""

from __future__ import annotations

from harness.model import Limits
from harness.protocol import Misspelt, Problem, misspelt

COMMENT = 35  # the byte "#"
SHORT, MANY = 40, 64
"""The inbox remembers up to MANY lines of a bot, each of at most SHORT bytes."""


class Inbox:
    """A buffer of limited size for the bytes of a bot. The inbox divides the bytes into lines, comments and
    answers."""

    __slots__ = (
        "_comments",
        "_later",
        "_line_bytes",
        "_lines",
        "_partial",
        "_unread",
        "_unread_bytes",
        "noted",
    )

    def __init__(self, limits: Limits) -> None:
        self._line_bytes = limits.line_bytes
        self._lines: dict[bytes, str] = {}
        self._unread_bytes = limits.unread_bytes
        self._partial = b""
        self._unread = 0  # the number of bytes in comments since the last answer
        self._comments: list[str] = []
        self._later: list[str] = []
        self.noted = False
        """True if there are comments that `take_comments` has not returned yet."""

    def take_comments(self) -> tuple[str, ...]:
        """Returns the comments that belong to the last answer. Later comments belong to the next answer."""
        taken = tuple(self._comments)
        self._comments, self._later = self._later, []
        self.noted = bool(self._comments)
        return taken

    def before_question(self, data: bytes) -> Problem | None:
        """Checks the bytes that were in the pipe just before a question was written (b"" if the pipe was
        empty)."""
        if not data and not self._partial:
            return None
        found = self._advance(data)
        said = self._begun() if found is None else found
        return _unasked(f"said {said!r} before it was asked") if isinstance(said, str) else said

    def answer(self, data: bytes) -> str | Misspelt | Problem | None:
        """Returns the answer if these bytes complete it. Returns a Problem if these bytes break a rule, and
        None in all other cases."""
        # The usual case must be fast: no earlier bytes are left, and these bytes are one whole line, probably
        # a line that the bot has already written before.
        if not self._partial and not self.noted and (line := self._lines.get(data) or self._line(data)):
            return line
        found = self._advance(data)
        if not isinstance(found, str):
            return found
        before, self._comments = self._comments, []
        rest = self._advance(b"")
        said = self._begun() if rest is None else rest
        if said is None:
            self._comments, self._later = before, self._comments
            return Misspelt(found, reason) if (reason := misspelt(found)) else found
        self._comments = before + self._comments
        if isinstance(said, Problem):
            return said
        return _unasked(f"said {said!r} right after its answer {found!r}")

    def _line(self, data: bytes) -> str:
        """Returns the text if the bytes are exactly one line of printable ASCII, but no comment. Otherwise
        returns "".

        It is enough to check that all characters are printable: a second newline, a carriage return and a NUL
        are not printable.
        """
        whole = data.endswith(b"\n") and data[0] != COMMENT and len(data) < self._line_bytes
        line = data[:-1].decode() if whole and data.isascii() else ""
        if not line.isprintable():
            return ""
        if len(data) <= SHORT and len(self._lines) < MANY:
            self._lines[data] = line
        return line

    def left_over(self) -> str:
        """Returns the beginning of a line that has no end yet, as evidence for a fault."""
        return _shown(self._partial)

    def _begun(self) -> str | None:
        """Returns the beginning of an unfinished line, or None if there is no such line or if it is a
        comment."""
        return self.left_over() if self._partial and self._partial[0] != COMMENT else None

    def _advance(self, data: bytes) -> str | Problem | None:
        """Returns the next whole line that is not a comment, and removes this line from the buffer. If the
        bytes up to the end of this line break a rule, returns the Problem instead."""
        buffer = self._partial + data
        start = 0
        while True:
            end = buffer.find(b"\n", start) + 1
            line = buffer[start:end] if end else buffer[start:]
            problem = self._too_much(len(line), bool(end))
            if problem or not end:
                self._partial = line
                return problem
            start = end
            text = _text(line)
            if isinstance(text, Problem) or line[0] != COMMENT:
                self._partial = buffer[start:]
                self._unread = 0
                return text
            self._unread += len(line)
            self._comments.append(text)
            self.noted = True

    def _too_much(self, size: int, ended: bool) -> Problem | None:
        """Returns a Problem if a line is longer than `line_bytes`, or if more than `unread_bytes` came
        without an answer. If a line exceeds both limits, the Problem names the limit that its bytes reach
        first. So the fault does not depend on the sizes of the pieces in which the line arrives.
        """
        room = self._unread_bytes - self._unread
        long = size > self._line_bytes or (size == self._line_bytes and not ended)
        if size > room and not (long and self._line_bytes <= room):
            return Problem("flood", f"more than {self._unread_bytes} bytes without an answer")
        return Problem("long-line", f"a line of more than {self._line_bytes} bytes") if long else None


def _unasked(what: str) -> Problem:
    return Problem("unasked", f"{what}; notes go to standard error, or behind #")


def _text(line: bytes) -> str | Problem:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        line = line.rstrip(b"\r\n")
        begun = f"{line[:80]!r}".removeprefix("b") + "..." * (len(line) > 80)
        return Problem("encoding", f"byte {error.start + 1} of a line is not valid UTF-8: {begun}")
    if "\0" in text:
        return Problem("nul", f"byte {text.index(chr(0)) + 1} of a line is NUL: {_shown(line)!r}")
    return text[:-2] if text.endswith("\r\n") else text[:-1]


def _shown(line: bytes) -> str:
    """Returns the first bytes of a line as text, for the reason of a fault."""
    text = line[:80].decode(errors="backslashreplace")
    return text.rstrip("\r\n") + ("..." if len(line) > 80 else "")
