"""A bridge: it makes a bot for the game chess of any engine that speaks UCI.

    python3 uci.py [--reserve MS] COMMAND ... [-- NAME=VALUE ...]

COMMAND starts the engine, and the rest are its options. The engine gets the time of each question, except a
reserve (30 ms) for the way through the bridge and for an engine that answers late: `go movetime` if there is
no bank or a very large one, else its clock.
"""

import os
import re
import shutil
import subprocess
import sys

USAGE = "python3 uci.py [--reserve MS] COMMAND ... [-- NAME=VALUE ...]"
RESERVE_MS = 30
PATIENCE = 20
"""With a bank for at least so many moves of full length, a move gets its full time."""
MOST = 100_000
"""A mate as a score, in centipawns. No score is larger."""
VARIANTS = {"threecheck": "3check"}
"""Names of variants that engines write differently."""


class Engine:
    """The process of the engine."""

    def __init__(self, command, options):
        if not command:
            sys.exit(f"give the command of the engine: {USAGE}")
        # The engine may lie beside this file. Debian has its games in a folder that is not in every PATH.
        paths = os.pathsep.join((".", os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"))
        found = shutil.which(command[0], path=paths)
        if found is None and os.path.isfile(command[0]):
            sys.exit(f"the engine {command[0]!r} is not executable: run `chmod +x` on it")
        if found is None:
            sys.exit(f"there is no engine {command[0]!r}")
        self.process = subprocess.Popen(
            [found, *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=1,
            encoding="utf-8",
            errors="replace",  # Some engines write the names of their authors in other encodings.
        )
        self.say("uci")
        self.offered = {}
        """The line of each option by its name in small letters, because UCI ignores their case."""
        for line in self.until("uciok"):
            name, kind, _ = line.partition(" type ")
            if kind and name.startswith("option name "):
                self.offered[name.removeprefix("option name ").strip().lower()] = line
        for option in options:
            name, _, value = option.partition("=")
            if not self.set(name, value):
                print(f"the engine has no option {option}", file=sys.stderr)

    def say(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit(f"the engine ended before it read {line!r}")

    def until(self, word):
        """Yields the lines up to the one that begins with `word`, that one included."""
        for line in self.process.stdout:
            yield line.rstrip()
            if line.startswith(word):
                return
        sys.exit(f"the engine ended before it said {word}")

    def set(self, name, value):
        """Sets an option; one without a value is a button. Returns whether the engine offers this."""
        line = self.offered.get(name.lower())
        choices = line.split(" var ")[1:] if line and " type combo " in line else [value]
        if line is None or value.lower() not in (choice.strip().lower() for choice in choices):
            return False
        self.say(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        return True

    def ready(self):
        self.say("isready")
        for _ in self.until("readyok"):
            pass

    def begin(self, variant):
        name, value = "UCI_Variant", VARIANTS.get(variant, variant)
        if variant == "chess960":
            name, value = "UCI_Chess960", "true"
        if variant != "chess" and not self.set(name, value):
            sys.exit(f"the engine does not play {variant}: it does not offer {name} {value}")
        self.say("ucinewgame")
        self.ready()

    def best(self, position, go):
        """The best move, and its score in centipawns; None if the engine gives no score."""
        self.say(f"{position}\n{go}")
        told = ""
        for line in self.until("bestmove"):
            if " score " in line and is_of_best(line):  # An engine may say many; only the last one counts.
                told = line
        move = line.split()[1:2] or sys.exit("the engine said `bestmove` without a move")
        return move[0], centipawns(told)


def is_of_best(info):
    """Whether a line with a score says the score of the best move: no bound, and no other move."""
    return (
        "bound" not in info
        and not info.startswith("info string")
        and (" multipv " not in info or " multipv 1 " in info)
    )


def centipawns(info):
    """The score in a line of the engine; None if there is none."""
    kind, value, *_ = [*info.partition(" score ")[2].split(), "", ""]
    try:
        number = int(value)
    except ValueError:
        return None
    if kind == "mate":
        return MOST if number > 0 else -MOST
    return max(-MOST, min(MOST, number)) if kind == "cp" else None


def clock(move_ms, bank_ms, increment_ms, reserve_ms=RESERVE_MS):
    """The command `go` for a question with these times; a bank of -1 means that there is none."""
    own = max(min(move_ms, bank_ms if bank_ms >= 0 else move_ms) - reserve_ms, 1)
    if bank_ms < 0 or move_ms * PATIENCE <= bank_ms:
        return f"go movetime {own}"
    # An engine never uses more than its clock for a move, so the limit of a move is its clock if it is less.
    return f"go wtime {own} btime {own} winc {increment_ms} binc {increment_ms}"


def reserve(words):
    """The milliseconds of `--reserve` at the start of the words, and the words after it."""
    if words[:1] != ["--reserve"]:
        return RESERVE_MS, words
    if not re.fullmatch("[0-9]{1,6}", "".join(words[1:2])):
        sys.exit(f"--reserve needs a whole number of milliseconds: {USAGE}")
    return int(words[1]), words[2:]


def main():
    reserve_ms, words = reserve(sys.argv[1:])
    cut = words.index("--") if "--" in words else len(words)
    engine = Engine(words[:cut], words[cut + 1 :])
    options, limits, start, moves = {}, {}, "", []
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "hello":
            print("hello 1", flush=True)
        elif word == "option":
            options[rest[0]] = " ".join(rest[1:])
        elif word == "limit":
            limits[rest[0]] = int(rest[1])
        elif word == "new":
            moves = []
            engine.begin(options.get("variant", "chess"))
            print("ready", flush=True)
        elif word == "position":
            start = " ".join(rest)
        elif word == "moved":
            moves.append(rest[1])
        elif word == "play":
            position = f"position fen {start}" + (" moves " + " ".join(moves) if moves else "")
            go = clock(int(rest[0]), int(rest[1]), limits.get("increment", 0), reserve_ms)
            move, score = engine.best(position, go)
            wanted = options.get("scores") == "yes" and score is not None
            print(f"play {move} {score}" if wanted else f"play {move}", flush=True)
        elif word == "bye":
            engine.say("quit")
            return


if __name__ == "__main__":
    main()
