"""Passes lines between the harness and a notebook. This is the program of a bot whose moves a Python
function in the notebook chooses.

    python3 relay.py SOCKET

`harness.run` copies this file into the folder of a bot that is a function. A line from the notebook begins
with `>` if it is an answer, and with `!` if it is for stderr. If the notebook closes the connection, the
function has failed, and then the bot fails too.
"""

import os
import socket
import sys
from threading import Thread


def answers(notebook: socket.socket) -> None:
    # If several lines arrive at the same time, one call writes all of them. Otherwise the harness could ask
    # the next question between two lines of one answer, and take the second line for the next answer.
    rest = b""
    while data := notebook.recv(65_536):
        *lines, rest = (rest + data).split(b"\n")
        for stream, mark in ((2, b"!"), (1, b">")):
            if together := b"".join(line[1:] + b"\n" for line in lines if line.startswith(mark)):
                os.write(stream, together)
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
