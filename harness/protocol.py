"""Writes and reads the lines between harness and bot: bytes to lines to messages. It does no I/O.

Theory of operation. The harness writes *blocks* of lines. The last line of a block is a question, and the bot
answers it with exactly one line. Everything that a bot writes goes through its `Inbox`, which decides twice.
Just before a block is written: may the bytes that have already come be there (`before_question`: only
comments may)? After it: do the bytes contain the answer (`answer`: a text, a Problem, or None for "not yet")?

    hello -> (new -> question* -> over)* -> bye          faults: -> fault, over, the end

protocol.md is the manual of the protocol for authors of bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from harness.model import Limits, Malformed, Number

VERSION = 1
NEWLINE = 10
COMMENT = 35  # the byte "#"
SHORT, MANY = 40, 64
"""The inbox remembers up to MANY lines of a bot, each of at most SHORT bytes."""


class Problem(NamedTuple):
    """A fault that is seen without any rules of a game: its name (see harness.model.FAULTS) and a reason."""

    name: str
    reason: str


class Wants(NamedTuple):
    """What a bot asked for in its handshake: the legal moves or the full view with each question."""

    legal: bool = False
    state: bool = False

    @lru_cache(maxsize=4)  # noqa: B019 (there are four)
    def words(self) -> str:
        """What it asked for, as the log says it."""
        return " ".join(name for name, wanted in self._asdict().items() if wanted)


class Inbox:
    """A bounded buffer for what a bot wrote and nobody has read yet. It knows lines, comments and answers."""

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
        self._unread = 0  # the bytes of comments since the last answer
        self._comments: list[str] = []
        self._later: list[str] = []
        self.noted = False
        """Whether there are comments that nobody has taken yet."""

    def take_comments(self) -> tuple[str, ...]:
        """The comments that belong to the last answer. Comments after it belong to the next one."""
        taken = tuple(self._comments)
        self._comments, self._later = self._later, []
        self.noted = bool(self._comments)
        return taken

    def before_question(self, data: bytes) -> Problem | None:
        """Judges the bytes that were in the pipe just before a question was written (none: b"")."""
        if not data and not self._partial:
            return None
        found = self._advance(data)
        said = self._begun() if found is None else found
        return _unasked(f"said {said!r} before it was asked") if isinstance(said, str) else said

    def answer(self, data: bytes) -> str | Problem | None:
        """The answer, if these bytes complete it."""
        # Hot path: nothing was left over, and the bytes are one line, probably one that the bot said before.
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
            return found
        self._comments = before + self._comments
        if isinstance(said, Problem):
            return said
        return _unasked(f"said {said!r} right after its answer {found!r}")

    def _line(self, data: bytes) -> str:
        """The text if the bytes are one whole line of printable ASCII and no comment; else "". Printable text
        contains no other newline, no carriage return and no NUL."""
        whole = data.endswith(b"\n") and data[0] != COMMENT and len(data) < self._line_bytes
        line = data[:-1].decode() if whole and data.isascii() else ""
        if not line.isprintable():
            return ""
        if len(data) <= SHORT and len(self._lines) < MANY:
            self._lines[data] = line
        return line

    def left_over(self) -> str:
        """The beginning of a line that never ended, as evidence."""
        return _shown(self._partial)

    def _begun(self) -> str | None:
        """The beginning of the next line, if it is no comment."""
        return self.left_over() if self._partial and self._partial[0] != COMMENT else None

    def _advance(self, data: bytes) -> str | Problem | None:
        """Takes the next whole line that is no comment, or the first problem before it."""
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
        """The limit that the line reaches first, so that the pieces in which it came make no difference."""
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
    """The first bytes of a line as text, for a reason that a person reads."""
    text = line[:80].decode(errors="backslashreplace")
    return text.rstrip("\r\n") + ("..." if len(line) > 80 else "")


# -- what the harness says -------------------------------------------------------------------------


def block(lines: Iterable[str]) -> bytes:
    """The lines as bytes on the wire."""
    return ("\n".join(lines) + "\n").encode()


def hello(game: str) -> str:
    """The first question of all."""
    return f"hello {VERSION} {game}"


def new(
    options: Sequence[str],
    limits: Limits,
    number: int,
    seat: int,
    seats: int,
    seed: int,
    allies: Sequence[int] = (),
    names: Sequence[str] = (),
) -> tuple[str, ...]:
    """The block that begins a match for one seat. Its last line expects the answer `ready`."""
    return (
        *_opening(tuple(options), limits, tuple(allies), tuple(names)),
        f"new {number} {seat} {seats} {seed}",
    )


# A seat gets the same lines in all matches of a tournament.
@lru_cache(maxsize=64)
def _opening(
    options: tuple[str, ...], limits: Limits, allies: tuple[int, ...], names: tuple[str, ...]
) -> tuple[str, ...]:
    told = (
        ("start", limits.start_ms),
        ("move", limits.move_ms),
        ("bank", limits.bank_ms or -1),
        ("increment", limits.increment_ms),
        ("line", limits.line_bytes),
        ("unread", limits.unread_bytes),
    )
    return (
        *(f"option {option}" for option in options),
        *(f"limit {name} {value}" for name, value in told),
        *(f"ally {ally}" for ally in allies),
        *(f"name {place} {name}" for place, name in enumerate(names, start=1)),
    )


def question(asked: str, move_ms: int, bank_ms: int) -> tuple[str, str]:
    """A game's question with the time for its answer, "WORD MOVE BANK ..." (a bank of -1 means none), and the
    beginning of the answer, "WORD "."""
    word, space, rest = asked.partition(" ")
    return f"{word} {move_ms} {bank_ms}{space}{rest}", f"{word} "


def legal(kind: str, moves: Sequence[str]) -> str:
    """The legal moves as lines; `kind` is "all" or "some"."""
    return "\nmove ".join([f"legal {kind} {len(moves)}", *moves])


def over(ranks: Sequence[Number], scores: Sequence[Number]) -> tuple[str, ...]:
    """The end of a match that this seat played to its end."""
    return (*[f"result {seat} {rank} {scores[seat - 1]}" for seat, rank in enumerate(ranks, start=1)], "over")


def fault(name: str, reason: str) -> tuple[str, ...]:
    """The end of a match for a seat that broke a rule."""
    plain = reason.encode("ascii", "backslashreplace").decode().replace("\n", "\\n").replace("\r", "\\r")
    return f"fault {name} {plain}", "over"


BYE = "bye"


def due(asked: bytes) -> str:
    """The only right answer to this block, if there is only one; "" after a game's question."""
    word = asked[asked.rfind(b"\n", 0, -1) + 1 :].split(b" ")[0]
    return {b"hello": f"`hello {VERSION}`", b"new": "`ready`"}.get(word, "")


# -- what a bot says -------------------------------------------------------------------------------


def read_hello(said: str) -> Wants | Malformed:
    """Reads the answer to `hello`: what the bot asks for."""
    words = said.split(" ")
    if words[:2] != ["hello", str(VERSION)]:
        return Malformed(
            f"`hello {VERSION}` is due, with `legal` and `state` if they are wanted; it said {said!r}"
        )
    unknown = set(words[2:]) - set(Wants._fields)
    if unknown:
        return Malformed(f"after `hello {VERSION}` may come `legal` and `state`; it said {said!r}")
    return Wants("legal" in words, "state" in words)


def spacing(said: str) -> str:
    """What is wrong with the spaces of an answer; "" if nothing. Wrong spaces would hide other mistakes."""
    if " ".join(said.split()) == said:
        return ""
    return f"one space stands between words, and none before or after them; it said {said!r}"


def read_ready(said: str) -> Malformed | None:
    """Checks the answer to `new`; None if it is right."""
    return None if said == "ready" else Malformed(f"`ready` is due; it said {said!r}")
