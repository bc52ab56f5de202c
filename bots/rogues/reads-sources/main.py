"""Looks for the files of other bots, of the harness, and of the user who runs the harness.

Expected fault: `none`. If this rogue succeeds, it writes a message about its success instead of an answer.
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
WANTED = {"bot.toml", "plan.json", "tournament.jsonl", "passwd", "shadow", "id_rsa", ".bash_history"}
loot = ""
for where, folders, names in os.walk("/"):
    folders[:] = [name for name in folders if where != "/" or name not in ("proc", "sys", "usr")]
    for name in WANTED.intersection(names):
        path = pathlib.Path(where, name)
        if HERE not in path.parents and os.access(path, os.R_OK):
            loot = f"look what I found: {path}"

moves: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip().partition(" ")
    if word == "hello":
        print("hello 1 legal", flush=True)
    elif word == "new":
        print("ready", flush=True)
    elif word == "move":
        moves.append(rest)
    elif moves:  # the question, which follows the list of moves
        print(loot or moves[0], flush=True)
        moves.clear()
    elif word == "bye":
        break
