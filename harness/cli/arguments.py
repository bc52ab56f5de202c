"""Defines the types of arguments that several commands have: files, records, bots and games.

Each of these types tells a shell how to complete the argument.
"""

from __future__ import annotations

import os
import stat
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.errors import InputError
from harness.escape import shown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

EMPTY = "expected a path, but this is empty"


class File(click.ParamType[Path]):
    """The type of an argument that names a file or a folder. The file need not exist yet."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Converts the argument to a Path. Raises InputError if the argument is empty, or if the file exists
        but cannot be read."""
        return value if isinstance(value, Path) else reachable(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Lets the shell complete the names of files."""
        return _files(incomplete)


def _files(incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


FILE = File()


def reachable(text: str) -> Path:
    """Returns the path that a user named. It is no error if no file has this path. Raises InputError if the
    text is empty, or if the file exists but cannot be read."""
    where = shown(text)
    if not text:
        raise InputError(EMPTY, "''")
    path = Path(text)
    try:
        mode = os.R_OK | (os.X_OK if stat.S_ISDIR(os.stat(path).st_mode) else 0)
    except FileNotFoundError:
        return path
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"this cannot be read: {reason}", where) from None
    if not os.access(path, mode, effective_ids=os.access in os.supports_effective_ids):
        raise InputError("this cannot be read: Permission denied", where)
    return path


class RecordFolder(File):
    """The type of an argument that names the folder of a record. The user may name a league instead. Then the
    command reads the record of the league's final. If no final has been played yet, it reads the record of
    the last tournament, or else the record of the ladder. A remark on stderr says which of these records the
    command reads."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Converts the argument to the folder of a record. Raises InputError if the folder cannot be read, or
        if it is a league without a record."""
        path = super().convert(value, param, ctx)
        if isinstance(value, Path):
            return path
        from harness.league import is_league  # This import loads the keys of plans. Few commands need them.

        if not is_league(path):
            return path
        from harness.cli.leagues import record_of

        return record_of(path)


RECORD = RecordFolder()


class _Bot(click.types.StringParamType):
    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the argument. Raises InputError if the argument is empty, because an empty path would mean
        the current folder."""
        if value == "":
            raise InputError(EMPTY, "''")
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return _files(incomplete)


BOT = _Bot()
"""The type of an argument that names a bot by its folder, by its file, or by the name of a house bot."""


class _Game(click.types.StringParamType):
    name = "game"

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "`harness games` lists the games."

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from harness.games import names

        return [CompletionItem(name) for name in names() if name.startswith(incomplete)] or _files(incomplete)


GAME = _Game()
"""The type of an argument that names a game, by its name or by the path of its file."""


class Finite(click.FloatRange):
    """The type of a number in a range. The class FloatRange of click accepts `nan` and `inf`, but this type
    refuses them."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Converts the argument to a float."""
        found: float = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return found


MINUTES = Finite(min=0.1)
"""The type of a number of minutes."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The flag `--json` of commands that print a table."""
