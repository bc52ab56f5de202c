"""Checks the laws of outcomes: ranks add up, and after a fault the offenders are last."""

from __future__ import annotations

from math import isfinite

from harness.games import State
from harness.model import Outcome, ranks
from harness.testing.moves import Seen
from harness.testing.walk import Breach, Walk, onward

STEPS = 10
MOST_TURNS = 10_000


def ranks_add_up(match: Walk, _: Seen) -> None:
    """Each seat has a rank and a score; seats that tie get the average of their places."""
    outcome = match.last.outcome()
    assert outcome is not None
    _sound(outcome, match.seats, len(match.steps))
    if tuple(match.last.scores()) != tuple(outcome.scores):
        raise Breach("the outcome has other scores than the last position", len(match.steps))


def _sound(outcome: Outcome, seats: int, turn: int) -> None:
    if len(outcome.ranks) != seats or len(outcome.scores) != seats:
        raise Breach(f"{seats} seats, but ranks {outcome.ranks} and scores {outcome.scores}", turn)
    if not all(map(isfinite, (*outcome.ranks, *outcome.scores))):
        raise Breach(f"a rank or a score is not a finite number: {outcome.ranks}, {outcome.scores}", turn)
    fair = ranks([-rank for rank in outcome.ranks])
    if tuple(outcome.ranks) != fair:
        raise Breach(f"ranks {outcome.ranks} do not add up: ties share the average place, {fair}", turn)
    if not outcome.reason.strip():
        raise Breach("the outcome has no reason", turn)


def faults_cost_the_offenders(match: Walk, _: Seen) -> None:
    """A seat with a fault is last, also if the fault is found at the end. If nobody has moved yet, all other
    seats tie."""
    everyone = tuple(match.everyone())
    some = (*((seat,) for seat in everyone), everyone[1:], everyone)
    for offenders in some:
        state = _after_fault(match, match.first, offenders, 0)
        outcome = state.outcome()
        assert outcome is not None
        rest = {rank for seat, rank in enumerate(outcome.ranks, start=1) if seat not in offenders}
        if len(rest) > 1 and state == match.first.forfeit(offenders, match.luck("fault"))[0]:
            raise Breach(f"after a fault of {offenders} before the first move the others are not level", 0)
    for step in match.some(STEPS):
        acting = tuple(step.moves)
        for offenders in {acting, acting[-1:], *((seat,) for seat in acting[:3])}:
            _after_fault(match, step.state, offenders, step.turn)
    for offenders in some:
        _after_fault(match, match.last, offenders, len(match.steps))


def _after_fault(match: Walk, state: State, offenders: tuple[int, ...], turn: int) -> State:
    """Plays on after a fault of the `offenders`; returns the end of the match."""
    luck = match.luck("fault")
    stopped, _ = state.forfeit(offenders, luck)
    if not state.to_act() and stopped.to_act():
        raise Breach(f"the match is over, but after a fault of {offenders} it goes on", turn)
    end = stopped
    for step in onward(stopped, match.seats, luck, luck, MOST_TURNS):
        if set(step.moves) & set(offenders):
            raise Breach(f"after a fault of {offenders} they are asked again", turn)
        end = step.after
    outcome = end.outcome()
    assert outcome is not None
    _sound(outcome, match.seats, turn)
    places = dict(enumerate(outcome.ranks, start=1))
    best = min(places[seat] for seat in offenders)
    if any(rank >= best for seat, rank in places.items() if seat not in offenders):
        raise Breach(f"after a fault of {offenders} they are not last: ranks {outcome.ranks}", turn)
    return end
