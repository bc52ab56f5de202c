"""Gives notebooks and Python programs the main functions of harness, a tournament harness for bots.

    import harness

    harness.run([choose, "bots/starters/c"], "sevens")  # plays a function against a bot
    plan = harness.read_plan("tournaments/demo.toml")
    harness.conduct(plan, "logs/demo", say=print)       # plays the tournament, or continues it
    harness.standings("logs/demo")                      # a list: one dict for each bot, the best bot first
    harness.read_log("logs/demo", "turn", "fault")      # one dict for each line of these two kinds
    harness.verify("logs/demo")                         # computes every result again and compares
    harness.find_game("sevens")                         # the rules of a game, to play without bots
    harness.env("squash")                               # a simulator of a game, to train a program
    harness.aec_env("squash")                           # the same as an environment of PettingZoo

docs/python.md has an example for each function. Every error is a HarnessError, and `harness.errors` has the
kinds of errors. An InputError says that a file or an argument is wrong. A RecordError says that a record is
damaged. A MachineError says that this machine cannot continue.

`import harness` alone loads no other module of harness. Each function above is imported when a program
first uses this function.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.9.0"

DISTRIBUTION = "tournament-harness"
"""The name of this package on the Python Package Index. Another project has the name `harness` there."""

__all__ = [
    "HarnessError",
    "__version__",
    "aec_env",
    "conduct",
    "env",
    "find_game",
    "read_log",
    "read_plan",
    "run",
    "standings",
    "verify",
]

if TYPE_CHECKING:
    from harness.errors import HarnessError
    from harness.games import find as find_game
    from harness.play.conduct import conduct
    from harness.play.together import run
    from harness.results.rows import read_log, standings
    from harness.schedule.plan import read_plan
    from harness.verify import verify
    from harness.worlds.aec import aec_env
    from harness.worlds.simulator import env
else:
    _HOMES = {
        "HarnessError": "harness.errors",
        "aec_env": "harness.worlds.aec",
        "conduct": "harness.play.conduct",
        "env": "harness.worlds.simulator",
        "find_game": "harness.games",
        "read_log": "harness.results.rows",
        "read_plan": "harness.schedule.plan",
        "run": "harness.play.together",
        "standings": "harness.results.rows",
        "verify": "harness.verify",
    }
    _THERE = {"find_game": "find"}

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(_HOMES[name]), _THERE.get(name, name))
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


def install_command(*packages: str) -> str:
    """Returns the command that installs packages from the Python Package Index where harness is installed."""
    import shlex
    from pathlib import Path

    if Path(sys.prefix, "pipx_metadata.json").exists():
        return f"pipx inject --force {DISTRIBUTION} {shlex.join(packages)}"
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    return shlex.join((str(python), "-m", "pip", "install", "--upgrade", *packages))


def missing_package(error: ImportError) -> str:
    """Returns a sentence that names the package that is missing or too old, and the command that installs it.

    Returns "" if the error has another cause. Raises MemoryError if there is not enough memory to import a
    file.
    """
    if "failed to map segment" in str(error):
        # The system gives the same error if no program on the disk may run (`noexec`).
        file = str(error).partition(":")[0]
        causes = "there is not enough memory (`ulimit -v`), or its disk is mounted with `noexec`"
        raise MemoryError(f"{file} cannot be loaded: {causes}") from error
    module = (error.name or "").partition(".")[0]
    if module in ("", "harness"):
        return ""
    package = module.replace("_", "-")
    return f"{package} is not installed, or too old: run `{install_command(package)}`"


class _Package(ModuleType):
    """The type of the module `harness`. The name `harness.verify` means a function, but there is also a
    module `harness/verify`. Without this class, an import of this module would replace the function by
    the module."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
