"""Plays bots and functions against each other in one call, without a plan file: for notebooks."""

from __future__ import annotations

import shutil
import socketserver
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from harness import games
from harness.config.document import parsed
from harness.config.names import MOST_NAME
from harness.config.toml_text import toml
from harness.play.conduct import conduct
from harness.protocol.function_bot import Function, FunctionBot
from harness.results.rows import standings
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

    bots  paths of bots, and functions; or a dict of them by name
    game  a game's name, or the path of its file or folder
    logs  the record is kept in the folder `logs/NAME`; an older one is renamed to `logs/NAME~1` and so on
    say   called with each message, as `say=print`
    keys  any other keys of a plan, as `seats=4`, `deals=100`, `options={"variant": "cards"}`, `name="first"`

    A function gets a `FunctionTurn` (`turn.legal` are the legal moves) and returns a move. It runs in this
    program, so it may use all that is there; the other bots run as always. Functions are asked one at a time,
    unless you set `workers` or `at_once`. With functions, bots are not isolated, unless you set `isolation`.

    `harness.standings` has the keys of the dicts, and `harness.read_log` all else that is on record.

    Raises InputError if the plan cannot be played. If a function raises an exception, its bot has crashed,
    and `run` raises this exception at the end; of an exception that ends programs, as SystemExit, it makes a
    RuntimeError.
    """
    rules = games.find(game)
    named = bots.items() if isinstance(bots, Mapping) else (("", bot) for bot in bots)
    failed: list[BaseException] = []
    with ExitStack() as stack:
        room = Path(stack.enter_context(TemporaryDirectory(prefix="harness-")))
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
        # As SystemExit it would end the notebook without a word.
        raise RuntimeError(f"a function that is a bot raised {type(error).__name__}: {error}") from error
    return standings(folder)


# -- functions as bots -------------------------------------------------------------------------------
#
# Functions of this program as bots: a small program plays for each, and passes its questions on to here.


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
