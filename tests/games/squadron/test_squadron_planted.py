"""Proves that the tests of Squadron Scramble can fail: a test finds each wrong rule that is planted here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec.structs import replace

from harness.chance import Chance
from harness.events import Event
from harness.games import Events
from harness.games import squadron as war
from harness.games.squadron import SquadronPosition
from harness.games.squadron import acts as war_acts
from harness.games.squadron import battle as war_battle
from harness.games.squadron.acts import Act, Tables
from harness.games.squadron.battle import Battle, put
from harness.games.squadron.cards import Cards, Kind, Squadron
from harness.model import Outcome, ranks
from tests.games.squadron import test_acts as acts
from tests.games.squadron import test_squadron as rules
from tests.games.squadron import test_squadron_play as play

Wrong: TypeAlias = Callable[..., Any]


class Planted(NamedTuple):
    """A wrong rule, the right rule that it replaces, and a test that must fail then, with its arguments."""

    owner: Any
    name: str
    wrong: Any
    test: Callable[..., object]
    arguments: tuple[object, ...]


PLANTED: dict[str, Planted] = {}


def planted(
    owner: Any, name: str, test: Callable[..., object], *arguments: object
) -> Callable[[Wrong], Wrong]:
    """Registers a wrong rule."""

    def register(wrong: Wrong) -> Wrong:
        PLANTED[wrong.__name__] = Planted(owner, name, wrong, test, arguments)
        return wrong

    return register


ACTED, LAID, LEFT_BY = Battle.acted, Battle._laid, Battle.left_by
END, PASSED, TOOK = Battle.end, Battle.passed, Battle.took
VIEW, LISTED, DEALT = SquadronPosition.view, war_acts.listed, war_battle.dealt

# -- squadrons and attacks -------------------------------------------------------------------------

LAY_SPITFIRES = "lay Spit.1 Spit.2 Spit.3 attack "


@planted(war_acts, "foe", rules.test_example_5_illegal_attacks, "Spit.1-3", LAY_SPITFIRES + "B17.1", "")
def shoots_down_its_own_alliance(attacker: Kind, target: Kind) -> bool:
    return attacker.category == "fighter" and target.category == "bomber"


@planted(war_acts, "foe", rules.test_example_5_illegal_attacks, "Spit.1-3", LAY_SPITFIRES + "ME110.1", "")
def shoots_down_fighters(attacker: Kind, target: Kind) -> bool:
    return attacker.category == "fighter" and attacker.alliance != target.alliance


@planted(war_acts, "flaw", rules.test_example_2_what_is_no_squadron, "V K1 K2", "at least one aircraft")
def flies_without_aircraft(cards: Cards) -> str:
    return ""


@planted(
    war_acts,
    "twice",
    rules.test_ruling_14_each_card_is_in_the_hand_and_named_once,
    "act lay I16.1 K1 K2 return K1",
    "K1 is named twice",
)
def shares_a_wild_card(cards: Collection[str]) -> str:
    return ""


@planted(war, "listed", acts.listed_as_allowed, acts.SOME[:8])
def lays_all_it_can(hand: Cards, aims: Any) -> Iterator[str]:
    every = list(LISTED(hand, aims))
    most = max(act.count("lay") for act in every)
    return (act for act in every if act.count("lay") == most)


@planted(Battle, "_laid", rules.test_example_4_what_was_captured_is_safe_for_good)
def captures_again(self: Battle, act: Act) -> tuple[Tables, list[Event]]:
    tables, told = LAID(self, act)
    return tuple(tuple(Squadron(each.cards) for each in table) for table in tables), told


@planted(Battle, "_laid", rules.test_example_4_bombers_that_were_shot_down_move_and_count_for_the_attacker)
def leaves_the_bombers_where_they_were(self: Battle, act: Act) -> tuple[Tables, list[Event]]:
    tables, told = LAID(self, act)
    return put(self.tables, self.seat, tables[self.seat - 1]), told


@planted(Squadron, "worth", rules.test_example_6_tables_count_and_hands_cost)
def counts_all_squadrons_alike(self: Squadron) -> int:
    return 15


@planted(war_battle, "left_in_hand", rules.test_example_6_tables_count_and_hands_cost)
def punishes_wild_cards(hand: Cards) -> int:
    return 5 * len(hand)


# -- turns -----------------------------------------------------------------------------------------


@planted(Battle, "acted", rules.test_example_3_the_top_of_the_stack_is_taken_and_one_card_returned_on_top)
def returns_below_the_stack(self: Battle, act: Act) -> tuple[Battle, list[Event]]:
    battle, told = ACTED(self, act)
    top, *rest = battle.stack
    return replace(battle, stack=(*rest, top)), told


@planted(Battle, "after", rules.test_ruling_2_chance_draws_who_begins_and_the_others_follow_in_order)
def goes_the_other_way_round(self: Battle, seat: int) -> int:
    return next((other for other in reversed(self.playing) if other < seat), self.playing[-1])


@planted(Battle, "end", rules.test_example_7_whoever_lays_all_or_returns_the_last_card_ends_the_battle)
def goes_on_with_an_empty_hand(self: Battle) -> str:
    return END(self).replace("hand", "")


@planted(
    Battle,
    "end",
    rules.test_ruling_13_too_small_a_stack_comes_before_the_cap_and_the_cap_before_a_shuffle,
)
def looks_at_the_cap_first(self: Battle) -> str:
    return "turns" if self.turn == self.most_turns else END(self)


PLANTED["shuffles a stack of two"] = Planted(
    war_battle,
    "FEWEST_TO_SHUFFLE",
    2,
    rules.test_ruling_8_with_fewer_than_three_cards_on_the_stack_the_battle_is_over,
    (),
)


@planted(Battle, "passed", rules.test_ruling_8_an_empty_deck_is_made_of_the_whole_stack)
def keeps_its_top_card(self: Battle, chance: Chance) -> tuple[Battle, Events]:
    battle, told = PASSED(self, chance)
    return (replace(battle, deck=self.stack[1:], stack=self.stack[:1]) if not self.deck else battle), told


# -- wars and faults -------------------------------------------------------------------------------


@planted(war, "dealt", rules.test_ruling_11_the_next_battle_deals_all_cards_to_those_still_in)
def deals_to_those_who_are_out(number: int, playing: Any, seats: int, turns: int, chance: Chance) -> Any:
    return DEALT(number, tuple(range(1, seats + 1)), seats, turns, chance)


@planted(war, "dealt", rules.test_ruling_9_the_cap_of_a_battle_counts_those_who_began_it)
def counts_the_turns_of_one(number: int, playing: Any, seats: int, turns: int, chance: Chance) -> Any:
    battle, told = DEALT(number, playing, seats, turns, chance)
    return replace(battle, most_turns=turns), told


@planted(Battle, "left_by", rules.test_ruling_11_the_turn_of_an_offender_is_undone, "take stack 2")
def keeps_what_it_took(self: Battle, offenders: Collection[int]) -> Battle:
    deck, stack = self.left()
    return replace(LEFT_BY(self, offenders), deck=deck, stack=stack)


@planted(
    Battle,
    "left_by",
    rules.test_ruling_11_what_the_offender_had_is_gone_but_what_others_captured_stays,
)
def leaves_its_table_behind(self: Battle, offenders: Collection[int]) -> Battle:
    return replace(LEFT_BY(self, offenders), tables=self.tables)


@planted(Battle, "left_by", rules.test_ruling_11_the_turn_of_an_offender_is_undone, "take deck")
def counts_the_turn_that_was_undone(self: Battle, offenders: Collection[int]) -> Battle:
    return replace(LEFT_BY(self, offenders), turn=self.turn + 1)


@planted(SquadronPosition, "outcome", rules.test_ruling_11_the_last_player_wins_and_the_battle_is_not_scored)
def ranks_offenders_by_their_points(self: SquadronPosition) -> Outcome | None:
    return Outcome(ranks(self.totals), self.totals, self.reason) if self.reason else None


@planted(SquadronPosition, "outcome", play.war_with_errors, 5, 1, frozenset((3, 9)))
def ranks_all_offenders_alike(self: SquadronPosition) -> Outcome | None:
    out = {seat for seats in self.gone for seat in seats}
    keys = [(seat not in out, 0 if seat in out else total) for seat, total in enumerate(self.totals, 1)]
    return Outcome(ranks(keys), self.totals, self.reason) if self.reason else None


# -- secrets ---------------------------------------------------------------------------------------


@planted(Battle, "took", play.all_look_the_same, 3, 1)
def tells_all_what_is_drawn(self: Battle, count: int) -> tuple[Battle, Events]:
    battle, told = TOOK(self, count)
    return battle, tuple(Event(event.line) for event in told)


@planted(SquadronPosition, "view", play.all_look_the_same, 3, 1)
def shows_the_top_of_the_deck(self: SquadronPosition, seat: int) -> tuple[str, ...]:
    return (*VIEW(self, seat), f"next {self.battle.deck[0]}")


@planted(Battle, "known", play.test_what_all_have_seen_a_player_take_stays_in_its_hand)
def forgets_what_was_seen(self: Battle, seat: int) -> Cards:
    return ()


# -- all of them -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_fails_its_test(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, wrong, test, arguments = PLANTED[name]
    monkeypatch.setattr(owner, attribute, wrong)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        test(*arguments)
