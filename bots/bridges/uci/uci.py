"""A bridge: it makes a bot for the game chess of any engine that speaks UCI.

    python3 uci.py COMMAND ... [-- NAME=VALUE ...]

COMMAND starts the engine, and the rest are its options. The engine gets the time of each question, except a
small reserve for the way through the bridge: `go movetime` if there is no bank, else its clock.
"""

import os
import shutil
import subprocess
import sys

RESERVE_MS = 30
VARIANTS = {"threecheck": "3check"}
"""Names of variants that engines write differently."""


class Engine:
    """The process of the engine."""

    def __init__(self, command, options):
        # Debian has its games in a folder that is not in every PATH.
        paths = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games", "/usr/local/games"))
        found = shutil.which(command[0], path=paths)
        if found is None:
            sys.exit(f"there is no engine {command[0]!r}")
        self.process = subprocess.Popen(
            [found, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.offered = {
            line.split(" name ")[1].split(" type ")[0]
            for line in self.until("uciok")
            if line.startswith("option name ")
        }
        for option in options:
            name, _, value = option.partition("=")
            self.set(name, value)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        """Yields the lines up to the one that begins with `word`, that one included."""
        for line in self.process.stdout:
            yield line.strip()
            if line.split()[:1] == [word]:
                return
        sys.exit(f"the engine ended before it said {word}")

    def set(self, name, value):
        if name in self.offered:
            self.say(f"setoption name {name} value {value}")
        else:
            print(f"the engine has no option {name}", file=sys.stderr)

    def ready(self):
        self.say("isready")
        for _ in self.until("readyok"):
            pass

    def begin(self, variant):
        if variant == "chess960":
            self.set("UCI_Chess960", "true")
        elif variant != "chess":
            self.set("UCI_Variant", VARIANTS.get(variant, variant))
        self.say("ucinewgame")
        self.ready()

    def best(self, position, go):
        """The best move, and its score in centipawns; None if the engine gives no score."""
        self.say(position)
        self.say(go)
        score = None
        for line in self.until("bestmove"):
            words = line.split()
            if "score" in words:
                kind, value = words[words.index("score") + 1 :][:2]
                score = int(value) if kind == "cp" else 100_000 if int(value) > 0 else -100_000
            if words[:1] == ["bestmove"]:
                return words[1], score
        raise AssertionError("`until` ends with bestmove")


def clock(move_ms, bank_ms, increment_ms, white):
    """The command `go` for a question with these times; a bank of -1 means that there is none."""
    if bank_ms < 0:
        return f"go movetime {max(move_ms - RESERVE_MS, 1)}"
    own = max(min(move_ms, bank_ms) - RESERVE_MS, 1)
    if move_ms < bank_ms:  # The limit of a single move ends sooner than the bank.
        return f"go movetime {own}"
    return f"go wtime {own} btime {own} winc {increment_ms} binc {increment_ms}"


def main():
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    engine = Engine(words[:cut], words[cut + 1 :])
    options, limits, start, moves = {}, {}, "", []
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "hello":
            print("hello 1", flush=True)
        elif word == "option":
            options[rest[0]] = " ".join(rest[1:])
        elif word == "limit":
            limits[rest[0]] = int(rest[1])
        elif word == "new":
            moves = []
            white = rest[1] == "1"
            engine.begin(options.get("variant", "chess"))
            print("ready", flush=True)
        elif word == "position":
            start = " ".join(rest)
        elif word == "moved":
            moves.append(rest[1])
        elif word == "play":
            position = f"position fen {start}" + (" moves " + " ".join(moves) if moves else "")
            go = clock(int(rest[0]), int(rest[1]), limits.get("increment", 0), white)
            move, score = engine.best(position, go)
            wanted = options.get("scores") == "yes" and score is not None
            print(f"play {move} {score}" if wanted else f"play {move}", flush=True)
        elif word == "bye":
            engine.say("quit")
            return


if __name__ == "__main__":
    main()
