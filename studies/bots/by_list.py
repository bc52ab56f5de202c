"""A chess engine that replays games: python3 by_list.py GAMES. Each line of the file has the moves of a game.

Each `ucinewgame` begins the next game of the file. If the file has the word `stall` instead of a move, the
engine thinks too long.
"""

import sys
import time
from pathlib import Path

games = iter(Path(sys.argv[1]).read_text().splitlines())
moves: list[str] = []
played = 0
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "uci":
        print("id name by-list\nid author harness\nuciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "ucinewgame":
        moves = next(games, "").split()
    elif word == "position":
        played = len(rest) - rest.index("moves") - 1 if "moves" in rest else 0
    elif word == "go":
        if moves[played] == "stall":
            time.sleep(3)
        print(f"info depth 1 score cp 0\nbestmove {moves[played]}", flush=True)
    elif word == "quit":
        break
