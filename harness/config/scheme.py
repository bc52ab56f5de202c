"""Reads a grading scheme from its TOML file and checks it.

    title = "Sevens"             # the name in a gradebook; default: the name of the tournament
    staff = ["greedy", "random"] # these bots get no grade; house bots never get one

    [[item]]                     # one table for each item that earns points
    kind = "start"
    points = 10

The structs below define all keys and all kinds of items. Bots have the same names as in the plan.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import fsum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from harness.config.document import Document, quoted, read
from harness.config.kinds import fitted
from harness.config.lines import Key

Points: TypeAlias = Annotated[float, Meta(ge=0, le=1_000_000)]
Percent: TypeAlias = Annotated[float, Meta(ge=0, le=100)]
Confidence: TypeAlias = Annotated[float, Meta(ge=0.6, le=0.9999)]
Names: TypeAlias = Annotated[tuple[str, ...], Meta(min_length=1)]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Claims: TypeAlias = Literal["all", "each"]
Looks: TypeAlias = Literal["any", "once"]
Certainty: TypeAlias = Literal["usual", "strict"]
Visibility: TypeAlias = Literal["visible", "after_due_date", "after_published", "hidden"]


class _Meant(NamedTuple):
    """The values that other keys of a scheme get from its key `certainty`."""

    looks: Looks
    claims: Claims
    confidence: float


CERTAINTIES: Mapping[Certainty, _Meant] = MappingProxyType(
    {"usual": _Meant("once", "each", 0.95), "strict": _Meant("any", "all", 0.99)}
)


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One item of a scheme, for which a team gets points. Pages show its `name`. The default name depends on
    the kind of the item."""

    kind: str
    name: Text | None = None


class Start(Item, frozen=True, kw_only=True):
    """Points for a bot that started in at least one match on record."""

    points: Points


class Faultless(Item, frozen=True, kw_only=True):
    """Points for a bot that played matches without a fault: at least this `share` of its matches on record,
    or this number of `matches`. With `partial`, fewer matches earn a part of the points."""

    points: Points
    share: Annotated[float, Meta(ge=0.01, le=1)] | None = None
    matches: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    partial: bool = False


class Beats(Item, frozen=True, kw_only=True):
    """Points for each bot in `bots` that the team beats in the matches that count. `cap` is the highest sum
    of these points.

    A team beats a bot if two things are true. The team has better results than the bot in the deals that both
    of them played. And a sign-flip test over these deals shows, at this confidence, that the two are not
    equally good.

    With `rungs`, the bots are in the order of their strengths, the weakest first. A team that beats a bot
    also gets the points for all bots before it.
    """

    points: Points
    bots: Names
    confidence: Confidence = 0.95
    cap: Points | None = None
    rungs: bool = False


class Rank(Item, frozen=True, kw_only=True):
    """Points by place among the teams: the first number is for the first place, the second number for the
    second place, and so on.

    Places after the end of the list earn no points. `confidence` is the confidence of the tests that decide
    whether the place of a team is certain.
    """

    points: Annotated[tuple[Points, ...], Meta(min_length=1)]
    confidence: Confidence = 0.95


class Percentile(Item, frozen=True, kw_only=True):
    """Points that depend on a percentage: how many of the other teams are behind this team.

    Each of the `steps` is [percent, points]: a team with at least this percentage gets these points. Without
    `steps`, a team gets this percentage of the number `points`.
    """

    points: Points | None = None
    steps: tuple[tuple[Percent, Points], ...] = ()
    confidence: Confidence = 0.95


class Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule that turns the sum of all points into the score. A scheme has at most one of the keys `add`,
    `best`, `root` and `table`.

    `add`: add this number to the sum. `best`: scale all sums so that the best team gets this score. `root`:
    divide the sum by full marks, take the square root, and multiply by full marks. `table`: interpolate
    linearly between pairs of [sum, score].
    """

    add: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)] | None = None
    best: Points | None = None
    root: bool = False
    table: tuple[tuple[Points, Points], ...] = ()


class Gradescope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings for the file results.json: `visibility` says when students may see the tests in this file,
    and `leaderboard` says whether the file has a leaderboard."""

    visibility: Visibility = "visible"
    leaderboard: bool = True


class Late(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule for versions that were handed in after the deadline of a league.

    A version that is at most `days` days late plays in the final. Each day that has begun costs `points`, but
    the first `free` days cost nothing, and all days together cost at most `most`.
    """

    days: Annotated[int, Meta(ge=1, le=365)]
    points: Points
    free: Annotated[int, Meta(ge=0, le=365)] = 0
    most: Points | None = None


class Off(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points that a team loses (or gets, if the number is below 0), with the reason for its page."""

    team: str
    points: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
    why: Text


class Scheme(msgspec.Struct, frozen=True):
    """A checked scheme. `out_of` is the score for full marks, and `staff` has the names of all bots that get
    no grade."""

    items: tuple[Item, ...]
    title: str
    out_of: float
    cap: float
    disqualified_cap: float
    decimals: int
    staff: frozenset[str]
    curve: Curve
    letters: tuple[tuple[str, float], ...]
    """Each letter with the lowest score that earns it, the best letter first."""
    gradescope: Gradescope
    text: str
    claims: Claims = "each"
    """With "all", a confidence applies to all claims of the gradebook together. With "each", it applies to
    each claim alone."""
    late: Late | None = None
    off: tuple[Off, ...] = ()
    looks: Looks = "any"
    """With "any", somebody may look at the results any number of times, and then decide to play more matches.
    With "once", somebody may look only once, after the last match."""

    @property
    def places(self) -> bool:
        """True if points depend on places."""
        return any(isinstance(item, Rank | Percentile) for item in self.items)


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All keys that the file of a scheme may have.

    `cap` is the highest possible score of a team, and `disqualified_cap` is the highest possible score of a
    disqualified team. The default of both keys is `out_of`. The default of `out_of` is the highest possible
    sum of all items. If there is a `certainty`, CERTAINTIES has the values of `looks`, of `claims` and of
    each `confidence`.
    """

    item: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1)]
    title: Text | None = None
    out_of: Annotated[float, Meta(gt=0, le=1_000_000)] | None = None
    cap: Points | None = None
    disqualified_cap: Points | None = None
    decimals: Annotated[int, Meta(ge=0, le=6)] = 1
    staff: tuple[str, ...] = ()
    curve: Curve = Curve()
    letters: dict[str, Points] = {}
    gradescope: Gradescope = Gradescope()
    late: Late | None = None
    off: tuple[Off, ...] = ()
    certainty: Certainty | None = None
    claims: Claims = "each"
    looks: Looks = "any"


KINDS: Mapping[str, type[Item]] = MappingProxyType(
    {"start": Start, "faultless": Faultless, "beats": Beats, "rank": Rank, "percentile": Percentile}
)


def read_scheme(path: Path, title: str, bots: Collection[str], house: Collection[str] = ()) -> Scheme:
    """Reads the scheme in this file, for a tournament with this title and these bots.

    Raises InputError if the scheme is wrong. Its message is one sentence with the file, the line, the key and
    the allowed values.
    """
    return scheme_of(read(path), title, bots, house)


def scheme_of(document: Document, title: str, bots: Collection[str], house: Collection[str] = ()) -> Scheme:
    """Returns the scheme in this document. The other arguments and the errors are the same as for
    `read_scheme`."""
    written = fitted(document, document.table, _Written, home=_Written.__struct_fields__)
    meant = _meant(document, written)
    items = tuple(_item(document, place, table, bots, meant) for place, table in enumerate(written.item))
    _known(document, ("staff",), written.staff, bots)
    staff = frozenset((*written.staff, *house))
    if staff.issuperset(bots):
        raise document.complaint(("staff",), "these are all bots, so no bot is left to grade")
    for place, each in enumerate(written.off):
        _known(document, ("off", place, "team"), (each.team,), bots, whole=True)
    _check_curve(document, written.curve)
    out_of = written.out_of or fsum(map(most, items))
    if not out_of:
        raise document.complaint(
            ("item",), "the sum of all items is 0 points; give the score of full marks: out_of = 100"
        )
    return Scheme(
        items=items,
        title=written.title or title,
        out_of=out_of,
        cap=out_of if written.cap is None else written.cap,
        disqualified_cap=out_of if written.disqualified_cap is None else written.disqualified_cap,
        decimals=written.decimals,
        staff=staff,
        curve=written.curve,
        letters=_letters(document, written.letters),
        gradescope=written.gradescope,
        text=document.text,
        late=written.late,
        off=written.off,
        claims=meant.claims if meant else written.claims,
        looks=meant.looks if meant else written.looks,
    )


def most(item: Item) -> float:
    """Returns the highest number of points that an item can give."""
    match item:
        case Start() | Faultless():
            return item.points
        case Beats():
            every = item.points * len(item.bots)
            return every if item.cap is None else min(every, item.cap)
        case Rank():
            return max(item.points)
        case Percentile():
            return max((points for _, points in item.steps), default=item.points or 0.0)
    raise TypeError(f"not an item: {item!r}")


# -- checks of single keys --------------------------------------------------------------------------


def _meant(document: Document, written: _Written) -> _Meant | None:
    """Returns the values that `certainty` gives to other keys. Raises InputError if the scheme also has one
    of these keys."""
    if written.certainty is None:
        return None
    keys: list[Key] = [(name,) for name in ("looks", "claims") if name in document.table]
    keys += [("item", place, "confidence") for place, item in enumerate(written.item) if "confidence" in item]
    for key in keys:
        raise document.complaint(key, "`certainty` sets this key too; write only one of the two keys")
    return CERTAINTIES[written.certainty]


def _item(
    document: Document, place: int, table: dict[str, Any], bots: Collection[str], meant: _Meant | None
) -> Item:
    key: Key = ("item", place)
    kind = table.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        there = f", not {quoted(kind)}" if "kind" in table else ""
        known = ", ".join(map(quoted, KINDS))
        raise document.complaint((*key, "kind"), f"expected one of {known}{there}")
    item: Item = fitted(document, table, KINDS[kind], key, _Written.__struct_fields__)
    if meant and isinstance(item, Beats | Rank | Percentile):
        item = msgspec.structs.replace(item, confidence=meant.confidence)
    if isinstance(item, Beats):
        _known(document, (*key, "bots"), item.bots, bots)
    if isinstance(item, Faultless) and (item.share is None) == (item.matches is None):
        raise document.complaint(key, "this kind needs either `share` or `matches`, such as share = 0.99")
    if isinstance(item, Rank):
        _falling(
            document, (*key, "points"), item.points, "a better place must not earn less than a worse one"
        )
    if isinstance(item, Percentile):
        _check_percentile(document, key, item)
    return item


def _check_percentile(document: Document, key: Key, item: Percentile) -> None:
    if bool(item.steps) == (item.points is not None):
        raise document.complaint(key, "this kind needs either `points` or `steps`")
    _falling(document, (*key, "steps"), [at for at, _ in item.steps], "the highest step must come first")
    _falling(
        document, (*key, "steps"), [points for _, points in item.steps], "a higher step must not earn less"
    )


def _falling(document: Document, key: Key, numbers: Sequence[float], rule: str) -> None:
    for before, after in pairwise(numbers):
        if after > before:
            raise document.complaint(key, f"{rule}, and {after:g} comes after {before:g}")


def _known(
    document: Document, key: Key, names: Sequence[str], bots: Collection[str], whole: bool = False
) -> None:
    """Raises InputError if one of the names is not the name of a bot. With `whole`, the value of the key is
    one name, and not a list of names."""
    for place, name in enumerate(names):
        if name not in bots:
            there = ", ".join(map(quoted, bots))
            raise document.complaint(
                key if whole else (*key, place), f"no bot has the name {quoted(name)}; there are {there}"
            )


def _check_curve(document: Document, curve: Curve) -> None:
    given = [name for name in curve.__struct_fields__ if getattr(curve, name) not in (None, False, ())]
    if len(given) > 1:
        raise document.complaint(
            ("curve", given[1]), f"there is `{given[0]}` already; a curve has only one key"
        )
    for place, ((sum_before, before), (sum_after, after)) in enumerate(pairwise(curve.table), start=1):
        if sum_after <= sum_before or after < before:
            raise document.complaint(
                ("curve", "table", place), "sums must rise from line to line, and scores must not fall"
            )


def _letters(document: Document, letters: dict[str, float]) -> tuple[tuple[str, float], ...]:
    ordered = sorted(letters.items(), key=lambda pair: -pair[1])
    for (one, least), (other, same) in pairwise(ordered):
        if least == same:
            raise document.complaint(("letters", other), f"{quoted(one)} begins at {least:g} too")
    return tuple(ordered)
