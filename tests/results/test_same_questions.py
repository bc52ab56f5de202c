"""Tests that two bots are compared only where they knew the same, and that each match counts at most once."""

from __future__ import annotations

from collections.abc import Sequence

from harness.events import Drawn, Event, InEncounter, Match, Turn
from harness.results.same_questions import AnsweredMatch, SeatAnswer, same_questions, seat_answers


def records(*lines: InEncounter) -> list[InEncounter]:
    return [Match("1.1.1.1", ("a", "b"), (1, 2)), Turn(1, "new 1 2", "ready"), *lines]


def known(seat: int, *lines: InEncounter) -> list[bytes]:
    return [each.known for each in seat_answers(records(*lines), seat)]


def test_a_question_is_the_same_if_the_seat_knew_the_same() -> None:
    ask = Turn(1, "bid", "bid 1")
    [one] = known(1, Event("hand 4", (1,)), ask)
    assert [one] == known(1, Drawn("deal", 4), Event("hand 9", (2,)), Event("hand 4", (1,)), ask)
    assert [one] != known(1, Event("hand 5", (1,)), ask)
    assert [one] != known(1, Event("hand 4", (1,)), Turn(1, "raise", "bid 1"))
    assert known(2, Turn(2, "bid", "bid 1")) != known(1, ask)


def test_an_earlier_answer_is_a_part_of_what_the_seat_knew() -> None:
    again = Turn(1, "bid", "bid 3")
    first, second = known(1, Turn(1, "bid", "bid 1"), again)
    assert first != second
    assert known(1, Turn(1, "bid", "bid 2"), again) != [first, second]
    assert known(1, Turn(1, "bid", "bid 2"), again)[0] == first


def test_questions_are_counted_over_all_seats() -> None:
    turns = (Turn(2, "bid", "bid 1"), Turn(1, "bid", "bid 2"))
    [answer] = seat_answers(records(*turns), 1)
    assert (answer.number, answer.word, answer.said) == (2, "bid", "bid 2")


def a_match(name: str, rank: int, *answers: str, start: str = "") -> AnsweredMatch:
    """The match of seat 1 at a table of two. Each of `answers` begins with a letter for its question."""
    found: list[SeatAnswer] = []
    heard = start
    for number, text in enumerate(answers, start=1):
        heard += text[0]
        found.append(SeatAnswer(heard.encode(), number, text[0], text, ""))
        heard += text[1:]
    return AnsweredMatch(name, 1, (rank, 3 - rank), (rank, 0), found)


def gains(one: Sequence[AnsweredMatch], two: Sequence[AnsweredMatch]) -> list[float]:
    return [each.gain for each in same_questions(one, two).differences]


def test_the_first_different_answer_is_found_with_what_followed() -> None:
    found = same_questions([a_match("1", 2, "a1", "b1", "c1")], [a_match("2", 1, "a1", "b2", "c1")])
    [difference] = found.differences
    assert (difference.question, difference.asked) == (2, "b")
    assert (difference.one, difference.two, difference.gain) == ("b1", "b2", 1.0)
    assert [(each.kind, each.same, each.differ) for each in found.kinds] == [
        ("question b", 1, 1),
        ("question a", 1, 0),
        ("all questions", 2, 1),
    ]


def test_matches_with_the_most_common_questions_are_partners() -> None:
    short, long = a_match("2", 1, "a2"), a_match("3", 2, "a1", "b2")
    assert [each.other_match for each in same_questions([a_match("1", 1, "a1", "b1")], [short, long])[2]] == [
        "3"
    ]


def test_no_match_counts_twice() -> None:
    one = [a_match("1", 2, "a1")] * 3
    assert gains(one, [a_match("2", 1, "a2")] * 2) == [1.0, 1.0]


def test_the_same_answers_are_no_difference() -> None:
    found = same_questions([a_match("1", 1, "a1")], [a_match("2", 2, "a1")])
    assert (found.pairs, found.differences, found.kinds[-1].gain) == (1, (), None)


def test_matches_without_a_common_question_have_no_partner() -> None:
    assert same_questions([a_match("1", 1, "a1")], [a_match("2", 2, "a1", start="x")]).pairs == 0
