"""Makes the lines to a bot, and reads the lines from a bot. This file uses no pipes and no files.

The harness writes *blocks* of lines. The last line of a block is a question, and the bot answers this
question with exactly one line. `harness.protocol.inbox` divides the bytes of a bot into lines. This file
makes the lines to a bot, and finds the meaning of the lines from a bot.

    hello -> (new -> question* -> over)* -> bye          faults: -> fault, over, the end

protocol.md is the manual of the protocol for authors of bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from harness.model import Limits, Malformed, Number

VERSION = 1


class Problem(NamedTuple):
    """A fault that can be found without the rules of a game: its name (see harness.model.FAULTS) and a
    reason."""

    name: str
    reason: str


class Misspelt(NamedTuple):
    """An answer with a forbidden character, and the reason for its fault `malformed`."""

    said: str
    reason: str


class Wants(NamedTuple):
    """The help that a bot wants with each question, as it said in its answer to `hello`: the legal moves,
    everything that its seat may know, or both."""

    legal: bool = False
    state: bool = False

    @lru_cache(maxsize=4)  # noqa: B019 (only four different objects exist)
    def words(self) -> str:
        """Returns the names of the wanted help, as the log writes them."""
        return " ".join(name for name, wanted in self._asdict().items() if wanted)


# -- lines to a bot --------------------------------------------------------------------------------


def block(lines: Iterable[str]) -> bytes:
    """Returns the lines as bytes, each with its newline."""
    return ("\n".join(lines) + "\n").encode()


def hello(game: str) -> str:
    """Returns the first question to a process."""
    return f"hello {VERSION} {game}"


def asked(ask: str, failed: str, why: str) -> str:
    """Returns the question to which a bot gave no right answer. `ask` is this question on record, and
    `failed` and `why` are the name and the reason of the fault.

    If a bot fails at `hello`, the question on record is `new`, because only a match is recorded. But the bot
    never gets `new`.
    """
    at_hello = why.startswith("at `hello`:") or (failed == "no-start" and "`hello" in why)
    return "hello" if at_hello else ask


def new(
    options: Sequence[str],
    limits: Limits,
    number: int,
    seat: int,
    seats: int,
    seed: int,
    allies: Sequence[int] = (),
    names: Sequence[str] = (),
) -> tuple[str, ...]:
    """Returns the block that begins a match for one seat. The last line of the block expects the answer
    `ready`.
    """
    return (
        *_opening(tuple(options), limits, tuple(allies), tuple(names)),
        f"new {number} {seat} {seats} {seed}",
    )


# A seat gets the same first lines in all matches of a tournament, so these lines are cached.
@lru_cache(maxsize=64)
def _opening(
    options: tuple[str, ...], limits: Limits, allies: tuple[int, ...], names: tuple[str, ...]
) -> tuple[str, ...]:
    told = (
        ("start", limits.start_ms),
        ("move", limits.move_ms),
        ("bank", limits.bank_ms or -1),
        ("increment", limits.increment_ms),
        ("line", limits.line_bytes),
        ("unread", limits.unread_bytes),
    )
    return (
        *(f"option {option}" for option in options),
        *(f"limit {name} {value}" for name, value in told),
        *(f"ally {ally}" for ally in allies),
        *(f"name {place} {name}" for place, name in enumerate(names, start=1)),
    )


def question(asked: str, move_ms: int, bank_ms: int) -> tuple[str, str]:
    """Adds MOVE and BANK to the question of a game: "WORD MOVE BANK ...". MOVE is the limit of this answer in
    ms. BANK is the time in ms that is left for all answers of the match together; -1 means that there is no
    such limit.

    Returns two texts: the question, and "WORD ", which is the required beginning of the answer.
    """
    word, space, rest = asked.partition(" ")
    return f"{word} {move_ms} {bank_ms}{space}{rest}", f"{word} "


def legal(kind: str, moves: Sequence[str]) -> str:
    """Returns the legal moves as lines. `kind` is "all" or "some"."""
    return "\nmove ".join([f"legal {kind} {len(moves)}", *moves])


def over(ranks: Sequence[Number], scores: Sequence[Number]) -> tuple[str, ...]:
    """Returns the lines of the last block of a match, for a seat that played until the end of the match."""
    return (*[f"result {seat} {rank} {scores[seat - 1]}" for seat, rank in enumerate(ranks, start=1)], "over")


def fault(name: str, reason: str) -> tuple[str, ...]:
    """Returns the lines of the last block of a match, for a seat that broke a rule."""
    plain = reason.encode("ascii", "backslashreplace").decode().replace("\n", "\\n").replace("\r", "\\r")
    return f"fault {name} {plain}", "over"


BYE = "bye"


def due(asked: bytes) -> str:
    """Returns the only correct answer to this block, or "" if several answers are possible."""
    word = asked[asked.rfind(b"\n", 0, -1) + 1 :].split(b" ")[0]
    return {b"hello": f"`hello {VERSION}`", b"new": "`ready`"}.get(word, "")


# -- lines from a bot ------------------------------------------------------------------------------


def read_hello(said: str) -> Wants | Malformed:
    """Reads from a bot's answer to `hello` which help the bot wants with questions."""
    words = said.split(" ")
    if words[:2] != ["hello", str(VERSION)]:
        return Malformed(
            f"`hello {VERSION}` is due, with `legal` and `state` if they are wanted; it said {said!r}"
        )
    unknown = set(words[2:]) - set(Wants._fields)
    if unknown:
        return Malformed(f"after `hello {VERSION}` may come `legal` and `state`; it said {said!r}")
    return Wants("legal" in words, "state" in words)


def spacing(said: str) -> str:
    """If the spaces of an answer are wrong, returns a sentence about this mistake, else "".

    Wrong spaces cause other mistakes in the answer too, so the check for spaces comes first.
    """
    if " ".join(said.split()) == said:
        return ""
    return f"one space stands between words, and none before or after them; it said {said!r}"


def misspelt(said: str) -> str:
    """If a character of the answer is not printable ASCII, returns a sentence about it, else "".

    The code of a game never receives such characters. Some of them would become ASCII letters if the game
    changed them to upper case. For example, the long s (U+017F) becomes S, so a game could take this
    character for the S of a card.
    """
    if said.isascii() and said.isprintable():
        return ""
    place, sign = next((place, sign) for place, sign in enumerate(said, 1) if not " " <= sign <= "~")
    return (
        f"an answer consists of printable ASCII characters, but character {place} is U+{ord(sign):04X}; "
        f"it said {said[:80]!a}{'...' * (len(said) > 80)}"
    )


def read_ready(said: str) -> Malformed | None:
    """Checks the answer to `new`. Returns None if the answer is right."""
    return None if said == "ready" else Malformed(f"`ready` is due; it said {said!r}")
