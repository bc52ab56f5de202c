"""Plays bots and functions against each other in one call, without a plan file, for example in a notebook."""

from __future__ import annotations

import shutil
import socketserver
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

from harness import games
from harness.config.document import parsed
from harness.config.names import MOST_NAME
from harness.config.toml_text import toml
from harness.errors import naming
from harness.play.conduct import conduct
from harness.protocol.function_bot import Function, FunctionBot
from harness.results.rows import standings
from harness.sandbox.removal import temporary_folder
from harness.schedule.plan import plan_of
from harness.worlds.simulator import env


def run(
    bots: Iterable[Function | str | Path] | Mapping[str, Function | str | Path],
    game: str,
    *,
    logs: str | Path = "logs",
    say: Callable[[str], object] | None = None,
    **keys: Any,
) -> list[dict[str, Any]]:
    """Plays a tournament of these bots, and returns the standings: one dict for each bot, the best bot first.

    bots  paths of bots, and functions; or a dict from names to paths and functions
    game  a game's name, or the path of its file or folder
    logs  the record is kept in `logs/NAME`; the folder of an older record is renamed to `logs/NAME~1`, ...
    say   called with each message, for example `say=print`
    keys  other keys of a plan, such as `seats=4`, `deals=100`, `options={"variant": "cards"}`, `name="first"`

    A function gets a `FunctionTurn` (`turn.legal` are the legal moves) and returns a move. Functions run in
    this program and may use all its objects. The other bots run as processes. Functions are asked one at a
    time, unless you set `workers` or `at_once`. If a bot is a function, bots are isolated only if you set
    `isolation`.

    `harness.standings` explains the keys of the dicts. `harness.read_log` reads the rest of the record.
    Raises InputError if the plan cannot be played. If a function raises an exception, its bot has crashed,
    and `run` raises this exception at the end. If a function raises an exception that would end this program,
    such as SystemExit, `run` raises a RuntimeError instead.
    """
    rules = games.find(game)
    named = bots.items() if isinstance(bots, Mapping) else (("", bot) for bot in bots)
    failed: list[BaseException] = []
    with ExitStack() as stack:
        room = stack.enter_context(temporary_folder("harness-"))
        entries = []
        for number, (name, bot) in enumerate(named):
            if callable(bot):
                name = name or getattr(bot, "__name__", type(bot).__name__).strip("<>")[:MOST_NAME]
                bot = stack.enter_context(bot_of(bot, room / str(number), failed))
                keys = {"workers": 1, "isolation": "none"} | keys
            entries.append({"path": str(bot), "name": name} if name else str(bot))
        seats = keys.get("seats") or env(game, None, keys.get("options", {})).seats
        table = {"name": rules.name, "game": game, "bots": entries} | keys | {"seats": seats}
        text = toml({key: str(value) if isinstance(value, Path) else value for key, value in table.items()})
        plan = plan_of(parsed(text, "harness.run", {key: f"{key}=" for key in table}), Path())
        folder = Path(logs, plan.name)
        conduct(plan, folder, say=say, fresh=True)
    for error in failed:
        if isinstance(error, Exception):
            raise error
        # A SystemExit would end the notebook without a message.
        raise RuntimeError(f"a function that is a bot raised {type(error).__name__}: {error}") from error
    return standings(folder)


# -- functions as bots -------------------------------------------------------------------------------
#
# Functions of this program can be bots. For each function there is a small program, which plays as a bot and
# passes the questions on to the function.


RELAY = Path(__file__).with_name("relay.py")
STDOUT, STDERR = ">", "!"
"""The first character of each line to the relay. This character says to which stream the relay writes the
line.
"""


class _Handler(socketserver.StreamRequestHandler):
    """The connection to one process of a bot."""

    server: _Server

    def handle(self) -> None:
        bot = FunctionBot(self.server.function)
        with suppress(ConnectionError):  # This error means: the harness has ended the process.
            for line in self.rfile:
                try:
                    answer = bot.answer(line.decode().rstrip("\n"))
                except BaseException as error:  # This exception would also crash a program.
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
    """Makes the folder of a bot that asks this function. The function answers until the `with` block ends. If
    the function raises an exception, the exception is appended to `failed`."""
    folder.mkdir()
    shutil.copy(RELAY, folder)
    address = str(folder.with_suffix(".socket"))
    run = ["python3", RELAY.name, address]
    manifest = folder / "bot.toml"
    with naming(manifest):
        manifest.write_text(toml({"language": "Python", "run": run}), encoding="utf-8")
    with _Server(address, function, failed) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield folder
        finally:
            server.shutdown()
