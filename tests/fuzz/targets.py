"""The targets of fuzzing: functions that read what strangers write, first inputs, and expected errors.

Bots, students, teams and everybody who keeps a log are strangers. A target that raises an error that is not
named here has a bug.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from harness import config, protocol
from harness.cli.settings import settings
from harness.config.policies import POLICIES
from harness.config.scheme import read_scheme
from harness.errors import HarnessError, InputError, RecordError
from harness.events import Ended
from harness.games import find
from harness.grading.roster import read_roster
from harness.model import Limits, Malformed
from harness.protocol import Misspelt, Problem, Wants
from harness.protocol.inbox import Inbox
from harness.record import packs
from harness.record.log import DIGEST, JOURNAL, PLAN, encounter_path, read_journal
from harness.record.one_match import RecordedMatch
from harness.record.run_folder import history_of, plan_of
from harness.results.standings import standings
from harness.schedule.plan import read_plan
from harness.schedule.recorded import check_recorded
from tests.cli import logs
from tests.record.recorded import OPENED, began, both, out, voided

SMALL = Limits(line_bytes=64, unread_bytes=256)


class Target(NamedTuple):
    """A function that reads bytes, the errors that it may raise, and the inputs with which fuzzing begins."""

    read: Callable[[bytes], object]
    raises: tuple[type[HarnessError], ...]
    seeds: tuple[bytes, ...]


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    """A temporary folder. It is removed when this process ends."""
    return tempfile.TemporaryDirectory(prefix="harness-fuzz-")


@cache
def workspace() -> Path:
    """A folder that only this process uses, with a record and two bots in it."""
    folder = Path(_kept().name)
    logs.write(folder)
    for bot in ("bot", "player"):
        (folder / bot).mkdir()
        (folder / bot / "main.py").write_text("pass\n")
    (folder / "player" / "bot.toml").write_text('run = "python3 main.py"')
    return folder


def tamed(data: bytes) -> bytes:
    """The bytes without paths that lead out of the folder: a target must not read files elsewhere."""
    return data.replace(b"..", b"__").replace(b"/", b"_").replace(b"\\u", b"_u").replace(b"\\U", b"_U")


# -- what bots say ---------------------------------------------------------------------------------


def codec(data: bytes) -> None:
    """Asserts that an inbox reads the same answer, however the bytes are cut into pieces."""
    whole, cut = heard(data, len(data) + 1), heard(data, 7)
    assert whole == cut or isinstance(whole[-1], Problem) or isinstance(cut[-1], Problem), (whole, cut)
    answer = whole[0]
    if isinstance(answer, str):
        assert isinstance(protocol.read_hello(answer), Wants | Malformed)
        assert isinstance(protocol.read_ready(answer), Malformed | None)
        assert answer.isascii()
        assert answer.isprintable()
    for each in whole:
        reason = each.reason if isinstance(each, Problem | Misspelt) else str(each)
        lines = protocol.block(protocol.fault("malformed", reason)).decode("ascii")
        assert lines.count("\n") == 2


def heard(data: bytes, size: int) -> list[str | Misspelt | Problem | None]:
    """What an inbox reads from these bytes, in pieces of this size, up to the first answer or problem."""
    inbox = Inbox(SMALL)
    found: list[str | Misspelt | Problem | None] = []
    for at in range(0, len(data), size):
        found = [inbox.answer(data[at : at + size])]
        if found[0] is not None:
            break
    inbox.take_comments()
    inbox.left_over()
    return found or [inbox.before_question(data)]


# -- what students write ---------------------------------------------------------------------------


def plan(data: bytes) -> None:
    path = workspace() / "plan.toml"
    path.write_bytes(tamed(data))
    read = read_plan(path)
    assert config.thaw(config.encoded(config.freeze(read, 1))) == config.freeze(read, 1)


def manifest(data: bytes) -> None:
    (workspace() / "bot" / "bot.toml").write_bytes(tamed(data))
    bot = config.read_bot(workspace() / "bot")
    assert bot.run
    assert bot.name.isprintable()


def scheme(data: bytes) -> None:
    path = workspace() / "scheme.toml"
    path.write_bytes(data)
    read_scheme(path, "cup", ("anna", "bert", "random"), house=("random",))


def roster(data: bytes) -> None:
    read_roster(data.decode("utf-8", "replace"), "roster.csv", ("anna", "bert"))


def flags(data: bytes) -> None:
    """The values of --option and --limit, decoded as Python decodes the arguments of a command."""
    written = data.decode("utf-8", "surrogateescape").split("\n")
    settings("--limit", written[:1], Limits)
    settings("--option", written[1:], find("squash").options)


# -- what lies in a folder of logs -----------------------------------------------------------------


def frozen(data: bytes) -> None:
    check_recorded(config.thaw(data), Path(PLAN), None)


def journal(data: bytes) -> None:
    path = workspace() / JOURNAL
    path.write_bytes(data)
    list(read_journal(workspace()))


def history(data: bytes) -> None:
    """Gives each line a valid digest, so that the reader does not stop at a wrong digest."""
    folder = workspace() / "history"
    folder.mkdir(exist_ok=True)
    before, sealed = "", []
    for line in data.split(b"\n"):
        if line.endswith(b"}"):
            before = sha256(before.encode() + line).hexdigest()[:DIGEST]
            sealed.append(line[:-1] + b',"digest":"' + before.encode() + b'"}\n')
    # A folder of logs must have a plan, and only bots of the plan can play in its runs.
    plan = config.thaw((workspace() / "logs" / "tiny" / PLAN).read_bytes())
    bots = tuple(replace(plan.bots[0], name=bot) for bot in "abcdefgh")
    (folder / PLAN).write_bytes(config.encoded(replace(plan, bots=bots)))
    (folder / JOURNAL).write_bytes(b"".join(sealed))
    told = history_of(folder)
    for policy in POLICIES:
        standings(told, policy, 2 if policy == "strikes" else None)


def encounter(data: bytes) -> None:
    folder = workspace() / "logs" / "tiny"
    encounter_path(folder, 1, 1).write_bytes(data)
    RecordedMatch(folder, "1.1.1.1").judge(plan_of(folder), lambda record, state: None)


def pack(data: bytes) -> None:
    """A pack of the encounters that PACKED names."""
    path = workspace() / "run-1" / "000.zip"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)  # Harness knows open packs by inode, time and size; this is a new inode.
    path.write_bytes(data)
    packs.members(path)
    for name in PACKED:
        if packs.size_of(path.with_suffix("") / name) is not None:
            packs.read_file(path.with_suffix("") / name)


def _packed() -> bytes:
    folder = workspace() / "run-2" / "000"
    folder.mkdir(parents=True)
    for name in PACKED:
        (folder / name).write_bytes(b'{"is":"result"}\n' * 9)
    packs.seal(folder)
    return packs.pack_of(folder).read_bytes()


# -- all of them -----------------------------------------------------------------------------------

CODEC = (b"hello 1 legal\n", b"# hm\r\nplay 5D 5 0\nplay\n", b"\xff\0\n#\n\n", b"x" * 99)
PLAN_TEXT = b"""
game = "sevens"
seats = 2
seed = 1
bots = ["player", {path = "player", name = "b"}]
deals = 2
policy = "strikes"
strikes = 3
[limits]
move_ms = 100
[options]
"""
BOM_PLAN = b"\xef\xbb\xbfgame = 'sevens'\n[[bots]]\npath = '*'\n"
MANIFEST = b'run = "python3 main.py"\nname = "b"\nproducts = ["*.o"]\n'
BUILT = b"run = ['./bot']\nbuild = 'make all'\nlanguage = 'C'\n"
SCHEME = b'[[item]]\nkind = "start"\npoints = 10\n'
BEATS = b"""
cap = 9
letters = {A = 90, B = 80}
[[item]]
kind = "beats"
points = 1
bots = ["bert"]
confidence = 0.9
"""
ROSTER = b'team,student,id\nanna,Anna A,1\nbert,"B, B",2\n'
FLAGS = (b"move_ms=5\nboard=default", b"a=b\n\xff=1")
PACKED = ("000001.jsonl", "000002.jsonl", "000002.1.2.stderr")
RUN = (OPENED, began(1, "abc", encounters=3), voided("1.1.1", "ab"), *both(1, 1, "ab", "b"))
RERUN = (
    *RUN,
    out("b", "1.1.1.1", 1),
    began(2, "ac", encounters=1),
    *both(1, 1, "ac", run=2),
    Ended("so be it"),
)


def targets() -> dict[str, Target]:
    """All targets by name."""
    record = workspace() / "logs" / "tiny"
    file = encounter_path(record, 1, 1)
    encode = msgspec.json.Encoder().encode_lines
    return {
        "codec": Target(codec, (), CODEC),
        "plan": Target(plan, (InputError,), (PLAN_TEXT, BOM_PLAN)),
        "manifest": Target(manifest, (InputError,), (MANIFEST, BUILT)),
        "scheme": Target(scheme, (InputError,), (SCHEME, BEATS)),
        "roster": Target(roster, (InputError,), (ROSTER,)),
        "flags": Target(flags, (InputError,), FLAGS),
        "frozen": Target(frozen, (InputError, RecordError), ((record / PLAN).read_bytes(),)),
        "journal": Target(journal, (RecordError,), ((record / JOURNAL).read_bytes(),)),
        "history": Target(history, (RecordError,), (encode(RERUN), encode(RUN))),
        "encounter": Target(encounter, (RecordError, InputError), (file.read_bytes(),)),
        "pack": Target(pack, (RecordError,), (_packed(),)),
    }


def tried(target: Target, data: bytes) -> None:
    """Lets the target read the data, and ignores the errors that the target may raise."""
    with contextlib.suppress(*target.raises):
        target.read(data)
