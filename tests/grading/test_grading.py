"""Tests grades: points that were calculated by hand, curves, caps, and what more matches could change."""

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from harness.config.scheme import Curve, read_scheme
from harness.events import Ended, Fault, RoundBegan
from harness.grading import MOST_MATCHES, Grade, Grades, curve, grades, masked
from harness.grading.gradebook import as_csv
from harness.record.history import History
from harness.record.masking import Mask
from harness.record.run_folder import plan_of
from harness.results import round_robin
from harness.results.ordering import Wish
from harness.results.ranges import with_ranges
from harness.results.standings import standings
from harness.results.statistics.betting import MOST_MORE
from tests.cli import logs
from tests.record.recorded import began, both, brief, fault, history, out, played

POINTS = '[[item]]\nkind = "start"\npoints = 10\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def graded(folder: Path, told: History, text: str, policy: str = "disqualify") -> Grades:
    """The grades of bots with names of one letter."""
    if not (folder / "logs").exists():
        logs.write(folder)
    bots = told.runs[0].bots if told.runs else "ab"
    tiny = plan_of(folder / "logs" / "tiny")
    frozen = tuple(msgspec.structs.replace(tiny.bots[0], name=bot) for bot in bots)
    plan = msgspec.structs.replace(tiny, policy=policy, bots=frozen)
    path = folder / "scheme.toml"
    path.write_text(text)
    return grades(told, plan, read_scheme(path, "cup", bots), "digest of the whole")


def of(made: Grades, team: str) -> Grade:
    [found] = [each for each in made.grades if each.team == team]
    return found


def many(encounters: int, order: str = "abc", flip: int = 0) -> History:
    """`encounters` encounters of each pair of bots, of one match each. The bot that is first in `order` wins,
    except in every `flip`-th encounter."""
    pairs = [(one, other) for place, one in enumerate(order) for other in order[place + 1 :]]
    sittings = []
    for number in range(encounters):
        for place, (one, other) in enumerate(pairs, start=1):
            scores = [0, 1] if flip and number % flip == 0 else [1, 0]
            name = f"{number + 1}.{number * len(pairs) + place}.1"
            sittings.append(played(name, one + other, brief(scores)))
    run = began(1, "".join(sorted(order)), sittings=1, encounters=encounters * len(pairs))
    return history(run, sittings)


# -- points ----------------------------------------------------------------------------------------


def test_whoever_started_once_has_the_points_for_it(folder: Path) -> None:
    silent = brief([0, 1], fault(1, "no-start"))
    told = history(began(1, "abc"), played("1.1.1", "ab", silent), played("1.1.2", "ba"))
    made = graded(folder, told, POINTS, "forfeit")
    assert [each.score for each in made.grades] == [10, 10, 0]
    never = history(began(1, "ab"), played("1.1.1", "ab", silent))
    assert of(graded(folder, never, POINTS, "forfeit"), "a").awards[0].why == "it never started"
    assert of(made, "c").awards[0].why == "no match is on record"


def test_matches_without_a_fault_are_counted_over_all_runs(folder: Path) -> None:
    told = history(
        began(1, "abcd"),
        both(1, 1, "ab"),
        both(1, 2, "cd", "d"),
        out("d", "1.2.1.1", 1),
        began(2, "abc", encounters=1),
        both(1, 1, "bc", run=2),
    )
    text = '[[item]]\nkind = "faultless"\npoints = 12\nmatches = 4\npartial = {}\n'
    strict, partial = graded(folder, told, text.format("false")), graded(folder, told, text.format("true"))
    assert [each.score for each in strict.grades] == [0, 12, 12, 0]
    assert [each.score for each in partial.grades] == [6, 12, 12, 3]
    assert of(partial, "d").awards[0].why == (
        "1 of its 2 matches without a fault; 4 are wanted; faults: illegal (1)"
    )


def test_points_for_a_share_of_matches_go_by_all_matches_of_the_bot(folder: Path) -> None:
    told = history(
        began(1, "ab"), *(both(1, number, "ab", "b" if number == 1 else "") for number in range(1, 5))
    )
    text = '[[item]]\nkind = "faultless"\npoints = 12\nshare = {}\n'
    made = graded(folder, told, text.format(0.9), "forfeit")
    assert [of(made, team).score for team in "ab"] == [12, 0]
    assert of(made, "b").settled
    share = of(made, "b").facts.faulty / of(made, "b").facts.played
    enough = graded(folder, told, text.format(1 - share), "forfeit")
    assert of(enough, "b").score == 12
    part = of(graded(folder, told, text.format("1\npartial = true"), "forfeit"), "b")
    assert part.score == pytest.approx(12 * (1 - share), abs=0.06)
    assert "matches without a fault; 100 % are wanted; faults: illegal" in part.awards[0].why


def test_what_too_few_matches_leave_open_is_settled_by_as_many_more(folder: Path) -> None:
    text = '[[item]]\nkind = "faultless"\npoints = 12\nmatches = 5\n'
    told = history(began(1, "abcd"), both(1, 1, "ab"), both(1, 2, "cd", "d"), out("d", "1.2.1.1", 1))
    made = graded(folder, told, text)
    assert (of(made, "a").low, of(made, "a").high, of(made, "a").more) == (0, 12, 3)
    assert of(made, "d").settled  # It plays no more.


def test_who_errs_in_half_of_its_matches_needs_twice_as_many_and_who_always_errs_is_settled(
    folder: Path,
) -> None:
    text = '[[item]]\nkind = "faultless"\npoints = 12\nmatches = 5\n'
    told = history(began(1, "ab"), both(1, 1, "ab", "a"))
    assert of(graded(folder, told, text, "forfeit"), "a").more == 8
    always = history(began(1, "ab"), [played("1.1.1", "ab", brief([0, 1], fault(1)))])
    assert of(graded(folder, always, text, "forfeit"), "a").settled


BEATS = '[[item]]\nkind = "beats"\npoints = 10\nbots = ["b"]\n'
ONCE = 'looks = "once"\n'


def test_who_wins_five_deals_of_five_beats_a_bot_and_four_of_four_leave_it_open(folder: Path) -> None:
    sure = of(graded(folder, many(5, "ab"), f'staff = ["b"]\n{ONCE}{BEATS}'), "a")
    assert (sure.score, sure.settled) == (10, True)
    assert sure.awards[0].why == "better in 5 deals (5 matches) with b, at a confidence of 0.9688"
    unsure = of(graded(folder, many(4, "ab"), f'staff = ["b"]\n{ONCE}{BEATS}'), "a")
    assert (unsure.score, unsure.low, unsure.high, unsure.more) == (0, 0, 10, 1)
    bolder = of(graded(folder, many(4, "ab"), f'staff = ["b"]\n{ONCE}{BEATS}confidence = 0.9\n'), "a")
    assert bolder.score == 10


def test_a_graded_bot_cannot_beat_itself_and_does_not_stay_open_for_it(folder: Path) -> None:
    own = of(graded(folder, many(5, "ab"), f"{ONCE}{BEATS}"), "b")
    assert (own.score, own.settled, own.awards[0].why) == (0, True, "it cannot beat itself")


def test_the_sittings_of_a_deal_are_no_witnesses_of_their_own(folder: Path) -> None:
    """Four deals with two sittings each count as four deals, not eight. Five deals of one encounter
    count as five."""
    text = f'staff = ["b"]\n{ONCE}{BEATS}'
    first, back = [brief([1, 0])] * 5, [brief([0, 1])] * 5
    for deals, score in ((4, 0), (5, 10)):
        run = began(1, "ab", encounters=1, sittings=2, deals=deals)
        told = history(run, played("1.1.1", "ab", *first[:deals]), played("1.1.2", "ba", *back[:deals]))
        assert of(graded(folder, told, text), "a").score == score


def test_matches_with_deals_of_their_own_are_witnesses_of_their_own(folder: Path) -> None:
    wins = [brief([1, 0]), brief([0, 1])] * 3
    told = history(began(1, "ab", encounters=1, sittings=1, deals=6, orders=((1, 2), (2, 1))))
    told.add(played("1.1.1", "ab", *wins))
    made = graded(folder, told, POINTS)
    assert len(of(made, "a").facts.deals) == 6


def test_who_is_surely_worse_does_not_beat_a_bot_and_that_is_settled(folder: Path) -> None:
    found = of(graded(folder, many(5, "ba"), f'staff = ["b"]\n{ONCE}{BEATS}'), "a")
    assert (found.score, found.settled, found.awards[0].why[:5]) == (0, True, "worse")


def test_two_that_are_even_would_play_for_ever(folder: Path) -> None:
    found = of(graded(folder, many(4, "ab", flip=2), f'staff = ["b"]\n{BEATS}'), "a")
    assert (found.settled, found.more) == (False, MOST_MATCHES)
    assert MOST_MORE >= MOST_MATCHES


def test_bots_beaten_share_a_cap(folder: Path) -> None:
    text = '[[item]]\nkind = "beats"\npoints = 10\nbots = ["b", "c"]\ncap = 15\n'
    found = of(graded(folder, many(6), f'staff = ["b", "c"]\n{ONCE}{text}'), "a")
    assert [each.points for each in found.awards] == [10, 5]
    assert (found.score, found.settled) == (15, True)
    assert found.awards[1].why.endswith("; capped")


def test_the_disqualified_beat_nobody_and_have_no_place(folder: Path) -> None:
    told = history(began(1, "abc", encounters=3), both(1, 1, "ab", "a"), both(2, 2, "bc"), both(3, 3, "ca"))
    text = f'{BEATS}\n[[item]]\nkind = "rank"\npoints = [10, 5, 5]\n{POINTS}'
    made = graded(folder, told, text)
    assert (of(made, "a").score, of(made, "a").place) == (10, None)
    assert of(made, "a").awards[0].why == "it is disqualified"
    assert of(made, "a").awards[1].why == "disqualified: it has no place"
    capped = graded(folder, told, f"disqualified_cap = 4\n{text}")
    assert of(capped, "a").score == 4
    assert of(capped, "b").score > 4


def test_who_may_be_looked_at_again_needs_seven_deals_of_seven(folder: Path) -> None:
    sure = of(graded(folder, many(7, "ab"), f'staff = ["b"]\n{BEATS}'), "a")
    assert (sure.score, sure.settled) == (10, True)
    assert sure.awards[0].why == "better in 7 deals (7 matches) with b, at a confidence of 0.9669"
    unsure = of(graded(folder, many(6, "ab"), f'staff = ["b"]\n{BEATS}'), "a")
    assert (unsure.score, unsure.low, unsure.high, unsure.more) == (0, 0, 10, 1)


# -- the claims of a gradebook ---------------------------------------------------------------------

ALL = 'claims = "all"\n'


def test_each_claim_holds_by_itself_or_all_hold_together(folder: Path) -> None:
    """After seven deals a doubt of 1/30 is left: small enough for one claim, but not for two."""
    text = '[[item]]\nkind = "beats"\npoints = 10\nbots = ["b", "c"]\n'
    told = many(7)
    each = graded(folder, told, f'staff = ["b", "c"]\n{text}')
    assert (each.claims, round(each.wrong, 9), of(each, "a").score) == (2, 0.1, 20)
    every = graded(folder, told, f'staff = ["b", "c"]\n{ALL}{text}')
    assert (every.claims, round(every.wrong, 9), of(every, "a").score) == (2, 0.05, 0)
    assert "better in 7 deals (7 matches) with b, at a confidence of 0.8678; 0.95 is wanted" in (
        of(every, "a").awards[0].why
    )
    assert of(every, "a").awards[0].more == 2
    assert of(graded(folder, many(9), f'staff = ["b", "c"]\n{ALL}{text}'), "a").score == 20


def test_all_claims_are_those_about_pairs_of_teams_and_about_bots_to_beat(folder: Path) -> None:
    text = f"{BEATS}{RANK}"
    assert graded(folder, many(9), f"{ALL}{text}").claims == 3 + 3
    assert graded(folder, many(9), text).claims == 3 + 3
    assert graded(folder, many(9), f'staff = ["b"]\n{ALL}{text}').claims == 2 + 1
    assert graded(folder, many(9), f"{ALL}{BEATS}").claims == 3
    assert graded(folder, many(9), POINTS).claims == 0


def test_who_is_out_makes_no_claim(folder: Path) -> None:
    told = history(began(1, "abc", encounters=3), both(1, 1, "ab", "a"), both(2, 2, "bc"), both(3, 3, "ca"))
    assert graded(folder, told, f"{BEATS}{RANK}").claims == 2 + 2


@pytest.mark.parametrize(("looks", "deals"), [("once", 6), ("any", 8)])
def test_the_first_of_two_teams_must_win_this_many_deals(folder: Path, looks: str, deals: int) -> None:
    text = f'looks = "{looks}"\n{RANK}'
    assert of(graded(folder, many(deals - 1, "ab"), text), "a").places == (1, 2)
    assert of(graded(folder, many(deals, "ab"), text), "a").places == (1, 1)


def test_a_place_holds_all_its_comparisons_together(folder: Path) -> None:
    """One comparison of b, with c, is certain enough for a place. Two comparisons, with a and c, are not."""
    told = many(12, flip=12)
    one = of(graded(folder, told, f'staff = ["a"]\n{RANK}'), "b")
    both = of(graded(folder, told, RANK), "b")
    assert (one.places, both.places) == ((1, 1), (1, 3))


def test_grades_go_by_the_order_of_the_plan(folder: Path) -> None:
    """Bot a wins nearly always by a little, and bot b wins once by a lot. So b is first if scores count."""
    sittings = [played(f"{n}.{n}.1", "ab", brief([1, 0])) for n in range(1, 9)]
    told = history(began(1, "ab", encounters=9, sittings=1), sittings, played("9.9.1", "ab", brief([0, 99])))
    logs.write(folder)
    path = folder / "scheme.toml"
    path.write_text(f"{RANK}")
    for order, places in (("rank", {"a": 1, "b": 2}), ("score", {"a": 2, "b": 1})):
        plan = msgspec.structs.replace(plan_of(folder / "logs" / "tiny"), policy="forfeit", order=order)
        made = grades(told, plan, read_scheme(path, "cup", "ab"))
        assert {each.team: each.place for each in made.grades} == places


def test_without_points_for_places_grades_claim_no_place(folder: Path) -> None:
    found = of(graded(folder, many(9), POINTS), "a")
    assert (found.place, found.places) == (1, None)
    assert of(graded(folder, many(9), RANK), "a").places == (1, 1)


# -- places ----------------------------------------------------------------------------------------

RANK = '[[item]]\nkind = "rank"\npoints = [20, 10]\n'


def test_places_are_among_the_teams_and_the_staff_has_none(folder: Path) -> None:
    made = graded(folder, many(12, flip=6), f'staff = ["a"]\n{RANK}')
    assert [(each.team, each.place, each.score) for each in made.grades] == [("b", 1, 20), ("c", 2, 10)]


def test_a_place_beyond_the_last_earns_nothing(folder: Path) -> None:
    made = graded(folder, many(30, flip=10), RANK)
    assert [(each.place, each.score, each.settled) for each in made.grades] == [
        (1, 20, True),
        (2, 10, True),
        (3, 0, True),
    ]


def test_teams_that_cannot_be_told_apart_are_marked_with_what_would_tell(folder: Path) -> None:
    made = graded(folder, many(5, "abc", flip=2), RANK)
    for each in made.grades:
        assert not each.settled
        assert 0 < each.more <= MOST_MATCHES
        assert each.low < each.high
        assert "cannot be told apart yet" in each.awards[0].why


def test_letters_that_are_the_same_either_way_settle_a_grade(folder: Path) -> None:
    told = many(5, "abc", flip=2)
    assert not of(graded(folder, told, f"{RANK}[letters]\nA = 15\nB = 5\nC = 0\n"), "b").settled
    assert of(graded(folder, told, f"{RANK}[letters]\nP = 0\n"), "b").settled


def test_a_score_below_the_last_letter_is_called_no_letter_in_an_open_grade(folder: Path) -> None:
    made = graded(folder, many(5, "abc", flip=2), f"{RANK}[letters]\nA = 15\nB = 5\n")
    assert of(made, "b").in_letters == "no letter or B or A"
    assert "no letter or B or A" in as_csv(made)


def test_the_places_of_a_knock_out_are_those_of_the_format_and_settled(folder: Path) -> None:
    """Bot a has the best average rank, but bot b won the final."""
    told = many(6)
    told.add(Ended(order=(("b",), ("a", "c"))))
    made = graded(folder, told, RANK)
    assert [(each.place, each.places, each.score) for each in made.grades] == [
        (2, None, 10),
        (1, None, 20),
        (2, None, 10),
    ]
    assert of(made, "a").awards[0].why == "place 2 of 3, as the format decides"
    assert made.claims == 0
    assert all(each.settled for each in made.grades)
    shares = graded(folder, told, '[[item]]\nkind = "percentile"\npoints = 100\n')
    assert [(each.score, each.settled) for each in shares.grades] == [(25, True), (100, True), (25, True)]


def swiss(deals: int) -> History:
    """Two rounds of four bots, in which the first bot of each table wins all deals."""
    won = [brief([1, 0])] * deals
    return history(
        replace(began(1, "abcd", sittings=1, deals=deals), stages=("swiss",)),
        RoundBegan(1, 1, 1, (("a", "b"), ("c", "d"))),
        played("1.1.1", "ab", *won),
        played("1.2.1", "cd", *won),
        RoundBegan(1, 1, 2, (("a", "c"), ("b", "d"))),
        played("1.3.1", "ac", *won),
        played("1.4.1", "bd", *won),
    )


def test_after_pairing_by_results_places_are_claimed_by_the_model(folder: Path) -> None:
    made = graded(folder, swiss(40), RANK)
    assert made.claims == 4
    first, last = of(made, "a"), of(made, "d")
    assert first.places == (1, 3)
    assert last.places == (2, 4)
    assert re.search(r"place 1 of 4, with a rating of 1\.\d{3}", first.awards[0].why)
    table = with_ranges(standings(swiss(40), "disqualify", None, Wish()), swiss(40))
    assert {row.bot: (row.best, row.worst) for row in table.rows} == {
        each.team: each.places for each in made.grades
    }


def test_without_the_model_places_stay_open_and_only_bets_say_who_is_better(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_robin, "MOST_BOTS", 3)
    told = swiss(20)
    made = graded(folder, told, RANK)
    assert (made.claims, [each.places for each in made.grades]) == (0, [None] * 4)
    assert [(each.low, each.high, each.settled) for each in made.grades] == [(0, 20, False)] * 4
    assert "the results decide who meets whom" in of(made, "a").awards[0].why
    beats = 'staff = ["d"]\n[[item]]\nkind = "beats"\nbots = ["b"]\npoints = 5\n'
    by_bets = of(graded(folder, told, beats), "a")
    assert (by_bets.score, by_bets.settled) == (5, True)
    once = graded(folder, told, f'looks = "once"\n{beats}')
    assert once.claims == 0
    assert (of(once, "a").score, of(once, "a").high, of(once, "a").settled) == (0, 5, False)
    assert 'looks = "any"' in of(once, "a").awards[0].why


def test_a_percentile_is_the_share_of_teams_behind_ties_half(folder: Path) -> None:
    text = '[[item]]\nkind = "percentile"\npoints = 100\n'
    assert [each.score for each in graded(folder, many(9), text).grades] == [100, 50, 0]
    tied = history(
        began(1, "abc"), played("1.1.1", "ab", brief([1, 1])), played("1.1.2", "ba", brief([1, 1]))
    )
    assert [each.score for each in graded(folder, tied, text).grades[:2]] == [75, 75]
    steps = '[[item]]\nkind = "percentile"\nsteps = [[90, 20], [50, 10]]\n'
    assert [each.score for each in graded(folder, many(9), steps).grades] == [20, 10, 0]
    alone = graded(folder, many(9), f'staff = ["a", "c"]\n{text}')
    assert [each.score for each in alone.grades] == [100]


# -- from the sum to the score ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "score"),
    [
        (Curve(), 36),
        (Curve(add=5), 41),
        (Curve(best=100), 45),
        (Curve(root=True), 60),
        (Curve(table=((0, 0), (30, 50), (60, 80))), 56),
        (Curve(table=((40, 10), (60, 80))), 10),
        (Curve(table=((0, 0), (20, 50))), 50),
    ],
)
def test_a_curve_makes_a_score_of_a_sum(by: Curve, score: float) -> None:
    assert curve(36, by, 100, best=80) == pytest.approx(score)


@settings(max_examples=50)
@given(st.floats(0, 100), st.floats(0, 100))
def test_no_curve_turns_two_sums_around(one: float, other: float) -> None:
    low, high = sorted((one, other))
    for by in (Curve(add=-5), Curve(best=90), Curve(root=True), Curve(table=((0, 10), (50, 20), (100, 90)))):
        assert curve(low, by, 100, 100) <= curve(high, by, 100, 100) + 1e-9


def test_a_score_is_capped_and_rounded_half_up(folder: Path) -> None:
    told = history(began(1, "ab"), both(1, 1, "ab"))
    half = POINTS.replace("10", "0.25")
    assert of(graded(folder, told, f"out_of = 1\n{half}"), "a").score == 0.3
    assert of(graded(folder, told, f"out_of = 1\ndecimals = 0\n{half}"), "a").score == 0
    assert of(graded(folder, told, f"cap = 7\n{POINTS}"), "a").score == 7
    assert of(graded(folder, told, f"out_of = 20\n{POINTS}[curve]\nadd = -30\n"), "a").score == 0


def test_before_the_first_run_nobody_is_graded(folder: Path) -> None:
    assert graded(folder, history(), POINTS).grades == ()


def test_matches_still_to_come_make_grades_provisional(folder: Path) -> None:
    assert graded(folder, history(began(1, "ab"), both(1, 1, "ab")), POINTS).provisional == 16
    assert graded(folder, many(3), POINTS).provisional == 0


def test_what_is_published_bears_masks(folder: Path) -> None:
    made = graded(folder, many(5, "ab"), BEATS)
    told = masked(of(made, "a"), Mask("ab", "0123456789abcdef"))
    assert told.team.startswith("team-")
    assert " b" not in told.awards[0].name + told.awards[0].why


def test_the_first_fault_of_a_match_is_the_one_that_is_counted(folder: Path) -> None:
    twice = brief([0, 1], fault(1, "late"), Fault(1, "pondered", "too much"))
    told = history(began(1, "ab"), played("1.1.1", "ab", twice))
    assert of(graded(folder, told, POINTS, "forfeit"), "a").facts.faults == (("late", 1),)


LADDER = '[[item]]\nkind = "beats"\npoints = 10\nrungs = true\nbots = ["b", "c"]\n'


def of_rungs(folder: Path, against_b: str, against_c: str) -> Grade:
    """The grade of bot a, which won (+) or lost (-) these deals against b, the lower rung, and against c."""
    sittings = [
        played(f"{number}.{2 * number - place}.1", f"a{rung}", brief([1, 0] if sign == "+" else [0, 1]))
        for rung, place, signs in (("b", 1, against_b), ("c", 0, against_c))
        for number, sign in enumerate(signs, start=1)
    ]
    told = history(began(1, "abc", sittings=1, encounters=2 * len(against_b)), *sittings)
    return of(graded(folder, told, f'staff = ["b", "c"]\n{ONCE}{LADDER}'), "a")


def test_who_beats_a_rung_is_as_good_as_all_rungs_below(folder: Path) -> None:
    high = of_rungs(folder, "+-+-+-", "++++++")
    assert (high.score, high.settled) == (20, True)
    assert [award.name for award in high.awards] == ["As good as b", "As good as c"]
    assert high.awards[0].why == "it beats c, which is a higher rung"
    low = of_rungs(folder, "++++++", "------")
    assert (low.score, low.settled) == (10, True)


def test_an_open_rung_leaves_the_points_of_all_rungs_below_open(folder: Path) -> None:
    found = of_rungs(folder, "------", "+-++-+")
    assert (found.score, found.low, found.high) == (0, 0, 20)
    assert found.awards[0].why.startswith("worse")
    assert of_rungs(folder, "------", "------").settled
