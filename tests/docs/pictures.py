"""Makes the pictures of the documentation from a record, light and dark. Needs Chromium.

`make demo pictures` plays the tournament and makes all of them.
"""

from __future__ import annotations

import base64
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, MONOKAI
from rich.text import Text

from tests.cli.door import harness
from tests.report.browser import Browser, open_browser
from tests.report.feedback.test_page_browser import SCHEME

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
THEMES = {"light": DEFAULT_TERMINAL_THEME, "dark": MONOKAI}
WIDTH, HEIGHT = 1100, 640
TEAM = "violator"
"""The bot of the demonstration that breaks a rule."""
TERMINAL = """
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""
"""The SVG frame of the library rich, but with fonts of the reader's machine. So the picture loads no font."""


def terminal(command: str, output: str) -> None:
    """Writes a picture (SVG with text) of a command and its output."""
    for name, theme in THEMES.items():
        console = Console(record=True, width=104, file=io.StringIO())
        console.print(Text(f"$ {command}", style="bold"))
        console.print(Text(output.rstrip()), soft_wrap=False)
        svg = console.export_svg(title="", theme=theme, code_format=TERMINAL.strip(), unique_id=f"t-{name}")
        (PICTURES / f"terminal-{name}.svg").write_text("\n".join(map(str.rstrip, svg.splitlines())) + "\n")


def pages(report: Path, team: str, browser: Browser) -> None:
    """Makes pictures of a match, of the standings, of a bot's page and of a team's page."""
    browser.open(report / "index.html")
    match = browser.run("document.querySelector('.watch a, #list a').getAttribute('href').split('#')[1]")
    best = browser.run("document.querySelector('#standings td a').getAttribute('href').split('#')[1]")
    shown = (
        ("match", "match.html", f"#{match}", "go(Math.floor(stops.length * 0.6))"),
        ("standings", "index.html", "", "0"),
        ("bot", "bot.html", f"#{best}", "0"),
        ("team", f"../grades/feedback/{team}.html", "", "0"),
    )
    for name, page, anchor, before in shown:
        for theme in THEMES:
            browser.look(width=WIDTH, height=HEIGHT, dark=theme == "dark")
            browser.open(report / page, anchor)
            browser.run(f"{before}; new Promise((done) => setTimeout(done, 200))")
            shot = browser.use(_picture)
            (PICTURES / f"{name}-{theme}.webp").write_bytes(base64.b64decode(shot["data"]))


def _picture(page: Page) -> Any:
    """A picture of the screen as WebP. Playwright itself cannot write this format."""
    tools = page.context.new_cdp_session(page)
    return tools.send("Page.captureScreenshot", {"format": "webp", "quality": 70})


def main(logs: Path) -> None:
    """Makes all pictures from this record."""
    PICTURES.mkdir(exist_ok=True)
    terminal(f"harness standings logs/{logs.name}", harness("standings", logs).stdout)
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        done = harness("report", logs, "--out", Path(folder) / "report")
        assert done.exit_code == 0, done.output
        scheme = Path(folder) / "scheme.toml"
        scheme.write_text(SCHEME)
        done = harness("grade", logs, "--scheme", scheme, "--out", Path(folder) / "grades")
        assert done.exit_code == 0, done.output
        pages(Path(folder) / "report", TEAM, browser)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
