"""Finds the files of the machine that a sandbox must show so that a program runs."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from glob import glob
from pathlib import Path
from typing import NamedTuple

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix", "/gnu")
SYSTEM_PATH = ("/usr/local/bin", "/usr/bin", "/bin")
CONFIGURED = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/java-*",
    "/etc/mono",
    "/etc/perl",
    "/etc/php",
    "/etc/python3*",
    "/etc/R",
)
"""Without these, some programs of the system do not start. There are no secrets in them."""


class Toolchain(NamedTuple):
    """What a program that is not the system's needs: files, folders for PATH, and environment variables."""

    places: tuple[str, ...] = ()
    bins: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    def plus(self, other: Toolchain) -> Toolchain:
        """Both of them, this one first."""
        return Toolchain(
            self.places + other.places, self.bins + other.bins, self.environment + other.environment
        )


NO_TOOLS = Toolchain()


@lru_cache
def system() -> tuple[tuple[str, str], ...]:
    """The folders of the system's programs, as pairs: path and target if it is a link, path and "" if not."""
    return tuple((path, os.readlink(path) if os.path.islink(path) else "") for path in SYSTEM if _is(path))


@lru_cache
def configured() -> tuple[str, ...]:
    """The files and folders with the configuration of the system's programs."""
    return tuple(found for pattern in CONFIGURED for found in sorted(glob(pattern)))


@lru_cache
def toolchain(program: str) -> Toolchain:
    """What this program needs; nothing for a program of the system, and for one that does not exist.

    A program in `PREFIX/bin` gets all of PREFIX, unless that is a home folder: Java has its classes there,
    Python its library. A program of rustup only runs another one below RUSTUP_HOME.
    """
    real = os.path.realpath(program)
    if not os.path.isabs(program) or not _is(real) or of_system(real):
        return Toolchain()
    if os.path.basename(real) == "rustup":
        toolchains = os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
        bins = os.path.dirname(program)
        return Toolchain((bins, toolchains), (bins,), (("RUSTUP_HOME", toolchains),))
    if real == os.path.realpath(sys.executable):
        return Toolchain((sys.base_prefix,), (f"{sys.base_prefix}/bin",))
    places = dict.fromkeys(_prefix(path) for path in (real, os.path.abspath(program)))
    return Toolchain(tuple(places), (os.path.dirname(program),))


def tools_on_path() -> Toolchain:
    """What a build may use: the folders of our PATH that are not the system's."""
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
    prefix = folder.parent
    home = Path.home()
    whole = folder.name == "bin" and prefix != home and prefix not in home.parents and prefix.parent != home
    return str(prefix if whole else folder if folder.name == "bin" else program)


def of_system(path: str) -> bool:
    """Whether this is in a folder of the system's programs, which every sandbox shows."""
    return path.startswith(tuple(f"{each}/" for each in SYSTEM))


def _is(path: str) -> bool:
    return os.path.lexists(path)
