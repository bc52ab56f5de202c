"""Owns the playing of one seating: its bots' processes, its matches, its piece of the log; decides nothing.

A process plays one seating and not more (design: section 4): the matches inside it are all of different
deals, and the next seating, which meets the same deals, gets new processes and empty scratch directories.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache

import msgspec
import trio

from harness import games
from harness.bot.cpu_player import new_player
from harness.bot.player import Player
from harness.bot.process import end_strays
from harness.bot.watchdog import Watchdog
from harness.chance import Chance, Scripted, Seeded
from harness.errors import Void
from harness.events import Brief, Match, Record, Seating
from harness.job import Done, Entrant, Job
from harness.judge.referee import Referee, Terms
from harness.judge.rules import resolve
from harness.model import Limits, Reply
from harness.play import match
from harness.protocol import Wants
from harness.sandbox import confined, launch_of

_encoder = msgspec.json.Encoder()
_game = lru_cache(games.find)


class Absent:
    """Sits in for a bot that did not start: its answer is how it failed, with the last it had to say."""

    wants = Wants()
    fresh = True

    def __init__(self, failure: Reply, last_words: str) -> None:
        self._failure = failure
        self._last_words = last_words

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        return self._failure

    async def tell(self, block: bytes) -> None:
        pass

    async def dismiss(self) -> str:
        return self._last_words

    def begin(self) -> None:
        pass

    def unasked_cpu_us(self) -> int:
        return 0


class Seat:
    """One seat of a seating: filled with a new process whenever there is none."""

    def __init__(
        self, entrant: Entrant, limits: Limits, watchdog: Watchdog, place: str | None = None
    ) -> None:
        """Its scratch directories are made in `place` (None: where this machine keeps temporary files)."""
        self.occupant: Player | Absent | None = None
        self.stderr = b""
        self._entrant = entrant
        self._limits = limits
        self._watchdog = watchdog
        self._player: Player | None = None
        self._place = place
        self._scratch = ""

    async def fill(self, game: str) -> None:
        """Starts a process unless one lives here. Raises Void when the machine cannot."""
        if self._player is not None and self._player.alive:
            return
        await self.clear(Player.kill)
        entrant = self._entrant
        if not confined(entrant):
            try:
                self._scratch = tempfile.mkdtemp(prefix="harness-", dir=self._place)
            except OSError as error:
                raise Void(f"a scratch directory could not be made: {error.strerror}") from error
        command = launch_of(entrant, self._limits, self._scratch)
        self._player = player = new_player(entrant.name, command, self._limits, self._watchdog)
        try:
            failure = await player.start(game)
        except Void as why:
            await player.kill()
            raise Void(f"{entrant.name}: {why}: {player.errors.last().strip()}") from None
        if failure is None:
            self.occupant = player
        else:
            self.occupant = Absent(failure, await player.dismiss())

    async def bye(self) -> None:
        """Says `bye` to the process, if there is one."""
        if self._player is not None and self._player.alive:
            await self._player.bye()

    async def clear(self, how: Callable[[Player], Awaitable[None]]) -> None:
        """Ends the process, if there is one, keeps what it wrote to stderr, and removes its scratch."""
        if self._player is not None:
            if self._player.alive:  # A dismissed one's descriptors may be somebody else's by now.
                await how(self._player)
            self.stderr += self._player.errors.whole()
            self._player = self.occupant = None
        if self._scratch:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = ""


class LiveSeating:
    """A seating being played, in its steps (`start`, `play`, `bye`, `end`), and `kill` whatever happened."""

    def __init__(self, job: Job, watchdog: Watchdog, place: str | None) -> None:
        self._job = job
        self._names = job.names()
        self._rules = resolve(job.rules, _game(job.rules.game))
        limits = self._rules.process_limits
        self._seats = [Seat(entrant, limits, watchdog, place) for entrant in job.entrants]
        self._log: list[bytes] = []
        self._briefs: list[Brief] = []
        self._void: Void | None = None

    async def start(self) -> None:
        """Starts all bots."""
        job = self._job
        head = Seating(job.run, job.encounter, job.seating, job.names(), job.attempt, job.isolation)
        self._log.append(_encoder.encode(head) + b"\n")
        await self._unless_void(self._fill)

    async def play(self) -> None:
        """Plays all matches, one deal after the other."""
        await self._unless_void(self._matches)

    async def bye(self) -> None:
        """Says `bye` to all bots."""
        if not self._void:
            for seat in self._seats:
                await seat.bye()

    async def end(self) -> None:
        """Ends all bots, when they have had their time to end by themselves since `bye`."""
        for seat in self._seats:
            await seat.clear(Player.kill if self._void else Player.stop)

    async def kill(self) -> None:
        """Ends at once whatever is left."""
        with trio.CancelScope(shield=True):
            for seat in self._seats:
                await seat.clear(Player.kill)

    def done(self) -> Done:
        """What came of it, when it has ended."""
        if self._void:
            return Done(self._job, void=str(self._void), us=self._void.us, excused_us=self._void.excused_us)
        log = b"".join(self._log)
        self._log.clear()  # Of many seatings at once, no log is to be held twice.
        errors = tuple((place, seat.stderr) for place, seat in enumerate(self._seats, start=1) if seat.stderr)
        return Done(self._job, log, tuple(self._briefs), errors)

    # -- the steps

    async def _unless_void(self, step: Callable[[], Awaitable[None]]) -> None:
        if not self._void:
            try:
                await step()
            except Void as why:
                self._void = why

    async def _fill(self) -> None:
        for seat in self._seats:
            await seat.fill(self._rules.game.name)

    async def _matches(self) -> None:
        for number in range(1, len(self._job.deals) + 1):
            if number > 1:  # The first match is for whom `start` started, also if one of them did not.
                await self._fill()
            await self._match(number)

    async def _match(self, number: int) -> None:
        job = self._job
        players = [seat.occupant for seat in self._seats if seat.occupant is not None]
        chance: Chance = Seeded(job.deals[number - 1])
        if script := self._rules.script:
            chance = Scripted(script, chance)
        wants = tuple([player.wants.words() for player in players])
        records: list[Record] = [Match(job.match_id(number), self._names, job.seeds[number - 1], wants)]
        referee = Referee(self._terms(number, players), chance, records.append)
        outcome = await match.play(referee, players, records.append)
        self._log.append(_encoder.encode_lines(records))
        faults = tuple(fault.brief() for fault in referee.faults)
        self._briefs.append(Brief(outcome.ranks, outcome.scores, faults))

    def _terms(self, number: int, players: Sequence[Player | Absent]) -> Terms:
        return Terms(
            rules=self._rules,
            seats=len(players),
            number=number,
            seeds=self._job.seeds[number - 1],
            names=self._names,
            wants=tuple([player.wants for player in players]),
            fresh=tuple([player.fresh for player in players]),
        )


async def play_together(jobs: Sequence[Job], place: str | None = None) -> list[Done]:
    """Plays seatings at the same time in this loop; scratch directories are made in `place` (see Seat).

    All start their bots before any plays, and none ends them before all have played: the start of a process
    beside a running clock on the same core would be charged to whoever is thinking then.
    """
    watchdog = Watchdog()
    async with trio.open_nursery() as background:
        background.start_soon(watchdog.run)
        seatings = [LiveSeating(job, watchdog, place) for job in jobs]
        try:
            for together in (LiveSeating.start, LiveSeating.play):
                async with trio.open_nursery() as nursery:
                    for seating in seatings:
                        nursery.start_soon(together, seating)
            # Not a task for each: that would take as much memory again as all else of a match, to wait.
            for in_turn in (LiveSeating.bye, LiveSeating.end):
                for seating in seatings:
                    await in_turn(seating)
        finally:
            for seating in seatings:
                await seating.kill()
            end_strays()
        background.cancel_scope.cancel()
    return [seating.done() for seating in seatings]
