"""Owns the tests of the second judgement: an honest record passes, and each kind of change is found."""

import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from harness import games
from harness.chance import Seeded
from harness.errors import RecordError
from harness.events import Drawn, Event, Fault, InEncounter, Match, Record, Result, Stderr, Turn, Usage
from harness.games import State
from harness.judge.referee import Referee
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Ask, Audit, Rules, Terms
from harness.model import Reply
from harness.protocol import misspelt

SEVENS = games.find("sevens")
RULES = Rules(SEVENS, SEVENS.options())
SEED = 7


def a_move_with(sign: str) -> str:
    """The first legal move that has this character, in the match that `a_record` plays."""
    state, _ = SEVENS.start(SEVENS.options(), 2, Seeded(SEED))
    return next(move for move in state.legal(1) if sign in move)


def a_record(said: str | Reply = "", usage: Usage | None = None, rules: Rules = RULES) -> list[Record]:
    """The records of a match of two seats that play the first legal move. `said` replaces the first
    answer."""
    records: list[Record] = [Match("1.1.1.1", ("anna", "bert"), (1, 2), ("", ""))]
    terms = Terms(rules, 2, seeds=(1, 2))
    referee = Referee(terms, Seeded(SEED), records.append)
    steps = referee.questions()
    answer: Reply | Usage | None = None
    try:
        while True:
            step = steps.send(answer)
            answer = usage if isinstance(step, Audit) else None
            if isinstance(step, Ask):
                state = referee.state
                move = "ready" if state is None else said or next(iter(state.legal(step.seat)))
                answer = move if isinstance(move, Reply) else Reply(move, 10)
                said = said if state is None else ""
    except StopIteration:
        return records


def judged(records: Sequence[Record], rules: Rules = RULES, **seeing: Any) -> None:
    """Judges these records a second time, after they are written and read like a file."""
    data = msgspec.json.Encoder().encode_lines(records)
    read = msgspec.json.Decoder(InEncounter)
    lines = LogLines(
        ((number, read.decode(line)) for number, line in enumerate(data.splitlines(), 1)), "file"
    )
    rejudge(lines, rules, SEED, 1, **seeing)


def changed(records: Sequence[Record], kind: type[Record], **changes: object) -> tuple[list[Record], int]:
    """The records, in which the last record of this kind is changed, and the number of its line."""
    number = max(place for place, record in enumerate(records, 1) if isinstance(record, kind))
    copy = list(records)
    copy[number - 1] = msgspec.structs.replace(copy[number - 1], **changes)
    return copy, number


def test_an_honest_record_passes() -> None:
    judged(a_record())


def test_the_record_of_a_fault_passes() -> None:
    judged(a_record("play 5D 5 77"))


LONG_S = a_move_with("S").replace("S", "\u017f")


def test_an_old_record_in_which_another_letter_passed_is_judged_as_it_was_then() -> None:
    records = a_record(LONG_S)
    assert not any(isinstance(record, Fault) for record in records)
    judged(records)


def test_the_record_of_a_misspelt_answer_passes() -> None:
    judged(a_record(Reply(LONG_S, 10, failed="malformed", why=misspelt(LONG_S))))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (LONG_S, "it pleased nobody"),
        (a_move_with("S"), misspelt(LONG_S)),
        (a_move_with("S"), ""),
        (None, misspelt(LONG_S)),
    ],
)
def test_only_a_misspelt_answer_is_malformed_before_the_game_has_seen_it(said: str | None, why: str) -> None:
    with pytest.raises(RecordError, match="a turn must have an answer or the name of a fault"):
        judged(a_record(Reply(said, 10, failed="malformed", why=why)))


def test_a_fault_at_the_end_is_judged_by_the_game() -> None:
    stratego = games.find("stratego")
    options = msgspec.convert(stratego.brief, stratego.options)
    rules = Rules(stratego, options)
    draw = a_record(rules=rules)[-1]
    assert isinstance(draw, Result)
    records = a_record(usage=Usage((90_000, 0)), rules=rules)
    result = records[-1]
    assert isinstance(result, Result)
    assert (draw.scores, result.ranks, result.scores) == ((0.5, 0.5), (2, 1), (0, 1))
    judged(records, rules)
    with pytest.raises(RecordError, match="`scores` of `result` is"):
        judged([*records[:-1], msgspec.structs.replace(result, scores=draw.scores)], rules)


def test_what_a_bot_wrote_to_stderr_is_no_part_of_the_judgement() -> None:
    judged([*a_record("nonsense"), Stderr(1, "oh")])


@pytest.mark.parametrize(
    ("kind", "changes", "why"),
    [
        (Turn, {"said": "play 2C 1 0"}, "`fault` is expected"),
        (Turn, {"us": 2_000_000}, "`fault` is expected"),
        (Turn, {"ask": "play 999 -1"}, "`ask` of `turn`"),
        (Turn, {"limit_us": 5}, "`limit_us` of `turn`"),
        (Event, {"line": "played 1 5D 5 0"}, "`line` of `event`"),
        (Event, {"to": (1,)}, "`to` of `event`"),
        (Drawn, {"value": tuple(reversed([s + c for c in "CDHS" for s in "A23456789TJQK"]))}, "the seed"),
        (Drawn, {"value": ("5D",)}, "is ('5D',) on record, but the seed yields ('"),
        (Drawn, {"stream": "other"}, "`stream` of `chance` is 'other'"),
        (Result, {"ranks": (1, 1)}, "`ranks` of `result`"),
        (Result, {"reason": "peace"}, "`reason` of `result`"),
    ],
)
def test_a_changed_record_is_found(kind: type[Record], changes: dict[str, object], why: str) -> None:
    records, number = changed(a_record(), kind, **changes)
    with pytest.raises(RecordError) as caught:
        judged(records)
    assert why in caught.value.message
    assert number <= int(caught.value.place.removeprefix("file:")) <= number + 1


def test_a_record_that_ends_early_is_found() -> None:
    with pytest.raises(RecordError, match="`result` is expected"):
        judged(a_record()[:-1])


def test_a_late_answer_that_was_excused_is_judged_as_in_time() -> None:
    records, _ = changed(a_record(), Turn, us=1_500_000, excused_us=600_000, unseen_us=600_000)
    judged(records)


def test_a_bot_that_still_had_time_was_not_late() -> None:
    records, _ = changed(a_record(), Turn, said=None, failed="late", us=60_500_000, excused_us=60_000_000)
    with pytest.raises(RecordError, match="the bot still had time"):
        judged(records)


def test_who_looks_on_is_shown_each_record_with_the_position_before_it() -> None:
    seen: list[tuple[Record, State | None]] = []
    judged(records := a_record(), look=lambda record, state: seen.append((record, state)))
    assert [record for record, _ in seen] == records[1:]
    turns = [state for record, state in seen if isinstance(record, Turn) and record.said != "ready"]
    assert all(state and state.to_act() for state in turns)
    assert len(set(turns)) == len(turns)


@pytest.mark.parametrize("name", ["no-start", "crash"])
def test_a_bot_that_fails_before_ready_did_not_start_or_crashed_as_the_record_says(name: str) -> None:
    records: list[Record] = [Match("1.1.1.2", ("anna", "bert"), (1, 2), ("", ""))]
    terms = Terms(RULES, 2, seeds=(1, 2), fresh=(name == "no-start", True))
    steps = Referee(terms, Seeded(SEED), records.append).questions()
    steps.send(None)
    steps.send(Reply(None, failed="crash", why="ended with exit status 1"))
    with contextlib.suppress(StopIteration):
        while True:
            steps.send(Reply("ready"))
    assert [record.name for record in records if isinstance(record, Fault)] == [name]
    judged(records)
