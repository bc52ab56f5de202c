"""The command `similar`: finds teams of a league whose programs look alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from harness.bot.loop import run_loop
from harness.checking.behaviour import LEAST_OWN, Answers, Likeness, answers, house_matches, likenesses
from harness.checking.trial import Trial
from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, say, table, tell, waiting
from harness.cli.workspace import STARTER, STARTERS, entrant, house_bots, level_for
from harness.errors import HarnessError
from harness.escape import count_of, shown
from harness.judge.rules import Rules
from harness.league.entries import Entries
from harness.league.league import League, read_league, rules
from harness.league.similar import (
    LEAST_SHARED,
    Program,
    SamePair,
    copies,
    house_program,
    known_marks,
    marked_lines,
    pairs,
    programs_of,
)
from harness.league.similar_export import export
from harness.record.disk import put_whole
from harness.record.run_folder import make
from harness.report.similar_page import CodeFile, CodeLine, LookHere, similar_page

FOLDER, PAGE = "similar", "index.html"
ASKED = "asked"
"""The name of the bot that gets the questions."""


class Look(msgspec.Struct, frozen=True):
    """Two programs that somebody should look at, and the evidence. The programs are versions of two teams, or
    a version and a house bot."""

    one: str
    two: str
    equal: bool
    """True if both have the same source files."""
    code: float
    """The share of the smaller program's fingerprints (hashes of short pieces of its code) that the other
    program has too."""
    fingerprints: int
    """The number of fingerprints that both programs have."""
    answers: float | None
    """The share of the questions to which both programs gave the same answer. A question counts only if at
    least one of the two gave an answer that no house bot gives. Null if the programs were not asked."""
    questions: int
    asked: tuple[str, str] | None
    """The two versions, one of each team, whose answers are most alike; null if the programs were not
    asked."""


class SameAnswers(NamedTuple):
    """A version of one team and a version of another team: the two with the most similar answers."""

    versions: tuple[str, str]
    likeness: Likeness

    @property
    def order(self) -> tuple[bool, float, int]:
        """The greater this value is, the more reason there is to look at the two versions."""
        return self.likeness.looks_alike, self.likeness.share, self.likeness.own


class TwoTeams(NamedTuple):
    """All that was found about two teams. `answers` is None if their bots were not asked the questions."""

    pair: SamePair
    answers: SameAnswers | None

    @property
    def looks_alike(self) -> bool:
        return self.pair.looks_alike or bool(self.answers and self.answers.likeness.looks_alike)

    def why(self) -> Iterator[str]:
        """Yields the evidence in sentences."""
        if self.pair.equal:
            yield "Both have the same source files."
        elif self.pair.shared:
            yield (
                f"{self.pair.share:.0%} of the fingerprints of the smaller program, "
                f"{len(self.pair.shared)} in all, are also in the other one."
            )
        if self.answers and self.answers.likeness.own:
            one, two = map(shown, self.answers.versions)
            found = self.answers.likeness
            yield (
                f"{one} and {two} were asked the same questions. To {found.own} questions, at least one of "
                f"them gave an answer that no house bot gives; {found.same} times both gave the same answer."
            )


@click.command(
    cls=Command,
    prints={"similar": list[Look]},
    examples=(
        "harness similar my-course",
        "harness similar my-course --earlier last-year --export for-jplag",
    ),
)
@click.argument("league_folder", metavar="LEAGUE", type=FILE)
@click.option(
    "--earlier",
    type=FILE,
    multiple=True,
    metavar="LEAGUE",
    help="The league of an earlier term; may be repeated.",
)
@click.option("--no-answers", is_flag=True, help="Compare only the code, and start no bot.")
@click.option(
    "--export",
    "target",
    type=FILE,
    metavar="DIR",
    help="Write all code into a new folder, in the forms that JPlag and Dolos read.",
)
@as_json
def similar(
    league_folder: Path, earlier: tuple[Path, ...], no_answers: bool, target: Path | None, as_json: bool
) -> None:
    """Find teams whose programs look alike.

    The command compares the code of all versions of different teams. It finds equal files, and parts that are
    equal apart from names, numbers, texts, comments and the order of functions. Then it asks all versions the
    same questions, with the same SEED for their random numbers. So it also finds a program that was
    translated into another language. It ignores code and answers that starter bots or house bots have too. If
    a program is a copy of a house bot, the command lists it together with this house bot.

    The page LEAGUE/similar/index.html shows each pair side by side. It shows the names and the code of the
    teams. If the page shows a pair, this does not prove that one team copied. It only says where to look.
    """
    league = read_league(league_folder)
    programs = programs_of(league.folder)
    for term in earlier:
        programs += programs_of(read_league(term).folder, term.resolve().name)
    house, starters = _house(league), sorted(path for path in STARTERS.iterdir() if path.is_dir())
    base = [*house, *starters]
    if target is not None:
        export(programs, base, target)
    known = known_marks(base)
    with waiting("compares the code"):
        compared = pairs(programs, known)
        copied = copies(programs, [house_program(folder) for folder in house], known_marks(starters))
    asked = {} if no_answers else _asked(league)
    by_name = {each.name: each for each in programs}
    found = [_two_teams(pair, asked.get(_teams(pair)), by_name, known) for pair in compared]
    found += [TwoTeams(pair, None) for pair in copied if pair.looks_alike]
    page = league.folder / FOLDER / PAGE
    looks = [each for each in found if each.looks_alike]
    lacking = [*_not_compared(programs)]
    _write_page(page, league, looks, [f"{count_of(len(programs), 'version')} were compared.", *lacking])
    if as_json:
        print_json([_plain(each) for each in looks])
    else:
        _tell(found, looks, programs)
    for line in lacking:
        say(line)
    say(f"Page for a browser: {page}")
    if target is not None:
        say(f"For JPlag: {target / 'jplag'}; for Dolos: {target / 'dolos' / 'info.csv'}")


def _two_teams(
    pair: SamePair, asked: SameAnswers | None, programs: Mapping[str, Program], known: frozenset[int]
) -> TwoTeams:
    """Returns all that was found about two teams. If only the answers are alike, the result has the code of
    the versions that gave these answers."""
    if asked and asked.likeness.looks_alike and not pair.looks_alike:
        [pair] = pairs([programs[name] for name in asked.versions], known)
    return TwoTeams(pair, asked)


def _teams(pair: SamePair) -> frozenset[str]:
    """Returns the names of the teams of the pair, without teams of earlier terms. Teams of earlier terms were
    not asked."""
    return frozenset(each.team for each in (pair.one, pair.two) if not each.term)


def _house(league: League) -> list[Path]:
    """Returns the folders of the house bots: those of the league, and those of the game."""
    own = [bot.folder for bot in rules(league).bots if not bot.alone and not bot.play_outs]
    return [*own, *map(Path, house_bots(rules(league).game))]


# -- the answers -----------------------------------------------------------------------------------


def _asked(league: League) -> dict[frozenset[str], SameAnswers]:
    """Asks all versions the same questions. Returns, for each pair of teams, the two versions whose answers
    are most alike. Versions with the same files are asked only once."""
    plan = rules(league)
    versions = {
        f"{team.name}@{receipt.version}": (team.name, receipt.digest, str(team.files(receipt)))
        for team in Entries(league.folder).teams.values()
        for receipt in team.receipts
        if receipt.good
    }
    folders = {digest: (name, path) for name, (_, digest, path) in versions.items()}
    house = house_bots(plan.game) or [bot.home for bot in plan.bots if not bot.play_outs] or [STARTER]
    private = [path for _, path in folders.values()]
    level = level_for(plan.isolation, (*private, plan.file), plan.visible, plan.clock, plan.file)
    asked = entrant(house[-1], level, plan.visible)._replace(name=ASKED)
    others = (entrant((*house[-2:-1], STARTER)[0], level, plan.visible),)
    trial = Trial(Rules(plan.rules, plan.options, plan.limits), plan.game, asked, others)
    matches = run_loop(house_matches, trial, plan.seats)

    def answers_of(path: str, name: str) -> Answers:
        with waiting(f"asks {name}"):
            try:
                return run_loop(answers, trial.rules, matches, entrant(path, level, plan.visible), ASKED)
            except HarnessError as error:
                say(f"{shown(name)} was not asked: {error}")
                return ()

    known = [answers_of(path, Path(path).name) for path in dict.fromkeys((*house, STARTER))]
    told = {digest: answers_of(path, name) for digest, (name, path) in folders.items()}
    found = {name: told[digest] for name, (_, digest, _) in versions.items()}
    best: dict[frozenset[str], SameAnswers] = {}
    for one, two, each in likenesses(found, known, lambda name: versions[name][0]):
        teams, same = frozenset((versions[one][0], versions[two][0])), SameAnswers((one, two), each)
        if teams not in best or same.order > best[teams].order:
            best[teams] = same
    return best


# -- the result ------------------------------------------------------------------------------------


def _tell(found: Sequence[TwoTeams], looks: Sequence[TwoTeams], programs: Sequence[Program]) -> None:
    if looks:
        rows = [
            (
                each.pair.one.name,
                each.pair.two.name,
                "equal" if each.pair.equal else f"{each.pair.share:.0%}",
                _share(each.answers),
            )
            for each in looks
        ]
        click.echo(table(("look here", "and here", "code", "answers"), rows, right="code answers") + "\n")
    teams = len({(each.term, each.team) for each in programs})
    tell(
        f"{count_of(len(looks), 'pair')} to look at, of {count_of(teams, 'team')} with "
        f"{count_of(len(programs), 'version')}. This is no proof: talk to both teams first."
    )
    rest = [each for each in found if not each.looks_alike]
    if rest:
        shares = [each.pair.share for each in rest if len(each.pair.shared) >= LEAST_SHARED]
        most = f"at most {max(shares):.0%} of the fingerprints of the smaller program, or " if shares else ""
        tell(f"All other pairs share {most}fewer than {LEAST_SHARED} fingerprints.")
    if few := sum(bool(each.answers and each.answers.likeness.own < LEAST_OWN) for each in rest):
        tell(
            f"{count_of(few, 'other pair')} gave fewer than {LEAST_OWN} answers that no house bot gives. "
            "So few answers say nothing."
        )


def _not_compared(programs: Sequence[Program]) -> Iterator[str]:
    """Yields a sentence about each version whose code was not compared, or was compared only in part."""
    for each in programs:
        if each.left_out:
            first, *more = map(shown, each.left_out)
            files = f"{first} and {count_of(len(more), 'more file')}" if more else first
            yield (
                f"{shown(each.name)} was compared without {files}, which would take too long. "
                "Look at this part yourself."
            )
        elif not each.sources:
            yield f"{shown(each.name)} has no code that can be compared."


def _share(answers: SameAnswers | None) -> str:
    """Returns the likeness of answers for a table."""
    if answers is None or not answers.likeness.own:
        return "-"
    return f"{answers.likeness.same} of {answers.likeness.own}"


def _write_page(page: Path, league: League, looks: Sequence[TwoTeams], remarks: Sequence[str]) -> None:
    """Writes the page into a folder that only the owner of the folder may read."""
    shown_pairs = [
        LookHere(
            shown(each.pair.one.name),
            shown(each.pair.two.name),
            [*each.why()],
            (_files(each.pair.one, each.pair), _files(each.pair.two, each.pair)),
        )
        for each in looks
    ]
    title = f"Programs that look alike in {shown(league.folder.resolve().name)}"
    make(page.parent)
    put_whole(page, [similar_page(title, shown_pairs, remarks).encode("utf-8", "backslashreplace")])


def _files(program: Program, pair: SamePair) -> list[CodeFile]:
    """Returns the files of a program with the common lines marked. If the two programs have no lines in
    common, returns all files."""
    marked = [*marked_lines(program, pair.shared or (program.marks if pair.equal else frozenset()))]
    if not marked:
        marked = [
            (name, [(line, False) for line in text.splitlines()]) for name, text in program.sources.items()
        ]
    return [
        CodeFile(
            shown(name),
            [
                CodeLine(number, shown(text.expandtabs(4)), common)
                for number, (text, common) in enumerate(lines, 1)
            ],
        )
        for name, lines in marked
    ]


def _plain(found: TwoTeams) -> Look:
    answers = found.answers.likeness if found.answers else None
    return Look(
        one=found.pair.one.name,
        two=found.pair.two.name,
        equal=found.pair.equal,
        code=found.pair.share,
        fingerprints=len(found.pair.shared),
        answers=answers.share if answers and answers.own else None,
        questions=answers.own if answers else 0,
        asked=found.answers.versions if found.answers else None,
    )
