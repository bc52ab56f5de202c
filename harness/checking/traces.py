"""Recognises common errors in the text that a program or a build wrote to stderr. All functions here are
pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

MOST_QUOTED = 100
ENDED_READING = re.compile(r"EOFError|NoSuchElementException|end.of.file", re.I)
"""Messages that a program prints when its input is closed. After a fault the harness always closes the input,
so such a message does not show the cause of the fault."""

WARNING = re.compile(r"^(?:PHP )?(?:Warning|Notice|Deprecated|Fatal error|Parse error): +(.+ on line \d+)")
"""The pattern of a warning or an error that PHP writes to standard output."""

ENDED_ITSELF = re.compile(r"terminate called after throwing an instance of '([^']+)'(?:\s+what\(\):\s+(.*))?")
"""The message of a program in C++ that ends with an exception. Without this message, one knows only that the
program got SIGABRT."""
ASSERTION = re.compile(r"^.*\bAssertion [`'].*failed\.?$", re.M)

AN_ERROR = re.compile(r"error|exception|panic|uncaught|fatal|\w\.\w+:\d+| at \S+ line \d|: Prelude\.", re.I)
"""A pattern for lines of error messages: words that such lines contain, and places in a program such as
`main.lua:2`. Haskell begins messages with the name of the program and `Prelude.`."""


NAMED_ERROR = re.compile(r"^(?:Uncaught )?[A-Z][\w.$]*(?:Error|Exception)(?: \[\w+\])?: ")
"""A line that says what went wrong. JavaScript first writes the place of the error and the code at this
place, and then such a line.
"""


class Trace(NamedTuple):
    """The pattern of an error message, with the name of its hint. The group in the pattern matches the
    detail, such as the name of a missing package."""

    hint: str
    detail: str
    """The name in braces in the hint's text, which is replaced by the text that the group matches; "" if
    there is no such name."""
    pattern: re.Pattern[str]


def _trace(hint: str, detail: str, *patterns: str) -> tuple[Trace, ...]:
    return tuple(Trace(hint, detail, re.compile(pattern, re.M)) for pattern in patterns)


NAME = r"['\"`‘]?([\w./@+-]+)"

TRACES: tuple[Trace, ...] = (
    *_trace(
        "newer-version",
        "version",
        r"module requires (Go \d[\d.]*)",
        r"invalid (go version '[\d.]+')",
        r"go\.mod requires (go >= [\d.]+)",
        r"unknown directive: (toolchain)",
        r"(UnsupportedClassVersionError)",
        r"error: (release version \d+) not supported",
        r"invalid (source release: \d+)",
        r"requires (rustc [\d.]+)",
        r"unrecognized command[- ]line option .(-std=[\w+]+)",
        r"[Ii]nvalid (-langversion option .\w+)",
        r"[Ff]eature `([^'`]+)' (?:is not available in|cannot be used because it is not part of) ",
    ),
    *_trace(
        "newer-version",
        "version",
        r"fatal error: ((?:concepts|expected|format|generator|mdspan|print|ranges|source_location|span"
        r"|stacktrace|stdfloat|syncstream|flat_map|flat_set)): No such file",
    ),
    *_trace(
        "unlinked",
        "what",
        r"undefined reference to [`']([^'`]+)'",
        r"No implementations provided for the following modules:\s+(\w+)",
    ),
    *_trace(
        "mcs-library",
        "name",
        r"error CS0234: The type or namespace name `([^']+)' does not exist in the namespace `System",
    ),
    *_trace(
        "bash",
        "error",
        r"\.sh: (?:line )?\d+: (Syntax error: (?:\"\(\"|redirection) unexpected.*|Bad substitution)$",
        r"\.sh: (?:line )?\d+: ((?:\[\[|source|declare|mapfile|readarray|shopt|typeset|let): not found)",
        r"\.sh: (?:line )?\d+: (read: (?:Illegal option -[aN]|arg count).*)$",
    ),
    *_trace(
        "typescript",
        "file",
        r"([\w-]+\.ts):\d+\n(?:.*\n){1,5}SyntaxError: ",
        r'ERR_UNKNOWN_FILE_EXTENSION.*Unknown file extension "\.ts" for .*?([\w-]+\.ts)$',
    ),
    *_trace("kotlin-runtime", "", r"(?:NoClassDefFoundError: |ClassNotFoundException: )kotlin[/.]"),
    *_trace("mcs-syntax", "said", r"error CS(?:1525|1514|1031|1519|8025): (Unexpected symbol `[^']+')"),
    *_trace(
        "network",
        "",
        r"Temporary failure in name resolution|Name or service not known|getaddrinfo|gaierror",
        r"Network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|UnknownHostException",
        r"[Cc]ould(?:n't| not) resolve host|Failed to establish a new connection|ConnectionRefused",
        r"dial tcp|failed to download|Failed to fetch|spurious network error|Connection refused",
        r"Could not find a version that satisfies the requirement|ECONNREFUSED|EAFNOSUPPORT",
        r"Address family not supported",
    ),
    *_trace(
        "windows-header",
        "file",
        r"fatal error: ((?:windows|winsock2?|conio|tchar|direct|winuser|winbase)\.h): No such file",
    ),
    *_trace(
        "java-class",
        "java",
        r"Could not find or load main class (\S+)",
        r"\(wrong name: ([\w/$]+)\)",
        r"error: class (\S+) is public, should be declared in a file named",
    ),
    *_trace(
        "missing-package",
        "package",
        rf"ModuleNotFoundError: No module named {NAME}",
        rf"Cannot find (?:module|package) {NAME}",
        rf"cannot load such file -- {NAME}",
        r"Can't locate (\S+) in @INC",
        rf"(?:NoClassDefFoundError|ClassNotFoundException): {NAME}",
        r"error: package (\S+) does not exist",
        rf"error while loading shared libraries: {NAME}",
        rf"fatal error: {NAME}: No such file",
        rf"can't find crate for {NAME}",
        r"(?:unlinked crate|undeclared crate or module|maybe a missing crate) `(\w+)`",
        r"package (\S+) is not in (?:GOROOT|std)",
        rf"no required module provides package {NAME}",
        rf"module {NAME}' not found:",
        rf"Could not find module {NAME}",
        rf"Unbound module {NAME}",
        rf"no matching package named {NAME}",
    ),
    *_trace("writes-folder", "", r"Read-only file system|EROFS"),
    *_trace(
        "memory",
        "",
        r"MemoryError|bad_alloc|OutOfMemoryError|heap out of memory|[Cc]annot allocate memory|NoMemoryError",
        r"memory allocation of \d+ bytes failed|Allowed memory size",
    ),
    *_trace("python-2", "", r"Missing parentheses in call to 'print'|NameError: name 'raw_input'"),
    *_trace("crlf", "", r"\\r': command not found|\r: not found|\\r: not found|\\r['’]: No such file"),
    *_trace(
        "missing-file",
        "file",
        r"No such file or directory: (.+)$",
        r"ENOENT: no such file or directory, \w+ (.+)$",
        r"No such file or directory @ \w+ - (.+)$",
        r"(?:NoSuchFileException|FileNotFoundException): (\S+)",
        r"[Cc](?:annot|an't|ould not) open (?:file )?(\S+)[^\n]*No such file",
        r"open (\S+): no such file or directory",
        r"No such file or directory",
    ),
)
"""All patterns. If several patterns match, the first of them counts, so the more certain patterns come
first."""


class KnownError(NamedTuple):
    """A recognised error: the name of its hint, and the details for the hint's text."""

    hint: str
    filled: dict[str, str]


def recognised(text: str) -> KnownError | None:
    """Returns the first known error in this text."""
    for hint, detail, pattern in TRACES:
        if found := pattern.search(text):
            what = found[1].strip()[:MOST_QUOTED] if pattern.groups else "a file"
            return KnownError(hint, {detail: what} if detail else {})
    return None


def uncaught(text: str) -> str:
    """Returns the exception or the failed assertion that ended a program in C or C++; "" if the text
    names neither."""
    if found := ENDED_ITSELF.search(text):
        return ": ".join(filter(None, found.groups()))[:MOST_QUOTED]
    found = ASSERTION.search(text)
    return found[0].strip()[:MOST_QUOTED] if found else ""


def error_line(text: str) -> str:
    """Returns the line with the error message; "" if there is none.

    In a Python traceback, the line is the first line after the indented lines. In another text, the line is
    the first line that begins with the name of an error, or else the first line that contains an error. If a
    line that contains an error ends with a colon, the message continues in the next line. Then the result has
    both lines. But if the next line also contains an error, the result has only this next line."""
    _, traceback, last = text.rpartition("Traceback (most recent call last):\n")
    if traceback:
        found = next((line for line in last.splitlines() if line and not line[0].isspace()), "")
    else:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        named = ((line, "") for line in lines if NAMED_ERROR.match(line))
        found, more = next(chain(named, _with_next(lines)), ("", ""))
        if found.endswith(":"):
            found = more if AN_ERROR.search(more) else f"{found} {more}"
    return "" if ENDED_READING.search(found) else found.strip()[:MOST_QUOTED]


def _with_next(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields each line that contains an error, together with the line after it."""
    return (pair for pair in pairwise((*lines, "")) if AN_ERROR.search(pair[0]))
