"""Tests how alike the answers of two bots are, apart from answers that house bots give too."""

import pytest

from harness.checking.behaviour import LEAST_OWN, Likeness, enough, likeness, likenesses

HOUSE = tuple("a" * 40)


def test_answers_of_house_bots_say_nothing() -> None:
    assert likeness(HOUSE, HOUSE, [HOUSE]) == Likeness(0, 0)
    assert not likeness(HOUSE, HOUSE, [HOUSE]).looks_alike
    assert likeness(HOUSE, HOUSE, [tuple("b" * 40), HOUSE]) == Likeness(0, 0)


def test_equal_unusual_answers_look_alike() -> None:
    own = tuple("b" * LEAST_OWN + "a" * 10)
    assert likeness(own, own, [HOUSE]) == Likeness(LEAST_OWN, LEAST_OWN)
    assert likeness(own, own, [HOUSE]).looks_alike
    assert not likeness(own[1:], own[1:], [HOUSE]).looks_alike, "too few answers"


def test_an_answer_of_its_own_counts_against_the_answer_of_a_house_bot() -> None:
    own, other = tuple("b" * 40), tuple("b" * 30 + "a" * 10)
    assert likeness(own, other, [HOUSE]) == Likeness(40, 30)
    assert not likeness(own, other, [HOUSE]).looks_alike


def test_questions_that_a_bot_did_not_answer_do_not_count() -> None:
    own = tuple("b" * 40)
    assert likeness(own, (*own[:35], None, None), [HOUSE[:2]]) == Likeness(35, 35)
    assert likeness(own, (), [HOUSE]).share == 0


@pytest.mark.parametrize(
    ("questions", "matches"), [(600, 12), (300, 12), (299, 13), (120, 30), (36, 48), (0, 12)]
)
def test_short_matches_are_made_up_for_by_more_of_them(questions: int, matches: int) -> None:
    assert enough(12, questions) == matches


def test_each_two_bots_of_different_owners_are_compared() -> None:
    found = {"c": HOUSE, "a": HOUSE, "b": tuple("b" * 40)}
    assert [(one, two, each.own) for one, two, each in likenesses(found, [], str.lower)] == [
        ("a", "b", 40),
        ("a", "c", 40),
        ("b", "c", 40),
    ]
    owners = {"a": "x", "b": "y", "c": "x"}
    assert [(one, two) for one, two, _ in likenesses(found, [], owners.__getitem__)] == [
        ("a", "b"),
        ("b", "c"),
    ]
