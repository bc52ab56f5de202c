"""Tests a team's page: it shows all data of the team, none of other teams, and no text as HTML."""

import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from harness.config import FrozenPlan
from harness.config.scheme import Scheme
from harness.events import Drawn, Event, Fault, InEncounter, Match, Result, Stderr, Turn, Usage, Voided
from harness.grading import Grade
from harness.record.log import stderr_path
from harness.record.masking import Mask, unmasked
from harness.record.run_folder import plan_of
from harness.report.feedback.gathering import (
    MOST_FAULTS,
    MOST_NOTES,
    STDERR_BYTES,
    Team,
    read_stderr,
    take_match,
)
from harness.report.feedback.page import MOST_ROWS, Extras, absent_page, page
from harness.report.feedback.times import Times
from harness.results.habits import CostlyDecision, DiagnosedBot
from harness.results.statistics.paired import MeanDifference
from tests.cli import logs
from tests.grading.test_gradebook import a_grade, made, sample
from tests.results.rows import a_row

__all__ = ["sample"]

BOTS = ("anna", "bert")
OTHERS = "PLANTED"


@pytest.fixture
def plan(tmp_path: Path) -> FrozenPlan:
    return plan_of(logs.write(tmp_path))


def a_match(number: int = 1, *, faulty: bool = True, own: str = "mine") -> list[tuple[int, InEncounter]]:
    """A match of anna in seat 1. Every text of the other bots contains OTHERS, so that a test can find it."""
    records: list[InEncounter] = [
        Match(f"1.{number}.1.1", BOTS, (1, 2)),
        Drawn("deal", f"{OTHERS} deal"),
        Event(f"hand {OTHERS}", (2,)),
        Turn(1, "new 1 1 2 7", "ready", 3_000),
        Turn(1, f"move {own}", f"take {own}", 812, 40, 1_000_000),
        Turn(2, f"move {OTHERS}", f"take {OTHERS}", 900, 50, 1_000_000, comments=(f"# {OTHERS}",)),
    ]
    if faulty:
        records.append(Fault(1, "illegal", f"because {own}", f"move {own}", f"take {own}", (f"hand {own}",)))
        records.append(Stderr(1, f"last words: {own}"))
    records += [
        Fault(2, "malformed", f"because {OTHERS}", f"move {OTHERS}", OTHERS, (f"hand {OTHERS}",)),
        Stderr(2, f"last words {OTHERS}"),
        Usage((120, 95)),
        Result((2, 1), (-3, 12), "all cards are played"),
    ]
    return list(enumerate(records, start=1))


def shown(plan: FrozenPlan, sample: Scheme, team: Team, grade: Grade | None = None, **more: Mask) -> str:
    grade = grade or a_grade(team.bot)
    mask = more.get("mask") or unmasked((*BOTS, "random", team.bot))
    return page(plan, made(sample, grade), grade, team, mask)


def anna(*matches: list[tuple[int, InEncounter]]) -> Team:
    team = Team("anna")
    for records in matches:
        take_match(records, {"anna": team}, True, None)
    return team


class Tags(HTMLParser):
    """Reads the tags of a page, and checks that they are closed in the right order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "action", "data")]
        if tag not in ("meta", "link", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_shows_the_fault_with_its_question_what_it_knew_its_time_and_its_last_words(
    plan: FrozenPlan, sample: Scheme
) -> None:
    told = shown(plan, sample, anna(a_match()))
    for each in (
        "because mine",
        "move mine",
        "take mine",
        "hand mine",
        "last words: mine",
        "812 µs, limit 1 s",
    ):
        assert each in told
    assert "1.1.1.1" in told
    assert "all cards are played" in told


def test_a_page_says_how_many_places_luck_cost(plan: FrozenPlan, sample: Scheme) -> None:
    grade = a_grade("anna")
    assert "lucky" not in shown(plan, sample, anna(a_match()), grade)
    ends = {"rank_luck_off_low": 1.9, "rank_luck_off_high": 2.3}
    for off, told in ((2.1, "you were 0.40 places unlucky"), (2.75, "you were 0.25 places lucky")):
        row = a_row(1, "anna", average_rank=2.5, rank_luck_off=off, **ends)
        facts = grade.facts._replace(row=row)
        assert told in shown(plan, sample, anna(a_match()), grade._replace(facts=facts))


def test_a_page_tells_luck_without_an_interval_if_results_decide_who_meets(
    plan: FrozenPlan, sample: Scheme
) -> None:
    grade = a_grade("anna")
    row = a_row(1, "anna", average_rank=2.5, rank_luck_off=2.1)
    told = shown(plan, sample, anna(a_match()), grade._replace(facts=grade.facts._replace(row=row)))
    assert "(you were 0.40 places unlucky)" in " ".join(told.split())


def test_a_page_says_which_part_of_the_time_was_not_its_own(plan: FrozenPlan, sample: Scheme) -> None:
    turn = Turn(1, "move mine", "take mine", 812, 40, 1_000_000, 500, unseen_us=200, waited_us=300)
    records = [(n, turn if n == 5 else each) for n, each in a_match()]
    told = shown(plan, sample, anna(records))
    why = "500 µs was not its own: for 300 µs no CPU was free for it and for 200 µs the harness did not look"
    assert f"812 µs, of which {why} for its answer, limit 1 s" in told
    assert f"All answers together took 812 µs, of which {why}" in told


def test_a_page_lists_the_void_attempts_but_not_what_another_bot_wrote(
    plan: FrozenPlan, sample: Scheme
) -> None:
    team = anna(a_match())
    assert "Void attempts" not in shown(plan, sample, team)
    team.add_void(Voided(1, 1, 2, 1, BOTS, 1, "its worker was lost"))
    team.add_void(Voided(1, 1, 2, 1, BOTS, 2, f"bert: its sandbox could not be made: {OTHERS}"))
    told = shown(plan, sample, team)
    assert "sitting 1.2.1, attempt 1: its worker was lost" in told
    assert "sitting 1.2.1, attempt 2: it failed at another bot of the sitting" in told
    assert f"made: {OTHERS}" not in told


def test_of_a_bot_that_said_too_much_the_page_does_not_say_that_it_said_nothing(
    plan: FrozenPlan, sample: Scheme
) -> None:
    records = a_match()
    for name, told in (("unasked", False), ("late", True)):
        fault = Fault(1, name, "said 'b' right after its answer 'a'", "move mine")
        page = shown(plan, sample, anna([(n, fault if n == 7 else each) for n, each in records]))
        assert ("<dt>answer</dt><dd>nothing</dd>" in page) is told


def test_nothing_of_another_team_is_in_a_page_but_its_name_rank_and_place(
    plan: FrozenPlan, sample: Scheme
) -> None:
    told = shown(plan, sample, anna(a_match(), a_match(2, faulty=False)))
    assert OTHERS not in told
    assert "bert" in told


def test_nothing_that_others_need_not_know_of_the_plan_is_in_a_page(plan: FrozenPlan, sample: Scheme) -> None:
    secret = msgspec.structs.replace(
        plan,
        seed=987654321,
        bots=tuple(
            msgspec.structs.replace(
                bot, path=f"../{OTHERS}", run=("true",) if bot.name == "anna" else (OTHERS,)
            )
            for bot in plan.bots
        ),
        text=OTHERS,
    )
    told = shown(secret, sample, anna(a_match()))
    assert OTHERS not in told
    assert "987654321" not in told


def test_a_page_stands_alone_and_asks_the_network_for_nothing(plan: FrozenPlan, sample: Scheme) -> None:
    told = shown(plan, sample, anna(a_match()))
    tags = Tags(told)
    assert tags.open == []
    assert all(link.startswith("data:text/plain;base64,") for link in tags.links)
    assert tags.seen.isdisjoint({"script", "img", "link", "iframe", "object", "form"})
    assert "default-src 'none'" in told
    assert re.findall(r"url\(|@import|https?://", told) == []
    assert "prefers-color-scheme: dark" in told
    assert "@media print" in told


@pytest.mark.parametrize(
    "evil", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</pre><u>", "{{ 12345*6789 }}"]
)
def test_whatever_a_team_writes_stays_text(
    plan: FrozenPlan, sample: Scheme, tmp_path: Path, evil: str
) -> None:
    records = a_match(own=evil)
    head = records[0][1]
    assert isinstance(head, Match)
    records[0] = (1, msgspec.structs.replace(head, bots=(evil, "bert")))
    team = Team(evil)
    take_match(records, {evil: team}, True, None)
    path = stderr_path(tmp_path, 1, 1, 1, 1)
    path.parent.mkdir(parents=True)
    path.write_text(evil)
    read_stderr(team, tmp_path, lambda *sitting: (team.bot, "bert"))
    told = shown(plan, sample, team, a_grade(evil, letter=evil))
    tags = Tags(told)
    assert tags.open == []
    assert tags.seen.isdisjoint({"script", "img", "u"})
    assert evil not in told or "<" not in evil
    assert "83810205" not in told


def test_what_steers_a_terminal_or_turns_text_around_is_escaped(plan: FrozenPlan, sample: Scheme) -> None:
    told = shown(plan, sample, anna(a_match(own="\x1b[31m\u202eabc")))
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "\\x1b[31m\\u202eabc" in told


def test_masked_names_are_in_no_place_of_a_page(plan: FrozenPlan, sample: Scheme) -> None:
    mask = Mask(BOTS, "0123456789abcdef")
    told = shown(plan, sample, anna(a_match(own="says bert to anna")), mask=mask)
    assert "anna" not in told
    assert "bert" not in told
    assert mask.name("bert") in told


def test_a_grade_that_is_not_settled_says_what_would_settle_it(plan: FrozenPlan, sample: Scheme) -> None:
    told = shown(plan, sample, anna(a_match()))
    assert "Not settled." in told
    assert "about 40 more matches" in told
    settled = a_grade()._replace(more=0)
    assert "Not settled." not in shown(plan, sample, anna(a_match()), settled)


def test_a_grade_that_is_computed_once_names_no_more_matches(plan: FrozenPlan, sample: Scheme) -> None:
    once = msgspec.structs.replace(sample, looks="once")
    told = shown(plan, once, anna(a_match()))
    assert "Not settled." in told
    assert ". Grades are computed once" in " ".join(told.split())
    assert "so no matches are added" in told
    assert "about 40 more matches" not in told


def test_the_disqualified_read_where_and_for_what(plan: FrozenPlan, sample: Scheme) -> None:
    told = shown(plan, sample, anna(a_match()), a_grade(disqualified=True))
    assert "Disqualified" in told
    assert "in match 1.2.1.1" in told


def test_a_team_without_matches_has_a_page(plan: FrozenPlan, sample: Scheme) -> None:
    told = shown(plan, sample, Team("anna"))
    assert "The bot never answered a question." in told
    assert Tags(told).open == []


def test_of_many_faults_and_matches_so_much_is_kept_as_a_person_reads(
    plan: FrozenPlan, sample: Scheme
) -> None:
    team = anna(*(a_match(number) for number in range(1, MOST_FAULTS + 4)))
    assert (len(team.faults), team.more_faults) == (MOST_FAULTS, 3)
    later = (team.matches[1]._replace(fault="", match=f"2.{number}.1.1") for number in range(MOST_ROWS + 5))
    team.matches = [team.matches[0], *later]
    told = shown(plan, sample, team)
    assert "6 earlier matches without a fault are not listed." in told
    assert told.count('<td class="id">') == MOST_ROWS


def test_the_fault_for_which_it_is_out_comes_first_however_many_there_were_before(
    plan: FrozenPlan, sample: Scheme
) -> None:
    team = Team("anna", decisive="1.30.1.1")
    for number in range(1, 31):
        take_match(a_match(number), {"anna": team}, True, None)
    assert len(team.faults) == MOST_FAULTS + 1
    told = shown(plan, sample, team)
    assert told.index("in match 1.30.1.1") < told.index("in match 1.1.1.1")


def test_the_time_of_an_answer_is_told_with_its_own_fault_only() -> None:
    records = a_match(faulty=False)
    records.insert(-1, (99, Fault(1, "pondered", "used the CPU for 80.0 ms")))
    [fault] = anna(records).faults
    assert (fault.us, fault.limit_us) == (0, 0)


def test_of_a_long_stderr_the_head_and_the_tail_are_shown(tmp_path: Path) -> None:
    team = anna(a_match())
    path = stderr_path(tmp_path, 1, 1, 1, 1)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"head" + b"x" * 2 * STDERR_BYTES + b"tail")
    stderr_path(tmp_path, 1, 1, 1, 2).write_text(OTHERS)
    read_stderr(team, tmp_path, lambda *sitting: (team.bot, "bert"))
    [written] = team.stderr
    assert written.text.startswith("head")
    assert written.text.endswith("tail")
    assert f"{STDERR_BYTES + 8} bytes left out" in written.text
    assert len(written.text) < STDERR_BYTES + 50


def test_times_are_counted_between_edges_and_the_slowest_is_kept() -> None:
    times = Times()
    for us in (12, 15, 99, 2_500_000):
        times.add(Turn(1, f"move {us}", "x", us, 0, 3_000_000), "1.1.1.1")
    bars = times.bars()
    assert (bars[0].below, bars[0].answers) == ("< 20 µs", 2)
    assert (bars[-1].below, bars[-1].answers) == ("< 5 s", 1)
    assert times.slowest.ask == "move 2500000"
    assert sum(bar.answers for bar in bars) == times.count == 4
    times.add(Turn(1, "move", "x", 9_000_000), "1.1.1.2")
    assert times.bars()[-1].below == "longer"


def test_what_a_bot_wrote_in_comments_stands_at_its_step_in_the_page_of_its_team(
    plan: FrozenPlan, sample: Scheme
) -> None:
    records = a_match()
    turn = Turn(1, "move mine", "take mine", 812, 40, 1_000_000, comments=("# I see <b>two</b> ways",))
    records[4] = (5, turn)
    told = shown(plan, sample, anna(records))
    # The comment stands at the fault and in the list of comments.
    assert told.count("# I see &lt;b&gt;two&lt;/b&gt; ways") == 2
    assert "<dt>answer 1</dt>" in told
    many = anna(*([(n, turn if n == 5 else each) for n, each in a_match(number)] for number in range(1, 230)))
    assert (len(many.notes), many.more_notes) == (MOST_NOTES, 29)


def test_numbers_in_comments_are_drawn_for_the_team_and_those_of_others_are_not(
    plan: FrozenPlan, sample: Scheme
) -> None:
    def a_match_with(number: int, own: str) -> list[tuple[int, InEncounter]]:
        records = a_match(number)
        for place, seat, name in ((4, 1, own), (5, 2, OTHERS)):
            turn = Turn(seat, "move x", "take x", comments=(f"# data {name} {number}",))
            records[place] = (place + 1, turn)
        return records

    team = anna(a_match_with(1, "money"), a_match_with(3, "money"), a_match_with(5, "anna"))
    told = shown(plan, sample, team, mask=Mask(BOTS, "key"))
    assert re.findall("<h3>(.*?)</h3>", told) == [Mask(BOTS, "key").name("anna"), "money"]
    row = "".join(f'<td class="num">{each}</td>' for each in (1, 2, 2, 1.414))
    assert f"<tr>{row}</tr>" in told
    assert OTHERS not in told
    assert "Its numbers" not in shown(plan, sample, anna(a_match()))


def test_the_disqualified_read_what_they_would_have_earned(plan: FrozenPlan, sample: Scheme) -> None:
    gone, could = a_grade(disqualified=True), a_grade()
    mask = unmasked((*BOTS, "random"))
    told = page(plan, made(sample, gone), gone, anna(a_match()), mask, Extras((), could))
    assert "What the bot would have earned if it had only lost match" in told
    assert "What the bot would have earned" not in shown(plan, sample, anna(a_match()))


def test_pages_lead_into_a_published_report_at_the_fault_from_the_own_seat(
    plan: FrozenPlan, sample: Scheme
) -> None:
    grade = a_grade()
    extras = Extras(report="https://example.org/cup/")
    told = page(plan, made(sample, grade), grade, anna(a_match()), unmasked((*BOTS, "random")), extras)
    assert 'href="https://example.org/cup/match.html#1.1.1.1/fault/1"' in told


def test_the_first_three_costly_decisions_are_in_a_page(plan: FrozenPlan, sample: Scheme) -> None:
    cost = MeanDifference(0.31, 0.2, 0.42, 200)
    costly = [
        CostlyDecision("1.1.1.1", number, 9, 2, f"bid {number}", "bid 5", cost, f"anna has {number}")
        for number in range(1, 5)
    ]
    found = DiagnosedBot("anna", 6, 4000, (), tuple(costly))
    mask = Mask([*BOTS, "random"], "secret")
    graded = a_grade()
    told = page(plan, made(sample, graded), graded, anna(a_match()), mask, Extras(diagnosis=found))
    assert "In its first 6 matches, 4,000 decisions were compared" in told
    assert told.count("about 0.31") == 3
    assert f"{mask.name('anna')} has 3" in told
    assert "has 4" not in told


def test_the_page_of_an_absent_team_shows_quoted_words_as_code(plan: FrozenPlan, sample: Scheme) -> None:
    grades = made(sample, a_grade())._replace(absent={"carl": "version 1: says `hello <b>` to `new`"})
    told = absent_page(plan, grades, "carl", unmasked(("carl",)))
    assert "version 1: says <code>hello &lt;b&gt;</code> to <code>new</code>." in told


def test_a_page_without_a_diagnosis_says_nothing_of_it(plan: FrozenPlan, sample: Scheme) -> None:
    assert "cost it most" not in shown(plan, sample, anna(a_match()))
    graded = a_grade()
    extras = Extras(diagnosis=DiagnosedBot("anna", 6, 40, (), ()))
    told = page(plan, made(sample, graded), graded, anna(a_match()), unmasked((*BOTS, "random")), extras)
    assert "No single decision was found that certainly cost the bot something." in told
