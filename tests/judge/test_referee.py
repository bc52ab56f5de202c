"""Owns the tests of the referee: one match driven by scripted replies, each fault by its name."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from harness.chance import Chance, Scripted, Seeded
from harness.cli.templates.game.tiny import GAME as TINY
from harness.cli.templates.game.tiny import TinyOptions, TinyState
from harness.events import Drawn, Event, Fault, Record, Result, Turn, Usage
from harness.games import Events, Game, State, Stopped
from harness.games.sevens import GAME as SEVENS
from harness.games.sevens.cards import DECK
from harness.judge.referee import Referee
from harness.judge.rules import Answer, Ask, Farewell, Rules, Terms
from harness.model import FAULTS, Limits, Outcome, Reply
from harness.protocol import Wants
from tests.games.planted import Lonely, Planted

LIMITS = Limits(start_ms=500, move_ms=100)
BELOW_THE_RULES = sorted(FAULTS.keys() - {"no-start", "malformed", "illegal", "pondered"})
EACH_SECRET_ONE = {f"secret {seat}": 1 for seat in range(1, 5)}
THROWS = {"throw 3": 6, "throw 2": 2, "throw 1": 3}


class Judged(NamedTuple):
    """What the referee did in a match: its records, questions and farewells, and the outcome."""

    records: list[Record]
    asks: list[Ask]
    farewells: list[Farewell]
    outcome: Outcome
    referee: Referee

    def of(self, kind: type[Any]) -> list[Any]:
        """The records of this kind."""
        return [record for record in self.records if isinstance(record, kind)]

    def faults(self) -> list[tuple[int, str]]:
        return [(fault.seat, fault.name) for fault in self.of(Fault)]

    def blocks(self, seat: int) -> list[list[str]]:
        """The lines of each block that asked this seat."""
        return [ask.block.decode().splitlines() for ask in self.asks if ask.seat == seat]

    def farewell(self, seat: int) -> list[str]:
        [block] = [farewell.block for farewell in self.farewells if farewell.seat == seat]
        return block.decode().splitlines()


Said = str | Reply


def judged(
    replies: Mapping[int, Sequence[Said]],
    *,
    game: Game = TINY,
    options: Any = None,
    limits: Limits = LIMITS,
    ready: Mapping[int, Said] | None = None,
    usage: Answer = None,
    script: Mapping[str, Any] | None = None,
    names_shown: bool = False,
    ponder: bool = False,
    **terms: Any,
) -> Judged:
    """Plays one match. Each seat gives its `replies` in their order; after them it always answers `bid 0`.

    `ready` has the answers to `new` of those seats that do not answer `ready`.
    """
    seats = len(replies)
    options = game.options() if options is None else options
    luck = Scripted({**EACH_SECRET_ONE, **THROWS, **(script or {})}, Seeded(1))
    records: list[Record] = []
    rules = Rules(game, options, limits, names_shown, ponder)
    referee = Referee(Terms(rules, seats, **terms), luck, records.append)
    scripts = {seat: iter(said) for seat, said in replies.items()}
    asks, farewells = list[Ask](), list[Farewell]()
    answer: Answer = None
    steps = referee.questions()
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Ask):
                asks.append(step)
                asked = referee.state is not None
                said = next(scripts[step.seat], "bid 0") if asked else (ready or {}).get(step.seat, "ready")
                answer = said if isinstance(said, Reply) else Reply(said)
            elif isinstance(step, Farewell):
                farewells.append(step)
            else:
                answer = usage
    except StopIteration as ended:
        return Judged(records, asks, farewells, ended.value, referee)


# -- a match without a fault -----------------------------------------------------------------------


def test_a_match_is_asked_judged_and_told_in_its_order() -> None:
    match = judged({1: ["bid 1", "bid 0", "bid 2"], 2: ["bid 0", "bid 3", "bid 0"]})
    assert match.outcome == Outcome((1, 2), (10, 3), "the end of the game")
    assert [type(record).__name__ for record in match.records] == [
        *("Drawn", "Drawn", "Turn", "Turn", "Event", "Event"),
        *("Turn", "Turn", "Drawn", "Event", "Event") * 2,
        *("Turn", "Turn", "Drawn", "Event", "Event", "Event", "Result"),
    ]
    assert match.records[-1] == Result((1, 2), (10, 3), "the end of the game")
    assert match.faults() == []


def test_the_events_since_the_last_question_travel_with_the_next() -> None:
    match = judged({1: ["bid 1"], 2: ["bid 0"]})
    assert match.blocks(2)[1:] == [
        ["secret 1", "bid 100 -1"],
        ["bids 1 0", "die 6", "bid 100 -1"],
        ["bids 0 0", "die 2", "bid 100 -1"],
    ]
    assert match.farewell(2) == ["bids 0 0", "die 3", "secrets 1 1", "result 1 1 7", "result 2 2 1", "over"]


def test_a_seat_is_told_only_what_is_for_it() -> None:
    match = judged({1: [], 2: []}, script={"secret 1": 5, "secret 2": 3})
    assert [match.blocks(seat)[1][0] for seat in (1, 2)] == ["secret 5", "secret 3"]
    assert match.of(Event)[:2] == [Event("secret 5", (1,)), Event("secret 3", (2,))]


def test_in_a_simultaneous_turn_nothing_is_told_before_all_have_answered() -> None:
    match = judged({1: ["bid 4"], 2: ["bid 1"], 3: ["bid 2"]})
    assert [ask.seat for ask in match.asks] == [1, 2, 3] * 4
    assert match.blocks(3)[1] == ["secret 1", "bid 100 -1"]


def test_new_tells_each_seat_its_place_its_seed_its_allies_and_who_plays() -> None:
    names = ("Anna", "Bob", "Cleo")
    match = judged(
        {1: [], 2: [], 3: []}, number=4, seeds=(71, 72, 73), names=names, names_shown=True, game=Allied()
    )
    assert match.blocks(3)[0] == [
        *("option rounds 3", "option coins 4", "limit start 500", "limit move 100", "limit bank -1"),
        *("limit increment 0", "limit line 4096", "limit unread 65536", "ally 1"),
        *("name 1 Anna", "name 2 Bob", "name 3 Cleo", "new 4 3 3 73"),
    ]
    assert [line for line in match.blocks(2)[0] if line.startswith("ally")] == []


class Allied(type(TINY)):  # type: ignore[misc]
    """The game Tiny, with seats 1 and 3 on the same side."""

    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        return (1, 3), (2,)


def test_a_turn_is_written_down_with_question_answer_and_times() -> None:
    reply = Reply("bid 1", us=70, at=900, comments=("# why",))
    match = judged({1: [reply], 2: []})
    assert match.of(Turn)[2] == Turn(1, "bid 100 -1", "bid 1", 70, 900, 100_000, comments=("# why",))


def test_the_position_can_be_followed() -> None:
    match = judged({1: [], 2: []})
    assert isinstance(match.referee.state, TinyState)
    assert match.referee.state.rounds == 0


# -- what a bot asked for --------------------------------------------------------------------------


def test_legal_moves_come_right_before_the_question_of_who_wants_them() -> None:
    match = judged({1: ["bid 3"], 2: []}, wants=(Wants(legal=True), Wants()))
    assert match.blocks(1)[2] == [
        "bids 3 0",
        "die 6",
        "legal all 2",
        "move bid 0",
        "move bid 1",
        "bid 100 -1",
    ]
    assert match.blocks(2)[2] == ["bids 3 0", "die 6", "bid 100 -1"]


def test_the_state_comes_before_the_legal_moves() -> None:
    match = judged({1: ["bid 4"], 2: []}, wants=(Wants(legal=True, state=True), Wants()))
    assert match.blocks(1)[2] == [
        *("bids 4 0", "die 6", "state rounds 2", "state coins 0 4", "state points 6 0", "state secret 1"),
        *("legal all 1", "move bid 0", "bid 100 -1"),
    ]


@pytest.mark.parametrize(("most", "kind"), [(4, "some 4"), (5, "all 5")])
def test_more_legal_moves_than_the_limit_are_sampled_by_recorded_chance(most: int, kind: str) -> None:
    match = judged({1: [], 2: []}, limits=Limits(max_legal=most), wants=(Wants(legal=True), Wants()))
    told = match.blocks(1)[1]
    assert told[1] == f"legal {kind}"
    assert len(set(told[2:-1])) == most
    drawn = [record for record in match.of(Drawn) if record.stream == "legal 1"]
    assert [f"move {move}" for record in drawn for move in record.value] == (
        told[2:-1] if kind.startswith("some") else []
    )


def test_moves_that_cannot_all_be_listed_are_marked_as_some() -> None:
    class Unlisted(TinyState, frozen=True):
        def complete(self, seat: int) -> bool:
            return False

    match = judged({1: [], 2: []}, game=Planted(Unlisted), wants=(Wants(legal=True), Wants()))
    assert match.blocks(1)[1][1] == "legal some 5"


# -- faults below the rules ------------------------------------------------------------------------


@pytest.mark.parametrize("name", BELOW_THE_RULES)
def test_what_failed_below_the_rules_is_a_fault_of_that_name(name: str) -> None:
    failure = Reply(None, us=500_000, failed=name, why="there are reasons")
    match = judged({1: [failure], 2: ["bid 1"]})
    assert match.of(Fault) == [
        Fault(
            1,
            name,
            "there are reasons",
            "bid 100 -1",
            None,
            ("rounds 3", "coins 4 4", "points 0 0", "secret 1"),
        )
    ]
    assert match.outcome == Outcome((2, 1), (0, 0), "a fault of seat 1 stopped the match")
    assert match.farewell(1) == [f"fault {name} there are reasons", "over"]


@pytest.mark.parametrize("name", ["late", "crash", "closed"])
def test_what_ends_a_process_before_its_first_ready_is_no_start(name: str) -> None:
    failure = Reply(None, us=900_000, failed=name, why="there are reasons")
    match = judged({1: [], 2: []}, ready={2: failure}, fresh=(True, True))
    assert [(fault.seat, fault.name, fault.reason) for fault in match.of(Fault)] == [
        (2, "no-start", "there are reasons")
    ]
    assert match.outcome.ranks == (1, 2)
    assert [turn.failed for turn in match.of(Turn)] == ["", "no-start"]


@pytest.mark.parametrize("name", ["late", "crash", "closed"])
def test_a_process_that_has_played_keeps_the_name_of_its_fault(name: str) -> None:
    failure = Reply(None, us=900_000, failed=name)
    match = judged({1: [], 2: []}, ready={2: failure}, fresh=(True, False))
    assert match.faults() == [(2, name)]


@pytest.mark.parametrize("name", ["flood", "long-line", "nul", "encoding", "unasked", "memory"])
def test_what_is_said_wrongly_before_the_first_ready_keeps_its_name(name: str) -> None:
    match = judged({1: [], 2: []}, ready={1: Reply(None, failed=name)})
    assert match.faults() == [(1, name)]


def test_a_first_ready_that_comes_too_late_is_no_start() -> None:
    match = judged({1: [], 2: []}, ready={1: Reply("ready", us=500_001)})
    assert match.faults() == [(1, "no-start")]
    assert match.of(Fault)[0].reason == "answered after 500.0 ms; the limit was 500.0 ms"


def test_a_wrong_ready_is_malformed() -> None:
    match = judged({1: [], 2: []}, ready={1: "Ready"})
    assert match.faults() == [(1, "malformed")]
    assert match.of(Fault)[0].ask.startswith("new 1 1 2 ")


def test_the_evidence_of_a_fault_at_new_holds_nothing_of_a_deal_not_told_yet() -> None:
    match = judged({1: [], 2: []}, ready={1: "Ready"})
    assert match.of(Fault)[0].view == ()


def test_a_fault_at_new_leaves_the_others_level_and_all_are_asked() -> None:
    match = judged({seat: [] for seat in range(1, 5)}, ready={1: Reply(None, failed="crash"), 3: "no"})
    assert [ask.seat for ask in match.asks] == [1, 2, 3, 4]
    assert match.outcome.ranks == (3.5, 1.5, 3.5, 1.5)
    assert match.farewell(2)[:2] == ["secret 1", "result 1 3.5 0"]


# -- late ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("us", "faults"), [(100_000, []), (100_001, [(1, "late")])])
def test_late_is_one_microsecond_over_the_limit(us: int, faults: list[tuple[int, str]]) -> None:
    assert judged({1: [Reply("bid 0", us=us)], 2: []}).faults() == faults


def test_a_late_answer_is_late_whatever_it_says() -> None:
    match = judged({1: [Reply("nonsense", us=250_000)], 2: []})
    assert match.faults() == [(1, "late")]
    assert match.of(Fault)[0].reason == "answered after 250.0 ms; the limit was 100.0 ms"
    assert match.of(Fault)[0].said == "nonsense"


@pytest.mark.parametrize(("us", "fault"), [(100_000, "malformed"), (100_001, "late")])
def test_a_misspelt_answer_is_judged_by_the_clock_first(us: int, fault: str) -> None:
    misspelt = Reply("b\u0131d 0", us=us, failed="malformed", why="it is misspelt")
    assert judged({1: [misspelt], 2: []}).faults() == [(1, fault)]
    assert judged({1: [], 2: []}, ready={1: replace(misspelt, us=5)}).faults() == [(1, "malformed")]


def test_what_failed_below_the_rules_comes_before_late() -> None:
    assert judged({1: [Reply(None, us=250_000, failed="flood")], 2: []}).faults() == [(1, "flood")]


def test_an_answer_that_was_not_late_by_its_own_doing_is_in_time() -> None:
    match = judged(
        {1: [Reply("bid 0", us=150_000, excused_us=50_000, unseen_us=20_000, waited_us=30_000)], 2: []}
    )
    assert match.faults() == []
    turns = [turn for turn in match.of(Turn) if turn.us == 150_000]
    assert [(turn.excused_us, turn.unseen_us, turn.waited_us) for turn in turns] == [(50_000, 20_000, 30_000)]


def test_a_lateness_that_was_partly_the_bots_own_is_a_fault() -> None:
    match = judged({1: [Reply("bid 0", us=150_000, excused_us=49_999)], 2: []})
    assert match.faults() == [(1, "late")]


def test_a_start_that_was_late_by_no_time_of_its_own_is_in_time() -> None:
    ready = Reply("ready", us=600_000, excused_us=100_000)
    assert judged({1: [], 2: []}, ready={1: ready}).faults() == []
    assert judged({1: [], 2: []}, ready={1: replace(ready, excused_us=99_999)}).faults() == [(1, "no-start")]


def test_a_bot_that_said_nothing_in_its_limit_and_its_excuse_is_late() -> None:
    silent = Reply(None, us=150_000, failed="late", excused_us=49_999, waited_us=49_999)
    assert judged({1: [silent], 2: []}).faults() == [(1, "late")]


def test_only_a_lateness_can_be_excused() -> None:
    crash = Reply(None, us=150_000, failed="crash", excused_us=150_000)
    assert judged({1: [crash], 2: []}).faults() == [(1, "crash")]
    assert judged({1: [Reply("bid 9", us=50_000, excused_us=50_000)], 2: []}).faults() == [(1, "illegal")]


# -- the bank --------------------------------------------------------------------------------------

BANKED = Limits(start_ms=500, move_ms=100, bank_ms=120, increment_ms=10)


def test_the_bank_is_told_and_counted_answer_by_answer() -> None:
    match = judged({1: [Reply("bid 0", us=us) for us in (70_500, 50_000, 1)], 2: []}, limits=BANKED)
    turns = [turn for turn in match.of(Turn)[2:] if turn.seat == 1]
    assert [turn.ask for turn in turns] == ["bid 100 120", "bid 100 59", "bid 100 19"]
    assert [turn.limit_us for turn in turns] == [100_000, 59_500, 19_500]
    assert [ask.limit_us for ask in match.asks if ask.seat == 2] == [500_000, 100_000, 100_000, 100_000]
    assert match.faults() == []


def test_an_answer_past_the_bank_is_late_within_the_move_limit_too() -> None:
    match = judged({1: [Reply("bid 0", us=70_500), Reply("bid 0", us=59_501)], 2: []}, limits=BANKED)
    assert match.faults() == [(1, "late")]


def test_new_does_not_touch_the_bank() -> None:
    match = judged({1: [], 2: []}, limits=BANKED, ready={1: Reply("ready", us=400_000)})
    assert match.of(Turn)[2].ask == "bid 100 120"


# -- faults of form and rules ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "name", "reason"),
    [
        ("offer 1", "malformed", "the answer begins with `bid`; it said 'offer 1'"),
        ("", "malformed", "the answer begins with `bid`; it said ''"),
        ("ready", "malformed", "the answer begins with `bid`; it said 'ready'"),
        (" bid 1", "malformed", "the answer begins with `bid`; it said ' bid 1'"),
        ("bid one", "malformed", "expected `bid COINS`; it said 'bid one'"),
        (
            "bid  1",
            "malformed",
            "one space stands between words, and none before or after them; it said 'bid  1'",
        ),
        (
            "bid 1 ",
            "malformed",
            "one space stands between words, and none before or after them; it said 'bid 1 '",
        ),
        ("bid 5", "illegal", "it has 4 coins, not 5"),
    ],
)
def test_an_answer_is_judged_by_its_form_then_by_the_rules(said: str, name: str, reason: str) -> None:
    match = judged({1: ["bid 0"], 2: [said]})
    [fault] = match.of(Fault)
    assert (fault.seat, fault.name, fault.reason, fault.said) == (2, name, reason, said)
    assert match.outcome.ranks == (1, 2)
    assert match.farewells == [
        Farewell(2, f"fault {name} {reason}\nover\n".encode(), True),
        Farewell(1, b"result 1 1 0\nresult 2 2 0\nover\n", False),
    ]


def test_a_move_is_played_in_its_canonical_text_and_logged_as_it_was_said() -> None:
    match = judged({1: ["bid 002"], 2: []})
    assert match.of(Turn)[2].said == "bid 002"
    assert Event("bids 2 0") in match.records


def test_after_a_fault_in_a_simultaneous_turn_the_others_are_asked_all_the_same() -> None:
    match = judged({1: ["bid 9"], 2: ["bid 1"], 3: ["bid 2"]})
    assert [ask.seat for ask in match.asks][3:] == [1, 2, 3]
    assert match.faults() == [(1, "illegal")]
    assert match.outcome.ranks == (3, 1.5, 1.5)
    assert match.of(Event)[3:] == []


def test_two_offenders_of_one_turn_share_the_last_places() -> None:
    match = judged(
        {1: ["bid 1", "bid 9"], 2: ["bid 0", Reply(None, failed="crash")], 3: ["bid 0"], 4: ["bid 0"]}
    )
    assert match.faults() == [(1, "illegal"), (2, "crash")]
    assert match.outcome == Outcome(
        (3.5, 3.5, 1.5, 1.5), (6, 0, 0, 0), "a fault of seat 1 and 2 stopped the match"
    )
    assert [(farewell.seat, farewell.faulty) for farewell in match.farewells] == [
        *((1, True), (2, True), (3, False), (4, False))
    ]


def test_a_fault_stops_a_game_of_turns_at_once() -> None:
    hand = ["AC", "2C", "3C", "4C", "5C"]
    deck = [*hand, *(card for card in DECK if card not in hand)]
    match = judged({seat: ["play 9S 9 0"] for seat in range(1, 10)}, game=SEVENS, script={"deal": deck})
    assert [ask.seat for ask in match.asks] == [*range(1, 10), 1]
    assert match.faults() == [(1, "illegal")]
    assert match.outcome.ranks == (9, *[4.5] * 8)
    assert f"hand {' '.join(hand)}" in match.of(Fault)[0].view


class Fined(TinyState, frozen=True):
    """A position of the game Tiny, but a seat that commits a fault loses its points."""

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        points = [0 if seat in offenders else each for seat, each in enumerate(self.points, start=1)]
        fined = Stopped(replace(self, points=tuple(points)), offenders)
        return fined, tuple(Event(f"fined {seat}") for seat in offenders)


# -- pondering -------------------------------------------------------------------------------------

AT_EASE = {1: ["bid 1"], 2: ["bid 0"]}


def test_cpu_time_used_unasked_over_the_limit_is_a_fault_at_the_end() -> None:
    match = judged(AT_EASE, usage=Usage((50_001, 50_000)))
    assert match.faults() == [(1, "pondered")]
    assert match.of(Fault)[0].reason == "used the CPU for 50.0 ms while not asked; 50 ms are allowed"
    assert match.outcome == Outcome((2, 1), (7, 1), "the end of the game; then a fault of seat 1")
    assert match.farewell(1)[0].startswith("fault pondered ")
    assert match.farewell(2)[-3:] == ["result 1 2 7", "result 2 1 1", "over"]
    assert match.records[-1] == Result(*match.outcome)


def test_usage_within_the_limit_is_written_down_and_changes_nothing() -> None:
    match = judged(AT_EASE, usage=Usage((50_000, 0)))
    assert match.of(Usage) == [Usage((50_000, 0))]
    assert match.outcome == judged(AT_EASE).outcome


def test_a_tournament_may_allow_to_ponder() -> None:
    match = judged(AT_EASE, usage=Usage((90_000, 90_000)), ponder=True)
    assert match.faults() == []
    assert match.outcome.ranks == (1, 2)


def test_who_is_out_already_commits_no_second_fault() -> None:
    match = judged({1: ["bid 9"], 2: []}, usage=Usage((90_000, 0)))
    assert match.faults() == [(1, "illegal")]


def test_whoever_pondered_shares_the_last_places_with_who_stopped_the_match() -> None:
    match = judged({1: ["bid 9"], 2: [], 3: []}, usage=Usage((0, 90_000, 0)))
    assert match.faults() == [(1, "illegal"), (2, "pondered")]
    assert match.outcome.ranks == (2.5, 2.5, 1)


def test_the_game_says_what_a_fault_at_the_end_does() -> None:
    match = judged(AT_EASE, game=Planted(Fined), usage=Usage((90_000, 0)))
    assert match.outcome == Outcome((2, 1), (1, 1), "the end of the game; then a fault of seat 1")
    assert Event("fined 1") in match.records
    assert "fined 1" in match.farewell(2)


def test_all_may_be_at_fault() -> None:
    match = judged(AT_EASE, usage=Usage((90_000, 90_000)))
    assert match.outcome.ranks == (1.5, 1.5)
    assert [farewell.faulty for farewell in match.farewells] == [True, True]


# -- games that go on after a fault ----------------------------------------------------------------


def test_a_game_may_go_on_without_the_offender() -> None:
    match = judged({1: ["bid 9"], 2: [], 3: []}, game=Planted(Lonely))
    assert [ask.seat for ask in match.asks][3:] == [1, 2, 3, 2, 3]
    assert match.blocks(2)[2] == ["gone 1", "bid 100 -1"]
    assert [(farewell.seat, farewell.faulty) for farewell in match.farewells] == [
        *((1, True), (2, False), (3, False))
    ]


def test_options_reach_the_game_and_the_bots() -> None:
    match = judged({1: [], 2: []}, options=TinyOptions(rounds=1, coins=9))
    assert match.blocks(1)[0][:2] == ["option rounds 1", "option coins 9"]
    assert len(match.asks) == 4


# -- nobody is told --------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [LIMITS, replace(LIMITS, max_legal=1)])
def test_the_record_is_the_same_where_nobody_is_told_anything(limits: Limits) -> None:
    says = {1: ["bid 1", "bid 2"], 2: ["bid 2", "bid 0"], 3: ["bid 9"]}
    wants = (Wants(legal=True, state=True), Wants(legal=True), Wants())
    told = judged(says, limits=limits, wants=wants)
    untold = judged(says, limits=limits, wants=wants, heard=False)
    assert untold.records == told.records
    assert sum(len(ask.block) for ask in untold.asks) < sum(len(ask.block) for ask in told.asks)
