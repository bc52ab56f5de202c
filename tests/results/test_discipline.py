"""Tests which bots each policy disqualifies, and which matches count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.events import Ended, InTournament, Played
from harness.record.history import History
from harness.results.discipline import Ruling, counted, counted_encounters, kept, ruling
from tests.record.recorded import began, both, brief, fault, faulty, history, out, played


def outs(ruled: Ruling) -> list[tuple[str, str]]:
    """The disqualified bots, each with the match in which it broke a rule."""
    return [(each.bot, each.match) for each in ruled.out]


def ids(told: History, ruled: Ruling) -> list[str]:
    """The matches that count. Asserts that the encounters that count are those of these matches."""
    found = list(counted(told, ruled))
    assert {match.encounter for match in found} == counted_encounters(told, ruled)
    return [match.id for match in found]


@pytest.mark.parametrize("policy", ["disqualify", "forfeit"])
def test_before_the_first_run_nobody_is_out(policy: str) -> None:
    told = history()
    ruled = ruling(told, policy)
    assert ruled == Ruling((), (), None, 0)
    assert ruled.alone
    assert ids(told, ruled) == []


def test_a_fault_disqualifies_with_its_evidence() -> None:
    told = history(began(1, "abc"), both(1, 1, "ab"), both(2, 2, "bc", "b"))
    ruled = ruling(told, "disqualify")
    assert ruled.out == (out("b", "1.2.1.1", 2),)
    assert ruled.field == ("a", "c")


def test_all_offenders_of_a_round_are_out_together_and_the_run_ends_with_it() -> None:
    told = history(began(1, "abcd"), both(1, 1, "ab", "b"), both(1, 2, "cd", "c"), both(2, 3, "ad", "d"))
    assert outs(ruling(history(began(1, "abcd"), both(1, 1, "ab", "b")), "disqualify")) == [("b", "1.1.1.1")]
    ruled = ruling(told, "disqualify")
    assert outs(ruled)[:2] == [("b", "1.1.1.1"), ("c", "1.2.1.1")]
    assert ruled.ends(told.runs[0]) == 1


def test_without_a_fault_the_run_goes_on() -> None:
    told = history(began(1, "ab"), both(1, 1, "ab"))
    assert ruling(told, "disqualify").ends(told.runs[0]) is None


def test_a_forfeit_costs_the_match_and_nothing_else() -> None:
    told = history(began(1, "abc"), both(1, 1, "ab", "a"), both(2, 2, "ac", "a"))
    ruled = ruling(told, "forfeit")
    assert ruled.out == ()
    assert len(ids(told, ruled)) == 4


def test_strikes_count_faulty_matches_not_faults() -> None:
    twice = brief([0, 1], fault(1), fault(1, "crash"))
    told = history(began(1, "ab"), played("1.1.1", "ab", twice))
    assert outs(ruling(told, "strikes", 2)) == []
    told.add(faulty("1.1.2", "ba", "a"))
    assert outs(ruling(told, "strikes", 2)) == [("a", "1.1.2.1")]


def test_strikes_are_counted_anew_in_a_run_played_afresh() -> None:
    told = history(
        began(1, "abcd"),
        both(1, 1, "ab", "b"),
        [faulty("2.2.1", "cd", "cd"), faulty("2.2.2", "dc", "d")],
        out("d", "1.2.2.1", 2),
        began(2, "abc"),
        both(1, 1, "ab", "b", run=2),
    )
    assert outs(ruling(told, "strikes", 2)) == [("d", "1.2.2.1")]
    told.add(faulty("2.2.1", "bc", "b", run=2))
    ruled = ruling(told, "strikes", 2)
    assert outs(ruled) == [("d", "1.2.2.1"), ("b", "2.2.1.1")]
    assert ruled.ends(told.runs[1]) == 2


def test_strikes_in_a_kept_encounter_stay() -> None:
    told = history(
        began(1, "abcd"),
        both(1, 1, "ab", "b"),
        [faulty("2.2.1", "cd", "d"), faulty("2.2.2", "dc", "d")],
        out("d", "1.2.2.1", 2),
        began(2, "abc", kept=("1.1",)),
        both(1, 1, "bc", "b", run=2),
    )
    assert outs(ruling(told, "strikes", 2)) == [("d", "1.2.2.1"), ("b", "2.1.1.1")]


TWO_RUNS: list[InTournament] = [
    began(1, "abcd", encounters=6),
    *both(1, 1, "ab"),
    *both(1, 2, "cd", "d"),
    out("d", "1.2.1.1", 1),
    began(2, "abc", encounters=3),
    *both(1, 1, "bc", run=2),
    *both(2, 2, "ca", run=2),
]


def test_only_the_last_run_counts_and_what_is_left_of_it_is_missing() -> None:
    told = history(TWO_RUNS)
    ruled = ruling(told, "disqualify")
    assert outs(ruled) == [("d", "1.2.1.1")]
    assert ruled.alone
    assert ids(told, ruled) == ["2.1.1.1", "2.1.2.1", "2.2.1.1", "2.2.2.1"]
    assert ruled.missing == 2
    told.add(played("3.3.1", "ab", run=2))
    told.add(played("3.3.2", "ba", run=2))
    assert ruling(told, "disqualify").missing == 0


def test_kept_encounters_count_with_the_last_run() -> None:
    told = history(TWO_RUNS[:-5], began(2, "abc", encounters=2, kept=("1.1",)), both(1, 1, "bc", run=2))
    ruled = ruling(told, "disqualify")
    assert ids(told, ruled) == ["1.1.1.1", "1.1.2.1", "2.1.1.1", "2.1.2.1"]
    assert ruled.missing == 2


def test_a_rerun_may_keep_the_whole_encounters_without_those_who_are_out() -> None:
    told = history(began(1, "abcd"), both(1, 1, "ab"), both(2, 2, "ad", "d"), played("3.3.1", "bc"))
    assert kept(told, "abc", 2) == ("1.1",)
    assert kept(told, "abc", 3) == ()


def test_where_too_few_are_left_for_a_run_the_survivors_matches_of_the_last_count() -> None:
    told = history(
        began(1, "abc", seats=2),
        both(1, 1, "ab"),
        both(2, 2, "bc", "c"),
        out("c", "1.2.1.1", 2),
        Ended("too few bots are left"),
    )
    ruled = ruling(told, "disqualify")
    assert not ruled.alone
    assert ids(told, ruled) == ["1.1.1.1", "1.1.2.1"]
    assert ruled.missing == 0


def test_what_is_missing_from_a_run_that_was_cut_short_does_not_hang_on_the_last_line() -> None:
    records: list[InTournament] = [began(1, "abc"), *both(1, 1, "ab"), *both(2, 2, "bc", "c")]
    assert ruling(history(records), "disqualify").missing == 14
    records.append(out("c", "1.2.1.1", 2))
    assert ruling(history(records), "disqualify").missing == 0
    assert ruling(history(records, Ended()), "disqualify").missing == 0


def test_with_everybody_out_nothing_counts() -> None:
    told = history(began(1, "ab"), faulty("1.1.1", "ab", "ab"))
    ruled = ruling(told, "disqualify")
    assert ruled.field == ()
    assert ids(told, ruled) == []


# -- other policies than the recorded one


def test_by_a_laxer_policy_the_run_before_counts_and_the_rest_of_it_is_missing() -> None:
    told = history(TWO_RUNS)
    for policy, strikes in (("forfeit", None), ("strikes", 2)):
        ruled = ruling(told, policy, strikes)
        assert (ruled.out, ruled.run) == ((), told.runs[0])
        assert ids(told, ruled) == ["1.1.1.1", "1.1.2.1", "1.2.1.1", "1.2.2.1"]
        assert ruled.missing == 8


def test_by_a_stricter_policy_the_matches_without_those_who_are_out_count() -> None:
    told = history(began(1, "abc", encounters=3), both(1, 1, "ab", "a"), both(2, 2, "bc"), both(3, 3, "ca"))
    ruled = ruling(told, "disqualify")
    assert outs(ruled) == [("a", "1.1.1.1")]
    assert ids(told, ruled) == ["1.2.1.1", "1.2.2.1"]
    assert ruled.missing == 0
    assert not ruled.alone


def test_a_fault_against_one_who_was_out_by_then_would_not_have_happened() -> None:
    told = history(began(1, "abc"), both(1, 1, "ab", "a"), both(2, 2, "ca", "c"))
    assert outs(ruling(told, "disqualify")) == [("a", "1.1.1.1")]


def test_a_stricter_policy_finds_the_run_of_its_own_field() -> None:
    told = history(
        began(1, "abcd"),
        both(1, 1, "cd", "d"),
        [faulty("2.2.1", "ad", "d"), played("2.2.2", "da")],
        out("d", "1.2.1.1", 2),
        began(2, "abc", encounters=2),
        both(1, 1, "ab", run=2),
        both(2, 2, "bc", "c", run=2),
    )
    assert outs(ruling(told, "strikes", 2)) == [("d", "1.2.1.1")]
    ruled = ruling(told, "disqualify")
    assert outs(ruled) == [("d", "1.1.1.1"), ("c", "2.2.1.1")]
    assert ids(told, ruled) == ["2.1.1.1", "2.1.2.1"]


# -- everything together, compared with a slower implementation

BOTS = "abcdef"
sitting = st.tuples(st.permutations(BOTS), st.sets(st.sampled_from(BOTS), max_size=2))


@st.composite
def forfeit_logs(draw: st.DrawFn) -> list[Played]:
    """Up to eight rounds of three matches of two bots, in which any bot may break a rule and go on."""
    found: list[Played] = []
    for round_, (order, offenders) in enumerate(draw(st.lists(sitting, max_size=8)), start=1):
        for pair in (order[:2], order[2:4], order[4:]):
            encounter = len(found) + 1
            guilty = "".join(bot for bot in pair if bot in offenders)
            found.append(faulty(f"{round_}.{encounter}.1", "".join(pair), guilty))
    return found


def rounds(log: list[Played]) -> list[list[Played]]:
    """The sittings of each round."""
    return [[each for each in log if each.round == n] for n in range(1, len(log) // 3 + 1)]


def guilty(one: Played) -> set[str]:
    """The bots that broke a rule in this sitting, which has one match."""
    return {one.bots[fault.seat - 1] for fault in one.matches[0].faults}


@given(forfeit_logs())
def test_a_forfeit_log_tells_whom_disqualification_would_have_thrown_out(log: list[Played]) -> None:
    gone: set[str] = set()
    for together in rounds(log):
        gone |= set().union(*(guilty(one) for one in together if not gone & set(one.bots)))
    told = history(began(1, BOTS, encounters=24, sittings=1), log)
    ruled = ruling(told, "disqualify")
    assert {each.bot for each in ruled.out} == gone
    assert ids(told, ruled) == [f"1.{one.encounter}.1.1" for one in log if not gone & set(one.bots)]


@given(forfeit_logs())
def test_the_disqualifying_run_itself_says_the_same_of_its_first_offenders(log: list[Played]) -> None:
    last = next((one.round for one in log if guilty(one)), 0)
    run = began(1, BOTS, encounters=24, sittings=1)
    whole = ruling(history(run, log), "disqualify")
    cut = ruling(history(run, [one for one in log if one.round <= last]), "disqualify")
    assert cut.out == tuple(each for each in whole.out if each.round == last)


@given(forfeit_logs(), st.integers(1, 4))
def test_by_strikes_nobody_has_too_many_in_the_matches_that_count(log: list[Played], strikes: int) -> None:
    told = history(began(1, BOTS, encounters=24, sittings=1), log)
    ruled = ruling(told, "strikes", strikes)
    faults = [match.bots[fault.seat - 1] for match in counted(told, ruled) for fault in match.faults]
    assert all(faults.count(bot) < strikes for bot in BOTS)
    assert not {each.bot for each in ruled.out} & {bot for m in counted(told, ruled) for bot in m.bots}
    assert {each.bot for each in ruled.out} | set(ruled.field) == set(BOTS)


@given(forfeit_logs())
def test_one_strike_is_disqualification_and_no_end_of_them_is_forfeit(log: list[Played]) -> None:
    told = history(began(1, BOTS, encounters=24, sittings=1), log)
    assert ruling(told, "strikes", 1) == ruling(told, "disqualify")
    assert ruling(told, "strikes", 99) == ruling(told, "forfeit")
