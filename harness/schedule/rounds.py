"""Owns which sets of bots meet in which rounds, by name; knows no record and no seat."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

from harness.config import FrozenPlan

Block: TypeAlias = tuple[str, ...]


def rounds_of(plan: FrozenPlan, field: tuple[str, ...], seats: int, standing: tuple[Block, ...]) -> tuple[tuple[tuple[Block, ...], ...], Any]:
    return tuple((block,) for block in combinations(field, seats) for _ in range(plan.meet or plan.rounds or 1) if block not in standing), None
