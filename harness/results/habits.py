"""Finds out where a bot loses: the decisions, and the kinds of decisions, that cost it most.

For each decision of the bot on record, a sparring bot chooses a move from what the seat knew. The sparring
bot plays its play-outs to the end of the match, because the cost is measured there. If it chooses another
move than the bot, both moves are played out with the same luck, and from the same positions. For the seat,
each of these positions looks like the real position. At the end of each random play-out, the bot has beaten a
share of its opponents. The *cost* of the decision says how much larger this share is with the other move, on
average. Some play-outs choose the move, and other play-outs measure its cost. So the choice does not make the
cost seem larger than it is. A decision counts as costing nothing if both moves are the same, or if the first
few play-outs show no cost.

Costs are compared in kinds of decisions: the question, the phase of the match, the seat, the opponents and
the number of moves. Each kind has an interval over matches, because decisions of one match depend on each
other. With k kinds, each interval has the confidence 1 - 0.05 / k (Bonferroni). So all intervals together are
right with a probability of 95 %. The few costliest decisions are played out again, with more play-outs than
before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from harness.chance import derived
from harness.config import FrozenPlan
from harness.events import Record, Turn
from harness.games import State
from harness.record.one_match import RecordedMatch
from harness.results.statistics.paired import MeanDifference, mean_difference
from harness.sparring.search import choice, value

PLAY_OUTS = 16
"""The default number of play-outs that choose a move."""
FIRST_DRAWS, DRAWS, MORE_DRAWS = 8, 16, 200
"""The number of pairs of play-outs: those that look for a cost, those that measure the cost of each decision
where one was found, and those that measure the cost of the costliest decisions."""
COSTLIEST = 5
PHASES = ("early", "middle", "late")
FEW_MOVES = 4
ALL = "all decisions"


class Decision(msgspec.Struct, frozen=True):
    """An answer of the bot, and the move of the sparring bot. `cost` is 0 if both are the same."""

    match: str
    question: int
    said: str
    instead: str
    cost: float
    kinds: tuple[str, ...]


class Habit(msgspec.Struct, frozen=True):
    """A kind of decisions, and what they cost the bot in a match, on average over all matches. `low` and
    `high` are the ends of the interval, which is corrected for the number of kinds. `certain` says whether
    the matches show that such decisions cost the bot something."""

    kind: str
    decisions: int
    cost: float
    low: float | None
    high: float | None
    certain: bool


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
    """How much a bot lost through its decisions. Each cost says how much larger the share of beaten opponents
    is with another move, at the end of a random play-out."""

    bot: str
    matches: int
    decisions: int
    habits: tuple[Habit, ...]
    costliest: tuple[CostlyDecision, ...]


class _Place(NamedTuple):
    """A decision with its position, and the line of the log with the answer."""

    decision: Decision
    line: int
    seat: int
    state: State


class Diagnosis:
    """The decisions of one bot, match by match."""

    def __init__(self, plan: FrozenPlan, bot: str, play_outs: int = PLAY_OUTS) -> None:
        self.matches = 0
        self._plan = plan
        self._bot = bot
        self._play_outs = play_outs
        self._costs: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        self._counts: dict[str, int] = defaultdict(int)
        self._worst: list[_Place] = []
        self.decisions = 0

    def take(self, recorded: RecordedMatch) -> None:
        """Measures all decisions of the bot in a match. Raises RecordError if the record does not follow from
        the rules."""
        self.matches += 1
        for place in self._decided(recorded):
            self.decisions += 1
            for kind in place.decision.kinds:
                self._costs[kind][self.matches] += place.decision.cost
                self._counts[kind] += 1
            self._worst.append(place)
        self._worst = sorted(self._worst, key=lambda each: -each.decision.cost)[:COSTLIEST]

    def habits(self) -> list[Habit]:
        """Returns all kinds of decisions. Kinds that certainly cost something come first, then the other
        kinds, and ALL comes last. In both groups the costliest kind is first. Any other kind that contains
        all decisions is left out, because it says nothing more than ALL."""
        kinds = [kind for kind, count in self._counts.items() if kind == ALL or count < self.decisions]
        found = []
        for kind in kinds:
            costs = self._costs[kind]
            sums = [costs.get(number, 0.0) for number in range(1, self.matches + 1)]
            cost = mean_difference(sums, looks=len(kinds))
            certain = cost.answer == "better"
            found.append(Habit(kind, self._counts[kind], cost.mean, cost.low, cost.high, certain))
        return sorted(found, key=lambda each: (each.kind == ALL, not each.certain, -each.cost))

    def costliest(self) -> list[CostlyDecision]:
        """Plays out the costliest decisions again, and returns those that cost something, in order."""
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
        return DiagnosedBot(
            self._bot, self.matches, self.decisions, tuple(self.habits()), tuple(self.costliest())
        )

    def _decided(self, recorded: RecordedMatch) -> Iterator[_Place]:
        asked: list[tuple[Turn, State]] = []

        def look(record: Record, state: State | None) -> None:
            if isinstance(record, Turn) and state is not None:
                asked.append((record, state))

        recorded.judge(self._plan, look)
        bots = recorded.head.bots
        lines = [line for line, record in recorded.numbered if _is_question(record)]
        for number, (line, (turn, state)) in enumerate(zip(lines, asked, strict=True), start=1):
            seat = turn.seat
            said = state.check(seat, turn.said or "")
            if bots[seat - 1] != self._bot or not isinstance(said, str) or turn.failed:
                continue
            seed = derived("diagnosis", recorded.head.id, number)
            instead = choice(state, seat, self._play_outs, seed, value)
            kinds = tuple(_kinds(turn, state, (number - 1) / len(asked), bots))
            decision = Decision(recorded.head.id, number, said, instead, 0.0, kinds)
            # Most moves of the sparring bot only seem to be better than the bot's own. A few play-outs are
            # enough to leave out such moves.
            if instead != said and sum(_costs(state, seat, decision, FIRST_DRAWS, "first")) > 0:
                cost = mean_difference(_costs(state, seat, decision, DRAWS, "cost")).mean
                decision = msgspec.structs.replace(decision, cost=cost)
            yield _Place(decision, line, seat, state)


def _is_question(record: Record) -> bool:
    return isinstance(record, Turn) and not record.ask.startswith("new ")


def _costs(state: State, seat: int, decision: Decision, draws: int, purpose: str) -> list[float]:
    """Plays out both moves of a decision `draws` times. Returns how much larger the value of the other move
    is than the value of the bot's move, each time."""
    seeds = (derived(purpose, decision.match, decision.question, draw) for draw in range(draws))
    return [
        value(state, seat, decision.instead, seed) - value(state, seat, decision.said, seed) for seed in seeds
    ]


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
