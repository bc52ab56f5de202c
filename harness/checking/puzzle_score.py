"""Asks a bot puzzles, and counts those that it solves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.checking.replay_into_bot import replay
from harness.job import Entrant
from harness.judge.rules import Rules
from harness.results.puzzles import Puzzle


class PuzzleScore(NamedTuple):
    """The number of puzzles that a bot solved, and the puzzles that it did not solve, each with the bot's
    answer."""

    solved: int
    missed: Sequence[tuple[Puzzle, str | None]]

    @property
    def told(self) -> str:
        """Says in a sentence how many puzzles the bot solved."""
        number = self.solved + len(self.missed)
        return f"solves {self.solved} of {number} puzzles ({100 * self.solved / number:.0f} %)"


async def puzzle_score(rules: Rules, puzzles: Sequence[Puzzle], entrant: Entrant) -> PuzzleScore:
    """Each puzzle is a question from a match. For each puzzle, starts the bot, and asks it the questions that
    the same seat got in this match. Only the answer to the question of the puzzle counts.

    Raises Void if the machine failed, and RecordError if a puzzle does not follow from the rules.
    """
    missed: list[tuple[Puzzle, str | None]] = []
    for each in puzzles:
        played = await replay(rules, [each], entrant, each.head.bots[each.seat - 1])
        answer = next((found for found in played.answers if found.question == each.own), None)
        said = None if answer is None or answer.why else answer.said
        if said != each.best:
            missed.append((each, said))
    return PuzzleScore(len(puzzles) - len(missed), missed)
