"""Makes the replay of each match of a tournament, as a value for the page of the match; writes no file."""

from __future__ import annotations

from typing import Any, NamedTuple

from harness.config import FrozenPlan
from harness.errors import InputError, RecordError
from harness.judge.rules import Rules, rules_of
from harness.record.log import PER_FOLDER
from harness.record.seen import visible_to
from harness.report import scenes
from harness.report.moments import StandingTrack, course
from harness.report.names import Names
from harness.report.replay import Meanings, Picture, change, drawn, heard, steps
from harness.report.survey import MatchLines

TEXT = "text"
"""The board of a game that has no scene."""
TOGETHER = 32
"""So many matches of a sitting have one file; viewer/loading.js knows this number too."""


class Replays:
    """Makes the replays of a tournament's matches."""

    def __init__(self, plan: FrozenPlan, names: Names) -> None:
        """Raises InputError if the game is not available in the version that was played."""
        self.plan = plan
        self.names = names
        self._rules = rules_of(plan)
        game = self._rules.game
        # A scene fits only our own game of this name; another game may have the same name.
        own = type(game).__module__ in (f"harness.games.{game.name}", f"harness.worlds.{game.name}")
        self.board = game.name if own and game.name in scenes.names() else TEXT

    def of(self, match: MatchLines) -> dict[str, Any]:
        """The replay of a match. Raises RecordError if its lines do not fit the game."""
        head = match.head
        try:
            shown = self._shown(match)
            all_steps = steps(match, shown.picture, self.names, shown.meanings)
        except (ValueError, LookupError, TypeError) as error:
            raise RecordError(
                f"match {head.id} has a line that does not fit the game {self.plan.game.name} ({error}); "
                "`harness verify` says which",
                match.file,
            ) from None
        scene, sides = shown.scene, self.sides(len(head.bots))
        standings = None
        if scene:
            standings = StandingTrack(scene.standing, shown.opening, len(head.bots))
            for line, _, groups in all_steps:
                for viewers, changes in groups:
                    if viewers is None or scenes.REFEREE in viewers:
                        standings.add(line, changes)
        went = course(match, standings, sides)
        return {
            "id": head.id,
            "bots": [self.names.bot(bot) for bot in head.bots],
            "file": match.file,
            "log": f"../{match.file}" if match.linked and not self.names.masked else "",
            "sides": sides,
            "standing": scene and scene.standing,
            "moments": went.moments,
            "leads": went.leads,
            "behind": went.behind,
            "quiet": sorted(scene.quiet if scene else self._rules.game.quiet),
            "opening": shown.opening,
            "steps": all_steps,
        }

    def seen_standings(self, match: MatchLines, seat: int) -> StandingTrack | None:
        """How well each seat stood, line by line, from what this seat was told; None without a scene."""
        if self.board == TEXT:
            return None
        seats = len(match.head.bots)
        scene = scenes.scene(self.board, self._rules.options, seats, seat)
        track = StandingTrack(scene.standing, scene.opening(), seats)
        for line, record in match.lines:
            if (known := visible_to(seat, record)) is not None:
                track.add(line, change(scene, known))
        return track

    def seen_position(self, match: MatchLines, seat: int, line: int) -> str:
        """The position at this line of the log as the seat may see it, as text."""
        (picture, _), text = drawn(match, self._rules), ""
        for number, record in match.lines:
            if number <= line:
                for _, changes in picture(number, [([seat], record)]):
                    text = changes["text"]
        return text

    def sides(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """The sides of a match: the seats that win or lose together."""
        return tuple(map(tuple, self._rules.game.sides(self._rules.options, seats)))

    @property
    def rules(self) -> Rules:
        """What the matches are played by."""
        return self._rules

    def _shown(self, match: MatchLines) -> _Shown:
        if self.board == TEXT:
            picture, meanings = drawn(match, self._rules)
            return _Shown(picture, {}, None, meanings)
        found = scenes.of_match(self.board, self._rules.options, len(match.head.bots))
        return _Shown(heard(found), found.first.opening(), found.first, {})


class _Shown(NamedTuple):
    """What the page of a match shows, and the scene that knows how well each seat stands."""

    picture: Picture
    opening: scenes.Changes
    scene: scenes.Scene | None
    meanings: Meanings


def where(match: str) -> str:
    """The path of the script of a match in the folder of the report. The first match of the file names it."""
    run, encounter, sitting, deal = map(int, match.split("."))
    first = (deal - 1) // TOGETHER * TOGETHER + 1
    return f"matches/{run}/{(encounter - 1) // PER_FOLDER:03}/{encounter}.{sitting}.{first}.js"


def available(plan: FrozenPlan, names: Names) -> Replays | None:
    """The replays of this tournament; None if its game is not available."""
    try:
        return Replays(plan, names)
    except InputError:
        return None
