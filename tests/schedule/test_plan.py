"""Tests which plans are valid, and the error message for each mistake."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chance import Recorded, Seeded
from harness.config import Plan
from harness.errors import InputError
from harness.events import Drawn
from harness.games import find as find_game
from harness.model import Limits
from harness.schedule.formats import all_formats, find
from harness.schedule.plan import read_plan, without

GAME = '''"""Owns a tiny game for the tests of plans."""

from typing import Annotated, Literal

from msgspec import Meta

from harness.errors import InputError
from harness.games import Game, Options, Stopped

Weight = Annotated[int, Meta(ge=1, le=9)]


class TinyOptions(Options, frozen=True):
    board: Literal["small", "large"] = "small"
    speed: Annotated[float, Meta(gt=0)] = 1.0
    caps: Annotated[tuple[Weight, ...], Meta(min_length=1, max_length=3)] = (1,)
    weights: dict[Literal["A", "B"], tuple[Weight, Weight]] = {}
    cards: Annotated[int, Meta(ge=1, description="how many")] = 3

    def __post_init__(self) -> None:
        if self.board == "large" and self.cards > 50:
            raise ValueError("a large board wants at most 50 cards")


class Tiny(Game):
    name = "tiny"
    title = "Tiny"
    seats = (2, 4)
    options = TinyOptions

    def start(self, options, seats, chance):
        if options.cards < seats:
            raise InputError(f"{seats} seats want as many cards")
        chance.shuffle("deal", [f"c{card}" for card in range(options.cards)])
        chance.roll("die 1", 6)
        return Stopped(None, ()), ()


GAME = Tiny()
'''

PLAN = """
game = "tiny.py"
seats = 2
bots = ["a.py", "b.py", "c.py"]
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game and bots for plans."""
    folder = tmp_path_factory.mktemp("plans")
    (folder / "tiny.py").write_text(GAME)
    (folder / "pair.py").write_text(GAME.replace("seats = (2, 4)", "seats = (2, 2)"))
    (folder / "alone.py").write_text(GAME.replace("seats = (2, 4)", "seats = (1, 4)"))
    (folder / "broken.py").write_text("1 / 0")
    (folder / "loop.py").symlink_to("loop.py")
    for name in ("a", "b", "c"):
        (folder / f"{name}.py").write_text("")
        (folder / "many" / name).mkdir(parents=True)
        (folder / "many" / name / "bot.toml").write_text(f'name = "m{name}"\nrun = "./bot"')
    (folder / "many" / ".hidden").mkdir()
    (folder / "many" / "__pycache__").mkdir()
    (folder / "bad").mkdir()
    (folder / "bad" / "bot.toml").write_text('name = "bad"\n\nrun = 3')
    return folder


def planned(place: Path, text: str | bytes, name: str = "demo.toml", **flags: object) -> Plan:
    path = place / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_plan(path, **flags)


def takers(key: str) -> str:
    """The error message for a key that a format does not have. It names the formats that have this key."""
    *most, last = (f'"{found.name}"' for found in all_formats() if key in found.keys)
    return f"this needs format = {', '.join(most)} or {last}" if most else f"this needs format = {last}"


def complaint(place: Path, text: str | bytes, name: str = "demo.toml", **flags: object) -> str:
    with pytest.raises(InputError) as caught:
        planned(place, text, name, **flags)
    return str(caught.value).replace(f"{place}/", "")


def names(plan: Plan) -> list[str]:
    return [bot.name for bot in plan.bots]


# -- what a plan says ------------------------------------------------------------------------------


A_SEED = "a whole number from 0 to 9223372036854775807 or text of 32 characters"


def test_a_short_plan_has_defaults_for_all_the_rest(place: Path) -> None:
    plan = planned(place, PLAN)
    assert (plan.name, plan.seats, plan.seed, plan.deals) == ("demo", 2, None, 1)
    assert (plan.meet, plan.rounds, plan.format, plan.house) == (1, None, "round-robin", ())
    assert (plan.policy, plan.strikes, plan.rerun, plan.names) == ("disqualify", None, "fresh", "hidden")
    assert (plan.ponder, plan.isolation, plan.limits, plan.chance) == (False, "auto", Limits(), {})
    assert (plan.workers, plan.at_once, plan.missing) == (None, 1, "error")
    assert plan.text == PLAN
    assert plan.options == plan.rules.options()


def test_a_plan_may_say_it_all(place: Path) -> None:
    plan = planned(
        place,
        f"""{PLAN}
        name = "other"
        seed = 0
        deals = 5
        rounds = 7
        format = "gauntlet"
        house = ["a", "c"]
        policy = "strikes"
        strikes = 3
        rerun = "keep"
        names = "shown"
        ponder = true
        isolation = "none"
        workers = 2
        at_once = 4
        missing = "leave-out"
        [options]
        board = "large"
        speed = 2
        caps = [1, 9]
        weights.A = [1, 2]
        [limits]
        move_ms = 50
        bank_ms = 0
        [chance]
        deal = ["c2", "c0", "c1"]
        "die 1" = 6
        """,
    )
    assert (plan.name, plan.seed, plan.deals, plan.rounds, plan.meet) == ("other", 0, 5, 7, None)
    assert (plan.format, plan.house, plan.policy, plan.strikes) == ("gauntlet", ("a", "c"), "strikes", 3)
    assert (plan.rerun, plan.names, plan.ponder, plan.isolation) == ("keep", "shown", True, "none")
    assert (plan.workers, plan.at_once, plan.missing) == (2, 4, "leave-out")
    assert plan.options == plan.rules.options(
        board="large", speed=2.0, caps=(1, 9), weights={"A": (1, 2)}, cards=3
    )
    assert plan.limits == Limits(move_ms=50)
    assert plan.chance == {"deal": ("c2", "c0", "c1"), "die 1": 6}


def test_a_game_for_one_number_of_seats_needs_none_named(place: Path) -> None:
    assert planned(place, 'game = "pair.py"\nbots = ["a.py", "b.py"]').seats == 2


def test_a_game_is_named_by_its_name_too(place: Path) -> None:
    said = complaint(place, PLAN.replace("tiny.py", "sevenz"))
    assert said.startswith("demo.toml:2: game: no game is called 'sevenz'")


def test_the_command_line_goes_before_the_file(place: Path) -> None:
    assert planned(place, PLAN + "seed = 1", seed=2, workers=None).seed == 2
    assert planned(place, PLAN + "seed = 1", seed=None).seed == 1


def test_a_long_seed_is_written_in_hexadecimal_digits(place: Path) -> None:
    assert planned(place, f'{PLAN}\nseed = "{"0f" * 16}"').seed == int("0f" * 16, 16)
    assert planned(place, f'{PLAN}\nseed = "{"0" * 31}7"').seed == 7


def test_a_wrong_flag_is_told_as_a_flag(place: Path) -> None:
    said = complaint(place, PLAN, at_once=0)
    assert said == "--at-once: at_once: expected a whole number from 1 to 1024, not 0".replace(
        "at_once: ", ""
    )


# -- bots ------------------------------------------------------------------------------------------


def test_bots_stand_in_the_order_of_the_plan(place: Path) -> None:
    plan = planned(place, PLAN.replace('["a.py", ', '["many/b", {path = "a.py", name = "x y"}, '))
    assert names(plan) == ["mb", "x y", "b", "c"]
    assert [bot.path for bot in plan.bots] == ["many/b", "a.py", "b.py", "c.py"]


def test_bots_may_be_tables(place: Path) -> None:
    text = 'game = "tiny.py"\nseats = 2\n[[bots]]\npath = "a.py"\n[[bots]]\npath = "a.py"\nname = "twin"'
    plan = planned(place, text)
    assert names(plan) == ["a", "twin"]
    assert plan.bots[0].digest == plan.bots[1].digest


@pytest.mark.parametrize("pattern", ["many/*", "many/*/bot.toml", "many/[abc]", "{place}/many/?"])
def test_a_pattern_stands_for_all_bots_that_it_matches(place: Path, pattern: str) -> None:
    plan = planned(place, PLAN.replace("a.py", pattern.format(place=place)))
    assert names(plan) == ["ma", "mb", "mc", "b", "c"]


def test_a_path_is_looked_for_from_the_plan(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "deep").mkdir(exist_ok=True)
    monkeypatch.chdir(place)
    (place / "deep" / "d.toml").write_text(
        PLAN.replace('game = "', 'game = "../').replace('"a.py"', '"../*/a"')
    )
    with pytest.raises(InputError, match=r"deep/d\.toml:4: bots: deep/b\.py: there is no such file"):
        read_plan(Path("deep/d.toml"))
    (place / "deep" / "d.toml").write_text('game="../tiny.py"\nseats=2\nbots=["../many/*"]')
    assert [bot.path for bot in read_plan(Path("deep/d.toml")).bots] == [f"../many/{name}" for name in "abc"]


def test_a_path_that_begins_in_the_folder_above_is_suggested(place: Path) -> None:
    inner = place / "plans"
    inner.mkdir()
    (inner / "demo.toml").write_text('game="../tiny.py"\nseats=2\nbots=["../b.py", "a.py"]')
    with pytest.raises(
        InputError, match=r'a\.py: there is no such file or folder.*did you mean "\.\./a\.py"\?'
    ):
        read_plan(inner / "demo.toml")


def test_bots_can_be_left_out_while_a_table_is_full(place: Path) -> None:
    plan = planned(place, PLAN)
    assert names(without(plan, ["b"])) == ["a", "c"]
    assert names(plan) == ["a", "b", "c"]
    with pytest.raises(InputError, match="without a, b: bots: 2 seats need at least 2 bots, not 1"):
        without(plan, ["b", "a"])


def test_a_house_bot_that_is_left_out_leaves_the_house(place: Path) -> None:
    plan = planned(place, PLAN + 'format = "gauntlet"\nhouse = ["a", "b"]')
    assert without(plan, {"b"}).house == ("a",)
    with pytest.raises(InputError, match="without a, b"):
        without(planned(place, PLAN.replace("]", ', "many/a"]') + 'format="gauntlet"\nhouse=["a","b"]'), "ab")


# -- what is wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("sead = 1", "5: sead: there is no such key; did you mean seed?"),
        ("[limits]\nmove = 1", "6: limits.move: there is no such key; did you mean move_ms?"),
        ("limits.move = 1", "5: limits.move: there is no such key; did you mean move_ms?"),
        (
            "[limits]\nseed = 1",
            "6: limits.seed: this key belongs above the first [table] of the file",
        ),
        (
            "[options]\nseed = 1",
            "6: options.seed: this key belongs above the first [table] of the file",
        ),
        (
            "[options]\nqqq = 1",
            "6: options.qqq: there is no such key; there are board, speed, caps, weights, cards",
        ),
        (
            '[limits]\n\nmove_ms = "fast"',
            '7: limits.move_ms: expected a whole number from 1 to 3600000, not "fast"',
        ),
        ("[limits]\nmove_ms = 0", "6: limits.move_ms: expected a whole number from 1 to 3600000, not 0"),
        ("[limits]\nbank_ms = -1", "6: limits.bank_ms: expected a whole number from 0 to 86400000, not -1"),
        (
            "[limits]\nline_bytes = 99999",
            "5: limits.unread_bytes: expected at least line_bytes, 99999, not 65536",
        ),
        ("limits.increment_ms = 1", "5: limits.increment_ms: this needs a bank: bank_ms = 60000"),
        ("limits = 3", "5: limits: expected a table, not 3"),
        ("seed = -1", f"5: seed: expected {A_SEED}, not -1"),
        ("seed = 1.5", f"5: seed: expected {A_SEED}, not 1.5"),
        ('seed = "7"', f'5: seed: expected {A_SEED}, not "7"'),
        (f'seed = "{"G" * 32}"', f'5: seed: expected 32 digits 0-9 and a-f, not "{"G" * 32}"'),
        ("seed = 99999999999999999999", "5: seed: expected a whole number that fits into 64 bits"),
        ("seed = inf", "5: seed: expected a number, not inf"),
        ("ponder = 1", "5: ponder: expected true or false, not 1"),
        ('clock = "sun"', '5: clock: expected "cpu" or "wall", not "sun"'),
        ("limits = {wall_ms = 9}", '5: limits.wall_ms: this needs clock = "cpu"'),
        ('visible = ["/no/where"]', '5: visible: there is nothing at "/no/where"'),
        (
            'name = "a b"',
            '5: name: expected 1 to 64 letters, digits, - and _ (not - at the start), not "a b"',
        ),
        ('name = ""', '5: name: expected 1 to 64 letters, digits, - and _ (not - at the start), not ""'),
        ("meet = 1\nrounds = 1", "5: meet: write rounds or meet, not both"),
        ("meet = 1\nencounters = 1", "6: encounters: write meet or encounters, not both"),
        (
            'every_set = true\n[stop]\nsettled = "places 1-2"\nerror = 0.05\nmost = 9',
            "5: every_set: this does not go with [stop] or [[stage]]",
        ),
        (
            'format = "knock-out"\nencounters = 3',
            f"6: encounters: {takers('encounters')}",
        ),
        ("every_set = true\nrounds = 1", "5: every_set: this does not go with rounds"),
        (
            'every_set = true\nformat = "gauntlet"\nhouse = ["a"]',
            f"5: every_set: {takers('every_set')}",
        ),
        (
            "encounters = 900000",
            "5: encounters: this makes about 1,350,000 encounters; at most 400,000 are allowed",
        ),
        ("meet = 0", "5: meet: expected a whole number from 1 to 1000000, not 0"),
        ('policy = "kill"', '5: policy: expected "disqualify", "forfeit" or "strikes", not "kill"'),
        ('policy = "strikes"', '5: policy: "strikes" needs a number of strikes: strikes = 3'),
        ("strikes = 3", '5: strikes: this needs policy = "strikes"'),
        ('format = "gauntlet"', '5: format: "gauntlet" needs house bots: house = ["NAME"]'),
        ('house = ["a"]', f"5: house: {takers('house')}"),
        ('format = "gauntlet"\nhouse = ["x"]', '6: house: no bot in this plan has the name "x"'),
        (
            'format = "gauntlet"\nhouse = ["a", "b", "c"]',
            "4: bots: a gauntlet needs a bot that is not a house bot",
        ),
        ("[options]\nspeed = 0", "6: options.speed: expected a number above 0, not 0"),
        ("[options]\ncards = 0", "6: options.cards: expected a whole number of at least 1, not 0"),
        ("[options]\ncards = 1", "5: options: 2 seats want as many cards"),
        ('[options]\ncards = 60\nboard = "large"', "5: options: a large board wants at most 50 cards"),
        (
            "[options]\ncaps = [1,\n10]",
            "7: options.caps: expected a whole number from 1 to 9, not 10",
        ),
        (
            "[options]\ncaps = []",
            "6: options.caps: expected a list of 1 to 3 (each a whole number from 1 to 9), not an empty list",
        ),
        (
            "[options.weights]\nA = [1, 2]\nB = [1]",
            "7: options.weights.B: expected a list of 2 (each a whole number from 1 to 9), not a list of 1",
        ),
        (
            "[options.weights]\nA = [1, 2]\nB = [1,\ntrue]",
            "8: options.weights.B: expected a whole number from 1 to 9, not true",
        ),
        (
            "[options.weights]\nA = [1, 2]\nC = [1, 2]",
            '7: options.weights.C: there is no such key; expected "A" or "B"',
        ),
        (
            '[chance]\n\ndeal = ["c1"]',
            "7: chance.deal: chance 'deal' yields 1 items, expected 3",
        ),
        (
            '[chance]\ndeal = ["c2", "c1", "c0"]\n"die 1" = 7',
            "7: chance.\"die 1\": chance 'die 1' cannot be 7: expected a number from 1 to 6",
        ),
        (
            '[chance]\n"die 1" = 7',
            "6: chance.\"die 1\": chance 'die 1' cannot be 7: expected a number from 1 to 6",
        ),
        (
            "[chance]\ndeal = 1979-05-27",
            "6: chance.deal: dates and times are not allowed; put text in quotes",
        ),
        ("[chance]\ndeal = [nan]", "6: chance.deal: expected a number, not nan"),
        ("seats = 3", "5: this is not TOML: Cannot overwrite a value"),
        ("x = ", "5: this is not TOML: Invalid value"),
        ("x = >3", "5: this is not TOML: Invalid value"),
        ("ponder = True", "5: this is not TOML: Invalid value; write true"),
        ("x = 1\n\n[", "7: this is not TOML: Invalid initial character for a key part"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_key(place: Path, added: str, said: str) -> None:
    assert complaint(place, PLAN + added) == f"demo.toml:{said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": game: this key is missing; expected text"),
        ('game = "tiny.py"', ": bots: this key is missing; expected a list (each text or a table)"),
        (
            'game = "tiny.py"\nbots = []',
            ": seats: this key is missing; expected a whole number from 2 to 4 for tiny",
        ),
        ('game = "pair.py"\nbots = []\nseats = 3', ":3: seats: expected 2 for tiny, not 3"),
        ('game = "alone.py"\nbots = []\nseats = 1', ":3: seats: a tournament needs at least 2 seats"),
        ('game = "pair.py"\nbots = []', ":2: bots: 2 seats need at least 2 bots, not 0"),
        ('game = "none.py"\nbots = []', ":1: game: none.py: no game here: no such file or folder"),
        ('game = "loop.py"\nbots = []', ":1: game: "),
        ('game = "\\u0000.py"\nbots = []', ":1: game: "),
        (f'game = "{"x" * 5000}.py"\nbots = []', ":1: game: "),
        ('game = "broken.py"\nbots = []', ":1: game: broken.py: the game does not load: ZeroDivisionError"),
        ('game = "a.py"\nbots = []', ":1: game: a.py: a game's file must define GAME"),
        (f"a = {'[' * 5000}", ": the tables or lists are nested too deeply"),
        (f"a = {'9' * 5000}", ": a number here has too many digits"),
        (b"a = 1\nb = '\xff'", ":2: the file is not text in UTF-8"),
        ("a = 1".encode("utf-16"), ":1: the file is not text in UTF-8"),
        (b"#" * 5_000_000, ": the file is longer than 4194304 bytes"),
    ],
)
def test_a_plan_that_is_none_is_told_why(place: Path, text: str | bytes, said: str) -> None:
    assert complaint(place, text).startswith(f"demo.toml{said}")


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ('"a.py",\n "none"', "5: bots: none: there is no such file or folder"),
        ('"a.py",\n "bad"', "5: bots: bad/bot.toml:3: run: expected text or a list (each text), not 3"),
        ('"a.py",\n "many"', "5: bots: many: the folder of a bot needs a bot.toml, and there is none"),
        ('"a.py",\n "x*"', '5: bots: nothing matches "x*"'),
        # Since Python 3.13, this pattern is valid, and no file matches it.
        (
            '"a.py",\n "**x"',
            "5: bots: "
            + ("nothing matches" if sys.version_info >= (3, 13) else "this is not a pattern of paths: "),
        ),
        ('"a.py",\n "x\\u0000*"', "5: bots: "),
        (f'"a.py",\n "{"x" * 5000}*"', '5: bots: nothing matches "xxx'),
        ('"a.py",\n {path = "many/*", name = "m"}', "5: bots.name: a pattern can match several bots"),
        (
            '"a.py",\n {path = "b.py", name = "\\u001b"}',
            "5: bots.name: expected a name of 1 to 40 printable characters",
        ),
        ('"a.py",\n {name = "x"}', "5: bots.path: this key is missing; expected text"),
        ('"a.py",\n {path = "b.py", nam = "x"}', "5: bots.nam: there is no such key; did you mean name?"),
        ('"a.py",\n 3', "5: bots: expected text or a table, not 3"),
        (
            '"a.py",\n {path = "b.py", name = "a"}',
            '5: bots: two bots are named "a": a.py (line 4) and b.py; '
            'give one of them another name: {path = "...", name = "..."}',
        ),
        ('"a.py",\n "a.py"', '5: bots: two bots are named "a": a.py (line 4) and a.py; '),
        ('"many/*",\n "many/b"', '5: bots: two bots are named "mb": many/b (line 4) and many/b; '),
    ],
)
def test_a_bot_that_cannot_stand_is_told_by_its_line(place: Path, bots: str, said: str) -> None:
    text = f'game = "tiny.py"\nseats = 2\n\nbots = [{bots}]'
    assert complaint(place, text).startswith(f"demo.toml:{said}")


def test_seats_and_bots_that_do_not_go_together_are_told(place: Path) -> None:
    said = complaint(place, PLAN.replace("= 2", "= 5"))
    assert said == "demo.toml:3: seats: expected a whole number from 2 to 4 for tiny, not 5"
    said = complaint(place, PLAN.replace("= 2", "= 4") + "options.cards = 4")
    assert said == "demo.toml:4: bots: 4 seats need at least 4 bots, not 3"


def test_a_gauntlet_needs_a_house_that_fills_the_other_seats(place: Path) -> None:
    text = PLAN.replace("= 2", "= 3") + 'format = "gauntlet"\nhouse = ["a", "a"]'
    assert complaint(place, text) == "demo.toml:6: house: 3 seats need at least 2 house bots, not 1"


def test_a_file_whose_name_is_no_name_is_told_so(place: Path) -> None:
    assert complaint(place, PLAN, "my plan.toml").startswith("my plan.toml: name: expected 1 to 64 letters")
    assert planned(place, f'name = "mine"\n{PLAN}', "my plan.toml").name == "mine"


def test_a_plan_may_begin_with_a_mark_of_its_encoding(place: Path) -> None:
    assert planned(place, b"\xef\xbb\xbf" + PLAN.encode()).seats == 2


def test_a_plan_with_the_line_ends_of_windows_keeps_its_lines(place: Path) -> None:
    assert complaint(place, (PLAN + "sead = 1").replace("\n", "\r\n")).startswith("demo.toml:5: sead")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("none.toml", "there is no such file"),
        ("", "this is a folder; expected a file"),
        ("x" * 5000, "the file cannot be read: File name too long"),
        ("\0", "there is no such file"),
    ],
)
def test_a_path_that_is_no_file_is_told(place: Path, path: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_plan(place / path)


# -- anything at all -------------------------------------------------------------------------------

LINES = (
    *PLAN.strip().splitlines(),
    *("seed = 1", "deals = 2", "meet = 3", 'policy = "forfeit"', "[options]", "caps = [1, 2]"),
    *("[options.weights]", "A = [1, 2]", "[limits]", "move_ms = 5", "[chance]", '"die 1" = 3'),
)
VALUES = st.sampled_from(
    ("nan", "-inf", "1e400", "9" * 30, "-1", "true", '""', '"\\u001b"', "[]", "[[]]", "{}", "{a = 1}")
) | st.integers().map(str)


def outcome(place: Path, data: bytes) -> str:
    """The name of the plan, or if the data is no plan, the error message."""
    try:
        return planned(place, data, "any.toml").name
    except InputError as error:
        return str(error)


@given(
    st.binary(max_size=80) | st.text(st.sampled_from("ab1=.[]{}\"'#\n \\,-:"), max_size=60).map(str.encode)
)
def test_any_bytes_are_a_plan_or_a_complaint(place: Path, data: bytes) -> None:
    assert outcome(place, data).isprintable()


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A plan that was valid until a few of its lines were changed, removed, doubled or cut."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        valued = f"{line.partition(' = ')[0]} = {draw(VALUES)}"
        changed = draw(st.sampled_from([[], [line, line], [line[1:]], [line[:-1]], [valued], [valued]]))
        lines[at : at + 1] = changed
    return "\n".join(lines).encode()


@given(spoilt())
def test_any_spoilt_plan_is_a_plan_or_one_sentence_that_names_the_file(place: Path, data: bytes) -> None:
    said = outcome(place, data)
    assert said == "any" or said.startswith(f"{place}/any.toml:")
    assert said.isprintable()


@pytest.mark.parametrize(
    ("written", "ponder_ms", "move_ms"),
    [("", 5_000, 1_000), ("move_ms = 9", 5_000, 9), ("ponder_ms = 50", 50, 1_000)],
)
def test_the_limits_of_a_game_hold_unless_the_plan_sets_them(
    place: Path, written: str, ponder_ms: int, move_ms: int
) -> None:
    limits = planned(place, f"{PLAN.replace('tiny.py', 'chess')}limits = {{{written}}}\n").limits
    assert (limits.ponder_ms, limits.move_ms) == (ponder_ms, move_ms)


def test_a_plan_that_charges_cpu_time_keeps_a_limit_by_the_clock_on_the_wall(place: Path) -> None:
    assert planned(place, PLAN).limits.wall_ms == 0
    assert planned(place, PLAN + 'clock = "cpu"\n').limits.wall_ms == 30_000
    own = planned(place, PLAN + 'clock = "cpu"\nlimits = {wall_ms = 5000}\n')
    assert own.limits.wall_ms == 5_000


def test_what_is_visible_is_found_from_the_plans_folder(place: Path) -> None:
    (place / "tables").mkdir()
    assert planned(place, PLAN + 'visible = ["tables"]\n').visible == (str((place / "tables").resolve()),)


# -- deals -----------------------------------------------------------------------------------------


def test_every_match_has_a_deal_of_its_own_unless_the_plan_says_otherwise(place: Path) -> None:
    assert planned(place, PLAN).deal == "fresh"
    assert planned(place, PLAN, deal="same").deal == "same"


def test_fixed_values_of_two_streams_may_depend_on_each_other(place: Path) -> None:
    drawn: list[Drawn] = []
    biplane = find_game("biplane")
    biplane.start(biplane.options(), 2, Recorded(Seeded(5), drawn.append))
    tables = {
        stream: f"{json.dumps(stream)} = {json.dumps(value)}\n"
        for stream, value in ((each.stream, each.value) for each in drawn)
    }
    text = PLAN.replace("tiny.py", "biplane") + "[chance]\n"
    assert {*planned(place, text + "".join(tables.values())).chance} == {"repeats", "deal"}
    assert "chance.deal: chance 'deal' cannot yield" in complaint(place, text + tables["deal"])


def test_a_game_whose_chance_is_no_secret_has_the_same_deals_in_every_seat(place: Path) -> None:
    open_game = GAME.replace("    seats = (2, 4)", "    seats = (2, 4)\n    secret_chance = False")
    (place / "open.py").write_text(open_game)
    assert planned(place, PLAN.replace("tiny.py", "open.py")).deal == "same"
    assert planned(place, PLAN.replace("tiny.py", "open.py"), deal="fresh").deal == "fresh"


def test_scores_are_of_fresh_deals_unless_the_plan_says_otherwise(place: Path) -> None:
    open_game = GAME.replace("    seats = (2, 4)", "    seats = (2, 4)\n    secret_chance = False")
    (place / "open.py").write_text(open_game)
    by_score = PLAN.replace("tiny.py", "open.py") + 'order = "score"\n'
    assert planned(place, by_score).deal == "fresh"
    assert planned(place, by_score, deal="same").deal == "same"
    assert planned(place, by_score).order == "score"


def test_only_an_encounter_with_fresh_deals_is_cut_into_sittings(place: Path) -> None:
    assert planned(place, PLAN, sitting=4).sitting == 4
    with pytest.raises(InputError, match='this needs deal = "fresh"'):
        planned(place, PLAN, sitting=4, deal="same")


# -- formats ---------------------------------------------------------------------------------------


def test_a_swiss_plan_keeps_matches_after_a_disqualification_unless_it_says_otherwise(place: Path) -> None:
    swiss = PLAN + 'format = "swiss"\nrounds = 2\n'
    assert planned(place, swiss).rerun == "keep"
    assert planned(place, swiss, rerun="fresh").rerun == "fresh"
    assert planned(place, PLAN).rerun == "fresh"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('format = "swiss"', '"swiss" needs a number of rounds: rounds = 9'),
        ('format = "swiss"\nmeet = 2', '"swiss" has a number of rounds instead of meet: rounds = 9'),
        ('format = "swiss"\nrounds = 2\nhouse = ["a"]', takers("house")),
    ],
)
def test_a_key_that_does_not_fit_the_format_is_named(place: Path, keys: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(place, PLAN + keys + "\n")
    assert said in str(caught.value)


def test_a_format_that_knows_its_encounters_at_the_start_may_refuse_the_seats(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ("seats",), "an odd number of seats"
    monkeypatch.setattr(type(find("round-robin")), "trouble", lambda *asked: said)
    assert complaint(place, PLAN) == "demo.toml:3: seats: an odd number of seats"


STAGES = (
    PLAN
    + """
[[stage]]
format = "swiss"
rounds = 2
through = 3
[[stage]]
format = "knock-out"
"""
)


def test_a_plan_may_have_stages(place: Path) -> None:
    plan = planned(place, STAGES)
    assert [(stage.format, stage.rounds, stage.through) for stage in plan.stage] == [
        ("swiss", 2, 3),
        ("knock-out", None, None),
    ]
    assert plan.rerun == "keep"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "through = 3\n",
            "",
            ":6: stage: this stage needs the number of bots that go on to the next stage: through = 8",
        ),
        ("through = 3", "through = 4", ":9: stage.through: expected 2 to 3, not 4"),
        ("rounds = 2\n", "", ':7: stage.format: "swiss" needs a number of rounds: rounds = 9'),
        ('"knock-out"', '"knock-out"\nrounds = 3', ':12: stage.rounds: "knock-out" has no key rounds'),
        (
            '"knock-out"',
            '"knock-out"\nthrough = 2',
            ":12: stage.through: no stage comes after the last stage",
        ),
        ('"knock-out"', '"groups"', ':11: stage.format: "groups" needs their number: groups = 4'),
        (
            '"knock-out"',
            '"groups"\ngroups = 2',
            "stage.groups: 3 bots cannot fill a table of 2 in each group",
        ),
        ('"knock-out"', '"ladders"', "stage.format: expected"),
        ("through = 3", "through = 3\ncarry = true", "stage.carry: no stage comes before the first stage"),
        ("through = 3", "through = 3\ngroups = 2", 'stage.groups: this needs format = "groups"'),
        ("seats = 2", "seats = 2\nrounds = 3", "rounds: a plan with [[stage]] has this key in its stages"),
        (
            "seats = 2",
            'seats = 2\nformat = "swiss"',
            "format: a plan with [[stage]] has this key in its stages",
        ),
    ],
)
def test_a_key_that_does_not_fit_its_stage_is_named(place: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(place, STAGES.replace(old, new, 1))
    assert said in str(caught.value)


def test_a_double_elimination_needs_two_seats(place: Path) -> None:
    with pytest.raises(InputError, match='"double-elimination" needs seats = 2'):
        planned(place, PLAN + 'format = "double-elimination"\n', seats=3)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            'stop = {settled = "letters"}',
            'expected "places", "places 1-N" with N below 3, "beats NAME", "WORSE < BETTER", or '
            '"grades", not "letters"',
        ),
        ('stop = {settled = "places 1-3"}', "with N below 3"),
        ('stop = {settled = "beats nobody"}', 'no bot in this plan has the name "nobody"'),
        ('stop = {settled = "a < nobody"}', 'no bot in this plan has the name "nobody"'),
        ('stop = {settled = "places", error = 2}', "stop.error: expected"),
        ('stop = {settled = "places"}\nformat = "knock-out"', takers("stop")),
        ('stop = {settled = "grades"}', 'stop.scheme: settled = "grades" needs a grading scheme'),
        ('stop = {settled = "places", scheme = "x"}', 'stop.scheme: this needs settled = "grades"'),
        ('stop = {settled = "grades", scheme = "x", error = 0.1}', "stop.error: this does not go with"),
        ('stop = {settled = "grades", scheme = "x"}', "demo.toml:5: stop.scheme: "),
        ('stop = {settled = "grades", scheme = "x"}', "x: there is no such file"),
        ('stop = {settled = "places", budget = 0}', "stop.budget: expected"),
        (
            'format = "gauntlet"\nhouse = ["a"]\nstop = {settled = "places"}',
            'stop.settled: in a gauntlet expected "grades"',
        ),
        ('format = "sprt"', '"sprt" needs a table with two Elo differences: sprt = {elo0 = 0, elo1 = 10}'),
        ("sprt = {elo0 = 0, elo1 = 10}", 'this needs format = "sprt"'),
        ('format = "sprt"\nsprt = {elo0 = 0, elo1 = 10}', '"sprt" needs 2 seats and 2 bots, not 2 and 3'),
    ],
)
def test_a_key_that_does_not_fit_the_end_is_named(place: Path, keys: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(place, PLAN + keys + "\n")
    assert said in str(caught.value)


@pytest.mark.parametrize(("elo0", "elo1"), [(10, 0), (0, 0), (0, 300), (-201, 0)])
def test_the_elo_differences_of_a_test_are_checked(place: Path, elo0: int, elo1: int) -> None:
    two = PLAN.replace(', "c.py"', "") + f'format = "sprt"\nsprt = {{elo0 = {elo0}, elo1 = {elo1}}}\n'
    with pytest.raises(InputError, match="expected more than elo0, and both from -200 to 200"):
        planned(place, two)


def test_a_plan_with_an_end_is_read(place: Path) -> None:
    assert planned(place, PLAN + 'stop = {settled = "beats b"}\n').rerun == "keep"
    two = PLAN.replace(', "c.py"', "") + 'format = "sprt"\nsprt = {elo0 = 0, elo1 = 10}\n'
    assert planned(place, two).sprt is not None
