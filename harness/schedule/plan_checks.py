"""Checks whether the keys of a plan agree with each other, with its formats and with its bots."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import comb

from harness.chance import Scripted, Seeded, UnfitChance
from harness.config.document import Document, one_of, quoted
from harness.config.lines import Key
from harness.config.policies import POLICIES
from harness.config.terms import MOST_ENCOUNTERS, Item, PlanTerms, Stage
from harness.errors import InputError
from harness.escape import count_of, grouped, shown
from harness.games import Game, Options
from harness.schedule.formats import Format, Trouble, all_formats, find, names
from harness.schedule.stages import stages_of, whole
from harness.schedule.stop import read_settled

MOST_SETS = 5_000
"""The largest number of encounters of a schedule in which each set of bots plays. To put more encounters in
order would take long."""
SEEDS_TRIED = 8
"""The number of seeds with which the fixed values of chance are tried."""
SIZES = ("rounds", "meet")
"""The keys that decide the number of encounters, also in a stage."""
AT_START = ("encounters", "every_set")
"""The keys that a plan may have only if all encounters are known when a run begins."""
OF_STAGES = ("format", *SIZES)
"""The keys that a plan with stages has only in its stages."""


# -- names of formats ------------------------------------------------------------------------------


def check_formats(document: Document, league: bool) -> None:
    """Raises InputError if a name of a format is wrong. `league` says whether this is a plan of a league."""
    alone = [name for name in names() if find(name).is_whole]
    of_stages = [name for name in names() if find(name).is_stage]
    if "format" in document.table:
        found = _format(document, ("format",), document.table["format"], alone)
        if not found.is_whole:
            raise document.complaint(("format",), f'"{found.name}" is the format of a stage: [[stage]]')
        if found.open_field and not league:
            why = f'"{found.name}" is for a league; play it with `harness ladder LEAGUE`'
            raise document.complaint(("format",), why)
    for number, stage in _tables(document.table.get("stage")):
        key = ("stage", number, "format")
        if "format" not in stage:
            raise document.complaint(key, f"this key is missing; expected {one_of(of_stages)}")
        found = _format(document, key, stage["format"], of_stages)
        if not found.is_stage:
            raise document.complaint(key, f'"{found.name}" is the format of a whole tournament')


def _format(document: Document, key: Key, name: object, fitting: Collection[str]) -> Format:
    """Returns the format with this name. If the name is unknown, the error lists the names in `fitting`."""
    if not isinstance(name, str) or name not in names():
        raise document.complaint(key, f"expected {one_of(fitting)}, not {quoted(name)}")
    return find(name)


def _tables(stages: object) -> Iterator[tuple[int, dict[str, object]]]:
    """Returns each stage of a document with its number. Leaves out stages that are not written as TOML
    tables."""
    listed = stages if isinstance(stages, list) else []
    return ((number, stage) for number, stage in enumerate(listed) if isinstance(stage, dict))


# -- keys that need or exclude each other ----------------------------------------------------------


def agree(document: Document, written: PlanTerms) -> None:
    """Raises InputError if keys of a plan do not agree with each other or with its format."""
    limits = written.limits
    sizes = [key for key in ("rounds", "meet", "encounters") if getattr(written, key) is not None]
    if len(sizes) > 1:
        raise document.complaint((sizes[1],), f"write {sizes[0]} or {sizes[1]}, not both")
    if written.every_set and sizes not in ([], ["meet"]):
        raise document.complaint(("every_set",), f"this does not go with {sizes[0]}")
    _agree_with_format(document, written)
    if POLICIES[written.policy].numbered and written.strikes is None:
        raise document.complaint(
            ("policy",), f"{quoted(written.policy)} needs a number of strikes: strikes = 3"
        )
    if not POLICIES[written.policy].numbered and written.strikes is not None:
        numbered = one_of([name for name, row in POLICIES.items() if row.numbered])
        raise document.complaint(("strikes",), f"this needs policy = {numbered}")
    if written.luck == "off" and written.order == "wins":
        raise document.complaint(("luck",), 'this does not go with order = "wins"')
    if limits.increment_ms and not limits.bank_ms:
        raise document.complaint(("limits", "increment_ms"), "this needs a bank: bank_ms = 60000")
    if limits.wall_ms and written.clock != "cpu":
        raise document.complaint(("limits", "wall_ms"), 'this needs clock = "cpu"')
    if limits.unread_bytes < limits.line_bytes:
        message = f"expected at least line_bytes, {limits.line_bytes}, not {limits.unread_bytes}"
        raise document.complaint(("limits", "unread_bytes"), message)


def _agree_with_format(document: Document, written: PlanTerms) -> None:
    """Checks the keys of a plan that only some formats take. Keys of stages have a check of their own."""
    stages = stages_of(written)
    for key in OF_STAGES if written.stage else ():
        if key in document.table:
            raise document.complaint((key,), "a plan with [[stage]] has this key in its stages")
    last = stages[-1].format if stages else written.format
    if written.stop is not None and "stop" not in find(last).keys:
        last_of_all = " in the last stage" if written.stage else ""
        raise document.complaint(("stop",), _needed("stop") + last_of_all)
    given = [key for key in _given(written) if key != "stop"]
    _check_keys(document, (), find(written.format), given)
    for key in AT_START:
        if key in given and stages:
            raise document.complaint((key,), "this does not go with [stop] or [[stage]]")


def _check_keys(document: Document, here: Key, found: Format, given: Collection[str]) -> None:
    """Raises InputError if the format does not take a given key, or if a key that the format needs is
    missing."""
    for key in given:
        if key not in found.keys:
            why = _instead(found, key) if key in SIZES else _needed(key)
            raise document.complaint((*here, key), why)
    for key, need in found.needs.items():
        if key not in given:
            why = f'"{found.name}" needs {need.words}: {need.example}'
            raise document.complaint((*here, "format"), why)


def _given(terms: PlanTerms | Stage) -> list[str]:
    """Returns the keys that have a value, and that only some formats take."""
    takers = set().union(*(found.keys for found in all_formats()))
    keys = (key for key in terms.__struct_fields__ if key in takers)
    return [key for key in keys if getattr(terms, key) not in (None, (), False)]


def _instead(found: Format, key: str) -> str:
    """Returns a sentence that says that a format does not take this key. If the format needs another key for
    the size of a tournament, the sentence names the other key."""
    for other, need in found.needs.items():
        if other in SIZES:
            return f'"{found.name}" has {need.words} instead of {key}: {need.example}'
    return f'"{found.name}" has no key {key}'


def _needed(key: str) -> str:
    """Returns a sentence that says which formats take a key."""
    takers = [found.name for found in all_formats() if key in found.keys]
    return f"this needs format = {one_of(takers)}"


# -- the game --------------------------------------------------------------------------------------


def check_seats(document: Document, seats: int | None, rules: Game) -> int:
    """Returns the number of seats of a plan: `seats`, or the only number that the game allows. Raises
    InputError if the game does not allow `seats`, or if `seats` is None and the game allows several
    numbers."""
    least, most = rules.seats
    if seats is None and least == most:
        return least
    if seats is not None and least <= seats <= most:
        return seats
    allowed = str(least) if least == most else f"a whole number from {least} to {most}"
    what = "this key is missing; " if seats is None else ""
    there = "" if seats is None else f", not {quoted(seats)}"
    raise document.complaint(("seats",), f"{what}expected {allowed} for {rules.name}{there}")


def check_start(
    document: Document,
    rules: Game,
    options: Options,
    seats: int,
    chance: Mapping[str, Item | tuple[Item, ...]],
) -> None:
    """Starts a match as a test, because only the game knows whether the options, the seats and the fixed
    values of chance fit together. Raises InputError if they do not."""
    try:
        rules.start(options, seats, Seeded(0))
    except InputError as error:
        raise document.complaint(("options",), str(error)) from None
    try:
        # Whether the value of one stream is allowed may depend on the value of another stream, so all fixed
        # values are tried together. The other streams have random values, and a fixed value may fit only some
        # of these. So several seeds are tried.
        for seed in range(SEEDS_TRIED if chance else 0):
            rules.start(options, seats, Scripted(chance, Seeded(seed)))
    except UnfitChance as error:
        raise document.complaint(("chance", error.stream), shown(str(error))) from None


# -- the bots and the size -------------------------------------------------------------------------


def unfilled(seats: int, bots: Collection[str], terms: PlanTerms) -> Trouble | None:
    """Returns the wrong key and the reason if these bots cannot fill the seats of a match, or None if they
    can."""
    if seats < 2:
        return ("seats",), "a tournament needs at least 2 seats"
    if len(bots) < seats:
        return ("bots",), f"{seats} seats need at least {seats} bots, not {len(bots)}"
    return find(terms.format).trouble_with_house(terms.house, seats, bots)


def too_long(seats: int, bots: int, terms: PlanTerms) -> Trouble | None:
    """Returns the wrong key and the reason if a run has too many encounters. Returns None if the number of
    encounters is allowed, or if the plan has stages."""
    if stages_of(terms):
        return None  # Stages have a check of their own.
    key, most = "rounds" if terms.rounds else "meet", MOST_ENCOUNTERS
    count = find(terms.format).size(whole(terms), bots, seats, len(set(terms.house)))
    if terms.encounters:
        key, count = "encounters", terms.encounters * bots // seats
    elif terms.every_set and seats > 2:
        times = -(-(terms.meet or 1) // comb(bots - 2, seats - 2))
        key, count, most = "every_set", times * comb(bots, seats), MOST_SETS
    if count <= most:
        return None
    return (key,), f"this {_too_many(count, most)}"


def _too_many(count: int, most: int) -> str:
    return f"makes about {count_of(count, 'encounter')}; at most {grouped(most)} are allowed"


def check_stages(document: Document, terms: PlanTerms, seats: int, names: Collection[str]) -> None:
    """Raises InputError if a stage does not fit its format, its bots or the other stages."""
    left = len(names)
    for stage in stages_of(terms):
        if (count := find(stage.format).size(stage, left, seats, len(set(terms.house)))) > MOST_ENCOUNTERS:
            message = f"{stage.format} {_too_many(count, MOST_ENCOUNTERS)}"
            raise document.complaint(("stage",) if terms.stage else ("rounds",), message)
        left = stage.through or left
    _check_stop(document, terms, names)
    left = len(names)
    for number, stage in enumerate(terms.stage or (whole(terms),)):
        here: Key = ("stage", number) if terms.stage else ()
        if terms.stage:
            _check_keys_of_stage(document, here, stage)
        if trouble := find(stage.format).trouble(terms, stage, seats, left):
            key, why = trouble
            raise document.complaint((*here, *key), why)
        if terms.stage:
            _check_place(document, terms, number, seats, left)
        left = stage.through or left


def _check_keys_of_stage(document: Document, here: Key, stage: Stage) -> None:
    _check_keys(document, here, find(stage.format), _given(stage))
    if stage.rounds is not None and stage.meet is not None:
        raise document.complaint((*here, "meet"), "write rounds or meet, not both")


def _check_place(document: Document, terms: PlanTerms, number: int, seats: int, bots: int) -> None:
    """Checks the keys for which it matters whether this stage is the first stage or the last one. `bots` is
    the number of bots that enter the stage."""
    here, stage = ("stage", number), terms.stage[number]
    if number == len(terms.stage) - 1:
        if stage.through is not None:
            raise document.complaint((*here, "through"), "no stage comes after the last stage")
    elif stage.through is None:
        raise document.complaint(
            here, "this stage needs the number of bots that go on to the next stage: through = 8"
        )
    elif not seats <= stage.through <= bots:
        raise document.complaint((*here, "through"), f"expected {seats} to {bots}, not {stage.through}")
    if stage.carry and not number:
        raise document.complaint((*here, "carry"), "no stage comes before the first stage")


def _check_stop(document: Document, terms: PlanTerms, names: Collection[str]) -> None:
    """Checks the table `[stop]`."""
    if terms.stop is None:
        return
    bots = len(names)
    for before in terms.stage[:-1]:
        bots = before.through or bots
    found = read_settled(terms.stop.settled)
    if found is None or found.places >= bots:
        allowed = f'"places", "places 1-N" with N below {bots}, "beats NAME", "WORSE < BETTER", or "grades"'
        raise document.complaint(("stop", "settled"), f"expected {allowed}, not {quoted(terms.stop.settled)}")
    for name in (found.against, *found.rising):
        if name and name not in names:
            why = f"no bot in this plan has the name {quoted(name)}"
            raise document.complaint(("stop", "settled"), why)
    if found.grades and not terms.stop.scheme:
        why = 'settled = "grades" needs a grading scheme: scheme = "scheme.toml"'
        raise document.complaint(("stop", "scheme"), why)
    if found.grades and "error" in document.table["stop"]:
        why = 'this does not go with settled = "grades": the scheme says how sure its claims must be'
        raise document.complaint(("stop", "error"), why)
    if terms.stop.scheme and not found.grades:
        raise document.complaint(("stop", "scheme"), 'this needs settled = "grades"')
