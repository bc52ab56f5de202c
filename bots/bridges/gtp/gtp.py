"""A bridge: it turns any program that speaks GTP, the Go Text Protocol, into a bot for openspiel:go.

    python3 gtp.py COMMAND ...

COMMAND starts the program. The program gets the size of the board, the komi, the moves, and the time for each
answer.
"""

import os
import re
import shutil
import subprocess
import sys

COLUMNS = "ABCDEFGHJKLMNOPQRST"
COLOURS = ("black", "white")
RESERVE_MS = 50


class Engine:
    """The process of the program that speaks GTP."""

    def __init__(self, command):
        if not command:
            sys.exit("give the command of the program: python3 gtp.py COMMAND ...")
        # The program may be beside this file. Debian puts games into a folder that is not in every PATH.
        paths = os.pathsep.join((".", os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"))
        found = shutil.which(command[0], path=paths)
        if found is None and os.path.isfile(command[0]):
            sys.exit(f"the program {command[0]!r} is not executable: run `chmod +x` on it")
        if found is None:
            sys.exit(f"there is no program {command[0]!r}")
        self.process = subprocess.Popen(
            [found, *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=1,
            encoding="utf-8",
            errors="replace",  # Some programs write in other encodings.
        )

    def tell(self, command):
        """Sends a command. Returns whether the program accepts it, and the program's answer."""
        answer = ""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if answer and not line.strip():  # An empty line ends an answer.
                    return answer[0] == "=", answer[1:].strip()
                if not answer and line.startswith(("=", "?")):  # Some programs write other lines first.
                    answer = line
        except BrokenPipeError:
            pass
        sys.exit(f"the program ended at {command!r}")

    def must(self, command):
        accepted, answer = self.tell(command)
        if not accepted:
            sys.exit(f"the program does not accept {command!r}: {answer}")
        return answer

    def begin(self, size, komi):
        self.must(f"boardsize {size}")
        self.must("clear_board")
        self.must(f"komi {komi}")

    def genmove(self, colour, move_ms, bank_ms):
        """The move of the program as a point, as "pass", or as "resign"."""
        # GTP counts in whole seconds. A program that does not know these two commands chooses its own time.
        seconds = max((min(move_ms, bank_ms if bank_ms >= 0 else move_ms) - RESERVE_MS) // 1000, 1)
        if bank_ms < 0:
            self.tell(f"time_settings 0 {seconds} 1")
            self.tell(f"time_left {colour} {seconds} 1")
        else:
            self.tell(f"time_settings {seconds} 0 0")
            self.tell(f"time_left {colour} {seconds} 0")
        return self.must(f"genmove {colour}").upper()


def parameters(call):
    """The size and the komi in the name of the game, for example `go(board_size=9,komi=7.5)`."""
    given = dict(re.findall(r"(\w+)=([\w.+-]+)", call))
    if not re.fullmatch(r"go(\(.*\))?", call) or int(given.get("handicap", 0)):
        sys.exit(f"this bridge plays openspiel:go without a handicap, not {call}")
    return int(given.get("board_size", 19)), given.get("komi", "7.5")


def point(action, size):
    """The point of an action of OpenSpiel, as "C3", or "pass"."""
    return "pass" if action == size * size else f"{COLUMNS[action % size]}{action // size + 1}"


def action_of(move, size):
    """The action of OpenSpiel that is the same as this move of the program."""
    if move in {"PASS", "RESIGN"}:  # OpenSpiel's game has no move that resigns.
        return size * size
    if not re.fullmatch(f"[{COLUMNS[:size]}][0-9]{{1,2}}", move) or not 1 <= int(move[1:]) <= size:
        sys.exit(f"the program said {move!r}, which is no point of the board")
    return (int(move[1:]) - 1) * size + COLUMNS.index(move[0])


def main():
    engine, call, size, seat = Engine(sys.argv[1:]), "go", 19, 1
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "hello":
            print("hello 1", flush=True)
        elif word == "option" and rest[0] == "game":
            call = " ".join(rest[1:])
        elif word == "new":
            seat = int(rest[1])
            size, komi = parameters(call)
            engine.begin(size, komi)
            print("ready", flush=True)
        elif word == "played" and int(rest[0]) != seat:
            engine.must(f"play {COLOURS[2 - seat]} {point(int(rest[1]), size)}")
        elif word == "act":
            colour = COLOURS[seat - 1]
            move = engine.genmove(colour, int(rest[0]), int(rest[1]))
            if move == "RESIGN":
                engine.must(f"play {colour} pass")
            print(f"act {action_of(move, size)}", flush=True)
        elif word == "bye":
            engine.tell("quit")
            return


if __name__ == "__main__":
    main()
