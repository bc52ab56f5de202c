"""Finds out what is wrong with an answer: compares its text with the right answers. All functions in this
file are pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from harness.checking.asked import Question
from harness.checking.hints import GivenHint, hint_of

MARKS = (">", "<", "move", "answer", "legal")
"""Signs and words that a bot may copy into its answer by mistake. For example, a sign stands before each line
in the manual's examples, and a word stands before each move in a list of legal moves."""
SEPARATORS = re.compile(r"[\s,;'\"\[\](){}<>]+")
NO_VALUE = frozenset(
    ("undefined", "null", "None", "nil", "NaN", "nan", "NULL", "(null)", "<nil>", "%!s(<nil>)", "[undefined]")
)
"""The texts that languages write for a missing value, or for a result that is not a number."""
OBJECT = re.compile(
    r"\[L[\w.$]+;@[0-9a-f]+|[\w.$]+@[0-9a-f]{4,8}\b|\b(?:ARRAY|HASH|CODE|SCALAR)\(0x[0-9a-f]+\)"
    r"|\b(?:table|function|userdata): (?:builtin: )?0x[0-9a-f]+|<[^<>]* at 0x[0-9a-f]+>|#<[\w:]+[^>]*>"
    r"|\[object \w+\]|\[Function: [^\]]*\]|\bSystem\.[\w.`]+(?:\[[\w.]*\])?|\b0xc[0-9a-f]{9}\b"
    r"|^(?:\w+ )?Array$"
)
"""The ways in which languages write an object that has no text of its own: those of Java, Perl, Lua, Python,
Ruby, JavaScript, C#, Go and PHP."""
PROMISE = "[object Promise]"
"""The way in which JavaScript writes a promise."""
MOST_SHOWN = 60


def wrong_answer(
    question: Question, said: str, before: Sequence[Question], language: str
) -> GivenHint | None:
    """Returns the hint for a wrong answer; None if the answer is right, or if no hint fits. `before` has the
    earlier questions to this bot."""
    if question.takes(said):
        return None
    if said.startswith("\ufeff"):
        return hint_of("bom", what="Its output")
    if found := _form(question, said, language) or _other(question, said, language):
        return found
    if question.state is not None and _has_wrong_end(question, said):
        return None  # The reason of the fault, which the rules give, already names the wrong word.
    if any(said in (each.word, f"{each.word} 1") or each.takes(said) for each in before):
        stale = said.split(" ")[0] == question.word
        return hint_of("stale-move" if stale else "one-behind", said=quoted(said))
    if question.state is None:
        return hint_of(question.word, said=quoted(said))
    if said.split(" ")[0] != question.word:
        return hint_of("no-word", said=quoted(said), right=example(question))
    return None


def _form(question: Question, said: str, language: str) -> GivenHint | None:
    """Returns the hint for an answer that is right except for its form, for example its spaces or capital
    letters. Returns None for any other answer."""
    takes = question.takes
    if takes(spaced := " ".join(said.split())) and spaced != said:
        return hint_of("spaces", said=repr(said))
    if empty := next((word for word in spaced.split(" ") if word in NO_VALUE), ""):
        return hint_of("no-value", said=quoted(said), word=quoted(empty))
    if PROMISE in spaced:
        return hint_of("promise", said=quoted(said))
    if OBJECT.search(spaced):
        return hint_of("object-form", language, said=quoted(said), right=example(question))
    first, _, rest = spaced.partition(" ")
    if first == question.word and takes(rest):
        return hint_of("word-twice", said=quoted(said), word=quoted(first), right=quoted(rest))
    if first in MARKS and takes(rest):
        return hint_of("copied-mark", said=quoted(said), mark=quoted(first), right=quoted(rest))
    if right := _case(question, spaced):
        return hint_of("wrong-case", said=quoted(said), right=quoted(right))
    if takes(right := f"{question.word} {spaced}"):
        return hint_of("no-word", said=quoted(said), right=quoted(right))
    bare = re.sub(r"^b(?=['\"])", "", said.strip())
    bare = " ".join(SEPARATORS.sub(" ", bare).split())
    if bare != spaced and takes(bare):
        return hint_of("text-form", language, said=quoted(said), right=quoted(bare))
    if right := _ending(spaced, takes):
        extra = spaced.removesuffix(right).strip()
        # The text before the right answer is a prompt for a person, or a note of the bot.
        name = "prompt" if re.search(r"[>:?$]$", extra) else "debug-stdout"
        return hint_of(name, language, extra=quoted(extra))
    return None


def _other(question: Question, said: str, language: str) -> GivenHint | None:
    """Returns the hint for an answer that is something else than a move, for example the question itself.
    Returns None if no hint fits, and if the question is `hello` or `new`, because then no move is due."""
    if question.state is None:
        return None
    if said == question.line:
        return hint_of("echo", right=example(question))
    if " " in said and question.line.endswith(said):
        return hint_of("overwritten", said=quoted(said))
    number = re.fullmatch(rf"(?:{re.escape(question.word)} )?([0-9]{{1,4}})", said)
    moves = list(question.answers()) if number else []
    # A bot may answer with the index of a move in the list. But if a move itself contains a number, as in
    # `bid 3`, the number in the answer is not an index.
    if number and moves and int(number[1]) <= len(moves) and not re.fullmatch(r"\S+ [0-9]+", moves[0]):
        right = moves[min(int(number[1]), len(moves) - 1)]
        return hint_of("index", said=quoted(said), right=quoted(right))
    if any(said in right.split(" ") for right in question.answers()):
        return hint_of("one-word", language, said=quoted(said))
    return None


def _case(question: Question, said: str) -> str:
    """Returns the right answer that differs from `said` only in capital and small letters; "" if there is
    none."""
    small = said.casefold()
    return next((right for right in question.answers() if right.casefold() == small), "")


def _has_wrong_end(question: Question, said: str) -> bool:
    """Tells whether the answer has three or more words, and would be a legal move with another last word.
    An example is a move of Sevens with a wrong claim."""
    move = said.rpartition(" ")[0]
    return " " in move and any(right.rpartition(" ")[0] == move for right in question.answers())


def _ending(said: str, takes: Callable[[str], bool]) -> str:
    """Returns the right answer that stands at the end of the text, the longest if there are several; "" if
    there is none."""
    words = said.split(" ")
    return next((end for at in range(1, len(words)) if takes(end := " ".join(words[at:]))), "")


def example(question: Question) -> str:
    """Returns a right answer to this question, for a hint."""
    return quoted(next(iter(question.answers()), f"{question.word} ..."))


def quoted(text: str) -> str:
    """Puts a line of a bot into backquotes for a hint. Cuts the line if it is long."""
    return f"`{text}`" if len(text) <= MOST_SHOWN else f"`{text[:MOST_SHOWN]}...`"
