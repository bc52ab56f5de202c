"""Writes the pages of feedback: reads the record once and writes a page for each graded team."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.events import Match
from harness.grading import Grades, if_kept
from harness.grading.grade_folder import stems
from harness.judge.rules import rules_if_here
from harness.model import ACCOUNTS, TIMED
from harness.record.disk import put_whole
from harness.record.history import History, Run
from harness.record.log import Numbered, by_match, encounter_path, read_encounter
from harness.record.masking import Mask
from harness.record.run_folder import check_files
from harness.report.feedback.gathering import Team, read_stderr, take_match
from harness.report.feedback.lessons import lessons
from harness.report.feedback.looking import input_until_fault, sitting_until
from harness.report.feedback.page import Extras, absent_page, page
from harness.report.names import Names
from harness.report.replays import Replays, available
from harness.report.survey import MatchLines
from harness.results.discipline import ruling
from harness.results.kept_diagnoses import kept


def write(
    logs: Path,
    plan: FrozenPlan,
    history: History,
    made: Grades,
    mask: Mask,
    folder: Path,
    on_progress: Callable[[int], object] = lambda matches: None,
    report: str = "",
) -> None:
    """Writes a page for each grade and each absent team into a folder that only its owner can read.

    `on_progress` gets the number of matches read so far. `report` is the address of the published report, or
    "". The pages have links to this report. Raises RecordError if the record is damaged.
    """
    decisive = {grade.team: grade.facts.out.match if grade.facts.out else "" for grade in made.grades}
    teams = gather(logs, plan, history, decisive, on_progress)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if_counted = if_kept(history, plan, made.scheme) if any(decisive.values()) else {}
    replays = available(plan, Names(mask, False))
    read = partial(sitting_until, logs, history)

    def bots(run: int, encounter: int, sitting: int) -> tuple[str, ...]:
        return history.runs[run - 1].played[encounter, sitting].bots

    diagnoses = kept(logs)
    stem = stems([mask.name(team) for team in (*(grade.team for grade in made.grades), *made.absent)])
    for team in made.absent:
        text = absent_page(plan, made, team, mask)
        put_whole(folder / f"{stem[mask.name(team)]}.html", [text.encode("utf-8", "backslashreplace")])
    for grade in made.grades:
        own = teams[grade.team]
        read_stderr(own, logs, bots)
        _add_accounts(own, history)
        if replays:
            _add_repros(own, replays, read)
        could = if_counted[grade.team] if grade.facts.out else grade
        learnt = lessons(own, could.awards, replays, lambda match: read(match)[-1])
        text = page(plan, made, grade, own, mask, Extras(learnt, could, report, diagnoses.get(grade.team)))
        put_whole(folder / f"{stem[mask.name(grade.team)]}.html", [text.encode("utf-8", "backslashreplace")])


def _add_accounts(team: Team, history: History) -> None:
    """If a fault depends on the time of an answer, adds a sentence to the fault. This sentence says who
    counted the CPU time of the bot."""
    team.faults = [
        fault._replace(account=ACCOUNTS[history.account(fault.match)]) if fault.fault.name in TIMED else fault
        for fault in team.faults
    ]


def _add_repros(team: Team, replays: Replays, read: Callable[[str], list[MatchLines]]) -> None:
    """Adds to each fault all lines that the bot received before the fault."""
    team.faults = [
        fault._replace(repro=input_until_fault(read(fault.match), team.bot, replays.rules))
        for fault in team.faults
    ]


def gather(
    logs: Path,
    plan: FrozenPlan,
    history: History,
    decisive: Mapping[str, str],
    on_progress: Callable[[int], object],
) -> dict[str, Team]:
    """Collects facts about the graded bots from the record. Only one match at a time is in memory.

    The keys of `decisive` are the graded bots. Each value is the match for which the bot was disqualified,
    or "".
    """
    check_files(logs, history)
    teams = {bot: Team(bot, match) for bot, match in decisive.items()}
    rules = rules_if_here(plan)  # The rules are needed to draw positions.
    ruled = ruling(history, plan.policy, plan.strikes)
    field = frozenset(ruled.field)
    count = 0
    for run in history.runs:
        for void in run.voided:
            for bot in teams.keys() & set(void.bots):
                teams[bot].add_void(void)
        for records in _matches(logs, run):
            head = records[0][1]
            assert isinstance(head, Match)
            stands = ruled.run is not None and (
                run is ruled.run or head.id.rsplit(".", 2)[0] in ruled.run.began.kept
            )
            try:
                take_match(records, teams, stands and field.issuperset(head.bots), rules)
            except RecordError as error:
                message = f"{error.message} ({error.place}); `harness verify` says more"
                raise RecordError(message, f"match {head.id}") from None
            count += 1
            on_progress(count)
    return teams


def _matches(logs: Path, run: Run) -> Iterator[list[Numbered]]:
    """Yields the numbered lines of each match of a run on record."""
    for number, encounter in sorted(run.encounters.items()):
        yield from by_match(read_encounter(encounter_path(logs, run.number, number), size=encounter.size))
