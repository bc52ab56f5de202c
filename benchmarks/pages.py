"""Measures how long it takes to write a small report, and how long a browser needs for the pages of a large
report.

    python -m benchmarks.pages            # 20,000 matches
    python -m benchmarks.pages 100000

The matches of the large report are copies of a few matches of Sevens. So its list of matches is as long as
the list of a large tournament, and the browser draws small pictures of the matches. Each figure is the
smallest of several measured values, because other programs can only slow a browser down. The benchmark needs
Chromium. The exit code is 1 if a figure is above its bound.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Page
from tabulate import tabulate

from tests.report import played
from tests.report.browser import Browser, open_browser
from tests.report.packed import listed

ROUNDS = 5
SMALL = 8
"""The number of deals of the small tournament. Each deal is played in 3 orders of seats."""
REST_MS = 500
"""After a page has loaded, it may still work for this number of milliseconds, for example draw small
pictures. This work is measured too."""
WATCH = """
window.long = [0];
new PerformanceObserver((list) => long.push(...list.getEntries().map((each) => each.duration)))
  .observe({ type: "longtask", buffered: true });
"""


class Figure(NamedTuple):
    """A measured figure and its bound, both in milliseconds."""

    name: str
    found: float
    most: float


def report_ms(logs: Path) -> float:
    """The CPU time of the command `harness report`, including the start of Python."""
    before = getrusage(RUSAGE_CHILDREN)
    command = (sys.executable, "-m", "harness", "report", str(logs))
    subprocess.run(command, check=True, capture_output=True)
    after = getrusage(RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def lengthen(report: Path, matches: int) -> None:
    """Repeats the rows in the report's list of matches, until it has this number of matches."""
    found = listed(report)
    found["rows"] = [found["rows"][number % len(found["rows"])] for number in range(matches)]
    text = json.dumps(json.dumps(found, separators=(",", ":")))
    (report / "matches.js").write_text(f"matches(JSON.parse({text}));\n")


def opened_ms(browser: Browser, page: Path, anchor: str = "") -> tuple[float, float]:
    """Opens a page. Returns the time that the page kept its thread busy, and the time of its longest task."""

    def cost(tab: Page) -> tuple[float, float]:
        tools = tab.context.new_cdp_session(tab)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto("about:blank")
        before = _busy(tools.send("Performance.getMetrics"))
        tab.goto(page.resolve().as_uri() + anchor)
        tab.evaluate(WATCH)
        tab.wait_for_timeout(REST_MS)
        busy = _busy(tools.send("Performance.getMetrics")) - before
        return 1e3 * busy, float(tab.evaluate("Math.max(...long)"))

    return browser.use(cost)


def _busy(told: dict[str, list[dict[str, float]]]) -> float:
    [seconds] = [each["value"] for each in told["metrics"] if str(each["name"]) == "TaskDuration"]
    return seconds


def figures(folder: Path, matches: int, browser: Browser) -> list[Figure]:
    """Measures all figures."""

    def least(measure: Callable[[], tuple[float, ...]]) -> list[float]:
        return [min(each) for each in zip(*(measure() for _ in range(ROUNDS)), strict=True)]

    logs = played.write(folder, "sevens", 3, deals=SMALL)
    [small] = least(lambda: (report_ms(logs),))
    lengthen(logs / "report", matches)
    index, _ = least(lambda: opened_ms(browser, logs / "report" / "index.html"))
    bot, task = least(lambda: opened_ms(browser, logs / "report" / "bot.html", "#anna"))
    return [
        Figure(f"report of {3 * SMALL} matches, CPU", small, 1_000),
        Figure(f"first page of {matches:,} matches, CPU", index, 1_000),
        Figure(f"page of a bot, {matches:,} matches, CPU", bot, 1_000),
        Figure("the longest task of that page", task, 100),
    ]


def main(arguments: Sequence[str]) -> int:
    """Prints the figures. Returns 1 if one is above its bound."""
    with TemporaryDirectory(prefix="benchmarks-") as folder, open_browser() as browser:
        found = figures(Path(folder), int(arguments[0]) if arguments else 20_000, browser)
    rows = [(each.name, f"{each.found:.0f}", f"{each.most:,.0f}") for each in found]
    print(
        tabulate(
            rows, ("figure", "ms", "at most"), colalign=("left", "right", "right"), disable_numparse=True
        )
    )
    return any(each.found > each.most for each in found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
