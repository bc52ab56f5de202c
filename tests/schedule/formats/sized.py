"""Makes plans of every format for any number of bots, and plays them without processes. Asserts nothing."""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from harness.config import FrozenPlan
from harness.config.terms import Stage, Stop
from tests.play.scripted import AnyOrder, Killed, World, a_plan, carried_on

Terms: TypeAlias = dict[str, Any]


CLAIMED = "until it is settled"
"""This format computes all claims anew in each of many rounds, so it is tested only with few bots."""


def _stages(n: int) -> Terms:
    few = max(2, n // 8)
    return {
        "stage": (
            Stage(format="swiss", rounds=4, through=few + 2),
            Stage(format="groups", groups=max(1, few // 8), through=few),
            Stage(format="round-robin", rounds=3, through=2, carry=True),
            Stage(format="knock-out"),
        ),
    }


def _settled(n: int) -> Terms:
    return {"rounds": 3 if n > 5 else None, "meet": None if n > 5 else 1, "stop": Stop("places 1-2", 0.2, 4)}


FORMATS: Mapping[str, Callable[[int], Terms]] = {
    "round-robin": lambda n: {"meet": 1} if n <= 50 else {"rounds": 5},
    "gauntlet": lambda n: {"format": "gauntlet", "house": ("bot0000", "bot0001"), "meet": 1},
    "swiss": lambda n: {"format": "swiss", "rounds": 6},
    "swiss at tables": lambda n: {"format": "swiss", "rounds": 4, "seats": 4},
    "knock-out": lambda n: {"format": "knock-out"},
    "knock-out at tables": lambda n: {"format": "knock-out", "seats": 4},
    "double elimination": lambda n: {"format": "double-elimination"},
    "stages": _stages,
    CLAIMED: _settled,
}
SIZES = (5, 50, 500, 5_000)


def sizes_of(name: str) -> tuple[int, ...]:
    """The numbers of bots with which this format is tested."""
    return SIZES[:2] if name == CLAIMED else SIZES


def a_sized(name: str, bots: int, **terms: Any) -> FrozenPlan:
    """A plan of this format for this number of bots."""
    field: Any = [f"bot{number:04}" for number in range(bots)]
    return a_plan(
        field,
        **{"seats": 2, "deal": "fresh", "meet": None, **FORMATS[name](bots), **terms},
    )


def at_once(plan: FrozenPlan, folder: Path, cheats: dict[str, int]) -> None:
    """Plays a tournament to its end."""
    folder.mkdir()
    carried_on(plan, folder, AnyOrder(World(cheats)))


def killed(plan: FrozenPlan, folder: Path, cheats: dict[str, int], hands: int, sittings: int) -> None:
    """Plays a tournament that is killed at ten random moments, spread over this number of sittings."""
    folder.mkdir()
    random = Random(hands)
    for kill in range(10):
        try:
            carried_on(
                plan, folder, AnyOrder(World(cheats), kill, hands, int(random.random() * sittings / 6))
            )
        except* Killed:
            pass
    carried_on(plan, folder, AnyOrder(World(cheats), 5, hands))


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The bytes of every file of a record."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
