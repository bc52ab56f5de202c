"""Finds the questions that a bot got in a match on record. A referee judges the match again, and so makes all
lines to the bot again. The answers come from the record, so no bot runs. All functions in this file are
pure."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from harness.chance import ReadBack
from harness.checking.probe import SentBlock
from harness.events import Drawn, InEncounter, Match, Turn
from harness.games import State
from harness.judge.referee import Referee
from harness.judge.rejudge import reply_of, terms_on_record
from harness.judge.rules import Answer, Ask, Farewell, Rules, Step
from harness.model import Malformed, Outcome
from harness.protocol import block, hello, read_hello

MOST_MOVES = 5_000
READY = "ready"
HELLOS = ("hello 1", "hello 1 legal", "hello 1 state", "hello 1 legal state")


class Question(NamedTuple):
    """A question to a bot: the line of the question, and the position, which decides which answers are
    right."""

    line: str
    seat: int = 0
    state: State | None = None
    """The position; None if the question is `hello` or `new`."""

    @property
    def word(self) -> str:
        """Returns the word with which the answer begins."""
        return READY if self.line.startswith("new ") else self.line.split(" ")[0]

    def takes(self, said: str) -> bool:
        """Tells whether this text is a right answer."""
        if self.word == "hello":
            return not isinstance(read_hello(said), Malformed)
        if self.state is None:
            return said == READY
        return said.split(" ")[0] == self.word and isinstance(self.state.check(self.seat, said), str)

    def answers(self) -> Iterator[str]:
        """Yields right answers, at most MOST_MOVES of them."""
        if self.state is not None:
            return islice(iter(self.state.legal(self.seat)), MOST_MOVES)
        return iter(HELLOS if self.word == "hello" else (READY,))


class Asked(NamedTuple):
    """All blocks of lines that a bot received in one match, and the questions in these lines."""

    exchanges: tuple[SentBlock, ...]
    questions: tuple[Question, ...]


def greeting(rules: Rules) -> SentBlock:
    """Returns the first block of lines that a process of a bot receives: only the line `hello`."""
    return SentBlock(block([hello(rules.game.name)]))


def asked(rules: Rules, seat: int, number: int, records: Sequence[InEncounter]) -> Asked:
    """Returns the blocks of lines and the questions that this seat received in a match on record. `number`
    counts the matches of the bot's process: 1 is its first match."""
    head = records[0]
    assert isinstance(head, Match)
    terms = terms_on_record(rules, head, number, heard=True)
    luck = ReadBack(record for record in records if isinstance(record, Drawn))
    turns = (record for record in records if isinstance(record, Turn))
    referee = Referee(terms, luck, lambda record: None)
    steps = referee.questions()
    exchanges: list[SentBlock] = []
    questions: list[Question] = []
    answer: Answer = None
    while (step := _next(steps, answer)) is not None:
        answer = None
        if isinstance(step, Ask):
            answer = reply_of(next(turns))
        if isinstance(step, Ask | Farewell) and step.seat == seat:
            exchanges.append(SentBlock(step.block, isinstance(step, Ask)))
            if isinstance(step, Ask):
                questions.append(Question(step.line, seat, referee.state))
    return Asked(tuple(exchanges), tuple(questions))


def _next(steps: Generator[Step, Answer, Outcome], answer: Answer) -> Step | None:
    try:
        return steps.send(answer)
    except StopIteration:
        return None
