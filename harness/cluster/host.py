"""Describes this machine, and unpacks the bots and the game of a tournament on this machine.

If this machine lacks something that the tournament needs, an InputError says so in one sentence. The user
reads this sentence on the machine that runs `harness run`.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Mapping
from pathlib import Path
from socket import gethostname
from typing import NamedTuple

from harness import __version__, games
from harness.cluster.errand import Session, Shipment
from harness.cluster.parcel import Parcel, unpack
from harness.config import Bot, frozen_game
from harness.config.programs import install
from harness.errors import InputError, naming
from harness.job import Entrant, PlainRules
from harness.job.workers import cores
from harness.sandbox import cgroup
from harness.sandbox.builds.copies import changes
from harness.sandbox.isolation import Isolation, account, achieved, entrant


class HostFacts(NamedTuple):
    """The properties of a machine."""

    host: str
    harness: str
    python: str
    system: str
    libc: str
    cpu: str
    isolation: str
    """The strongest level of isolation that works on this machine."""
    groups: bool
    """True if the kernel limits the memory of isolated bots."""
    workers: int
    account: str
    """Who counts the CPU time of bots at this level of isolation (`harness.model.ACCOUNTS`)."""

    def differences(self, other: HostFacts) -> list[str]:
        """Lists the differences between this machine and `other` that may change the results of bots. Each
        difference is a part of a sentence."""
        pairs = (
            ("its processor is", self.cpu, other.cpu),
            ("its C library is", self.libc, other.libc),
            ("the kernel limits memory there:", str(self.groups), str(other.groups)),
            ("its account of CPU time is", self.account, other.account),
        )
        return [f"{what} {one}, not {two}" for what, one, two in pairs if one != two]

    def unlike(self, here: HostFacts) -> str:
        """Returns the reason why this machine cannot play any sittings for the machine `here`, or "" if it
        can."""
        pairs = (
            ("harness", self.harness, here.harness),
            ("Python", self.python, here.python),
            ("the system", self.system, here.system),
        )
        return next((f"{what} is {one} there, and {two} here" for what, one, two in pairs if one != two), "")


def facts(workers: int | None = None) -> HostFacts:
    """Collects the properties of this machine. `workers` is the number of workers. The default is one worker
    for each core."""
    level = achieved("auto").level
    return HostFacts(
        host=gethostname(),
        harness=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        libc=" ".join(platform.libc_ver()),
        cpu=_cpu(),
        isolation=level,
        groups=cgroup.limiting(),
        workers=workers or len(cores()) or os.cpu_count() or 1,
        account=account(level, "wall"),
    )


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


class Parcels:
    """The parcels that have arrived on this machine, as files in a folder that only this process changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def lacking(self, names: tuple[str, ...]) -> list[str]:
        """Returns the names of the parcels that are not on this machine."""
        return [name for name in names if not (self._folder / name).is_file()]

    def store(self, name: str, at: int, piece: bytes, last: bool) -> None:
        """Stores a piece of a parcel. After the last piece, raises InputError if the parcel is damaged."""
        arriving = self._folder / f".{name}"
        with naming(arriving), arriving.open("r+b" if at else "wb") as file:
            file.seek(at)
            file.write(piece)
        if last:
            Parcel(name, arriving).check()
            arriving.rename(self._folder / name)

    def unpack(self, name: str, home: Path) -> None:
        """Unpacks a parcel into the new folder `home`."""
        unpack(Parcel(name, self._folder / name), home)


class Lodging:
    """The unpacked files of a session on this machine: the bots and the game of the session.

    The constructor raises InputError if this machine lacks something that the session needs.
    """

    def __init__(self, session: Session, parcels: Parcels, folder: Path) -> None:
        """Makes the folder `folder`, and unpacks into it the parcels that the session names."""
        self._parcels = parcels
        self._session = session
        self._folder = folder
        folder.mkdir(0o700)
        self._check_programs()
        self.rules = self._rules()
        isolation = achieved(session.isolation, session.rules.limits.clock)
        self._bots: dict[str, Bot] = {}
        self.entrants: Mapping[str, Entrant] = {
            bot.name: self._entrant(bot, isolation) for bot in session.bots
        }
        self.changed = changes(self._bots, isolation.level)
        """A function that returns how the machine has changed the files of a bot."""

    def _check_programs(self) -> None:
        for program in self._session.needs:
            if shutil.which(program) is None:
                hint = f" (Debian: {command})" if (command := install([program])) else ""
                raise InputError(f"{program} is not installed{hint}")
        for path in self._session.visible:
            if not Path(path).exists():
                raise InputError(f"bots may read {path}, and it does not exist")

    def _rules(self) -> PlainRules:
        session = self._session
        rules = session.rules
        if session.game_parcel:
            home = self._folder / "game"
            self._parcels.unpack(session.game_parcel, home)
            home.chmod(0o700)
            rules = rules._replace(game=str(home / rules.game))
        game = games.find(rules.game)
        if frozen_game(game, rules.game).digest != session.game:
            raise InputError(f"the rules of {game.name} are others than here")
        return rules

    def _entrant(self, bot: Shipment, isolation: Isolation) -> Entrant:
        level = isolation.level
        if bot.broken:
            return Entrant(bot.name, (), "", isolation=level, broken=bot.broken, account=isolation.account)
        home = self._folder / str(len(self._bots) + 1)  # Each bot has its own folder.
        self._parcels.unpack(bot.parcel, home)
        made = Bot(bot.name, bot.name, home, bot.run, alone=bot.alone, bounds=bot.bounds)
        self._bots[bot.name] = made
        return entrant(made, level, self._session.visible, isolation.account)
