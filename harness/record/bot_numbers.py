"""Reads the numbers that a bot wrote in its comments: after `# data money 12`, the number `money` is 12.

Bots write the comments, so a comment may contain any text. A comment that does not have exactly this form is
an ordinary comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

MOST_NAMES = 16
"""The largest number of different names in the comments of one answer. Further names are ignored."""
LARGEST = 1e15
"""The largest absolute value of a number."""
_LINE = re.compile(
    r"# ?data +([A-Za-z][A-Za-z0-9_.-]{0,31}) +([+-]?(?:[0-9]{1,16}(?:\.[0-9]{0,16})?|\.[0-9]{1,16})"
    r"(?:[eE][+-]?[0-9]{1,2})?) *"
)


def numbers_of(comments: Iterable[str]) -> Mapping[str, float]:
    """Returns the numbers in the comments of one answer, by their names. If a name has several numbers, the
    last one counts."""
    found: dict[str, float] = {}
    for line in comments:
        if (match := _LINE.fullmatch(line)) is None:
            continue
        name, value = match[1], float(match[2])
        if abs(value) <= LARGEST and (name in found or len(found) < MOST_NAMES):
            found[name] = value
    return found
