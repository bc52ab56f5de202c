"""Writes matches of chess as PGN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import chess
import chess.pgn

from harness.worlds.chess.openings import Opening, board_of

RESULTS = {(1, 2): "1-0", (2, 1): "0-1"}
KINDS = ("match", "event", "fault", "result")
"""The kinds of lines of a log from which a game in PGN is made."""


def games(rows: Iterable[Mapping[str, Any]], event: str, variant: str) -> Iterator[str]:
    """Yields a game in PGN for each match in these rows of a log, in the order of the rows."""
    game: dict[str, Any] = {}
    for row in rows:
        if row["is"] == "match":
            game = {"id": row["match"], "bots": row["bots"], "moves": [], "fault": ""}
        elif row["is"] == "event":
            word, _, rest = row["line"].partition(" ")
            if word == "position":
                game["fen"] = rest
            elif word == "moved":
                game["moves"].append(rest.split(" ")[1])
        elif row["is"] == "fault":
            game["fault"] = f"{row['name']} (seat {row['seat']}): {row['reason']}"
        else:
            yield _written(game, row, event, variant)


def _written(game: Mapping[str, Any], result: Mapping[str, Any], event: str, variant: str) -> str:
    board = board_of(Opening(variant, game["fen"]))
    for uci in game["moves"]:
        board.push(chess.Move.from_uci(uci))
    written = chess.pgn.Game.from_board(board)
    white, black = game["bots"]
    tags = {
        "Event": event,
        "Site": "harness",
        "Round": game["id"],
        "White": white,
        "Black": black,
        "Result": RESULTS.get(tuple(result["ranks"]), "1/2-1/2"),
        "Termination": game["fault"] or result["reason"],
    }
    # The PGN standard writes a quotation mark as `\"`, but not every program that reads PGN knows this.
    written.headers.update({name: tag.replace('"', "'").replace("\\", "/") for name, tag in tags.items()})
    return str(written)
