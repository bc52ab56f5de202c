"""Reads `league.toml`, which defines the game of a course, the deadline, and the teams that take part.

The example shows the keys that only a league has. A league may also have the keys of a plan, but not
`bots`, because the hand-ins decide which bots play.

    game = "sevens"
    house = ["bots/sevens/random"]        # bots that play with the teams and get no grade
    roster = "students.csv"               # who is in which team; the default is roster.csv if it is there
    scheme = "grading.toml"               # how grades are computed
    deadline = 2026-12-01T23:59:00+01:00  # later hand-ins play, but not in the final

    [ladder]                              # keys of a plan that are different in the ladder
    deals = 2

    [autograder]                          # and in the marks of a single hand-in
    deals = 16
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from harness.config import Bot, Plan
from harness.config.document import Document, quoted, read
from harness.config.folder import BOUNDS, Bounds
from harness.config.seeds import written_seed
from harness.config.workspace import LEAGUE
from harness.errors import InputError, together
from harness.escape import shown
from harness.league import is_league, league_folder
from harness.league.entries import Entries, Until
from harness.league.teams import Teams, read_teams
from harness.record.team_names import TeamBook, TeamNames, read_book
from harness.schedule.plan import plan_of

ROSTER, LOGS, FINAL = "roster.csv", "logs", "final"
NOT_IN_ROSTER = "it is not in the roster"
HAND_IN = "your bot"
"""The name of a hand-in in the matches of an autograder."""
SCHEDULED = (
    "format",
    "stage",
    "stop",
    "sprt",
    "every_set",
    "encounters",
    "rounds",
    "order",
    "rerun",
    "strikes",
)
"""The keys of a league that do not apply to the gauntlet of an autograder. Most of them decide who meets
whom."""
SEEDLESS = (
    "a league has no such key: with one seed for all tournaments, the final would play deals that teams saw "
    "before; each tournament draws its own seed"
)
AUTOGRADER = "autograder"
OWN = ("house", "roster", "scheme", "deadline", "ladder", AUTOGRADER)
DEFAULTS = {"broken": "no-start"}
"""The defaults of a league that differ from the defaults of a plan. With this default, the broken bot of one
team does not stop the other teams."""


class League(NamedTuple):
    """A course: its folder, its file, its teams and its deadline."""

    folder: Path
    document: Document
    teams: Teams
    house: tuple[dict[str, Any], ...]
    scheme: Path | None
    deadline: datetime | None
    book: TeamBook = TeamBook()
    """The content of `entries/teams.json`: what is known about the teams in addition to the roster."""

    @property
    def bounds(self) -> Bounds:
        """Returns the largest size of a hand-in, according to the keys `folder_mb` and `folder_files` of a
        plan."""
        table = self.document.table
        return Bounds(table.get("folder_mb", BOUNDS.megabytes), table.get("folder_files", BOUNDS.files))

    @property
    def until(self) -> Until:
        """Returns the deadline, and the number of days by which a version may be late and still play in the
        final."""
        late = read(self.scheme).table.get("late", {}) if self.scheme else {}
        days = late.get("days", 0) if isinstance(late, dict) else 0
        return Until(self.deadline, days if isinstance(days, int) else 0)

    @property
    def entries(self) -> Entries:
        """Returns the hand-ins of all teams."""
        return Entries(self.folder, self.until)

    @property
    def named(self) -> TeamNames:
        """Returns the former names of the teams."""
        return TeamNames(self.book.names)

    def why_out(self, team: str) -> str:
        """Returns the reason why a team does not take part, or "" if it takes part. If there is a roster, a
        team that is not in it does not take part, unless the instructor has restored the team."""
        first = self.named.first(team)
        if first in self.book.dropped:
            into = self.book.merged.get(first)
            return f"it was merged into {self.named.present(into)}" if into else "it was dropped"
        known = self.teams.names
        if not known or team in known or first in self.book.kept:
            return ""
        return NOT_IN_ROSTER

    @property
    def logs(self) -> Path:
        """Returns the folder with the records of the league's tournaments."""
        return self.folder / LOGS


def read_league(path: Path) -> League:
    """Reads the league with this folder or file. If the file is wrong, raises InputError with the file, the
    line and the key."""
    if not is_league(path):
        raise InputError(
            f"this is not a league: there is no {LEAGUE}; `harness init DIR --game G` makes one",
            shown(str(path)),
        )
    folder = league_folder(path)
    document = read(folder / LEAGUE, dates=("deadline",))
    for key in ("bots", "name"):
        if key in document.table:
            raise document.complaint((key,), "a league has no such key: its hand-ins decide this")
    if "seed" in document.table:
        raise document.complaint(("seed",), SEEDLESS)
    house = _house(document)
    roster, scheme = (_file(document, folder, key) for key in ("roster", "scheme"))
    if roster is None and (folder / ROSTER).is_file():
        roster = folder / ROSTER
    deadline = document.table.get("deadline")
    if deadline is not None and not isinstance(deadline, datetime):
        raise document.complaint(
            ("deadline",), "expected a date and a time: deadline = 2026-12-01T23:59:00+01:00"
        )
    local = deadline.astimezone() if deadline else None
    book = read_book(folder)
    teams = read_teams(roster, TeamNames(book.names))
    return League(folder, document, teams, house, scheme, local, book)


def _house(document: Document) -> tuple[dict[str, Any], ...]:
    found = document.table.get("house", [])
    if isinstance(found, list):
        tables = [{"path": each} if isinstance(each, str) else each for each in found]
        if all(isinstance(each, dict) and "path" in each for each in tables):
            return tuple(tables)
    raise document.complaint(("house",), "expected a list of paths, as in the key `bots` of a plan")


def _file(document: Document, folder: Path, key: str) -> Path | None:
    found = document.table.get(key)
    if found is None:
        return None
    if not isinstance(found, str):
        raise document.complaint((key,), f"expected the path of a file, not {quoted(str(found))}")
    if not (folder / found).is_file():
        raise document.complaint((key,), f"there is no file {quoted(found)}")
    return folder / found


def plan(league: League, name: str, final: bool = False, **flags: object) -> Plan:
    """Returns the plan of a tournament between the house bots and the versions that play now.

    Raises InputError if the keys do not make a valid plan, or if no version plays.
    """
    bots = [*league.house]
    entries = league.entries
    playing = [
        (team, receipt)
        for team in entries.teams.values()
        if not league.why_out(team.name) and (receipt := team.plays(final))
    ]
    if not playing:
        raise InputError("no team has a version that plays; `harness entries` says why", str(league.folder))
    for team, receipt in sorted(playing, key=lambda pair: pair[0].name):
        path = team.files(receipt).relative_to(league.folder)
        bots.append({"path": str(path), "name": team.name})
    made = plan_of(_as_plan(league, {"name": name}, bots).overridden(flags), league.folder)
    check_house(made.bots[: len(made.bots) - len(playing)])
    return made


def check_house(house: Iterable[Bot]) -> None:
    """Raises InputError if a house bot cannot be read. In a league, only hand-ins may be broken."""
    if unread := [InputError(bot.trouble) for bot in house if bot.trouble]:
        raise together(unread)


def rehearsal(league: League, name: str) -> Plan | None:
    """Returns the plan of a tournament before the first hand-in. In this plan, the first house bot plays in
    place of each team of the roster.

    Returns None if there are hand-ins. Raises InputError if the league has no roster or no house bots.
    """
    if any(team.receipts for team in Entries(league.folder).teams.values()):
        return None
    house = rules(league).bots
    if not house or not league.teams.names:
        lacking = "roster" if house else "house bot"
        raise InputError(
            f"nobody has handed in yet, and there is no {lacking}; with a roster and house bots, a house bot "
            "stands in for each team",
            str(league.folder),
        )
    stand_ins = ({"path": house[0].home, "name": team} for team in sorted(league.teams.names))
    bots = [*league.house, *stand_ins]
    return plan_of(_as_plan(league, {"name": name}, bots), league.folder)


def gauntlet(league: League, bot: Path, seed: int | None = None) -> Plan:
    """Returns the plan in which one bot meets the house bots of a league. The bot gets the name HAND_IN.

    No fault removes the bot from the tournament, so all matches are played. `seed` decides all chance; the
    seed of a plan is never used for marks. Raises InputError if the league has no house bots.
    """
    if not league.house:
        raise league.document.complaint(("house",), "this key is missing: it names the bots to play against")
    house = rules(league).bots
    kept = {key: value for key, value in league.document.table.items() if key not in (*SCHEDULED, "seed")}
    document = league.document._replace(table=kept).with_keys_of(AUTOGRADER, _of_marks(league.document))
    terms: dict[str, Any] = {
        "name": AUTOGRADER,
        "format": "gauntlet",
        "house": [each.name for each in house],
    }
    terms |= {"policy": "forfeit", "isolation": document.table.get("isolation", "auto")}
    if seed is not None:
        terms["seed"] = written_seed(seed)
    bots = [
        *({"path": each.home, "name": each.name} for each in house),
        {"path": str(bot), "name": HAND_IN},
    ]
    return plan_of(_as_plan(league._replace(document=document), terms, bots), league.folder)


def _of_marks(document: Document) -> dict[str, Any]:
    """Returns the table `[autograder]`: the keys of a plan that have other values in an autograder."""
    found = document.table.get(AUTOGRADER, {})
    if not isinstance(found, dict):
        raise document.complaint(
            (AUTOGRADER,), "expected a table with keys of a plan, for example [autograder] with deals = 16"
        )
    for key in found:
        if key in (*SCHEDULED, "seed", "bots", "name", "house"):
            raise document.complaint((AUTOGRADER, key), "the marks of an autograder have no such key")
    return found


def rules(league: League) -> Plan:
    """Returns a plan with the keys of the league, in which only the house bots play. Commands that check one
    bot use this plan. It may have too few bots for a match."""
    bots = league.house
    made = plan_of(_as_plan(league, {"name": FINAL}, bots), league.folder, filled=False)
    check_house(made.bots)
    return made


def _as_plan(league: League, given: dict[str, Any], bots: Sequence[Any]) -> Document:
    kept = {key: value for key, value in league.document.table.items() if key not in OWN}
    listed = "".join(f"# {each.get('name', '')} {each['path']}\n" for each in bots)
    text = f"{league.document.text.rstrip()}\n\n# The bots of this tournament:\n{listed}"
    return league.document._replace(table={**DEFAULTS, **kept, **given, "bots": list(bots)}, text=text)
