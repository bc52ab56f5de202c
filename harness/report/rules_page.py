"""Makes the page with the rules of a game, from the Markdown of the game's own page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from markupsafe import Markup

from harness import games
from harness.config import FrozenPlan
from harness.report.page import PAGES

if TYPE_CHECKING:
    from markdown_it.token import Token

STAYING = ("#", "http://", "https://")
"""The beginnings of links that also work in a report."""


def rules_page(plan: FrozenPlan, name: str, title: str) -> str:
    """Makes the page. `name` is the name of the tournament, and `title` is the title of the game.

    Returns "" if the game has no page that can be read. A game that comes from a library, for
    example `openspiel:leduc_poker`, has none either: the page about the library has no rules of single games.
    """
    text = _text(plan.game.find)
    if not text:
        return ""
    rules, parts = _html(text)
    return PAGES.get_template("rules.html").render(name=name, title=title, rules=rules, parts=parts)


def _text(game: str) -> str:
    """Returns the Markdown of the game's page, or ""."""
    if ":" in game and not games.is_path(game):
        return ""
    try:
        return games.page_of(game).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _html(text: str) -> tuple[Markup, list[tuple[str, str]]]:
    """Translates Markdown into HTML. Returns the HTML, and the headings of the parts: the id and the words of
    each heading."""
    from markdown_it import MarkdownIt  # The import is slow, and few commands need it.

    # HTML in the text is shown as text.
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table>\n')
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens, parts = reader.parse(text), list[tuple[str, str]]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[`*]", "", tokens[place + 1].content)
            token.attrSet("id", _anchor(words))
            if token.tag == "h2":
                parts.append((_anchor(words), words))
        elif token.type == "th_open" and not tokens[place + 1].content:
            token.tag = tokens[place + 2].tag = "td"  # A heading without words says nothing.
        elif token.type in ("fence", "code_block"):
            token.attrSet("tabindex", "0")  # The keyboard can then scroll the block too.
        elif token.children:
            token.children = list(_without_files(token.children))
    return Markup(reader.renderer.render(tokens, reader.options, {})), parts


def _anchor(heading: str) -> str:
    """Returns the id of a heading in the form of GitHub. Links in the pages of games use this form."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _without_files(parts: Iterable[Token]) -> Iterator[Token]:
    """Yields the parts of a line. Replaces each picture, and each link to a file that is not in a report, by
    its words."""
    staying = True
    for part in parts:
        if part.type == "link_open":
            staying = str(part.attrGet("href")).startswith(STAYING)
        if part.type == "image":
            part.type = "text"
        if staying or part.type not in ("link_open", "link_close"):
            yield part
