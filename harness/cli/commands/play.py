"""The command `play`: plays one match and shows it on the terminal. The command writes no log."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import SystemRandom

import click
import msgspec
import trio

from harness import games
from harness.bot.loop import run_loop
from harness.cli import settings
from harness.cli.arguments import BOT, GAME, as_json
from harness.cli.command import Command
from harness.cli.output import flowed, print_json
from harness.cli.terminal import tinted
from harness.cli.transcript import Transcript
from harness.cli.workspace import bot_or_house_bot, entrant, level_for
from harness.errors import InputError
from harness.escape import WIDTH, shown
from harness.events import Fault, Record, Result
from harness.games import Game, State
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rules import Rules
from harness.model import Number, Reply
from harness.play.live import LiveMatch, play_here
from harness.play.match import WithoutProcess
from harness.protocol import Wants, misspelt

PAGE = 30
"""The number of legal moves that a person sees at a time."""
NAME = "human"

HELP = """
  {answer:<11} your answer; the word {word!r} may be left out
  #3          the move with this number in the list
  Enter       more of your moves, if there are more
  look        the position again
  resign      ends the match, as Ctrl-D does; your seat comes last

The rules: harness games {game}"""


class PrintedMatch(msgspec.Struct, frozen=True):
    """The outcome of one match. `bots`, `ranks` and `scores` are in the order of the seats."""

    game: str
    seed: int
    bots: tuple[str, ...]
    ranks: tuple[Number, ...]
    scores: tuple[Number, ...]
    reason: str
    """Why the match ended, if the game says so."""
    faults: tuple[Fault, ...]


@click.command(
    cls=Command,
    prints={"play": PrintedMatch},
    examples=(
        "harness play sevens bots/my-bot greedy",
        "harness play squash human random --seed 7",
    ),
)
@click.argument("game", type=GAME)
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    show_default="drawn",
    help="The seed of all chance.",
)
@settings.options
@settings.limits
@settings.isolation
@settings.visible
@click.option("--seat", type=click.IntRange(1), metavar="N", help="Show only what this seat may know.")
@click.option("--brief", is_flag=True, help="Leave out the positions.")
@as_json
def play(
    game: str,
    bots: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    limits: tuple[str, ...],
    isolation: str,
    visible: tuple[str, ...],
    seat: int | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Play one match and watch it.

    GAME is a game's name or the path of its file. The first BOT takes seat 1, the next takes seat 2, and so
    on. A BOT is a bot's folder or file, or the name of a house bot such as `random`. A BOT may also be
    `human`, which is you, or `spar:16`, a bot that tries its moves out in 16 random play-outs. You have no
    time limit.
    """
    rules = games.find(game)
    chosen = SystemRandom().randrange(2**32) if seed is None else seed
    bots = tuple(each if each == NAME else bot_or_house_bot(each, game) for each in bots)
    may_read = settings.paths("--visible", visible)
    level = level_for(isolation, (each for each in bots if each != NAME), may_read)
    entrant_at = partial(entrant, level=level, visible=may_read)
    table = _table(rules, bots, chosen, options, limits, entrant_at)
    settings.check_seat(seat, len(bots))
    names = [entrant.name if entrant else "you" for entrant in table.entrants]
    if as_json and NAME in bots:
        raise InputError("a person needs the terminal, where the JSON would go", "--json")
    if as_json:
        _in_json(table, names)
        return
    click.echo(f"{rules.title}, seed {table.seed}")
    persons = NAME in bots
    transcript = Transcript(names, seat, brief, turns=not persons, game=rules.name)
    if persons:
        _with_persons(table, transcript, seat, brief)
    else:
        played = run_loop(play_here, table, transcript.show, _nobody)
        for place, written in enumerate(played.stderr, start=1):
            if seat in (None, place):
                transcript.show_stderr(place, written.decode(errors="backslashreplace"))
    for path in dict.fromkeys(bots[place - 1] for place in transcript.faulty):
        if path != NAME:
            check = shlex.join(("harness", "check", "bot", path, "--game", game))
            click.echo(f"\nTo find out why it failed: {shown(check)}")


def _with_persons(table: LiveMatch, transcript: Transcript, seat: int | None, brief: bool) -> None:
    """Plays a match in which persons take part. At the end, shows them the last moves and the last position,
    and then the result."""
    keyboard = Keyboard()
    ending: list[tuple[Result, State | None]] = []

    def person(place: int, referee: Referee) -> Human:
        return Human(place, table.rules.game.name, referee, keyboard)

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Result):
            ending.append((record, state))
        else:
            transcript.show(record, state)

    run_loop(play_here, table, look, person)
    for result, state in ending:
        if state is not None and not brief:
            click.echo(f"\nThe position at the end:\n\n{tinted(state.text(seat), table.rules.game.name)}")
        transcript.show(result, state)


def _nobody(place: int, referee: Referee) -> Human:
    raise AssertionError("no person plays here")


def _table(
    game: Game,
    bots: Sequence[str],
    seed: int,
    options: Sequence[str],
    limits: Sequence[str],
    entrant_at: Callable[[str], Entrant],
) -> LiveMatch:
    """Prepares the match. Raises InputError before any bot starts if the match cannot be played."""
    chosen = settings.settings("--option", options, game.options)
    allowed = settings.limits_of(limits, game)
    fewest, most = game.seats
    if not fewest <= len(bots) <= most:
        wanted = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise InputError(f"{game.name} has {wanted} seats, not {len(bots)}", "BOT...")
    settings.seat_counts(game, chosen, len(bots), "name {} bots")
    settings.check_sparring(game, chosen, len(bots), bots)
    entrants = tuple(None if bot == NAME else entrant_at(bot) for bot in bots)
    return LiveMatch(Rules(game, chosen, allowed), seed, entrants)


def _in_json(table: LiveMatch, names: Sequence[str]) -> None:
    faults: list[Fault] = []

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Fault):
            faults.append(record)

    outcome = run_loop(play_here, table, look, _nobody).outcome
    print_json(
        PrintedMatch(
            game=table.rules.game.name,
            seed=table.seed,
            bots=tuple(names),
            ranks=outcome.ranks,
            scores=outcome.scores,
            reason=outcome.reason,
            faults=tuple(faults),
        )
    )


# -- a person in a seat ----------------------------------------------------------------------------
#
# A person has no time limit. A wrong answer of a person is not a fault: the person sees the reason and
# answers again. A person sees no more than a bot in the same seat could know.


class Human(WithoutProcess):
    """A person at this terminal."""

    wants = Wants()
    fresh = True

    def __init__(self, seat: int, game: str, referee: Referee, keyboard: Keyboard) -> None:
        self.seat = seat
        self.game = game
        self._referee = referee
        self.keyboard = keyboard

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """Asks the person, and returns the answer. The question is repeated until the answer is legal."""
        state = self._referee.state
        *told, asked = block.decode().splitlines()
        if state is None:
            click.echo(f"You have seat {self.seat}. Type `help` at any time.")
            return Reply("ready")
        seen = {line for line in state.view(self.seat) if line.startswith("sees ")}
        _tell([line for line in told if line not in seen])  # The position already shows the lines in `seen`.
        self.show(state)
        return await _Asking(self, state, asked.partition(" ")[0]).answer()

    async def tell(self, block: bytes) -> None:
        """At the end of the match, shows the events that came after the last question."""
        lines = block.decode().splitlines()
        _tell([line for line in lines if line.partition(" ")[0] not in ("over", "result", "fault")])

    def show(self, state: State) -> None:
        """Shows the position as this seat may see it."""
        click.echo(f"\n{tinted(state.text(self.seat), self.game)}\n")


class _Asking:
    """A question to a person, which is repeated until the person has answered it."""

    def __init__(self, human: Human, state: State, word: str) -> None:
        self._human = human
        self._seat = human.seat
        self._state = state
        self._word = word
        self._listed: list[str] = []
        self._unlisted = iter(state.legal(human.seat))

    async def answer(self) -> Reply:
        click.echo(f"You are asked: {click.style(self._state.question(self._seat), bold=True)}")
        self._more()
        while True:
            click.echo(f"seat {self._seat}, {self._word}> ", nl=False)
            typed = await self._human.keyboard.line()
            if typed is None:
                click.echo()
            if typed is None or typed.strip().lower() == "resign":
                return Reply(None, failed="closed", why="the person in this seat resigned")
            if (move := self._taken(" ".join(typed.split()))) is not None:
                return Reply(move)

    def _taken(self, typed: str) -> str | None:
        """Returns the move that the person typed. If the text is a command, or is not a legal move, this
        method handles it and returns None."""
        match typed.lower():
            case "":
                self._more()
            case "help" | "?":
                click.echo(HELP.format(answer=f"{self._word} ...", word=self._word, game=self._human.game))
            case "look":
                self._human.show(self._state)
            case number if number.startswith("#"):
                return self._numbered(number[1:])
            case _:
                return self._checked(typed)
        return None

    def _checked(self, typed: str) -> str | None:
        first, _, rest = typed.partition(" ")
        said = f"{self._word} {rest}".rstrip() if first.lower() == self._word else f"{self._word} {typed}"
        reason = misspelt(said)
        if not reason:
            verdict = self._state.check(self._seat, said)
            if not isinstance(verdict, str):
                short = f"{self._word} {_from_notation(self._state, said.partition(' ')[2])}"
                usual = self._state.check(self._seat, short)
                verdict = usual if isinstance(usual, str) else verdict
            if isinstance(verdict, str):
                return verdict
            reason = verdict.reason
        listed = typed in map(str, range(1, len(self._listed) + 1))
        number = f"`#{typed}` plays the move with this number in the list, and " if listed else ""
        click.echo(f"That is not a legal move: {reason}. ({number}`help` says more.)")
        return None

    def _numbered(self, number: str) -> str | None:
        if number.isdecimal() and 1 <= int(number) <= len(self._listed):
            return self._listed[int(number) - 1]
        click.echo(f"There is no move #{number} in the list, which goes to #{len(self._listed)}.")
        return None

    def _more(self) -> None:
        page = list(islice(self._unlisted, PAGE))
        whole = self._state.complete(self._seat)
        if not page:
            click.echo("These were all moves." if whole else "No more moves are listed, but there are more.")
            return
        if not self._listed:
            click.echo("Your moves:" if whole else "Some of your moves:")
        first = len(self._listed) + 1
        self._listed += page
        click.echo("\n".join(_columns([f"#{number} {move}" for number, move in enumerate(page, first)])))
        if len(page) == PAGE:
            click.echo("(Enter shows more.)")


def _from_notation(state: State, typed: str) -> str:
    """If a person typed a chess move in the usual notation, for example e4, returns the move as a bot writes
    it, for example e2e4. Any other text stays as it is."""
    read = getattr(getattr(state, "board", None), "parse_san", None)
    try:
        return str(read(typed).uci()) if read else typed
    except ValueError:
        return typed


def _tell(lines: list[str]) -> None:
    if lines:
        click.echo("\n" + "\n".join(flowed(lines)))


def _columns(cells: list[str]) -> Iterator[str]:
    """Yields lines that show the cells in as many columns as fit on the screen. The order of the
    cells goes down the first column, then down the second column, and so on."""
    width = max(map(len, cells)) + 3
    across = max(1, WIDTH // width)
    down = -(-len(cells) // across)
    for row in range(down):
        yield "  " + "".join(f"{cell:<{width}}" for cell in cells[row::down]).rstrip()


# -- the keyboard, read without blocking the event loop --------------------------------------------


READ = 4_096


class Keyboard:
    """Reads stdin line by line, from a terminal, a pipe or a file."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._typed = b""
        self._ended = False

    async def line(self) -> str | None:
        """Reads the next line. Returns None at the end of the input (on a terminal, Ctrl-D)."""
        while b"\n" not in self._typed and not self._ended:
            await trio.lowlevel.wait_readable(self._descriptor)
            data = os.read(self._descriptor, READ)
            self._ended = not data
            self._typed += data
        if not self._typed:
            self._ended = False
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")
