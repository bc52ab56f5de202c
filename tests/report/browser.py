"""Opens pages for tests in a headless Chromium, by Playwright.

Playwright's loop runs in a thread of its own, because no other loop can run in the same thread.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import ConsoleMessage, Page, Request, sync_playwright

Found = TypeVar("Found")

FLAGS = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # A report opens without a network.
    "--hide-scrollbars",
)
IN_VIEWER = "(script) => { with (globalThis.viewer ?? {}) return eval(script); }"


def chromium() -> str:
    """The path of Chromium. Without Chromium the test is skipped, but in `.ci/run` it fails."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    missing = "this machine has no Chromium: apt-get install chromium"
    if os.environ.get("HARNESS_CI"):
        pytest.fail(missing)
    pytest.skip(missing)


class Browser:
    """A browser with two pages, one of a desktop and one of a phone. A test looks at one of them at a time.

    `complaints` are the errors and warnings in the console. `requests` are the network addresses that a page
    tried to load.
    """

    def __init__(self, opened: Chromium, thread: ThreadPoolExecutor) -> None:
        self._thread = thread
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._opened = opened
        self._phone = False
        self._pages: dict[bool, Page] = {}

    def _page(self, phone: bool) -> Page:
        """The page of the desktop or that of the phone. The first call for a page makes the page."""
        if phone in self._pages:
            return self._pages[phone]
        page = self._pages[phone] = self._opened.new_page(
            is_mobile=phone, has_touch=phone, device_scale_factor=2 if phone else 1
        )
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note)
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "assert", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _note(self, request: Request) -> None:
        if not request.url.startswith(("file:", "data:", "about:")):
            self.requests.append(request.url)

    def use(self, act: Callable[[Page], Found]) -> Found:
        """Calls this function with the page, in the thread of Playwright, and returns its result."""
        return self._thread.submit(lambda: act(self._page(self._phone))).result()

    def open(self, path: Path, anchor: str = "") -> None:
        """Opens a file and waits until everything that the page loads at its start has arrived."""

        def go(page: Page) -> None:
            page.goto("about:blank")  # Without this, a new anchor in the same file would load nothing.
            page.goto(path.resolve().as_uri() + anchor)
            page.evaluate("globalThis.viewer?.ready")

        self.use(go)

    def run(self, script: str) -> Any:
        """The value of a JavaScript text; if this value is a promise, its result. On the page of a viewer,
        the script can use the names that the object `viewer` has."""
        return self.use(lambda page: page.evaluate(IN_VIEWER, script))

    def look(
        self,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        phone: bool = False,
        still: bool = True,
    ) -> None:
        """Sets the size and the theme of the screen. `still` says that the reader wants no animations.

        The phone has a page of its own: a file that is open on the desktop is not open there.
        """
        self._phone = phone

        def set_up(page: Page) -> None:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce" if still else "no-preference",
            )

        self.use(set_up)

    def heap_mb(self) -> float:
        """The memory that the scripts of the page use."""

        def measure(page: Page) -> float:
            tools = page.context.new_cdp_session(page)
            tools.send("HeapProfiler.collectGarbage")
            return float(tools.send("Runtime.getHeapUsage")["usedSize"])

        return self.use(measure) / 1e6


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Starts a browser, and ends it."""
    program = chromium()
    with ThreadPoolExecutor(1) as thread:
        playwright = thread.submit(lambda: sync_playwright().start()).result()
        try:
            # CI runs as root, and Chromium has no sandbox for root. Chromium opens only our own pages here.
            launch = partial(playwright.chromium.launch, chromium_sandbox=False)
            opened = thread.submit(launch, executable_path=program, args=FLAGS).result()
            yield Browser(opened, thread)
            thread.submit(opened.close).result()
        finally:
            thread.submit(playwright.stop).result()
