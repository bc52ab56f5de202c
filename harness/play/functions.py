"""Functions of this program as bots: a small program plays for each, and passes its questions on to here."""

from __future__ import annotations

import shutil
import socketserver
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from harness.config.toml_text import toml
from harness.protocol.function_bot import Function, FunctionBot

RELAY = Path(__file__).with_name("relay.py")
STDOUT, STDERR = ">", "!"
"""How each line to the relay begins: where it goes."""


class _Handler(socketserver.StreamRequestHandler):
    """One process of a bot."""

    server: _Server

    def handle(self) -> None:
        bot = FunctionBot(self.server.function)
        with suppress(ConnectionError):  # The harness has ended the process.
            for line in self.rfile:
                try:
                    answer = bot.answer(line.decode().rstrip("\n"))
                except BaseException as error:  # The bot has crashed, as any other program would have.
                    self.server.failed.append(error)
                    self._say(STDERR, traceback.format_exc().rstrip("\n"))
                    return
                if answer:
                    self._say(STDOUT, answer)

    def _say(self, to: str, text: str) -> None:
        lines = "".join(f"{to}{line}\n" for line in text.split("\n"))
        self.wfile.write(lines.encode(errors="backslashreplace"))


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: str, function: Function, failed: list[BaseException]) -> None:
        self.function = function
        self.failed = failed
        super().__init__(address, _Handler)


@contextmanager
def bot_of(function: Function, folder: Path, failed: list[BaseException]) -> Iterator[Path]:
    """The folder of a bot that asks this function, which answers during this context. What the function
    raises is put into `failed`."""
    folder.mkdir()
    shutil.copy(RELAY, folder)
    address = str(folder.with_suffix(".socket"))
    run = ["python3", RELAY.name, address]
    (folder / "bot.toml").write_text(toml({"language": "Python", "run": run}), encoding="utf-8")
    with _Server(address, function, failed) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield folder
        finally:
            server.shutdown()
