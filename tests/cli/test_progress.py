"""Owns the tests of the lines that are printed while a tournament is played."""

import pytest

from harness.cli.progress import Counter, counting
from harness.events import InTournament
from harness.record.history import History
from tests.record.recorded import OPENED, began, both, faulty, out, voided

RUN = began(1, "abc", encounters=3)
# Bot b breaks a rule in three matches.
OFFENCES = (*both(1, 1, "ab", "b"), faulty("2.2.1", "bc", "b"), faulty("2.2.2", "cb", "b"))


def told(*records: InTournament, before: int = 1, strikes: int | None = None) -> list[str]:
    """The lines that a command prints about these records. `before` of them are older than the command."""
    history = History.of([OPENED, *records[:before]])
    counter = Counter(history, strikes)
    said = []
    for record in records[before:]:
        history.add(record)
        said += counter.count(record).splitlines()
    return said


def test_each_strike_is_told_and_the_last_with_the_disqualification() -> None:
    assert told(RUN, *OFFENCES, out("b", "1.2.1.1", 2), strikes=2) == [
        "strike 1 of 2: b, illegal in match 1.1.1.1: there are reasons",
        "strike 2 of 2: b, illegal in match 1.2.1.1: there are reasons",
        "disqualified: b, with strike 2 of 2, illegal in match 1.2.1.1: there are reasons",
    ]


def test_a_bot_of_a_renamed_team_is_told_by_its_present_name() -> None:
    history = History.of([OPENED, RUN])
    counter = Counter(history, 1, present=lambda bot: {"b": "eagles"}.get(bot, bot))
    records: list[InTournament] = [both(1, 1, "ab", "b")[0], out("b", "1.1.1.1", 1)]
    said = []
    for record in records:
        history.add(record)
        said.append(counter.count(record))
    assert said == [
        "strike 1 of 1: eagles, illegal in match 1.1.1.1: there are reasons",
        "disqualified: eagles, with strike 1 of 1, illegal in match 1.1.1.1: there are reasons",
    ]


def test_strikes_of_an_interrupted_run_are_counted_on() -> None:
    said = told(RUN, *OFFENCES, before=2, strikes=3)
    assert [line.partition(":")[0] for line in said] == ["strike 2 of 3", "strike 3 of 3"]


def test_where_strikes_are_not_the_policy_none_are_told() -> None:
    said = told(RUN, *OFFENCES, out("b", "1.1.1.1", 1))
    assert said == ["disqualified: b, illegal in match 1.1.1.1: there are reasons"]


def test_a_void_attempt_is_told_with_its_place() -> None:
    assert told(RUN, voided("1.1.2", "ba")) == [
        "void: encounter 1, sitting 2, attempt 1: a worker was lost",
    ]


def test_nothing_is_estimated_before_a_match_is_played() -> None:
    history = History.of([OPENED, RUN])
    counter = Counter(history)
    assert counter.told() == f"0 of {RUN.matches} matches"
    assert counter.speed() == ""
    counter.done, counter.total = 2_568, 20_544
    assert counter.told() == "2,568 of 20,544 matches"


def test_matches_of_an_earlier_command_say_nothing_of_the_pace() -> None:
    counter = Counter(History.of([OPENED, RUN, *both(1, 1, "ab")]))
    assert counter.told() == f"2 of {RUN.matches} matches"


def test_what_is_played_here_says_how_long_the_rest_takes() -> None:
    counter = Counter(History.of([OPENED, RUN]))
    counter.began -= 3_600
    for record in both(1, 1, "ab"):
        counter.count(record)
    assert counter.told() == f"2 of {RUN.matches} matches, 2.0 an hour, 2.0 h left"


def test_without_a_terminal_a_count_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter((100.0, 104.0, 111.0, 111.0, 120.0, 130.0, 130.0))
    monkeypatch.setattr("harness.cli.progress.time.monotonic", lambda: next(now))
    with counting("of 9 matches told") as seen:
        for number in range(4):
            seen(number)
    assert capsys.readouterr() == ("", "1 of 9 matches told\n3 of 9 matches told\n")
