"""Writes docs/mistakes.md from the catalogue of hints. `make docs` runs it; a test compares the page."""

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

The command builds the bot in a copy of its folder, starts the bot, and plays matches in which it takes every
seat.
Then the bot plays one match against opponents that answer slowly. After that, a new process of the bot plays
the same match twice, with the same SEED and with quick opponents.
At the end the bot plays 10 matches against each house bot of the game. These matches are the same in each
call of the command. If 10 seconds are over before that, fewer matches are played.
A 95 % interval says how much better or worse your bot is than the house bot. The word `open` means that the
matches are too few to show which of the two is better. `--house 50` plays more matches, and `--house 0` plays
no matches against house bots.

At the first fault the command stops.
It prints the fault, a hint, the question, the answer, the position, and the standard error of the bot:

```text
✓ starts, and answers `hello` after 31.2 ms: python3 main.py
✗ seat 1 of 2, match 1: malformed: the answer begins with `play`; it said '9H 3
  0'
  hint     The bot said `9H 3 0`; right would be `play 9H 3 0`. Begin each
           answer with the word of the question.
  asked    play 1000 -1
  said     9H 3 0
```

The position is everything that the bot could know, written like the lines
[`state`](../protocol.md#state). If the bot did not ask for `state`, it did not get these lines: events told
it the same facts.

To find the cause, the command asks the bot the same questions again, in a new process, but under other
conditions:

- If a bot does not answer, but uses CPU time the whole time, it computes too long.
- If a bot does not answer and uses no CPU time, the command sends one more line, then many lines, then the
  same question many times. At last the command closes the input of the bot.
- If a bot fails in its second match, a new process plays only this match.
- If a bot fails in one seat, the command tells the bot that it has another seat.
- If a bot ends too early, the command sends the last lines one by one. So the command finds the line at which
  the bot ends.

In the tables below, three dots stand for a detail of the bot.
With `--json` each step has the name of the hint (`hint`), the text of the hint (`advice`), the fault with its
evidence, and the standard error of the bot.
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
    """A text of the catalogue, with three dots for each detail that is filled in later."""
    return re.sub(r"\{\w+\}", "...", re.sub(r"\{(words|phase|after|more)\}", "", text)).replace("|", "\\|")


def table() -> Iterator[str]:
    """The lines of a table: for each language, how to flush, how to read a line, how to write a note."""
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
