"""Owns the tests of `play` with a person, who sees what their seat may know and may answer again if wrong."""

import os
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import pytest
import trio
import trio.testing

from harness import games
from harness.bot.loop import run_loop
from harness.chance import Chance
from harness.cli.commands.play import PAGE, Human, Keyboard
from harness.cli.templates.game.tiny import GAME, TinyOptions
from harness.events import Fault, Record, Turn
from harness.games import Game, State
from harness.judge.referee import Referee
from harness.judge.rules import Rules
from harness.play.live import LiveMatch, LiveResult, play_here
from tests.cli.door import STARTER, TINY, typed

Seen = list[Record]


def keyboard(text: str) -> Keyboard:
    """A keyboard on which somebody has typed this text."""
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    return Keyboard(read)


def played(text: str, game: Game = GAME, rounds: int = 1) -> tuple[LiveResult, Seen]:
    """Lets two persons at one keyboard play a match. Returns its result and its records."""
    seen: Seen = []
    typing = keyboard(text)
    table = LiveMatch(Rules(game, TinyOptions(rounds)), 1, (None, None))

    def person(seat: int, referee: Referee) -> Human:
        return Human(seat, game.name, referee, typing)

    return run_loop(play_here, table, lambda record, state: seen.append(record), person), seen


def answers(seen: Seen) -> list[str | None]:
    return [record.said for record in seen if isinstance(record, Turn) and record.ask.startswith("bid")]


@pytest.mark.parametrize("typed", ["bid 2", "2", "BID  2", " bid 2 \r", "#3"])
def test_a_move_may_be_typed_with_its_word_or_without_or_by_its_number(typed: str) -> None:
    ended, seen = played(f"{typed}\nbid 1\n")
    assert answers(seen) == ["bid 2", "bid 1"]
    assert ended.outcome.reason == "the end of the game"


def test_a_move_of_chess_may_be_typed_as_people_write_it() -> None:
    chess = games.find("chess")
    seen: Seen = []
    typing = keyboard("e4\nNf6\nplay Nc3\nd7d5\nresign\n")
    table = LiveMatch(Rules(chess, chess.options()), 1, (None, None))

    def person(seat: int, referee: Referee) -> Human:
        return Human(seat, chess.name, referee, typing)

    run_loop(play_here, table, lambda record, state: seen.append(record), person)
    said = [record.said for record in seen if isinstance(record, Turn) and record.ask.startswith("play")]
    assert said[:4] == ["play e2e4", "play g8f6", "play b1c3", "play d7d5"]


def test_a_person_may_type_no_other_letters_than_a_bot(capsys: pytest.CaptureFixture[str]) -> None:
    _, seen = played("\u0663\n3\n1\n")
    assert answers(seen) == ["bid 3", "bid 1"]
    assert "not a legal move: an answer consists of printable ASCII characters" in capsys.readouterr().out


def test_a_slip_is_explained_and_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    _, seen = played("9\n5\nbid two\n#99\n#0\n#x\n3\n1\n")
    assert answers(seen) == ["bid 3", "bid 1"]
    shown = capsys.readouterr().out
    assert "That is not a legal move: it has 4 coins, not 9. (`help` says more.)" in shown
    assert "That is not a legal move: expected `bid COINS`; it said 'bid two'. (`help` says more.)" in shown
    assert "not 5. (`#5` plays the move with this number in the list, and `help` says more.)" in shown
    assert shown.count("in the list, which goes to #5.") == 3


def test_help_says_what_may_be_typed_and_look_shows_the_position_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    played("help\n?\nlook\n3\n1\n")
    shown = capsys.readouterr().out
    assert shown.count("The rules: harness games tiny") == 2
    assert shown.count("rounds 1\ncoins 4 4\npoints 0 0\n") == 3


@pytest.mark.parametrize("typed", ["resign\n", "RESIGN\n", ""])
def test_whoever_resigns_or_types_no_more_is_last(typed: str) -> None:
    ended, seen = played(f"1\n{typed}")
    assert ended.outcome.ranks == (1, 2)
    [fault] = [record for record in seen if isinstance(record, Fault)]
    assert (fault.seat, fault.name, fault.reason) == (2, "closed", "the person in this seat resigned")


def test_a_last_line_without_an_end_is_a_line() -> None:
    _, seen = played("1\n2")
    assert answers(seen) == ["bid 1", "bid 2"]


def test_people_are_shown_what_their_own_seat_may_know(capsys: pytest.CaptureFixture[str]) -> None:
    played("1\n2\n3\n2\n", rounds=2)
    first, second = capsys.readouterr().out.split("You have seat 2.")[1].split("seat 2, bid> ", 1)
    assert "secret" in first
    assert "die" not in first
    assert "bids 1 2 | die" in second.split("You are asked")[0]
    assert second.count("secrets ") == 2  # to each at the end


def test_people_are_not_timed() -> None:
    _, seen = played("1\n2\n")
    assert {record.us for record in seen if isinstance(record, Turn)} == {0}


class Many(State, frozen=True):
    """A position with more moves than fit on a page. The game lists only some of its legal moves."""

    over: bool = False

    def to_act(self) -> tuple[int, ...]:
        return () if self.over else (1,)

    def question(self, seat: int) -> str:
        return "say"

    def complete(self, seat: int) -> bool:
        return False

    def legal(self, seat: int) -> Iterator[str]:
        return (f"say {number}" for number in range(PAGE + 2))

    def check(self, seat: int, said: str) -> str:
        return said

    def play(self, moves: Mapping[int, str], chance: Chance) -> "tuple[Many, tuple[()]]":
        return Many(True), ()

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def view(self, seat: int) -> tuple[str, ...]:
        return ()

    def text(self, seat: int | None = None) -> str:
        return "a wide field"


class ManyGame(Game):
    """The rules of that."""

    name = "many"
    title = "Many"
    seats = (2, 2)

    def start(self, options: object, seats: int, chance: Chance) -> tuple[State, tuple[()]]:
        return Many(), ()


def test_many_moves_come_in_pages(capsys: pytest.CaptureFixture[str]) -> None:
    _, seen = played(f"\n\n#{PAGE + 2}\n", ManyGame())
    assert seen[2] == Turn(1, "say 1000 -1", f"say {PAGE + 1}", at=0, limit_us=1_000_000)
    shown = capsys.readouterr().out
    first, rest = shown.split("(Enter shows more.)")
    assert "Some of your moves:" in first
    assert f"#{PAGE} say {PAGE - 1}" in first
    assert f"#{PAGE + 2} say {PAGE + 1}" in rest
    assert "No more moves are listed, but there are more." in rest


def test_lines_can_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "moves").write_text("one\ntwo")
    with (tmp_path / "moves").open() as file:
        typing = Keyboard(file.fileno())
        assert [run_loop(typing.line) for _ in range(3)] == ["one", "two", None]


async def test_waiting_for_a_person_does_not_hold_up_the_loop() -> None:
    read, write = os.pipe()
    typing = Keyboard(read)
    heard: list[str | None] = []

    async def listen() -> None:
        heard.append(await typing.line())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        await trio.testing.wait_all_tasks_blocked()
        os.write(write, b"half")
        await trio.testing.wait_all_tasks_blocked()
        assert heard == []
        os.write(write, b" a line\nand more")
    assert heard == ["half a line"]
    os.close(write)
    os.close(read)


def test_a_person_plays_a_bot_on_the_terminal() -> None:
    ended = typed("help\n9\n#1\n#1\n#1\n", "play", TINY, STARTER, "human", "--seed", "1")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Tiny, seed 1\nYou have seat 2.")
    assert "it has 4 coins, not 9" in ended.stdout
    *_, last = ended.stdout.split("seat 2, bid> ")
    for earlier, later in pairwise(
        ("secrets 6 1", "The position at the end:", "The result: the end of the game")
    ):
        assert 0 <= last.index(earlier) < last.index(later)
    assert "Question" not in ended.stdout


def test_a_person_who_resigns_ends_the_match_of_all() -> None:
    ended = typed("", "play", TINY, STARTER, "human")
    assert ended.returncode == 0
    assert "seat 2 (you), closed: the person in this seat resigned" in ended.stdout
    assert "  position " not in ended.stdout
