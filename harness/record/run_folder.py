"""Makes and reads a tournament's folder, records the plan there, and compares later plans with this plan."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

from harness import __version__, config
from harness.config import FrozenPlan, OpenPlan, Plan
from harness.config.nearest import path_meant
from harness.config.seeds import BITS, CURE, GUESSABLE, guessable
from harness.errors import InputError, RecordError, VersionError
from harness.events import Entered, Opened, Played
from harness.record import log
from harness.record.disk import cut_off, put
from harness.record.frames import FRAMES, SHARDS
from harness.record.history import History
from harness.record.log import JOURNAL, PLAN, encounter_path, read_journal
from harness.record.packs import size_of, unseal
from harness.record.safe_folder import check_plain

MOST_MEANT = 3
_PLACE = re.compile(r"run-(\d{1,9})/\d{3,9}/(\d{6,9})(?:\.jsonl|\.(\d{1,9})\.\d{1,9}\.stderr)")
"""The path of a file in a tournament's folder. The path has the numbers of a run and an encounter. The path
of a stderr file also has the number of a sitting."""

_PACK = re.compile(r"run-\d{1,9}/\d{3,9}\.zip")

PRIVATE, GROUP, SHARED = 0o700, 0o770, 0o777


def make(folder: Path, mode: int = PRIVATE) -> Path:
    """Returns the folder, and makes it if it does not exist. By default, only its owner may read it.

    Raises InputError if a file has the name of the folder.
    """
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise InputError("not a folder: a file of this name exists", str(folder)) from None
    return folder


def begin(plan: Plan, folder: Path, say: Callable[[str], object] = lambda line: None) -> FrozenPlan:
    """Returns the plan on record in this folder. If there is no plan on record, records `plan`.

    If `plan` has no seed, draws a seed, and calls `say` with a message about it. Also calls `say` if bots can
    guess the seed in `plan`. If the plan, a bot or the game has changed since the record began, raises
    InputError with a list of all changes. Raises InputError if another version of harness began the record.
    """
    if plan.seed is not None and guessable(plan.seed):
        say(f"warning: {GUESSABLE}; {CURE}")
    path = folder / PLAN
    if not path.is_file():
        frozen = config.freeze(plan, drawn_seed())
        # If this fails, another part of the tournament (a shard) has recorded the plan first, perhaps with
        # another seed.
        if not placed(config.encoded(frozen), path):
            return begin(plan, folder, say)
        if plan.seed is None:
            say(f"the plan names no seed, so a seed of {BITS} bits was drawn; it is in {path}, and is secret")
        return frozen
    old = config.thaw(path.read_bytes(), str(path))
    new = config.freeze(plan, old.seed)
    if changes := config.differences(old, new):
        if not _has_matches(folder):
            say("the plan has changed; no match is on record yet, so the new plan is recorded")
            (folder / JOURNAL).unlink(missing_ok=True)
            path.unlink()
            return begin(plan, folder, say)
        raise InputError(
            f"the tournament on record here is not the one that {plan.file} makes now"
            + "".join(f"\n    {change}" for change in changes)
            + "\n  undo the changes to continue it, take another name, or start again beside it with --fresh",
            str(folder),
        )
    if old.knock_outs != new.knock_outs:
        raise VersionError(config.OLDER, str(path))
    return old


def placed(data: bytes, path: Path, mode: int = 0o666) -> bool:
    """Makes a file with these bytes, completely or not at all. Returns False if the file exists already.

    The file must never be incomplete, because no command could continue with half of a plan. If several
    shards call this function at the same moment, only one of them makes the file.
    """
    new = path.with_suffix(f".{secrets.token_hex(8)}.new")
    new.touch(mode)
    put(new, 0, data)
    try:
        path.hardlink_to(new)
    except FileExistsError:
        return False
    except OSError:  # This file system has no hard links.
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    return True


def _has_matches(folder: Path) -> bool:
    """Returns whether a match is on record or in the results of a shard."""
    if any(folder.glob(f"{SHARDS}/*/{FRAMES}")):
        return True
    try:
        return (folder / JOURNAL).is_file() and any(
            isinstance(line.record, Played) for line in read_journal(folder)
        )
    except RecordError:
        return True  # The journal is damaged. Perhaps the lost lines had matches.


def drawn_seed() -> int:
    """Draws a seed that nobody can guess."""
    return 1 << BITS - 1 | secrets.randbits(BITS - 1)  # The first bit is 1, so all seeds are equally long.


def opened(frozen: FrozenPlan) -> Opened:
    """Makes the first record of the journal."""
    return Opened(frozen.name, frozen.game.name, config.digest(frozen), __version__)


def set_aside(folder: Path) -> Path:
    """Renames the folder to NAME~1, NAME~2, ..., and returns its new path."""
    number = 1
    while (aside := folder.with_name(f"{folder.name}~{number}")).exists():
        number += 1
    return folder.rename(aside)


def plan_in(folder: Path) -> Path:
    """Returns the path of the plan on record.

    Raises InputError if the folder has no tournament, and RecordError if there are links or other special
    files in the folder.
    """
    path = folder / PLAN
    if path.is_file() and (folder / JOURNAL).is_file():
        check_plain(folder)
        return path
    if not folder.exists():
        raise InputError(f"there is no such folder{path_meant(folder)}", str(folder))
    deeper = [str(found.parent) for found in sorted(folder.glob(f"*/{PLAN}"))[:MOST_MEANT]]
    meant = f"; did you mean {' or '.join(deeper)}?" if deeper else ""
    raise InputError(
        f"this is no folder of a run: {PLAN} and {JOURNAL} are not both there{meant}", str(folder)
    )


def plan_of(folder: Path) -> FrozenPlan:
    """Returns the plan on record. If bots can join the tournament later, reads the bots from the journal.

    Raises InputError if the folder has no tournament.
    """
    plan = _frozen(folder)
    if plan.bots:
        return plan
    came = [
        bot
        for line in read_journal(folder, growing=True)
        if isinstance(line.record, Entered)
        for bot in line.record.bots
    ]
    bots = tuple(map(config.frozen_bot, came))
    fields = {name: getattr(plan, name) for name in FrozenPlan.__struct_fields__}
    fields |= {"bots": bots, "house": tuple(bot.name for bot in came if bot.house)}
    return OpenPlan(**fields)


def _frozen(folder: Path) -> FrozenPlan:
    """Returns the plan in plan.json."""
    return recorded_plan(plan_in(folder).parent)


def recorded_plan(folder: Path) -> FrozenPlan:
    """Returns the plan in plan.json. Raises RecordError if the file is damaged, and VersionError if another
    version of harness wrote it."""
    path = folder / PLAN
    try:
        return config.thaw(path.read_bytes(), str(path))
    except VersionError:
        raise
    except InputError as error:
        raise RecordError(error.message, str(path)) from None


def history_of(folder: Path) -> History:
    """Returns the history of the tournament in this folder. Raises RecordError if the journal is damaged.

    Raises InputError if the folder has no tournament, or if another version of harness wrote the record.
    """
    plan = _frozen(folder)
    history = History.of(line.record for line in read_journal(folder))
    if history.opened is None:
        raise RecordError("this file is empty", str(folder / JOURNAL))
    came = (bot for run in history.runs for bot in run.entered)
    check_names(history, [*(bot.name for bot in plan.bots), *came], folder)
    return history


def check_names(history: History, known: Iterable[str], folder: Path) -> None:
    """Raises RecordError if a bot that played is not among the `known` bots of the plan in this folder."""
    names = frozenset(known)
    for run in history.runs:
        if strangers := set(run.bots) - names:
            told = f"run {run.number} has bots that are not in {PLAN}: {sorted(strangers)}"
            raise RecordError(told, str(folder / JOURNAL))


def check_files(folder: Path, history: History) -> None:
    """Raises RecordError if the file of an encounter is missing, or if the file is shorter than the journal
    says."""
    for run in history.runs:
        for number, encounter in run.encounters.items():
            path = encounter_path(folder, run.number, number)
            size = size_of(path)
            if size is None or size < encounter.size:
                raise RecordError(
                    f"{encounter.size} bytes of this file are on record, and some are missing; "
                    "put the whole file back, or start again with --fresh",
                    str(path),
                )


def clear_left_over(folder: Path, history: History) -> None:
    """Removes bytes and files of sittings that are not on record. A killed process can leave such bytes
    and files. Its sittings are played again later."""
    for pack in folder.glob("run-*/*"):
        if _PACK.fullmatch(pack.relative_to(folder).as_posix()):
            _unseal_unfinished(pack, history)
    for path in folder.glob("run-*/*/*"):
        if place := _PLACE.fullmatch(path.relative_to(folder).as_posix()):
            number, encounter, sitting = (int(part or 0) for part in place.groups())
            run = history.runs[number - 1] if 0 < number <= len(history.runs) else None
            if not sitting:
                known = run.encounters.get(encounter) if run else None
                cut_off(path, known.size if known else 0)
            elif not run or (encounter, sitting) not in run.played:
                cut_off(path, 0)


def _unseal_unfinished(pack: Path, history: History) -> None:
    """If some sittings of the files in a pack are not on record, moves the files back into their folder.

    In this case somebody has cut off the end of the journal. The sittings that are not on record are played
    again.
    """
    number, first = int(pack.parent.name.removeprefix("run-")), int(pack.stem) * log.PER_FOLDER
    run = history.runs[number - 1] if 0 < number <= len(history.runs) else None
    if not run or not all(run.complete(first + place) for place in range(1, log.PER_FOLDER + 1)):
        unseal(pack)
