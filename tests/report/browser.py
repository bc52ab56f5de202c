"""Drives a headless Chromium for tests through a pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # CI runs as root, where Chromium has no sandbox; it opens our own pages alone.
    "--disable-gpu",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # A report opens without a network.
    "--hide-scrollbars",
)


def chromium() -> str:
    """The path of Chromium. Without one the test is skipped, but in `.ci/run` it fails."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    missing = "this machine has no Chromium: apt-get install chromium"
    if os.environ.get("HARNESS_CI"):
        pytest.fail(missing)
    pytest.skip(missing)


class Browser:
    """One page of a browser.

    `complaints` are the errors in its console, `requests` the addresses that it asked a network for.
    """

    def __init__(self, to: int, back: int) -> None:
        self._to = os.fdopen(to, "wb", buffering=0)
        self._back = os.fdopen(back, "rb", buffering=0)
        self._rest = b""
        self._count = 0
        self._session = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._loaded = False
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def open(self, path: Path, anchor: str = "") -> None:
        """Opens a file and waits until everything that it loads at once has arrived."""
        self._loaded = False
        self._call("Page.navigate", url="about:blank")
        while not self._loaded:
            self._hear()
        self._loaded = False
        self._call("Page.navigate", url=path.resolve().as_uri() + anchor)
        while not self._loaded:
            self._hear()
        self.run("typeof ready === 'undefined' ? null : ready")

    def run(self, script: str) -> Any:
        """The value of a script, or of the promise that it returns."""
        done = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise AssertionError(done["exceptionDetails"].get("exception", {}).get("description", str(done)))
        return done["result"].get("value")

    def look(
        self,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        phone: bool = False,
        still: bool = True,
    ) -> None:
        """Sets the size and the theme of the screen, and whether its reader wants that nothing moves."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        self._call("Emulation.setEmulatedMedia", features=[scheme, motion])

    def shoot(self, path: Path, whole: bool = False) -> None:
        """A picture of the screen, or of the whole page; the ending of the path says in which format."""
        form = path.suffix.removeprefix(".")
        shot = self._call("Page.captureScreenshot", format=form, quality=70, captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def heap_mb(self) -> float:
        """The memory that the scripts of the page use."""
        self._call("HeapProfiler.collectGarbage")
        used: float = self._call("Runtime.getHeapUsage")["usedSize"]
        return used / 1e6

    def close(self) -> None:
        """Asks the browser to end."""
        try:
            self._session = ""
            self._call("Browser.close")
        finally:
            self._to.close()
            self._back.close()

    def _call(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._count:
                assert "error" not in heard, (method, heard["error"])
                return heard["result"]

    def _hear(self) -> Any:
        while b"\0" not in self._rest:
            part = self._back.read(1 << 20)
            assert part, "the browser has gone"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        heard = json.loads(message)
        self._note(heard.get("method", ""), heard.get("params", {}))
        return heard

    def _note(self, method: str, what: Any) -> None:
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Network.requestWillBeSent":
            address = what["request"]["url"]
            if not address.startswith(("file:", "data:", "about:")):
                self.requests.append(address)
        elif method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "assert", "warning"):
            self.complaints.append(" ".join(str(part.get("value", part)) for part in what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{what['entry']['text']} {what['entry'].get('url', '')}")


@contextmanager
def open_browser(home: Path) -> Iterator[Browser]:
    """Starts a browser, and ends it by its id."""
    program = chromium()
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()

    # The browser reads file 3 and writes file 4, whatever their numbers are here.
    shell = f'exec 3<&{to_read} 4>&{back_write}; exec "$0" "$@"'
    process = subprocess.Popen(
        ["bash", "-c", shell, program, *FLAGS, f"--user-data-dir={home}", "about:blank"],
        pass_fds=(to_read, back_write),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(back_write)
    try:
        browser = Browser(to_write, back_read)
        yield browser
        browser.close()
    finally:
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
