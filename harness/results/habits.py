"""Finds out where a bot loses: the decisions, and the kinds of decisions, that cost it most.

For each decision of the bot on record, a sparring bot chooses a move and knows only what the seat knew. If
the sparring bot and the bot chose different moves, both moves are played out with the same luck and from the
same positions. For the seat, each of these positions looks like the real position. The *cost* of the decision
says how much better the seat stands after the sparring bot's move than after the bot's move. The cost is an
average over the play-outs, in the unit of the game's guess (`State.worth`, `State.unit`). If the game has no
guess, the cost says how many more opponents the seat beats, as a share of all its opponents. One set of
play-outs chooses the sparring bot's move, and another set measures the cost. If one set did both, the cost
would seem larger than it is. In each play-out, the first answer of each other seat is a good one
(`lead_after_answers`). Otherwise most bad moves would seem to cost little. A decision counts as costing
nothing if both moves are the same, or if the first few play-outs show no cost.

Decisions are grouped in kinds, and the costs of kinds are compared. The decisions of a kind have one thing in
common: the question, the phase of the match, the seat, an opponent, or whether there were few or many moves.
If the plan has a bank (one time for all answers of a match), the time that the bot has left makes two more
kinds. The interval of a kind is computed from its cost in each match, not from single decisions, because
decisions of one match depend on each other. With k kinds, each interval has the confidence 1 - 0.05 / k
(Bonferroni). So all intervals are right at the same time with a probability of at least 95 %. The few
costliest decisions are played out again, with more play-outs than before.

Kinds overlap: if a bot often gives bad answers to a question with few moves, these answers also add to the
cost of the kind "at most 4 moves". So kinds are ordered by their *excess*: the cost of the decisions of a
kind, minus the cost of the same number of average decisions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import NamedTuple

import msgspec

from harness.chance import derived
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.events import Record, Turn
from harness.games import State
from harness.judge.lateness import Clock, clock, own_us
from harness.model import Limits
from harness.record.one_match import RecordedMatch
from harness.results.statistics.paired import MeanDifference, mean_difference
from harness.sparring.search import choice, lead_after_answers

PLAY_OUTS = 16
"""The default number of play-outs that choose a move."""
FIRST_DRAWS, DRAWS, MORE_DRAWS = 8, 32, 200
"""The numbers of pairs of play-outs for one decision: to look for a cost, to measure a cost that was found,
and to measure the costliest decisions again."""
COSTLIEST = 5
PHASES = ("early", "middle", "late")
FEW_MOVES = 4
MAIN_PART = 0.25
"""The diagnosis names an answer only if at least this part of the cost of a kind comes from the answer."""
LITTLE_TIME, MORE_TIME = "less than a third of the time left", "a third of the time left or more"
ALL = "all decisions"
SHARE = "share of the opponents that it beats"
UNNAMED = "that of the game's guess"
"""The unit of costs in a game without a guess (`State.worth`), and in a game that does not name the unit of
its guess."""


class Decision(msgspec.Struct, frozen=True):
    """An answer of the bot, and the move of the sparring bot. `cost` is 0 if both moves are the same, or if
    the first play-outs show no cost."""

    match: str
    question: int
    said: str
    instead: str
    cost: float
    kinds: tuple[str, ...]


class CostlyAnswer(msgspec.Struct, frozen=True):
    """The answer that has the largest part of the cost of a kind of decisions. `share` is this part, from 0
    to 1. `number` is the number of decisions with this answer that cost something. `instead` is the better
    move that is most frequent in these decisions."""

    said: str
    instead: str
    number: int
    share: float


class Habit(msgspec.Struct, frozen=True):
    """A kind of decisions, and what they cost the bot in a match, on average over all matches. `low` and
    `high` are the ends of the interval, which is corrected for the number of kinds. `certain` says whether
    the matches show that such decisions cost the bot something. `excess` says by how much these decisions
    cost more in a match than the same number of average decisions of the bot. `stands_out` says whether the
    matches show that the excess is above 0, also corrected for the number of kinds. `answer` is None if no
    answer has a quarter of the cost, or if the costliest answer cost something only once."""

    kind: str
    decisions: int
    cost: float
    low: float | None
    high: float | None
    certain: bool
    excess: float = 0.0
    stands_out: bool = False
    answer: CostlyAnswer | None = None


class CostlyDecision(msgspec.Struct, frozen=True):
    """One of the costliest decisions, measured with more play-outs than other decisions. `line` is the line
    of the log with the answer. `position` is what the seat could know."""

    match: str
    question: int
    line: int
    seat: int
    said: str
    instead: str
    cost: MeanDifference
    position: str


class DiagnosedBot(msgspec.Struct, frozen=True):
    """How much a bot lost through its decisions. Each cost compares the bot's move with the sparring bot's
    move: it says how much better the bot would stand with the sparring bot's move, on average over random
    play-outs. `unit` is the unit of costs, such as "points"."""

    bot: str
    matches: int
    decisions: int
    habits: tuple[Habit, ...]
    costliest: tuple[CostlyDecision, ...]
    unit: str = SHARE


class _Place(NamedTuple):
    """A decision, the number of the line of the log that has the answer, the seat of the bot, and the
    position of the match before the answer."""

    decision: Decision
    line: int
    seat: int
    state: State


class Diagnosis:
    """The decisions of one bot, match by match."""

    def __init__(self, plan: FrozenPlan, bot: str, play_outs: int = PLAY_OUTS) -> None:
        self._plan = plan
        self._bot = bot
        self._play_outs = play_outs
        self._decisions: list[list[Decision]] = []  # of each match
        self._worst: list[_Place] = []
        self._unit = SHARE

    @property
    def matches(self) -> int:
        """The number of matches."""
        return len(self._decisions)

    @property
    def decisions(self) -> int:
        """The number of decisions."""
        return sum(map(len, self._decisions))

    def take(self, recorded: RecordedMatch) -> None:
        """Measures all decisions of the bot in a match. Raises RecordError if the record does not follow from
        the rules."""
        self._decisions.append([])
        for place in self._decided(recorded):
            self._decisions[-1].append(place.decision)
            self._worst.append(place)
            if place.state.worth():
                self._unit = place.state.unit or UNNAMED
        self._worst = sorted(self._worst, key=lambda each: -each.decision.cost)[:COSTLIEST]

    def habits(self) -> list[Habit]:
        """Returns all kinds of decisions, in the order of `habits_of`."""
        return habits_of(self._decisions)

    def costliest(self) -> list[CostlyDecision]:
        """Plays out the costliest decisions again, and returns those that cost something, the costliest
        first."""
        found = []
        for decision, line, seat, state in self._worst:
            costs = _costs(state, seat, decision, MORE_DRAWS, "again")
            cost = mean_difference(costs, looks=len(self._worst))
            if cost.low is not None and cost.low > 0:
                told = (decision.match, decision.question, line, seat, decision.said, decision.instead)
                found.append(CostlyDecision(*told, cost, state.text(seat)))
        return sorted(found, key=lambda each: -each.cost.mean)

    def told(self) -> DiagnosedBot:
        """Returns all that was found. Plays out the costliest decisions again."""
        habits, costliest = tuple(self.habits()), tuple(self.costliest())
        return DiagnosedBot(self._bot, self.matches, self.decisions, habits, costliest, self._unit)

    def _decided(self, recorded: RecordedMatch) -> Iterator[_Place]:
        asked = recorded.questions(self._plan)
        bots = recorded.head.bots
        left = time_left([turn for turn, _ in asked], self._plan.limits)
        lines = [line for line, record in recorded.numbered if _is_question(record)]
        for number, (line, (turn, state), time) in enumerate(zip(lines, asked, left, strict=True), start=1):
            seat = turn.seat
            said = state.check(seat, turn.said or "")
            if bots[seat - 1] != self._bot or not isinstance(said, str) or turn.failed:
                continue
            seed = derived("diagnosis", recorded.head.id, number)
            instead = choice(state, seat, self._play_outs, seed, lead_after_answers)
            kinds = (*_kinds(turn, state, (number - 1) / len(asked), bots), *_kinds_of_time(time))
            decision = Decision(recorded.head.id, number, said, instead, 0.0, kinds)
            # Most moves of the sparring bot only seem to be better than the bot's own moves. A few play-outs
            # are enough to find and leave out such moves.
            if instead != said and sum(_costs(state, seat, decision, FIRST_DRAWS, "first")) > 0:
                cost = mean_difference(_costs(state, seat, decision, DRAWS, "cost")).mean
                decision = msgspec.structs.replace(decision, cost=cost)
            yield _Place(decision, line, seat, state)


def habits_of(matches: Sequence[Sequence[Decision]]) -> list[Habit]:
    """Returns the kinds of these decisions. `matches` has one list for each match. The kind with the largest
    excess is first, and ALL is last. If two kinds contain the same decisions, the second kind is left out,
    because it tells nothing new."""
    numbered = [(number, decision) for number, match in enumerate(matches) for decision in match]
    kinds = _different(tuple(decision.kinds for _, decision in numbered))
    costs = {kind: [0.0] * len(matches) for kind in kinds}
    for kind, places in kinds.items():
        for number, decision in (numbered[place] for place in places):
            costs[kind][number] += decision.cost
    found = []
    for kind, places in kinds.items():
        share = len(places) / len(numbered)
        more = [own - share * total for own, total in zip(costs[kind], costs[ALL], strict=True)]
        cost, excess = (mean_difference(values, looks=len(kinds)) for values in (costs[kind], more))
        certain, stands_out = (each.answer == "better" for each in (cost, excess))
        ends = cost.mean, cost.low, cost.high
        answer = _costliest_answer([numbered[place][1] for place in places])
        found.append(Habit(kind, len(places), *ends, certain, excess.mean, stands_out, answer))
    return sorted(found, key=lambda each: (each.kind == ALL, -each.excess))


def _different(kinds_of: Sequence[Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """Returns each kind with the places of its decisions in `kinds_of`. If several kinds have exactly the
    same decisions, returns only the first of these kinds."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, kinds in enumerate(kinds_of):
        for kind in kinds:
            places[kind].append(place)
    first: dict[tuple[int, ...], str] = {}
    for kind, those in places.items():
        first.setdefault(tuple(those), kind)
    return {kind: those for those, kind in first.items()}


def _costliest_answer(decisions: Sequence[Decision]) -> CostlyAnswer | None:
    costs: defaultdict[str, float] = defaultdict(float)
    for each in decisions:
        costs[each.said] += each.cost
    said = max(costs, key=lambda each: costs[each])
    total = sum(costs.values())
    better = Counter(each.instead for each in decisions if each.said == said and each.cost > 0)
    if better.total() < 2 or total <= 0 or costs[said] < MAIN_PART * total:
        return None
    [(instead, _)] = better.most_common(1)
    return CostlyAnswer(said, instead, better.total(), min(1.0, costs[said] / total))


def time_left(turns: Sequence[Turn], limits: Limits) -> Iterator[float | None]:
    """Yields for each question the share of the bank that its seat had left. Yields None if there is no
    bank."""
    clocks: defaultdict[int, Clock] = defaultdict(lambda: clock(limits))
    for turn in turns:
        now = clocks[turn.seat]
        yield now.bank_us / (limits.bank_ms * 1000) if limits.bank_ms else None
        clocks[turn.seat] = now.spent(own_us(turn))


def _kinds_of_time(left: float | None) -> Iterable[str]:
    if left is not None:
        yield LITTLE_TIME if left < 1 / 3 else MORE_TIME


def _is_question(record: Record) -> bool:
    return isinstance(record, Turn) and not record.ask.startswith("new ")


def _costs(state: State, seat: int, decision: Decision, draws: int, purpose: str) -> list[float]:
    """Plays out both moves of a decision `draws` times. For each time, returns how much further the seat is
    ahead with the move `instead` than with the move `said`. Raises InputError if a guess of the game is not
    finite."""
    seeds = (derived(purpose, decision.match, decision.question, draw) for draw in range(draws))
    found = [further_ahead(state, seat, decision.said, decision.instead, seed) for seed in seeds]
    if not all(map(isfinite, found)):
        told = "the game's guess (`worth`) is not finite; `harness check game` looks for such guesses"
        raise InputError(told, f"match {decision.match}, question {decision.question}")
    return found


def further_ahead(state: State, seat: int, said: str, instead: str, seed: int) -> float:
    """Plays out two moves of a seat with the same seed. Returns how much further the seat is ahead with the
    second move."""
    return lead_after_answers(state, seat, instead, seed) - lead_after_answers(state, seat, said, seed)


def _kinds(turn: Turn, state: State, passed: float, bots: Sequence[str]) -> Iterable[str]:
    """Yields the kinds of a decision. `passed` is the share of the match's questions that were asked
    before this question."""
    yield ALL
    yield f"question {turn.ask.partition(' ')[0]}"
    yield f"{PHASES[int(passed * len(PHASES))]} in the match"
    yield f"seat {turn.seat}"
    yield from (f"against {bot}" for bot in dict.fromkeys(bots) if bot != bots[turn.seat - 1])
    few = state.complete(turn.seat) and sum(1 for _ in state.legal(turn.seat)) <= FEW_MOVES
    yield f"at most {FEW_MOVES} moves" if few else f"more than {FEW_MOVES} moves"
