"""Compares the results of chess matches on record with those of python-chess and of fastchess.

    python -m studies.verdicts LOGS

LOGS is a tournament of chess. fastchess (benchmarks/peers.py says how to build it) gets two engines that
replay the moves of each match; if the match ended by `late`, the engine thinks too long there too. Prints
each match on which the three do not agree, and how often each end came. The exit code is 1 if they disagree.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn

import harness
from benchmarks import fastchess

ENGINE = Path(__file__).parent / "bots" / "by_list.py"
RESULTS = {(1, 2): "1-0", (2, 1): "0-1", (1.5, 1.5): "1/2-1/2"}
SECONDS = 1
"""The time for a move in fastchess; an engine that stalls needs more."""
ENDS = {
    "mates": "checkmate",
    "stalemate": "stalemate",
    "insufficient": "insufficient material",
    "3-fold": "the position stood 3 times",
    "fifty": "50 moves without progress",
    "on time": "late",
}
"""Words of fastchess for the end of a game, and the words of a record."""


class Recorded(NamedTuple):
    """A match on record: its moves, and its end."""

    match: str
    fen: str
    moves: tuple[str, ...]
    verdict: tuple[str, str]
    """The result as in PGN, and the reason."""


def on_record(logs: Path) -> list[Recorded]:
    """The matches of the record in their order."""
    found, fen, fault, name = [], "", "", ""
    moves: list[str] = []
    for row in harness.read_log(logs):
        if row["is"] == "match":
            moves, fault, name = [], "", row["match"]
        elif row["is"] == "event":
            word, _, rest = row["line"].partition(" ")
            fen = rest if word == "position" else fen
            moves += rest.split(" ")[1:2] if word == "moved" else []
        elif row["is"] == "fault":
            fault = str(row["name"])
        elif row["is"] == "result":
            verdict = RESULTS[tuple(row["ranks"])], fault or row["reason"]
            found.append(Recorded(name, fen, tuple(moves), verdict))
    return found


def by_python_chess(one: Recorded) -> tuple[str, str]:
    """The verdict of python-chess. Of a match that ended by the clock it checks only who was to move."""
    board = chess.Board(one.fen)
    for move in one.moves:
        assert not board.is_game_over()
        board.push_uci(move)
    if end := board.outcome():
        return end.result(), end.termination.name.lower().replace("_", " ")
    if board.is_repetition(3):
        return "1/2-1/2", ENDS["3-fold"]
    if board.is_fifty_moves():
        return "1/2-1/2", ENDS["fifty"]
    late = ("0-1" if board.turn else "1-0", "late")
    return late if one.verdict == late else ("*", "goes on")


def by_fastchess(matches: list[Recorded]) -> list[tuple[str, str]]:
    """The verdict of fastchess on each match."""
    with tempfile.TemporaryDirectory(prefix="studies-") as name:
        folder = Path(name)
        ends = [" stall" if one.verdict[1] == "late" else "" for one in matches]
        listed = zip(matches, ends, strict=True)
        (folder / "games").write_text("".join(f"{' '.join(one.moves)}{end}\n" for one, end in listed))
        (folder / "book.epd").write_text("".join(f"{one.fen}\n" for one in matches))
        engine = ["cmd=" + sys.executable, f"args={ENGINE} {folder / 'games'}"]
        command = [f"{fastchess.program()}", "-engine", "name=a", *engine, "-engine", "name=b", *engine]
        command += [
            "-each",
            f"st={SECONDS}",
            "-rounds",
            f"{len(matches)}",
            "-games",
            "1",
            "-concurrency",
            "1",
        ]
        command += ["-openings", f"file={folder / 'book.epd'}", "format=epd", "order=sequential"]
        command += ["-recover", "-pgnout", f"file={folder / 'games.pgn'}"]
        subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        source = io.StringIO((folder / "games.pgn").read_text())
    found: dict[int, tuple[str, str]] = {}
    while game := chess.pgn.read_game(source):
        at = int(game.headers["Round"].partition(".")[0]) - 1
        one, moves = matches[at], [move.uci() for move in game.mainline_moves()]
        said = re.sub(r".*, ", "", game.end().comment.replace("\n", " ")) + game.headers["Termination"]
        end = next((end for word, end in ENDS.items() if word in said), said)
        end = "late" if game.headers["Termination"] == "time forfeit" else end
        found[at] = (game.headers["Result"], end) if moves == list(one.moves) else ("*", "other moves")
    return [found.get(at, ("*", "not played")) for at in range(len(matches))]


def main(logs: str) -> int:
    """Compares all matches of the record; returns the exit code."""
    if fastchess.program() is None:
        print("fastchess is not here: benchmarks/peers.py says how to build it")
        return 2
    recorded = on_record(Path(logs))
    matches = [one for one in recorded if one.verdict[1] in ENDS.values()]
    late = [one for one in matches if one.verdict[1] == "late"]
    matches = [one for one in matches if one not in late]
    # fastchess starts an engine again that was late, and this engine would begin its list again.
    batches = [batch for batch in (matches, *([one] for one in late)) if batch]
    others = [verdict for batch in batches for verdict in by_fastchess(batch)]
    wrong = 0
    matches += late
    for one, other in zip(matches, others, strict=True):
        library = by_python_chess(one)
        if not one.verdict == library == other:
            wrong += 1
            print(f"{one.match}: on record {one.verdict}, python-chess {library}, fastchess {other}")
    for end, count in Counter(one.verdict[1] for one in matches).most_common():
        print(f"{count:5d}  {end}")
    print(f"{len(matches) - wrong} of {len(matches)} matches as python-chess and fastchess say")
    if left_out := len(recorded) - len(matches):
        print(f"{left_out} matches that ended otherwise, as by another fault, are left out")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
