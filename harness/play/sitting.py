"""Plays sittings: starts their bots, plays their matches and writes their lines for the log.

The process of a bot plays only one sitting (docs/design.md, section 4), but the bot's seat may differ from
match to match. The matches of a sitting have different deals. Another sitting may play the same deals, so
each sitting gets new processes and empty scratch folders.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

import msgspec
import trio

from harness import games
from harness.bot.cpu_player import new_player
from harness.bot.player import Player
from harness.bot.process import end_strays
from harness.bot.watchdog import Watchdog
from harness.chance import Chance, Scripted, Seeded
from harness.config.sparring import play_outs_of
from harness.errors import Void, reason_of
from harness.events import Brief, Match, Record, SittingBegan
from harness.job import Done, Entrant, Job
from harness.judge.referee import Referee
from harness.judge.rules import Rules, Terms, resolve
from harness.model import Reply
from harness.play import match
from harness.play.match import WithoutProcess
from harness.play.sparring import SparringPlayer, sit_down
from harness.protocol import Wants
from harness.sandbox import confined, launch_of
from harness.sandbox.removal import remove

_encoder = msgspec.json.Encoder()
_game = lru_cache(games.find)


class Absent(WithoutProcess):
    """The substitute for a bot that did not start. Its replies report the failure of the bot."""

    wants = Wants()
    fresh = True

    def __init__(self, failure: Reply, last_words: str) -> None:
        self._failure = failure
        self._last_words = last_words

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        return self._failure

    async def dismiss(self) -> str:
        return self._last_words


Taker: TypeAlias = Player | Absent | SparringPlayer
"""The kinds of players that can take the seat of a bot."""


class Seat:
    """The place of one bot in a sitting. The bot has at most one process at a time. `seated` makes the
    objects of this class."""

    def __init__(self, entrant: Entrant, rules: Rules, watchdog: Watchdog, place: str | None) -> None:
        self.occupant: Taker | None = None
        """The player that answers for this bot now; None before `fill`."""
        self.stderr = b""
        """The bytes that the ended processes of this bot wrote to stderr."""
        self._entrant = entrant
        self._game = rules.game.name
        self._limits = rules.process_limits
        self._watchdog = watchdog
        self._player: Player | None = None
        self._place = place
        self._scratch = ""

    async def fill(self) -> None:
        """Starts a process if the bot needs one and has no live process. Raises Void if the machine cannot
        start it."""
        if self._entrant.broken:
            self.occupant = Absent(Reply(None, failed="no-start", why=self._entrant.broken), "")
            return
        if self._player is not None and self._player.alive:
            return
        if play_outs := play_outs_of(self._entrant.argv):
            self.occupant = self.occupant or SparringPlayer(play_outs)
            return
        await self.clear(Player.kill)
        entrant = self._entrant
        if not confined(entrant):
            try:
                self._scratch = tempfile.mkdtemp(prefix="harness-", dir=self._place)
            except OSError as error:
                raise Void(f"a scratch folder could not be made: {reason_of(error)}") from error
        command = launch_of(entrant, self._limits, self._scratch)
        self._player = player = new_player(entrant.name, command, self._limits, self._watchdog)
        try:
            failure = await player.start(self._game)
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
        """Ends the process if there is one, keeps the text from its stderr, and removes its scratch
        folder."""
        if self._player is not None:
            # The descriptors of a dead player are closed, so other files may have their numbers now.
            if self._player.alive:
                await how(self._player)
            self.stderr += self._player.errors.whole()
            self._player = self.occupant = None
        if self._scratch:
            remove(self._scratch)
            self._scratch = ""


@asynccontextmanager
async def seated(
    bots: Iterable[tuple[Entrant, Rules]], place: str | None = None, alone: bool = False
) -> AsyncIterator[list[Seat]]:
    """Makes a seat for each of these bots, with one watchdog for all seats. `Seat.fill` starts the bot's
    process.

    At the end of the `with` block, each bot receives `bye` and has some time to exit. After an exception, all
    bots are killed at once. After the block, no process remains. Scratch folders are made in `place`; None
    means the machine's folder for temporary files. Set `alone` if only one match at a time will ask these
    bots (see Watchdog).
    """
    watchdog = Watchdog(alone)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        seats = [Seat(entrant, rules, watchdog, place) for entrant, rules in bots]
        try:
            yield seats
            # One task ends all bots. If each bot had a task of its own for this, each task would need as much
            # memory as a whole match.
            for seat in seats:
                await seat.bye()
            for seat in seats:
                await seat.clear(Player.stop)
        finally:
            with trio.CancelScope(shield=True):
                for seat in seats:
                    await seat.clear(Player.kill)
            end_strays()
        nursery.cancel_scope.cancel()


class LiveSitting:
    """A sitting that is played in three steps: `start`, `play` and `clear_if_void`."""

    def __init__(self, job: Job, rules: Rules, seats: Sequence[Seat]) -> None:
        self._job = job
        self._rules = rules
        self._seats = seats
        self._log: list[bytes] = []
        self._briefs: list[Brief] = []
        self._void: Void | None = None

    async def start(self) -> None:
        """Starts all bots."""
        job = self._job
        place = job.run, job.encounter, job.sitting, job.names(), job.attempt
        head = SittingBegan(*place, job.isolation, job.account)
        self._log.append(_encoder.encode(head) + b"\n")
        await self._unless_void(self._fill)

    async def play(self) -> None:
        """Plays all matches, one deal after the other."""
        await self._unless_void(self._matches)

    async def clear_if_void(self) -> None:
        """Kills all bots of this sitting at once if this attempt is void."""
        if self._void:
            for seat in self._seats:
                await seat.clear(Player.kill)

    def done(self) -> Done:
        """Returns the result after the last step."""
        if self._void:
            return Done(self._job, void=str(self._void))
        log = b"".join(self._log)
        self._log.clear()  # Otherwise each log would be in memory twice: as one text and as its parts.
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
            await seat.fill()

    async def _matches(self) -> None:
        for number in range(1, len(self._job.deals) + 1):
            if number > 1:  # `start` has filled the seats for the first match.
                await self._fill()
            await self._match(number)

    async def _match(self, number: int) -> None:
        job = self._job
        places = job.places(number)
        names = tuple([job.entrants[place - 1].name for place in places])
        taken = [self._seats[place - 1].occupant for place in places]
        players = [player for player in taken if player is not None]
        chance: Chance = Seeded(job.deals[number - 1])
        if script := self._rules.script:
            chance = Scripted(script, chance)
        wants = tuple([player.wants.words() for player in players])
        records: list[Record] = [Match(job.match_id(number), names, job.seeds[number - 1], wants)]
        referee = Referee(self._terms(number, players, names), chance, records.append)
        sit_down(players, referee)
        outcome = await match.play(referee, players, records.append)
        self._log.append(_encoder.encode_lines(records))
        faults = tuple(fault.brief() for fault in referee.faults)
        brief = Brief(outcome.ranks, outcome.scores, faults, referee.luck)
        assert not (flaw := brief.flaw(len(players))), f"{self._rules.game.name}: a match {flaw}"
        self._briefs.append(brief)

    def _terms(self, number: int, players: Sequence[Taker], names: tuple[str, ...]) -> Terms:
        return Terms(
            rules=self._rules,
            seats=len(players),
            number=number,
            seeds=self._job.seeds[number - 1],
            names=names,
            wants=tuple([player.wants for player in players]),
            fresh=tuple([player.fresh for player in players]),
        )


async def play_together(jobs: Sequence[Job], place: str | None = None) -> list[Done]:
    """Plays sittings at the same time in this event loop. Scratch folders are made in `place` (see `seated`).

    First all sittings start their bots, then all sittings play, and then all sittings end their bots.
    Otherwise a process that starts or ends during a match would take CPU time from a bot that thinks on the
    same core.

    If there is only one sitting, other tasks of this loop may have to wait for the next tick of the Watchdog.
    With several sittings, these tasks wait less.
    """
    rules = [resolve(job.rules, _game(job.rules.game)) for job in jobs]
    bots = [(entrant, each) for job, each in zip(jobs, rules, strict=True) for entrant in job.entrants]
    async with seated(bots, place, alone=len(jobs) == 1) as seats:
        free = iter(seats)
        sittings = [
            LiveSitting(job, each, list(islice(free, len(job.entrants))))
            for job, each in zip(jobs, rules, strict=True)
        ]
        for together in (LiveSitting.start, LiveSitting.play):
            async with trio.open_nursery() as nursery:
                for sitting in sittings:
                    nursery.start_soon(together, sitting)
        for sitting in sittings:
            await sitting.clear_if_void()
    return [sitting.done() for sitting in sittings]
