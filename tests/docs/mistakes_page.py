"""Writes docs/mistakes.md from the catalogue of hints: `make docs` does so, and a test compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.checking.hints import GROUPS, Hint
from harness.config.languages import languages

PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"
HEAD = """\
# When your bot fails: the hints of `harness check bot`

`make docs` writes this page from the catalogue of hints; do not edit it by hand.

```sh
harness check bot bots/mine --game sevens
```

The command builds the bot in a copy of its folder, starts it, and plays matches in which it takes every seat.
Then it plays once against opponents that take their time, and the same match again with the same SEED, twice
in one process.
At the end it plays 10 matches against each house bot of the game, always the same ones, or the first of them
that fit in 10 seconds.
The 95 % interval says how much better or worse your bot is than this house bot. The word `open` means that
the matches are too few to show which of the two is better. `--house 50` plays more matches, `--house 0` none.

At the first fault the command stops.
It prints the fault, a hint, the question, the answer, what the bot could know, and its standard error:

```text
✓ starts, and answers `hello` after 31.2 ms: python3 main.py
✗ seat 1 of 2, match 1: malformed: the answer begins with `play`; it said '9H 3
  0'
  hint     It said `9H 3 0`; right would be `play 9H 3 0`. Begin each answer
           with the word of the question.
  asked    play 1000 -1
  said     9H 3 0
```

To find the cause, the command asks the bot the same questions again, in a new process, and changes one thing:

- If a silent bot needs CPU time all the while, the cause is that it computes.
- If a silent bot needs no CPU time, it gets one line more, then many lines, then the same question many
  times, and at last the end of its input.
- If a bot fails in its second match, a new process plays this match alone.
- If a bot fails in one seat, it is told that it has another one.
- If a bot ends, it gets the last lines one by one, to see at which it ends.

With `--json` each step has the name of its hint (`hint`), its text (`advice`), the fault with its evidence,
and standard error.
"""
LANGUAGES = """\
## In your language

| language | flush | read a line | write a note |
|---|---|---|---|"""


def page() -> str:
    """The whole page."""
    sections = (part for name, hints in GROUPS.items() for part in section(name, hints))
    return "\n".join([HEAD, *sections, *table()])


def section(name: str, hints: Mapping[str, Hint]) -> Iterator[str]:
    yield f"## {name}\n"
    yield "| hint | what was seen | what to change |"
    yield "|---|---|---|"
    for key, hint in hints.items():
        yield f"| `{key}` | {plain(hint.seen)} | {plain(hint.change)} |"
    yield ""


def plain(text: str) -> str:
    """A text of the catalogue, with dots for what is filled in."""
    return re.sub(r"\{\w+\}", "...", re.sub(r"\{(words|phase|after|more)\}", "", text)).replace("|", "\\|")


def table() -> Iterator[str]:
    """How to flush, to read a line and to write a note, by language."""
    yield LANGUAGES
    for language in languages().values():
        if language.snippets:
            codes = (
                language.snippets.get(about, "").replace("|", "\\|") for about in ("flush", "read", "note")
            )
            cells = (f"`{code}`" if code else "not needed" for code in codes)
            yield f"| {language.name} | {' | '.join(cells)} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page())
