"""Finds the files of the machine that a program needs and that its sandbox must therefore show."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable
from functools import lru_cache
from glob import glob
from pathlib import Path
from typing import NamedTuple

from harness.config.languages import languages, programs, without_version

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/gnu")
PRIVATE = ("/scratch", "/tmp", "/dev/shm")
"""The folders in a sandbox to which a bot can write. The files in these folders are in memory, and no other
sandbox sees these files."""
SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
CONFIGURED = ("/etc/alternatives", "/etc/ld.so.cache")
"""Files and folders outside SYSTEM without which some programs of the system do not start or compile. They
contain no secrets."""
PACKAGES = ("lib*/python3*/site-packages", "lib*/python3*/dist-packages")
"""Patterns for the folders with installed packages of Python. Each pattern begins below a prefix, which is a
folder such as `/usr/local`."""


class Toolchain(NamedTuple):
    """The files and settings that a program outside the system needs.

    `places` are the files and folders that the program reads, `bins` are folders for PATH, and `environment`
    has environment variables.
    """

    places: tuple[str, ...] = ()
    bins: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    def plus(self, other: Toolchain) -> Toolchain:
        """Returns both toolchains together. The folders of `self` come first on the PATH."""
        return Toolchain(
            self.places + other.places, self.bins + other.bins, self.environment + other.environment
        )


NO_TOOLS = Toolchain()


@lru_cache
def system() -> tuple[tuple[str, str], ...]:
    """Returns the folders of the system's programs as pairs of a path and the target of a link. The target is
    "" if the folder is not a link."""
    return tuple((path, os.readlink(path) if os.path.islink(path) else "") for path in SYSTEM if _is(path))


@lru_cache
def configured() -> tuple[str, ...]:
    """Returns the files and folders with the configuration of the system's programs."""
    patterns = (*CONFIGURED, *(each for language in languages().values() for each in language.files))
    return tuple(found for pattern in patterns for found in sorted(glob(pattern)))


def packages_of_python(prefixes: Iterable[str], visible: Collection[str]) -> tuple[str, ...]:
    """Returns the folders with packages that were installed for a Python of the system, or for a Python below
    one of these prefixes.

    Leaves out the folders that are inside a path in `visible`.
    """
    found = dict.fromkeys(path for prefix in ("/usr", "/usr/local", *prefixes) for path in _packages(prefix))
    return tuple(path for path in found if not any(f"{path}/".startswith(f"{each}/") for each in visible))


@lru_cache
def _packages(prefix: str) -> tuple[str, ...]:
    patterns = (glob(each, root_dir=prefix) for each in PACKAGES)
    return tuple(sorted(f"{prefix}/{path}" for found in patterns for path in found))


@lru_cache
def toolchain(program: str) -> Toolchain:
    """Returns the toolchain of this program. The toolchain is empty if the program belongs to the system or
    does not exist.

    If the program belongs to a known language, and is in `PREFIX/bin`, it gets all of PREFIX. Java, for
    example, has its classes there, and Python has its library there. But if PREFIX is our home folder, a
    folder directly in our home folder (such as `.local`) or a folder above our home folder, the program gets
    only its folder `bin`. A program of rustup only starts another program, which is below RUSTUP_HOME. So a
    program of rustup gets RUSTUP_HOME too. Any other program gets only its own file, because a bot may name
    any program on our PATH, and the folder of that program may contain secrets, for example the solutions of
    a course.
    """
    real = os.path.realpath(program)
    if not os.path.isabs(program) or not _is(real) or (of_system(real) and of_system(program)):
        return Toolchain()
    if os.path.basename(real) == "rustup":
        toolchains = os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
        bins = os.path.dirname(program)
        return Toolchain((bins, toolchains), (bins,), (("RUSTUP_HOME", toolchains),))
    if _is_copied(real) and sys.prefix != sys.base_prefix:
        own = (
            real,
            f"{os.path.realpath(sys.prefix)}/pyvenv.cfg",
        )  # `pyvenv.cfg` names the folder of the base Python.
        return Toolchain((sys.base_prefix, *own), (f"{sys.base_prefix}/bin",))
    if real == os.path.realpath(sys.executable):
        return Toolchain((sys.base_prefix,), (f"{sys.base_prefix}/bin",))
    places = dict.fromkeys(_prefix(path) for path in (real, os.path.abspath(program)))
    return Toolchain(tuple(places), (os.path.dirname(program),))


def _is_copied(real: str) -> bool:
    """Returns whether this program is a Python in our virtual environment. `real` is a path without links, so
    this Python is a copy of another Python, and not a link to it."""
    folder, name = os.path.split(real)
    return folder == f"{os.path.realpath(sys.prefix)}/bin" and name.startswith("python")


def tools_on_path() -> Toolchain:
    """Returns the tools that a build may use: all tools in those folders of our PATH that are outside the
    system."""
    places: dict[str, None] = {}
    bins: dict[str, None] = {}
    environment: dict[str, str] = {}
    for folder in os.get_exec_path():
        if os.path.isabs(folder) and os.path.isdir(folder) and not of_system(f"{folder}/"):
            tools = toolchain(f"{folder}/rustup")
            places |= dict.fromkeys((folder, *tools.places))
            bins[folder] = None
            environment |= dict(tools.environment)
    return Toolchain(tuple(places), tuple(bins), tuple(environment.items()))


def _prefix(program: str) -> str:
    folder = Path(program).parent
    if without_version(Path(program).name) not in programs():
        return program
    prefix = folder.parent
    home = Path.home()
    whole = folder.name == "bin" and prefix != home and prefix not in home.parents and prefix.parent != home
    return str(prefix if whole else folder if folder.name == "bin" else program)


def of_system(path: str) -> bool:
    """Returns whether this path is in a folder of the system's programs. Every sandbox shows these
    folders."""
    return path.startswith(tuple(f"{each}/" for each in SYSTEM))


def _is(path: str) -> bool:
    return os.path.lexists(path)
