"""Defines what a format says about the next round: who meets whom, who rests, and why."""

from __future__ import annotations

from typing import NamedTuple

from harness.schedule.rounds import Block


class Pairing(NamedTuple):
    """The encounters of a round, the bots of the stage that rest in it, and the reason in a few words."""

    blocks: tuple[Block, ...]
    byes: tuple[str, ...]
    why: str
