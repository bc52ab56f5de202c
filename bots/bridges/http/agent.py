"""A bridge: a bot that asks an agent behind HTTP, through the socket of gateway.py.

    python3 agent.py SOCKET

This bot has no network and no key. If there is a file `token` beside this file, the bot sends its content to
the gateway.
"""

import json
import socket
import sys
from pathlib import Path

TOKEN = Path(__file__).with_name("token")
NO_EVENTS = ("option", "limit", "ally", "name", "result", "over", "fault")


def ask(address, question):
    """The answer of the gateway, a table with `move` or `error`."""
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rw") as gateway:
        line.connect(address)
        gateway.write(json.dumps(question) + "\n")
        gateway.flush()
        return json.loads(gateway.readline() or '{"error": "the gateway has gone"}')


def main():
    token = TOKEN.read_text().strip() if TOKEN.exists() else ""
    game, options, seat, events, view, legal = "", [], 1, [], [], []
    missing = 0
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "hello":
            game = rest.partition(" ")[2]
            print("hello 1 legal state", flush=True)
        elif word == "option":
            options.append(rest)
        elif word == "new":
            seat, events, view = int(rest.split()[1]), [], []
            print("ready", flush=True)
        elif word == "state":
            view.append(rest)
        elif word == "legal":
            legal, missing = [], int(rest.split()[1])
        elif word == "move":
            legal.append(rest)
            missing -= 1
        elif legal and not missing:  # The first line after the legal moves is the question.
            told = {"options": options, "seat": seat, "events": events, "view": view, "legal": legal}
            answer = ask(sys.argv[1], {"token": token, "game": game, **told})
            if "error" in answer:
                sys.exit(answer["error"])
            print(answer["move"], flush=True)
            view, legal = [], []
        elif word == "bye":
            return
        elif word not in NO_EVENTS:
            events.append(line.rstrip("\n"))
        if word == "over":
            options = []


if __name__ == "__main__":
    main()
