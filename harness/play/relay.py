"""The program of a bot that is a Python function. It passes lines between the harness and the notebook.

    python3 relay.py SOCKET

`run` copies this file into the folder of a bot that is a function. A line from the notebook begins with `>`
if it is an answer, and with `!` if it is for stderr. If the notebook closes the connection, the function has
failed, and then the bot fails too.
"""

import os
import socket
import sys
from threading import Thread


def answers(notebook: socket.socket) -> None:
    for line in notebook.makefile("rb"):
        os.write(2 if line.startswith(b"!") else 1, line[1:])
    os._exit(1)


def main() -> None:
    with socket.socket(socket.AF_UNIX) as notebook:
        notebook.connect(sys.argv[1])
        Thread(target=answers, args=(notebook,), daemon=True).start()
        while block := os.read(0, 65_536):
            notebook.sendall(block)
        os._exit(0)


if __name__ == "__main__":
    main()
