"""Tests the options of Evil Squash, mainly which boards are refused, and where files of boards are found."""

import json
from pathlib import Path

import msgspec
import pytest

from harness.cli.settings import settings
from harness.config import freeze
from harness.errors import InputError
from harness.games.squash import GAME, SquashOptions
from harness.games.squash.board import Arrow, SquashBoard
from harness.schedule.plan import read_plan
from tests.games.squash.examples import CARDS

# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"variant": "card"}, "variant"),
        ({"bounce_squash": "start"}, "bounce_squash"),
        ({"dice": [1, 7]}, "<= 6"),
        ({"dice": [0]}, ">= 1"),
        ({"dice": ["6"]}, "int"),
        ({"dice": [1] * 1_001}, "length <= 1000"),
        ({"turns": 0}, ">= 1"),
        ({"turns": 10_001}, "<= 10000"),
        ({"bord": "default"}, "bord"),
    ],
)
def test_wrong_options_are_refused(written: object, words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert(written, SquashOptions)


def test_every_option_is_announced_and_the_board_whole() -> None:
    told = GAME.announce(SquashOptions("cards", "off-board", dice=(3, 1, 6), turns=90))
    assert told[:5] == (
        "variant cards",
        "bounce_squash off-board",
        "dice 3 1 6",
        "turns 90",
        "board 64 8",
    )
    assert told[5:8] == ("arrow 3 17", "arrow 11 26", "arrow 20 6")
    assert len(told) == 15
    assert GAME.announce(SquashOptions())[2] == "dice chance"


def test_a_plan_is_warned_where_luck_or_a_script_decides() -> None:
    assert GAME.warnings(SquashOptions(), 4) == ()
    assert "51.55 %" in GAME.warnings(SquashOptions(), 2)[0]
    assert GAME.warnings(CARDS, 2) == ()
    assert "scripted" in GAME.warnings(SquashOptions(dice=(1,)), 3)[0]


# -- boards ----------------------------------------------------------------------------------------


def table(*arrows: tuple[int, int, str], squares: int = 64, columns: int = 8) -> dict[str, object]:
    """A board as its file has it."""
    written = [{"base": base, "to": to, "colour": colour} for base, to, colour in arrows]
    return {"squares": squares, "columns": columns, "arrows": written}


SMALL = table((4, 15, "green"), (27, 8, "red"), squares=30, columns=6)


def test_a_board_leads_along_its_arrows_and_never_beyond_its_end() -> None:
    board = msgspec.convert(SMALL, SquashBoard)
    leads = board.leads()
    assert leads[:6] == (0, 1, 2, 3, 15, 5)
    assert leads[27] == 8
    assert leads[29:] == (29, 30, 30, 30, 30, 30, 30)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (table(squares=7), "squares are from 8 to 999, not 7"),
        (table(squares=1_000), "squares are from 8 to 999, not 1000"),
        (table(columns=1), "columns are from 2 to 10, not 1"),
        (table(columns=11), "columns are from 2 to 10, not 11"),
        (
            table((0, 9, "green")),
            "the green arrow from 0 to 9 is off the board: arrows are on the squares from 1 to 63",
        ),
        (
            table((64, 9, "red")),
            "the red arrow from 64 to 9 is off the board: arrows are on the squares from 1 to 63",
        ),
        (
            table((9, 64, "green")),
            "the green arrow from 9 to 64 is off the board: arrows are on the squares from 1 to 63",
        ),
        (
            table((9, 0, "red")),
            "the red arrow from 9 to 0 is off the board: arrows are on the squares from 1 to 63",
        ),
        (
            table((9, 20, "red")),
            "the red arrow from 9 to 20 goes the wrong way: green arrows go up, red arrows go down",
        ),
        (
            table((20, 9, "green")),
            "the green arrow from 20 to 9 goes the wrong way: green arrows go up, red arrows go down",
        ),
        (
            table((9, 15, "green")),
            "the green arrow from 9 to 15 is too short: an arrow goes at least 7 squares",
        ),
        (table((15, 9, "red")), "the red arrow from 15 to 9 is too short: an arrow goes at least 7 squares"),
        (
            table((9, 20, "green"), (9, 30, "green")),
            "the green arrow from 9 to 30 begins where another arrow begins",
        ),
        (
            table((9, 20, "green"), (20, 40, "green")),
            "the green arrow from 20 to 40 begins where another arrow ends",
        ),
        (
            table((20, 40, "green"), (9, 20, "green")),
            "the green arrow from 20 to 40 begins where another arrow ends",
        ),
    ],
)
def test_what_is_no_board_is_refused_and_told_why(
    written: dict[str, object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(msgspec.ValidationError, match=said):
        msgspec.convert({"board": written}, SquashOptions)
    file = tmp_path / "board.json"
    file.write_text(json.dumps(written))
    with pytest.raises(InputError) as caught:
        SquashOptions(board="board.json").settled(tmp_path)
    assert str(caught.value) == f"board.json: this is not a board: {said}"


@pytest.mark.parametrize("arrow", [(9, 16, "green"), (16, 9, "red"), (1, 63, "green"), (63, 1, "red")])
def test_the_longest_and_the_shortest_arrows_are_allowed(arrow: tuple[int, int, str]) -> None:
    assert msgspec.convert(table(arrow), SquashBoard).arrows == (Arrow(*arrow),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"", "this is not a board: input data was truncated"),
        (b"{]", "this is not a board: JSON is malformed"),
        (b"\xff", "this is not a board"),
        (b'{"squares": 64, "columns": 8}', "this is not a board: object missing required field `arrows`"),
        (b'{"squares": "64"}', "this is not a board: at squares, expected `int`, got `str`"),
        (
            b'{"squares": 64, "columns": 8, "arrows": [{"base": 3, "to": 17, "colour": "blue"}]}',
            "this is not a board: at arrows[0].colour, invalid enum value 'blue'",
        ),
        (b'{"squares": 64, "columns": 8, "arrows": [], "size": 3}', "unknown field `size`"),
        (b"[" * 100_000, "this is not a board"),
    ],
)
def test_a_file_that_holds_no_board_is_told_why(written: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "board.json").write_bytes(written)
    with pytest.raises(InputError) as caught:
        SquashOptions(board="board.json").settled(tmp_path)
    assert str(caught.value).startswith("board.json: ")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("name", "said"), [("none.json", "No such file"), (".", "directory"), ("a\0b", "null")]
)
def test_a_file_that_cannot_be_read_is_told(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        SquashOptions(board=name).settled(tmp_path)


PLAN = """
game = "squash"
seats = 2
bots = ["a.py", "b.py"]

[options]
board = "boards/small.json"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a plan, its board and its bots."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "small.json").write_text(json.dumps(SMALL))
    (tmp_path / "plan.toml").write_text(PLAN)
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("print()")
    return tmp_path


def test_a_board_is_found_from_the_plan_and_goes_on_record_whole(place: Path) -> None:
    plan = read_plan(place / "plan.toml")
    small = msgspec.convert(SMALL, SquashBoard)
    assert plan.options == SquashOptions(board=small)
    frozen = freeze(plan, 1)
    assert msgspec.convert(frozen.options, SquashOptions) == plan.options
    assert "option board 30 6" in [f"option {line}" for line in GAME.announce(plan.options)]


def test_the_default_board_goes_on_record_whole_too(place: Path) -> None:
    (place / "plan.toml").write_text(PLAN.replace("boards/small.json", "default"))
    frozen = freeze(read_plan(place / "plan.toml"), 1)
    assert len(frozen.options["board"]["arrows"]) == 10


def test_a_wrong_board_is_told_with_the_line_of_the_plan(place: Path) -> None:
    (place / "boards" / "small.json").write_text(json.dumps(table((9, 15, "green"))))
    with pytest.raises(
        InputError, match=r"plan.toml:6: options: boards/small.json: this is not a board: the green"
    ):
        read_plan(place / "plan.toml")
    (place / "plan.toml").write_text(
        PLAN.replace('"boards/small.json"', "{squares = 4, columns = 4, arrows = []}")
    )
    with pytest.raises(InputError, match=r"plan.toml:7: options.board: squares are from 8 to 999, not 4"):
        read_plan(place / "plan.toml")


def test_the_command_line_finds_a_board_from_the_working_folder(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    chosen = settings("--option", ["board=boards/small.json"], SquashOptions)
    assert chosen.board == msgspec.convert(SMALL, SquashBoard)
    with pytest.raises(InputError, match=r"none.json: cannot read the board: No such file"):
        settings("--option", ["board=none.json"], SquashOptions)


def test_a_board_is_drawn_to_and_fro_with_what_stands_on_it() -> None:
    board = SquashBoard(20, 8, (Arrow(4, 15, "green"),))
    assert list(board.drawn({15: "[2]", 20: "[you]"})) == [
        "17       18       19       20",
        "                           [you]",
        "16       15       14       13       12       11       10       9",
        "         [2]",
        "1        2        3        4>15     5        6        7        8",
        "",
    ]
