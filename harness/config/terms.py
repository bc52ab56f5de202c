"""Defines the keys that a plan may have, and their defaults. The keys for the game, the bots and the name of
a plan are not here."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from harness.config.folder import BOUNDS
from harness.config.manifest import Bot
from harness.config.policies import PolicyName
from harness.games import Game, Options
from harness.model import Limits, Order

Count: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]
Item: TypeAlias = int | float | str
MOST_ENCOUNTERS = 400_000
"""The largest number of encounters of a run. No tournament needs more encounters, and it would take minutes
to make a larger schedule."""
BUILD_MS, MOST_BUILD_MS = 120_000, 86_400_000
"""Two values for the longest time of a build, in milliseconds: the default, and the largest value that a plan
may have."""


class Stage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A stage of a tournament. The best `through` bots of a stage enter the next stage.

    With `carry`, the matches of earlier stages also count in this stage, both for the order of the bots and
    for the choice of who meets whom. Each file of `harness/schedule/formats/` says which keys its format
    takes.
    """

    format: str
    rounds: Count | None = None
    meet: Count | None = None
    groups: Annotated[int, Meta(ge=2, le=1_000_000)] | None = None
    through: Annotated[int, Meta(ge=2, le=1_000_000)] | None = None
    carry: bool = False


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rule that ends a tournament. The tournament ends as soon as one of three things is true. First: all
    claims that `settled` names are settled. Second: each pair of bots whose claim is still open has met
    `most` times. Third: `budget` encounters of the last stage have been played.

    `settled` is "places", "places 1-N", "beats NAME", "grades", or names of bots with "<" between them, such
    as "WORSE < BETTER < BEST". With "grades", `scheme` is a grading scheme. In the file of a plan, `scheme`
    is the path of the scheme's file. In a plan on record, `scheme` is the text of the scheme. `error` is the
    allowed probability that at least one claim is wrong. A scheme has its own confidences and needs no
    `error`.
    """

    settled: str
    error: Annotated[float, Meta(gt=0, le=0.5)] = 0.05
    most: Count = 100
    scheme: str = ""
    budget: Count | None = None


class SprtTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a sequential test of two bots (`results.statistics.sprt`). The test plays at most
    `most` pairs of matches."""

    elo0: float
    elo1: float
    alpha: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, Meta(gt=0, lt=0.5)] = 0.05
    model: Literal["normalized", "logistic"] = "normalized"
    most: Count = 10_000


class PlanTerms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys that define a tournament, besides its game and its bots.

    An encounter has `deals` matches in each order of seats. If `deal` is "fresh", each match has its own
    deal, and a sitting has at most `sitting` matches. If `deal` is "same", each deal is played in every order
    of seats, and a sitting has the matches in one order. A plan has one of three keys: `meet` is the smallest
    number of encounters of each pair of bots, `rounds` is the number of rounds, and `encounters` is the
    smallest number of encounters of each bot. With `every_set`, each set of bots that fills a table plays an
    encounter. `house` lists the house bots of a gauntlet. Some policies take a number, `strikes`: a bot
    with this number of faulty matches is disqualified. `broken` decides what happens if a bot cannot be read,
    built or started at all: either this is an error, or the bot loses its matches by the fault `no-start`.
    `order` is the value by which the standings order the bots; if it is None, the game or the schedule
    decides (`results.ordering`). If `luck` is "off", the luck of each match is subtracted from its results
    (`results.luck_off`). docs/plan.md describes all keys.
    """

    deals: Count = 1
    deal: Literal["fresh", "same"] = "same"
    sitting: Count | None = None
    rounds: Count | None = None
    meet: Count | None = None
    encounters: Count | None = None
    every_set: bool = False
    format: str = "round-robin"
    stage: tuple[Stage, ...] = ()
    stop: Stop | None = None
    sprt: SprtTerms | None = None
    house: tuple[str, ...] = ()
    policy: PolicyName = "disqualify"
    strikes: Count | None = None
    order: Order | None = None
    rerun: Literal["fresh", "keep"] = "fresh"
    broken: Literal["error", "no-start"] = "error"
    names: Literal["hidden", "shown"] = "hidden"
    ponder: bool = False
    isolation: Literal["auto", "none", "user", "bwrap"] = "auto"
    clock: Literal["wall", "cpu"] = "wall"
    limits: Limits = Limits()
    chance: dict[str, Item | tuple[Item, ...]] = {}
    luck: Literal["on", "off"] = "on"


def plays_apart(terms: PlanTerms, game: Game) -> bool:
    """Tells whether two sittings of an encounter must not be played at the same time.

    This is the case if the sittings have the same secret deals, because bots could tell each other the cards.
    """
    return terms.deal == "same" and game.secret_chance


class Settings(PlanTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys that define a tournament (PlanTerms), and the keys that decide how this machine plays the
    tournament. The keys about the machine never change the results.

    `workers` is the number of processes (None: one for each core). Each process plays `at_once` sittings at a
    time. `missing` decides what happens if the compiler or interpreter of a bot is not installed: either this
    is an error, or the bot does not play. `visible` lists files and folders that isolated bots may read,
    besides the bots' own files. `folder_mb` and `folder_files` limit the files of each bot. `build_ms` limits
    the time of each build. `nodes` decides which machines of a cluster play: only machines with the same
    processor and C library, or all machines.
    """

    workers: Annotated[int, Meta(ge=1, le=1024)] | None = None
    at_once: Annotated[int, Meta(ge=1, le=1024)] = 1
    missing: Literal["error", "leave-out"] = "error"
    visible: tuple[str, ...] = ()
    folder_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = BOUNDS.megabytes
    folder_files: Annotated[int, Meta(ge=1, le=10_000_000)] = BOUNDS.files
    build_ms: Annotated[int, Meta(ge=1, le=MOST_BUILD_MS)] = BUILD_MS
    nodes: Literal["equal", "any"] = "equal"


class Plan(Settings, frozen=True, kw_only=True):
    """A checked plan. `game` is the name or the path of the game. `rules` is the game that
    `harness.games.find` returns for this name or path. `options` have the type that the game defines. `seed`
    is None if the plan has none. With `open_field`, bots enter while the tournament is played, and the
    journal records them. `knock_outs` is the edition of the rules for knock-outs; 0 if the plan has no
    knock-outs."""

    name: str
    game: str
    rules: Game
    seats: int
    bots: tuple[Bot, ...]
    options: Options
    seed: int | None
    file: str
    text: str
    open_field: bool = False
    knock_outs: int = 0
