"""Pairs the matches of two bots. For each pair, finds the first question that both bots were asked but
answered differently, and compares the results.

Two questions are the same if the seat is the same, and if all earlier lines of the seat are the same: the
events, the questions and the answers. The question `new`, which has the SEED, does not count. So both bots
knew the same facts. The names of the bots do not count either, because bots usually do not know them.

Each match of a bot has at most one partner among the matches of the other bot: the match that has the most
questions in common with this match. So no result counts twice, and two pairs are as independent of each other
as any two matches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.escape import count_of, grouped, shown
from harness.events import Event, InEncounter, Match, Result, Turn
from harness.model import Number
from harness.record import run_folder
from harness.record.history import History
from harness.record.log import by_match, encounter_path, read_encounter
from harness.record.one_match import RecordedMatch
from harness.results.statistics.paired import MeanDifference, mean_difference

MOST = 5
"""Two lists show different answers: answers after which the second bot did worse, and answers after which it
did better. This is the largest number of answers in each list."""
ALL = "all questions"


class SeatAnswer(NamedTuple):
    """A question to a seat with its answer. `known` is a digest of the question and of all earlier lines that
    the seat got or sent. `number` is the number of the question among the questions to all seats, from 1."""

    known: bytes
    number: int
    ask: str
    said: str | None
    failed: str

    @property
    def word(self) -> str:
        """The first word of the question."""
        return self.ask.partition(" ")[0]


class AnsweredMatch(NamedTuple):
    """A match of a bot: its seat, its answers, and the result."""

    id: str
    seat: int
    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    answers: Sequence[SeatAnswer]

    @property
    def beaten(self) -> float:
        """The part of its opponents that the bot beat. A tie counts half."""
        return (len(self.ranks) - self.ranks[self.seat - 1]) / max(1, len(self.ranks) - 1)


class DifferentAnswer(msgspec.Struct, frozen=True):
    """A question that two bots answered differently. Before this question, the seat had the same lines in
    both matches.

    `question` is the number of the question in `match`, counted from 1 over the questions to all seats;
    `other_question` is its number in `other_match`. `one` and `two` are the answers of the first and of the
    second bot; null if a bot sent no valid line. `ranks` and `scores` have the ranks and scores of both bots.
    `gain` is the share of its opponents that the second bot beat, minus the share that the first bot beat.
    The gain is from -1 to 1, and below 0 if the second bot did worse. `position` has what the seat could
    know, if the caller wanted positions.
    """

    match: str
    question: int
    other_match: str
    other_question: int
    seat: int
    asked: str
    one: str | None
    two: str | None
    ranks: tuple[Number, Number]
    scores: tuple[Number, Number]
    gain: float
    position: str = ""


class KindOfQuestion(msgspec.Struct, frozen=True):
    """All questions, or those that begin with the same word. `same` is the number of questions that both bots
    were asked. `differ` is the number of pairs of matches in which the answers differ. A pair counts for the
    kind of its first question with different answers. `gain` is the mean gain after these different answers,
    with its interval; None if no answers differ."""

    kind: str
    same: int
    differ: int
    gain: MeanDifference | None

    @property
    def gain_told(self) -> tuple[str, str]:
        """The gain and its interval as two texts. A text is "" if there is nothing to tell."""
        if self.gain is None:
            return "", ""
        mean, low, high, _ = self.gain
        return f"{mean:+.2f}", "" if low is None or high is None else f"{low:+.2f} to {high:+.2f}"


class BotsCompared(msgspec.Struct, frozen=True):
    """The answers of two bots to the same questions. `matches` has the number of matches of each bot, and
    `pairs` counts the pairs of matches that begin with the same questions. `worst` has the different answers
    after which the second bot lost most. `best` has those after which this bot gained most. Both lists have
    the positions."""

    one: str
    two: str
    matches: tuple[int, int]
    pairs: int
    kinds: tuple[KindOfQuestion, ...]
    worst: tuple[DifferentAnswer, ...]
    best: tuple[DifferentAnswer, ...]

    @property
    def sentence(self) -> str:
        """Says how many pairs of matches begin with the same questions."""
        one, two = shown(self.one), shown(self.two)
        matches = f"{one} ({count_of(self.matches[0], 'match')}) and {two} ({grouped(self.matches[1])})"
        if not self.pairs:
            return f"No match of {matches} begins with the same question."
        begin = "begins" if self.pairs == 1 else "begin"
        return (
            f"{count_of(self.pairs, 'pair')} of matches of {matches} {begin} with the same questions. "
            f"In {grouped(self.kinds[-1].differ)} of them an answer differs."
        )


class SameQuestions(NamedTuple):
    """The questions that both bots were asked. `pairs` counts the pairs of matches."""

    pairs: int
    kinds: tuple[KindOfQuestion, ...]
    differences: tuple[DifferentAnswer, ...]


def matches_of(bot: str, logs: Path, history: History) -> Iterator[AnsweredMatch]:
    """Yields the matches of a bot in the order of the schedule. Raises RecordError at a damaged line."""
    for run in history.runs:
        for number, encounter in sorted(run.encounters.items()):
            if bot in encounter.bots:
                path = encounter_path(logs, run.number, number)
                for lines in by_match(read_encounter(path, size=encounter.size)):
                    yield _answered(bot, [record for _, record in lines])


def _answered(bot: str, records: Sequence[InEncounter]) -> AnsweredMatch:
    head, result = records[0], next((each for each in records if isinstance(each, Result)), None)
    assert isinstance(head, Match)
    if result is None:
        raise RecordError("this match has no result", f"match {head.id}")
    seat = head.bots.index(bot) + 1
    return AnsweredMatch(head.id, seat, result.ranks, result.scores, [*seat_answers(records, seat)])


def seat_answers(records: Iterable[InEncounter], seat: int) -> Iterator[SeatAnswer]:
    """Yields the questions to a seat in a match, without `new`."""
    known, number = blake2b(b"%d" % seat, digest_size=16), 0
    for record in records:
        if isinstance(record, Event) and (record.to is None or seat in record.to):
            known.update(b"\n" + record.line.encode())
        elif isinstance(record, Turn) and not record.ask.startswith("new "):
            number += 1
            if record.seat == seat:
                known.update(b"\n?" + record.ask.encode())
                yield SeatAnswer(known.digest(), number, record.ask, record.said, record.failed)
                said = f"\n!{record.failed} {record.said}"
                known.update(said.encode("utf-8", "surrogatepass"))


def compared(bots: tuple[str, str], records: tuple[Path, Path], plan: FrozenPlan, most: int) -> BotsCompared:
    """Compares the first `most` matches of each bot. Both bots may be in the same record.

    Raises InputError if a bot has no match, and RecordError if a record is damaged.
    """
    one, two = (_first(bot, logs, most) for bot, logs in zip(bots, records, strict=True))
    found = same_questions(one, two)

    def placed(some: Iterable[DifferentAnswer]) -> tuple[DifferentAnswer, ...]:
        found = ((each, RecordedMatch(records[0], each.match)) for each in islice(some, MOST))
        return tuple(
            msgspec.structs.replace(each, position=match.position(plan, each.question, each.seat))
            for each, match in found
        )

    worst = placed(each for each in found.differences if each.gain < 0)
    best = placed(each for each in found.differences if each.gain > 0)
    return BotsCompared(*bots, (len(one), len(two)), found.pairs, found.kinds, worst, best)


def _first(bot: str, logs: Path, most: int) -> Sequence[AnsweredMatch]:
    history = run_folder.history_of(logs)
    history.check_played(bot)
    return [*islice(matches_of(bot, logs, history), most)]


def same_questions(one: Sequence[AnsweredMatch], two: Sequence[AnsweredMatch]) -> SameQuestions:
    """Compares the matches of two bots. The different answers with the largest gains or losses come first."""
    same: dict[str, int] = defaultdict(int)
    found: list[DifferentAnswer] = []
    gains: dict[str, list[float]] = defaultdict(list)
    pairs = 0
    for mine, other, last in _pairs(one, two):
        pairs += 1
        for each in mine.answers[: last + 1]:
            same[each.word] += 1
        if difference := _difference(mine, other, last):
            found.append(difference)
            gains[mine.answers[last].word].append(difference.gain)
    every = [gain for some in gains.values() for gain in some]
    words = sorted(same, key=lambda word: (-len(gains[word]), word))
    kinds = [_kind(f"question {word}", same[word], gains[word], len(words)) for word in words]
    kinds.append(_kind(ALL, sum(same.values()), every, 1))
    found.sort(key=lambda each: -abs(each.gain))
    return SameQuestions(pairs, tuple(kinds), tuple(found))


def _kind(kind: str, same: int, gains: Sequence[float], looks: int) -> KindOfQuestion:
    return KindOfQuestion(kind, same, len(gains), mean_difference(gains, looks) if gains else None)


def _pairs(
    one: Sequence[AnsweredMatch], two: Sequence[AnsweredMatch]
) -> Iterator[tuple[AnsweredMatch, AnsweredMatch, int]]:
    """Pairs the matches that have the most questions in common. Each match is in at most one pair. Yields
    both matches and the place of the last common question among the answers of the first match."""
    asked: dict[bytes, list[int]] = defaultdict(list)
    for number, match in enumerate(two):
        for each in match.answers:
            asked[each.known].append(number)
    places = [
        (place, number)
        for number, match in enumerate(one)
        for place, each in enumerate(match.answers)
        if each.known in asked
    ]
    taken: set[int] = set()
    paired: set[int] = set()
    for place, number in sorted(places, key=lambda each: (-each[0], each[1])):
        if number in paired:
            continue
        partners = asked[one[number].answers[place].known]
        partner = next((each for each in partners if each not in taken), None)
        if partner is not None:
            paired.add(number)
            taken.add(partner)
            yield one[number], two[partner], place


def _difference(one: AnsweredMatch, two: AnsweredMatch, place: int) -> DifferentAnswer | None:
    own, other = one.answers[place], two.answers[place]
    if (own.said, own.failed) == (other.said, other.failed):
        return None
    seat = one.seat
    return DifferentAnswer(
        match=one.id,
        question=own.number,
        other_match=two.id,
        other_question=other.number,
        seat=seat,
        asked=own.ask,
        one=own.said,
        two=other.said,
        ranks=(one.ranks[seat - 1], two.ranks[seat - 1]),
        scores=(one.scores[seat - 1], two.scores[seat - 1]),
        gain=two.beaten - one.beaten,
    )
