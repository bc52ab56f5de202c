"""Keeps the scores that bots send with their moves. If the options demand it, these scores decide when a
match ends and who wins."""

from __future__ import annotations

import re
from typing import Any

import msgspec

SCORE = re.compile(r"0|-?[1-9][0-9]{0,5}")


class Adjudication(msgspec.Struct, frozen=True):
    """The last scores that each seat has sent, in centipawns. A positive score is good for the seat that sent
    it. The newest score comes last."""

    white: tuple[int, ...] = ()
    black: tuple[int, ...] = ()

    @staticmethod
    def can_read(score: str) -> bool:
        """Returns whether this is a score as a bot writes it: a whole number of centipawns."""
        return SCORE.fullmatch(score) is not None

    def after(self, seat: int, score: int | None) -> Adjudication:
        """Returns the scores with this score added. A move without a score deletes the earlier scores of its
        seat."""
        key = "white" if seat == 1 else "black"
        said = () if score is None else (*getattr(self, key), score)
        return msgspec.structs.replace(self, **{key: said})

    def verdict(self, options: Any, plies: int) -> tuple[int | None, str]:
        """Returns the winner (0 for a draw) and the reason, or None and "" if the match goes on."""
        if options.resign:
            count = max(options.resign_moves, 1)
            for seat, said in ((1, self.white), (2, self.black)):
                last = said[-count:]
                if len(last) == count and max(last) <= -options.resign:
                    return 3 - seat, f"seat {seat} gave itself {last[-1]} centipawns"
        if options.draw and plies >= 2 * options.draw_after:
            count = max(options.draw_moves, 1)
            both = (*self.white[-count:], *self.black[-count:])
            if len(both) == 2 * count and max(map(abs, both)) <= options.draw:
                return 0, f"both seats gave themselves at most {options.draw} centipawns"
        return None, ""
