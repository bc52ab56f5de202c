"""Tests what a history says about the matches so far, and which records it rejects."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harness.errors import InputError, RecordError
from harness.events import Brief, Disqualified, Ended, InTournament, RunBegan
from harness.record.history import History
from tests.record.recorded import OPENED, began, both, brief, fault, faulty, history, out, played, voided


def test_nothing_on_record_is_a_history_too() -> None:
    told = History.of([])
    assert (told.opened, told.last, told.ended, told.disqualified) == (None, None, None, ())


def test_it_says_whose_record_it_is_and_what_runs_began() -> None:
    told = history(began(1, "abc"))
    assert told.opened == OPENED
    assert told.last is told.runs[0]
    assert told.last.bots == ("a", "b", "c")


def test_a_sitting_is_played_with_its_briefs_and_an_encounter_is_complete_with_its_last_sitting() -> None:
    won, drawn = brief([3, 1]), brief([2, 2])
    told = history(began(1, "ab", deals=2), played("1.1.1", "ab", won, drawn))
    run = told.runs[0]
    assert run.played[1, 1].matches == (won, drawn)
    assert run.matches == 2
    assert not run.complete(1)
    told.add(played("1.1.2", "ba", won, won))
    assert run.complete(1)
    assert not run.complete(2)


def test_a_sitting_has_its_account_and_no_other_than_those_that_exist() -> None:
    told = history(began(1, "ab"), replace(played("1.1.1", "ab"), account="counter"))
    assert told.account("1.1.1.1") == "counter"
    assert told.account("1.1.2.1") == "incomplete"
    with pytest.raises(RecordError, match="sitting 2 of encounter 1 has the unknown account 'made up'"):
        told.add(replace(played("1.1.2", "ba"), account="made up"))


def test_the_file_of_an_encounter_ends_where_its_last_sitting_on_record_does() -> None:
    told = history(began(1, "ab"), played("1.1.1", "ab", size=70), played("1.1.2", "ba", size=95))
    encounter = told.runs[0].encounters[1]
    assert (encounter.size, encounter.file) == (95, "file 1.1.2")


def test_void_attempts_are_counted_by_sitting_and_by_bot() -> None:
    told = history(
        began(1, "abc"),
        voided("1.1.1", "ab"),
        voided("1.1.1", "ab", 2),
        voided("1.2.1", "ac"),
        both(1, 1, "ab"),
    )
    run = told.runs[0]
    assert run.attempts == {(1, 1): 2, (2, 1): 1}
    assert run.voids == {"a": 3, "b": 2, "c": 1}


def test_matches_stand_in_the_order_of_the_schedule_whenever_they_were_played() -> None:
    late = played("1.1.1", "ab", size=300)
    told = history(began(1, "abc"), played("1.1.2", "ba"), both(2, 2, "bc"), Ended(unplayed=1), late)
    matches = list(told.matches(told.runs[0]))
    assert [match.id for match in matches] == ["1.1.1.1", "1.1.2.1", "1.2.1.1", "1.2.2.1"]
    assert matches[1].bots == ("b", "a")
    assert matches[1].encounter == "1.1"


def test_a_bot_of_a_sitting_has_another_seat_in_each_match() -> None:
    won = brief([3, 1])
    told = history(
        began(1, "ab", sittings=2, deals=3, orders=((1, 2), (2, 1))),
        played("1.1.1", "ab", won, won, won),
        played("1.1.2", "ab", won, won, brief([1, 2], fault(1))),
    )
    run = told.runs[0]
    assert [match.bots[0] for match in told.matches(run)] == ["a", "b", "a", "b", "a", "b"]
    assert [offence.bot for offence in run.offences] == ["b"]
    assert run.complete(1)


def test_matches_share_a_deal_only_if_deals_are_the_same_in_every_sitting() -> None:
    same = history(began(1, "ab"), both(1, 1, "ab"))
    fresh = history(began(1, "ab", sittings=1, deals=2, orders=((1, 2), (2, 1))))
    fresh.add(played("1.1.1", "ab", brief([1, 0]), brief([1, 0])))
    assert len({match.deal for match in same.matches(same.runs[0])}) == 1
    assert len({match.deal for match in fresh.matches(fresh.runs[0])}) == 2


@pytest.mark.parametrize("order", [(1,), (1, 1), (0, 1), (1, 2, 3)])
def test_orders_of_seats_that_do_not_fit_the_run_are_rejected(order: tuple[int, ...]) -> None:
    with pytest.raises(RecordError, match="run 1 has `orders` that do not have each of 2 places once"):
        history(began(1, "ab", orders=((1, 2), order)))


def test_offences_come_by_round_and_name_the_first_fault_of_a_bot_in_a_match() -> None:
    twice = brief([0, 1], fault(1, "late"), fault(1, "crash"))
    told = history(
        began(1, "abc", deals=2),
        played("2.2.1", "bc", brief([1, 0]), twice),
        played("1.1.1", "ab", brief([0, 0], fault(2), fault(1)), brief([0, 1])),
    )
    offences = told.runs[0].offences
    assert [(each.round, each.match, each.bot, each.fault.name) for each in offences] == [
        (1, "1.1.1.1", "a", "illegal"),
        (1, "1.1.1.1", "b", "illegal"),
        (2, "1.2.1.2", "b", "late"),
    ]


def test_kept_encounters_stand_for_the_later_run() -> None:
    told = history(
        began(1, "abc"),
        both(1, 1, "ab", "a"),
        both(1, 2, "bc", "b"),
        out("a", "1.1.1.1", 1),
        began(2, "bc", encounters=1, kept=("1.2",)),
        both(1, 1, "bc", "c", run=2),
    )
    run = told.runs[1]
    assert [match.id for match in told.matches(run)] == ["1.2.1.1", "1.2.2.1", "2.1.1.1", "2.1.2.1"]
    assert [(each.match, each.bot) for each in told.offences(run)] == [("1.2.1.1", "b"), ("2.1.1.1", "c")]
    assert [each.match for each in run.offences] == ["2.1.1.1"]


def test_the_disqualified_of_all_runs_are_told_in_order() -> None:
    told = history(
        began(1, "abc"),
        both(1, 1, "ab", "a"),
        out("a", "1.1.1.1", 1),
        began(2, "bc"),
        both(1, 1, "bc", "c", run=2),
        out("c", "2.1.1.1", 1),
    )
    assert [each.bot for each in told.disqualified] == ["a", "c"]
    assert told.runs[1].survivors == {"b"}


def test_a_tournament_that_left_matches_unplayed_goes_on() -> None:
    told = history(began(1, "ab"), Ended(unplayed=2))
    assert told.ended == Ended(unplayed=2)
    told.add(played("1.1.1", "ab"))
    assert told.ended is None


RUN = began(1, "abc", encounters=3)
OUT = [RUN, *both(1, 1, "ab"), *both(2, 2, "bc", "b"), out("b", "1.2.1.1", 2)]


@pytest.mark.parametrize(
    ("records", "last", "complaint"),
    [
        ([], OPENED, "only the first line"),
        ([], played("1.1.1", "ab"), "no run has started"),
        ([], began(2, "abc"), "run 2 begins, but the next run is 1"),
        ([], began(1, "aba"), "a bot is in run 1 twice"),
        ([RUN], began(2, "ab"), "run 1 disqualified nobody"),
        ([RUN], played("1.1.1", "ab", run=2), "of run 2 in run 1"),
        ([RUN], played("1.4.1", "ab"), "there are 3 encounters"),
        ([RUN], played("1.1.3", "ab"), "an encounter has 2 sittings"),
        ([RUN], played("1.1.1", "ad"), "a bot of sitting 1 of encounter 1 is not in run 1"),
        ([RUN], played("1.1.1", "aa"), "does not seat 2 different bots"),
        ([RUN], played("1.1.1", "abc"), "does not seat 2 different bots"),
        ([RUN], played("1.1.1", "ab", brief([1, 2]), brief([1, 2])), "does not have 1 matches"),
        ([RUN], played("1.1.1", "ab", brief([1, 2, 3])), "more or fewer seats than bots"),
        ([RUN], played("1.1.1", "ab", brief([1, 2], fault(3))), "a fault of a seat that it does not have"),
        *(
            ([RUN], played("1.1.1", "ab", forged), why)
            for ranks, scores, luck, why in (
                ((nan, 1), (0, 1), (), "has ranks that do not add up"),
                ((1, 1), (0, 1), (), "has ranks that do not add up"),
                ((0, 3), (0, 1), (), "has ranks that do not add up"),
                ((1e308, -1e308), (0, 1), (), "has ranks that do not add up"),
                ((1, 2), (0, nan), (), r"no number from -1e\+15 to 1e\+15"),
                ((1, 2), (-inf, 1), (), r"no number from -1e\+15 to 1e\+15"),
                ((1, 2), (10**400, 1), (), r"no number from -1e\+15 to 1e\+15"),
                ((1, 2), (0, 1), (1e308, -1e308), r"no number from -1e\+15 to 1e\+15"),
                ((1, 2), (0, 1), (0.0, nan), r"no number from -1e\+15 to 1e\+15"),
            )
            for forged in (Brief(ranks, scores, (), luck),)
        ),
        ([RUN, played("1.1.1", "ab")], played("1.1.1", "ab"), "is on record twice"),
        ([RUN, played("1.1.1", "ab")], voided("1.1.1", "ab"), "is on record twice"),
        ([RUN, played("1.1.1", "ab")], played("2.1.2", "ba"), "in another round than its encounter"),
        ([RUN, played("1.1.1", "ab")], played("1.1.2", "bc"), "other bots than its encounter"),
        ([RUN, played("1.1.1", "ab")], played("1.1.2", "ba", size=100), "has not grown"),
        ([RUN], voided("1.1.1", "ab", 2), "attempt 2 at sitting 1 of encounter 1, but the next one is 1"),
        ([RUN, voided("1.1.1", "ab")], voided("1.1.1", "ab"), "but the next one is 2"),
        ([RUN], out("d", "1.1.1.1", 1), "'d' is disqualified in run 1, but not in it"),
        (OUT, out("b", "1.2.1.1", 2), "'b' is disqualified twice"),
        (OUT, played("2.3.1", "ac"), "after the disqualifications that end run 1"),
        (OUT, began(2, "abc"), "the bots of run 2 are not the survivors"),
        (OUT, began(2, "a"), "the bots of run 2 are not the survivors"),
        (OUT, began(2, "ac", kept=("1.3",)), "which is not complete on record"),
        (OUT, began(2, "ac", kept=("1.1",)), "in which a disqualified bot played"),
        (OUT, began(2, "ac", kept=("2.1",)), "which is not of an earlier run"),
        (OUT, began(2, "ac", kept=("first",)), "which is not the name of an encounter"),
        ([RUN, Ended()], voided("1.1.1", "ab"), "has ended before this line"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused_with_its_line(
    records: list[InTournament], last: InTournament, complaint: str
) -> None:
    told = history(records)
    with pytest.raises(RecordError, match=complaint) as caught:
        told.add(last)
    assert caught.value.place == f"tournament.jsonl:{len(records) + 2}"


@pytest.mark.parametrize("seats", [0, -1, 1_001, 10**18])
def test_a_run_has_a_possible_number_of_seats(seats: int) -> None:
    with pytest.raises(RecordError, match=f"run 1 has {seats} seats, but at most 1000 can be"):
        history(began(1, "ab", seats=seats))


def test_a_kept_encounter_is_named_once_and_has_the_seats_of_the_run() -> None:
    told = history(began(1, "abcd", seats=2), both(1, 1, "ab"), both(1, 2, "cd", "d"), out("d", "1.2.1.1", 1))
    with pytest.raises(RecordError, match="keeps an encounter twice"):
        told.add(began(2, "abc", kept=("1.1", "1.1")))
    with pytest.raises(RecordError, match="had 2 seats, not 3"):
        told.add(began(2, "abc", seats=3, kept=("1.1",)))


@pytest.mark.parametrize("first", [began(1, "ab"), Ended(), Disqualified(1, 1, "a", "1.1.1.1", "late", "")])
def test_the_first_line_says_whose_record_it_is(first: RunBegan | Ended | Disqualified) -> None:
    with pytest.raises(RecordError, match=r"tournament\.jsonl:1: the first line does not say"):
        History.of([first])


@given(st.permutations(range(6)))
def test_the_order_of_arrival_changes_nothing_that_counts(order: list[int]) -> None:
    pairs = ["ab", "bc", "ca"]
    sittings = [faulty(f"{n}.{n}.{s}", pairs[n - 1], "c" * (n > 1)) for n in (1, 2, 3) for s in (1, 2)]
    straight, shuffled = (
        history(began(1, "abc"), [replace(sittings[n], size=at) for at, n in enumerate(places, 1)])
        for places in (range(6), order)
    )
    run, other = straight.runs[0], shuffled.runs[0]
    assert run.matches == other.matches == 6
    assert list(shuffled.matches(other)) == list(straight.matches(run))
    assert len(run.offences) == 4
    assert other.offences == run.offences


def test_a_bot_without_a_match_is_refused_with_the_name_that_was_meant() -> None:
    told = history(began(1, "abc"), both(1, 1, "ab"))
    told.check_played("a")
    with pytest.raises(InputError, match="c: no match of a bot with this name is on record; there are a, b"):
        told.check_played("c")
    with pytest.raises(InputError, match=r"a: no match of a bot with this name is on record\Z"):
        History.of([]).check_played("a")
