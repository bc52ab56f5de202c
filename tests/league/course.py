"""Owns a course with twelve teams: what Canvas, Moodle and GitHub Classroom export of it; asserts nothing."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

from tests.league.handed import BOT, PLAYS, a_bomb, a_folder, a_link, a_zip

ROSTER = """team,student,id,username,github
Ants,Ann Adams,101,adams,ann-codes
Bees,Bob Baker,102,baker,bob
Cats,Cat Clark,103,clark,cat
Dogs,Dan Davis,104,davis,dan
Elks,Eva Evans,105,evans,eva
Foxes,Fay Fox,106,fox,fay
Goats,Jane Doe,107,doe1,jane
Hens,Hal Hill,108,hill,hal
Ibises,Ida Ivy,109,ivy,ida
Jays,Jay Jones,110,jones,jay-j
Kiwis,Jane Doe,111,doe2,jdoe
Lynxes,Lea Lee,112,lee,lea
"""
UNBUILT = {
    "bot.toml": "run = './bot'\nbuild = ['sh', '-c', 'echo main.c:1: error: no semicolon; exit 2']\n",
    "main.c": "int main() { return 0 }\n",
}
FOREIGN: dict[str, str | bytes] = {
    "bot.toml": "run = './bot'\n",
    "bot": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01" + bytes(200),
}
SCRIPT = ("#!/usr/bin/env -S python3 -I -S\n" + PLAYS).replace("\n", "\r\n")
LOST = {"bot.toml": "run = './bot'\n", "bot": SCRIPT}


def canvas(path: Path) -> Path:
    """The export of Canvas: Ants can play, version 2 of Bees cannot be built, Cats and Dogs send attacks."""
    room = path.parent / "canvas"
    nested = {f"my bot/{name}": text for name, text in BOT.items()}
    a_zip(room / "adamsann_101_9001_bot.zip", {**nested, "__MACOSX/my bot/._main.py": "x"})
    a_zip(room / "bakerbob_102_9002_bot.zip")
    a_zip(room / "bakerbob_102_9007_bot-1.zip", UNBUILT)
    a_bomb(room / "clarkcat_103_9004_bot.zip", 100)
    a_zip(room / "davisdan_LATE_104_9005_bot.zip", {**BOT, "../../../../evil": "x"})
    return packed(path, room)


def moodle(path: Path) -> Path:
    """The export of Moodle: a link out of the folder, a broken archive, a script without permission to be
    executed, a program for another system."""
    room = path.parent / "moodle"

    def place(name: str, number: int) -> Path:
        return room / f"{name}_{number}_assignsubmission_file_" / "bot.zip"

    a_link(place("Eva Evans", 7001), "/etc/passwd")
    broken = a_zip(place("Fay Fox", 7002))
    broken.write_bytes(broken.read_bytes()[:-50])
    a_zip(place("Jane Doe", 7003), LOST)
    a_zip(place("Hal Hill", 7004), FOREIGN, {"bot": stat.S_IFREG | 0o755})
    a_zip(place("Jane Doe", 7005))
    return packed(path, room)


def classroom(folder: Path) -> Path:
    """The export of GitHub Classroom: Ibises cannot be built, Jays can play, and no team has the user
    mole."""
    home = folder / "sevens-submissions"
    for user, files in (("ida", UNBUILT), ("jay-j", BOT), ("mole", BOT)):
        a_folder(home / f"sevens-{user}", files)
        a_folder(home / f"sevens-{user}" / ".git", {"config": "[core]\n"})
    return home


def packed(path: Path, room: Path) -> Path:
    """Makes a zip of all files in a folder."""
    with zipfile.ZipFile(path, "w") as file:
        for each in sorted(room.rglob("*")):
            file.write(each, each.relative_to(room))
    return path
