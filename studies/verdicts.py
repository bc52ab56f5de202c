"""Compares the results of chess matches on record with the results that python-chess and fastchess give for
the same moves.

    python -m studies.verdicts LOGS

LOGS is the record of a chess tournament. In fastchess (benchmarks/peers.py says how to build it), two engines
replay the moves of each match. If the match ended because a bot was late, the engine thinks too long at the
same move. The study prints each match about which the three programs do not agree, and how many matches ended
in each way. The exit code is 1 if they disagree.
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
"""The seconds for a move in fastchess. An engine that replays a late answer takes longer."""
ENDS = {
    "mates": "checkmate",
    "stalemate": "stalemate",
    "insufficient": "insufficient material",
    "3-fold": "the position stood 3 times",
    "fifty": "50 moves without progress",
    "on time": "late",
}
"""The words with which fastchess names the end of a game, and the words with which harness names the same end
on record."""


class Recorded(NamedTuple):
    """A match on record: its moves, and its end."""

    match: str
    fen: str
    moves: tuple[str, ...]
    verdict: tuple[str, str]
    """The result in the notation of PGN, and the reason."""


def on_record(logs: Path) -> list[Recorded]:
    """The matches on record, in the order of the record."""
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
    """The result that python-chess gives for the moves of a match. If the match ended because a bot was late,
    only the side to move is checked."""
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
    """The result that fastchess gives for each match."""
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
    """Compares all matches of the record. Returns the exit code."""
    if fastchess.program() is None:
        print("fastchess is not here: benchmarks/peers.py says how to build it")
        return 2
    recorded = on_record(Path(logs))
    matches = [one for one in recorded if one.verdict[1] in ENDS.values()]
    late = [one for one in matches if one.verdict[1] == "late"]
    matches = [one for one in matches if one not in late]
    # If an engine was late, fastchess starts it again, and the new process would begin with the first match
    # of the file. So each late match gets a run of fastchess of its own.
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
