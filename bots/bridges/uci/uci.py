"""A bridge: it turns any engine that speaks UCI into a bot for the game chess.

    python3 uci.py [--reserve MS] COMMAND ... [-- NAME=VALUE ...]

COMMAND starts the engine, and each NAME=VALUE is an option of the engine. The engine gets the time for each
answer, except a reserve (30 ms) for the way through the bridge and for an engine that answers late. If there
is no bank or a very large bank, the engine gets this time as `go movetime`, otherwise as its clock.
"""

import os
import re
import shutil
import subprocess
import sys

USAGE = "python3 uci.py [--reserve MS] COMMAND ... [-- NAME=VALUE ...]"
RESERVE_MS = 30
PATIENCE = 20
"""If the bank is at least this many times the limit of a move, each move gets its full time."""
MOST = 100_000
"""The score of a mate, in centipawns. No score is larger."""
HISTORY = 7
"""An engine gets at least this many of the last moves, because some engines look at the last eight
positions."""
CHUNK = 1 << 16
"""The largest number of bytes to read at once."""
MUCH = 1 << 20
"""If an engine writes more bytes than this before its answer, the first bytes are forgotten."""
VARIANTS = {"threecheck": "3check"}
"""For names of variants in harness: the names that engines use for the same variants."""


class Engine:
    """The process of the engine."""

    def __init__(self, command, options):
        if not command:
            sys.exit(f"give the command of the engine: {USAGE}")
        # The engine may be beside this file. Debian puts games into a folder that is not in every PATH.
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
            bufsize=0,
        )
        self.unread = b"\n"
        """The newline of the last line that was read, and what the engine has written after it."""
        self.say("uci")
        self.offered = {}
        """The line of each option by its name in small letters, because UCI ignores the case of names."""
        for line in lines_of(self.until("uciok")[0]):
            name, kind, _ = line.partition(" type ")
            if kind and name.startswith("option name "):
                self.offered[name.removeprefix("option name ").strip().lower()] = line
        for option in options:
            name, _, value = option.partition("=")
            if not self.set(name, value):
                print(f"the engine has no option {option}", file=sys.stderr)

    def say(self, line):
        try:
            os.write(self.process.stdin.fileno(), f"{line}\n".encode())
        except BrokenPipeError:
            sys.exit(f"the engine ended before it read {line!r}")

    def until(self, word):
        """What the engine writes before the line that begins with `word`, and this line.

        An engine may write many lines, and reading each of them would cost time on the engine's core. So this
        method only searches the bytes for the one line.
        """
        said, begin, seen = self.unread, f"\n{word}".encode(), 0
        while (at := said.find(begin, seen)) < 0 or (end := said.find(b"\n", at + 1)) < 0:
            seen = max(0, len(said) - len(begin)) if at < 0 else at
            more = os.read(self.process.stdout.fileno(), CHUNK)
            if not more:
                sys.exit(f"the engine ended before it said {word}")
            said += more
            if len(said) > MUCH:
                said, seen = said[-CHUNK:], 0
        self.unread = said[end:]
        return said[1:at], said[at + 1 : end]

    def set(self, name, value):
        """Sets an option of the engine, or presses a button, which is an option without a value. Returns
        whether the engine offers this option."""
        line = self.offered.get(name.lower())
        choices = line.split(" var ")[1:] if line and " type combo " in line else [value]
        if line is None or value.lower() not in (choice.strip().lower() for choice in choices):
            return False
        self.say(f"setoption name {name} value {value}" if value else f"setoption name {name}")
        return True

    def ready(self):
        self.say("isready")
        self.until("readyok")

    def begin(self, variant):
        name, value = "UCI_Variant", VARIANTS.get(variant, variant)
        if variant == "chess960":
            name, value = "UCI_Chess960", "true"
        if variant != "chess" and not self.set(name, value):
            sys.exit(f"the engine does not play {variant}: it does not offer {name} {value}")
        self.say("ucinewgame")
        self.ready()

    def best(self, position, go):
        """The best move, and what the engine has written before it."""
        self.say(f"{position}\n{go}")
        infos, last = self.until("bestmove")
        move = lines_of(last)[0].split()[1:2] or sys.exit("the engine said `bestmove` without a move")
        return move[0], infos


class Line:
    """The moves of a match, as the engine needs them.

    An engine plays all moves that it is told, one after the other, before it begins to think. So it gets no
    moves from before the last capture or pawn move: after such a move, no earlier position can come back, and
    no rule needs an earlier position.
    """

    def __init__(self, fen, whole):
        """With `whole` the engine gets all moves: in some variants, a FEN does not say everything about a
        position."""
        self.whole = whole
        self.moves = []
        self.fens = [fen]
        """The position at the start, and the position after each move."""
        self.least = 0
        """The number of moves up to the last capture or pawn move; no rule needs an earlier position."""

    def move(self, uci):
        self.moves.append(uci)

    def stands(self, fen):
        """Records the position after a move. Call this method after each move."""
        self.fens.append(fen)
        # The last word but one of a FEN is the number of plies since the last capture or pawn move.
        if not self.whole and fen.rsplit(" ", 2)[1] == "0":
            self.least = len(self.moves)

    def position(self):
        """The command `position` for the engine."""
        begin = max(0, min(self.least, len(self.moves) - HISTORY))
        moves = self.moves[begin:]
        fen = self.fens[begin]
        return f"position fen {fen} moves {' '.join(moves)}" if moves else f"position fen {fen}"


def lines_of(text):
    # Some engines write the names of their authors in other encodings.
    return text.decode(errors="replace").split("\n")


def is_of_best(info):
    """Whether a line gives the exact score of the best move. Lines about other moves, or with only a bound of
    the score, do not."""
    return (
        " score " in info
        and "bound" not in info
        and not info.startswith("info string")
        and (" multipv " not in info or " multipv 1 " in info)
    )


def centipawns(infos):
    """The score in the last of these lines that gives the best move's score; None if no line gives it."""
    info = next(filter(is_of_best, reversed(infos)), "")
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
    # An engine never uses more than its clock for a move. So its clock is the limit of a move or the bank,
    # whichever is less.
    return f"go wtime {own} btime {own} winc {increment_ms} binc {increment_ms}"


def heard():
    """Yields the lines of the harness; reading them from `sys.stdin` would take longer."""
    unread = b""
    while data := os.read(sys.stdin.fileno(), CHUNK):
        *lines, unread = (unread + data).split(b"\n")
        for line in lines:
            yield line.decode()


def tell(line):
    """Sends a line to the harness at once; `print` takes longer."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def reserve(words):
    """Reads the option `--reserve` at the start of the words. Returns its milliseconds and the other
    words."""
    if words[:1] != ["--reserve"]:
        return RESERVE_MS, words
    if not re.fullmatch("[0-9]{1,6}", "".join(words[1:2])):
        sys.exit(f"--reserve needs a whole number of milliseconds: {USAGE}")
    return int(words[1]), words[2:]


def main():
    reserve_ms, words = reserve(sys.argv[1:])
    cut = words.index("--") if "--" in words else len(words)
    engine = Engine(words[:cut], words[cut + 1 :])
    options, limits, line = {}, {}, None
    for said in heard():
        word, _, text = said.partition(" ")
        rest = text.split()
        if word == "moved":
            line.move(rest[1])
        elif word == "fen":
            line.stands(text)
        elif word == "play":
            go = clock(int(rest[0]), int(rest[1]), limits.get("increment", 0), reserve_ms)
            move, infos = engine.best(line.position(), go)
            score = centipawns(lines_of(infos)) if options.get("scores") == "yes" else None
            tell(f"play {move}" if score is None else f"play {move} {score}")
        elif word == "hello":
            tell("hello 1")
        elif word == "option":
            options[rest[0]] = " ".join(rest[1:])
        elif word == "limit":
            limits[rest[0]] = int(rest[1])
        elif word == "new":
            variant = options.get("variant", "chess")
            engine.begin(variant)
            tell("ready")
        elif word == "position":
            line = Line(text, whole=variant not in ("chess", "chess960"))
        elif word == "bye":
            engine.say("quit")
            return


if __name__ == "__main__":
    main()
