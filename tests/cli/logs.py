"""Owns a small record for the tests of `show`: two sittings of Tiny, written by hand with fixed times."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from harness import __version__, config
from harness.chance import Seeded
from harness.cli.templates.game.tiny import GAME
from harness.config import FrozenBot, FrozenGame, FrozenPlan
from harness.events import Brief, Fault, Match, Record, RunBegan, SittingBegan, Stderr, Usage
from harness.job import Done, Entrant, Job
from harness.judge.referee import Referee
from harness.judge.rules import Answer, Ask, Audit, Terms, plain_rules, rules_of
from harness.model import Reply
from harness.record.journal import Journal
from harness.record.log import PLAN
from harness.record.run_folder import opened
from tests.cli.door import TINY

BOTS = ("anna", "bert")
OPTIONS = {"rounds": 2, "coins": 4}
SAID = {
    "1.1.1.1": ("bid 1", "bid 2", "bid 3", "bid 0"),
    "1.1.1.2": ("bid 0", "bid 0", "bid 4", "bid 4"),
    "1.1.2.1": ("bid 1", "bid 5\x1b[31m"),
    "1.1.2.2": ("bid 1", "bid 0", "bid 0", "bid 0"),
}


def write(folder: Path, **keys: Any) -> Path:
    """Writes a record of four matches and returns its folder. In match 3 anna, in seat 2, breaks a rule.

    `keys` replace keys of the plan.
    """
    logs = folder / "logs" / "tiny"
    logs.mkdir(parents=True)
    plan = replace(_plan(), **keys)
    (logs / PLAN).write_bytes(config.encoded(plan))
    journal = Journal(logs, lambda record: None)
    journal.append(opened(plan))
    journal.append(RunBegan(1, BOTS, 2, 1, 2, 2))
    size = 0
    for sitting in (1, 2):
        size = journal.append_sitting(_done(sitting), size).size
    journal.close()
    return logs


def _plan() -> FrozenPlan:
    return FrozenPlan(
        harness=__version__,
        name="tiny",
        game=FrozenGame("tiny", GAME.version, TINY, ""),
        seats=2,
        seed=1,
        options=OPTIONS,
        bots=tuple(FrozenBot(bot, bot, "", ("true",), (), "") for bot in BOTS),
        text="",
        deals=2,
        meet=1,
    )


def _done(sitting: int) -> Done:
    bots = BOTS if sitting == 1 else BOTS[::-1]
    entrants = tuple(Entrant(bot, ("true",), "/") for bot in bots)
    job = Job(1, 1, 1, sitting, 1, plain_rules(_plan()), entrants, (7, 8), ((1, 2), (3, 4)))
    records: list[Record] = [SittingBegan(1, 1, sitting, bots)]
    briefs = []
    for deal in (1, 2):
        match = _match(job, deal)
        records += match
        faults = tuple(record.brief() for record in match if isinstance(record, Fault))
        result = msgspec.structs.asdict(match[-1])
        briefs.append(Brief(result["ranks"], result["scores"], faults))
    log = msgspec.json.Encoder().encode_lines(records)
    return Done(job, log, tuple(briefs), ((2, b"all of it\n"),) if sitting == 2 else ())


def _match(job: Job, deal: int) -> list[Record]:
    identity = job.match_id(deal)
    records: list[Record] = [Match(identity, job.names(), job.seeds[deal - 1], ("", ""))]
    terms = Terms(rules_of(_plan()), 2, number=deal, seeds=job.seeds[deal - 1], fresh=(True,) * 2)
    steps = Referee(terms, Seeded(job.deals[deal - 1]), records.append).questions()
    said = iter(("ready", "ready", *SAID[identity]))
    answer: Answer = None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Ask):
                answer = Reply(
                    next(said), 1_500, 10_000, comments=("# hm", "# data money 12") if deal == 2 else ()
                )
            elif isinstance(step, Audit):
                answer = Usage((0, 1_234))
            elif step.faulty:
                records.append(Stderr(step.seat, "I only\nmeant \x1b[2J well"))
    except StopIteration:
        return records
