"""Makes small records of any game for the tests of reports, played by the referee without processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Literal

import msgspec

from harness import __version__, config, games
from harness.chance import Seeded
from harness.config import FrozenBot, FrozenGame, FrozenPlan
from harness.events import Brief, Ended, Fault, Match, Record, RunBegan, SittingBegan, Stderr
from harness.job import Done, Entrant, Job
from harness.judge.referee import Referee
from harness.judge.rules import Answer, Ask, Audit, Rules, Terms, plain_rules, rules_of
from harness.model import Reply
from harness.record.journal import Journal
from harness.record.log import PLAN
from harness.record.run_folder import opened

NAMES = ("anna", "bert", "carl", "dora")
STDERR = "a last word of {}\n"


def write(
    folder: Path,
    game: str = "sevens",
    seats: int = 2,
    *,
    deals: int = 1,
    options: Mapping[str, Any] | None = None,
    fault_at: int | None = None,
    names: tuple[str, ...] = NAMES,
    account: str = "incomplete",
    policy: Literal["forfeit", "disqualify"] = "forfeit",
    after: Callable[[Path, int], object] = lambda logs, sitting: None,
) -> Path:
    """The log folder of one encounter, in which every bot sits in each seat once. Bots play any legal move.

    `fault_at` is the number of the question in the second sitting that a bot answers with nonsense. After
    each sitting, `after` is called with the folder and the number of the sitting.
    """
    logs = folder / "logs" / "cup"
    logs.mkdir(parents=True)
    plan = plan_of(game, seats, deals, dict(options or {}), names[:seats], policy)
    (logs / PLAN).write_bytes(config.encoded(plan))
    journal = Journal(logs, lambda record: None)
    journal.append(opened(plan))
    journal.append(RunBegan(1, names[:seats], seats, 1, seats, deals))
    size = 0
    for sitting in range(1, seats + 1):
        bots = names[sitting - 1 : seats] + names[: sitting - 1]
        done = _done(plan, sitting, bots, fault_at if sitting == 2 else None, account)
        size = journal.append_sitting(done, size).size
        after(logs, sitting)
    journal.append(Ended())
    journal.close()
    return logs


def plan_of(
    game: str,
    seats: int,
    deals: int,
    options: dict[str, Any],
    names: tuple[str, ...],
    policy: Literal["forfeit", "disqualify"] = "forfeit",
) -> FrozenPlan:
    """A frozen plan of one encounter."""
    found = games.find(game)
    return FrozenPlan(
        harness=__version__,
        name="cup",
        game=FrozenGame(found.name, found.version, game, ""),
        seats=seats,
        seed=1,
        options=msgspec.to_builtins(found.options(**options).settled(Path())),
        bots=tuple(FrozenBot(name, name, "", ("true",), (), "") for name in names),
        text="",
        deals=deals,
        meet=1,
        policy=policy,
    )


def _done(plan: FrozenPlan, sitting: int, bots: tuple[str, ...], fault_at: int | None, account: str) -> Done:
    rules = rules_of(plan)
    entrants = tuple(Entrant(bot, ("true",), "/", account=account) for bot in bots)
    seeds = tuple(tuple(range(1, len(bots) + 1)) for _ in range(plan.deals))
    deals = tuple(range(plan.deals))
    job = Job(1, 1, 1, sitting, 1, plain_rules(plan), entrants, deals, seeds)
    records: list[Record] = [SittingBegan(1, 1, sitting, bots, account=account)]
    briefs = []
    for deal in range(1, plan.deals + 1):
        match = _match(rules, job, deal, fault_at)
        records += match
        result = msgspec.structs.asdict(match[-1])
        faults = tuple(record.brief() for record in match if isinstance(record, Fault))
        briefs.append(Brief(result["ranks"], result["scores"], faults))
    return Done(job, msgspec.json.Encoder().encode_lines(records), tuple(briefs))


def _match(rules: Rules, job: Job, deal: int, fault_at: int | None) -> list[Record]:
    bots, seeds = job.names(), job.seeds[deal - 1]
    records: list[Record] = [Match(job.match_id(deal), bots, seeds, ("",) * len(bots))]
    terms = Terms(rules, len(bots), number=deal, seeds=seeds, fresh=(True,) * len(bots))
    referee = Referee(terms, Seeded(job.deals[deal - 1]), records.append)
    luck, asked = Random(100 * job.sitting + deal), 0
    steps = referee.questions()
    answer: Answer = None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Ask) and referee.state is None:
                answer = Reply("ready", 900, 1)
            elif isinstance(step, Ask):
                asked += 1
                moves = referee.state.some(step.seat, 12, Seeded(asked), "a move")  # type: ignore[union-attr]
                said = "nonsense <b>" if asked == fault_at else luck.choice(moves)
                answer = Reply(said, luck.randrange(50, 40_000), 1_000 * asked)
            elif not isinstance(step, Audit) and step.faulty:
                records.append(Stderr(step.seat, STDERR.format(bots[step.seat - 1])))
    except StopIteration:
        return records
