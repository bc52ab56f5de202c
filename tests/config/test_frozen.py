"""Tests plans on record, and the report of changes that were made since the tournament began."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harness import __version__
from harness.config import FrozenPlan, Plan, differences, digest, encoded, freeze, thaw
from harness.config.frozen import LEFT_OUT
from harness.config.sources import digest_of_files
from harness.errors import InputError, VersionError
from harness.model import Limits
from harness.schedule.plan import read_plan, without
from tests.schedule.test_plan import GAME

PLAN = """
game = "tiny.py"
seats = 2
bots = ["a.py", "b.py", "built"]
[options]
weights.A = [1, 2]
[limits]
move_ms = 1000
[chance]
deal = ["c2", "c0", "c1"]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a game, bots and a plan."""
    (tmp_path / "tiny.py").write_text(GAME)
    (tmp_path / "a.py").write_text("")
    (tmp_path / "b.py").write_text("")
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "bot.toml").write_text('run = "./bot"\nbuild = "make"')
    return tmp_path


def planned(place: Path, change: Callable[[str], str] = str, **flags: object) -> Plan:
    (place / "demo.toml").write_text(change(PLAN))
    return read_plan(place / "demo.toml", **flags)


def frozen(place: Path, change: Callable[[str], str] = str, **flags: object) -> FrozenPlan:
    return freeze(planned(place, change, **flags), 7)


def swapped(old: str, new: str) -> Callable[[str], str]:
    assert old in PLAN
    return lambda text: text.replace(old, new)


def test_a_plan_on_record_is_read_back_as_it_was(place: Path) -> None:
    assert thaw(encoded(frozen(place))) == frozen(place)


def test_the_record_spells_out_what_the_plan_left_to_defaults(place: Path) -> None:
    record = json.loads(encoded(frozen(place)))
    assert record["limits"] == msgspec.structs.asdict(Limits())
    assert record["options"] == {
        "board": "small",
        "speed": 1.0,
        "caps": [1],
        "weights": {"A": [1, 2]},
        "cards": 3,
    }
    assert (record["policy"], record["meet"], record["rounds"]) == ("disqualify", 1, None)
    assert (record["harness"], record["text"]) == (__version__, PLAN)
    assert record["game"] == {
        "name": "tiny",
        "version": 1,
        "find": str((place / "tiny.py").resolve()),
        "digest": digest_of_files([place / "tiny.py"]),
    }
    assert record["bots"][2] == {
        "name": "built",
        "path": "built",
        "digest": planned(place).bots[2].digest,
        "run": ["./bot"],
        "build": ["make"],
        "language": "",
    }


def test_keys_that_few_plans_have_are_left_out_of_the_others(place: Path) -> None:
    found = json.loads(encoded(frozen(place)))
    assert found["deal"] == "fresh"
    assert LEFT_OUT.intersection(found) == {"deal"}
    by_wins = frozen(place, lambda text: f'order = "wins"\n{text}')
    assert json.loads(encoded(by_wins))["order"] == "wins"
    assert thaw(encoded(by_wins)).order == "wins"


def test_the_record_names_the_editions_that_its_matches_and_rounds_follow(place: Path) -> None:
    def editions(change: Callable[[str], str] = str) -> dict[str, int]:
        record = json.loads(encoded(frozen(place, change)))
        return {name: record[name] for name in ("rulings", "knock_outs") if name in record}

    def staged(text: str) -> str:
        return (
            f'{text}\n[[stage]]\nformat = "swiss"\nrounds = 1\nthrough = 2\n[[stage]]\nformat = "knock-out"'
        )

    assert editions() == {"rulings": 2}
    assert editions(lambda text: f'format = "knock-out"\n{text}') == {"rulings": 2, "knock_outs": 2}
    assert editions(staged) == {"rulings": 2, "knock_outs": 2}


@pytest.mark.parametrize(
    ("old", "new"),
    [('  "rulings": 2,\n', ""), ('"rulings": 2', '"rulings": 1')],
)
def test_a_record_of_other_editions_is_of_an_older_version(place: Path, old: str, new: str) -> None:
    data = encoded(frozen(place)).decode()
    assert old in data
    with pytest.raises(VersionError, match=r"^logs/plan\.json: an older version of harness made this record"):
        thaw(data.replace(old, new).encode(), "logs/plan.json")


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        ("0.1.0", "0.1.9", ""),
        ("0.1.0", "0.2.0", "version 0.2.0 of harness wrote this record, and this is version 0.1.0"),
        ("1.0.0", "0.1.0", "an older version of harness made this record before version 1.0"),
        ("1.3.0", "1.0.0", ""),
        ("1.3.0", "2.0.0", "install version 2.0.0 to judge the record"),
    ],
)
def test_each_version_from_1_0_on_reads_what_another_one_of_its_series_wrote(
    place: Path, monkeypatch: pytest.MonkeyPatch, here: str, there: str, told: str
) -> None:
    plan = msgspec.structs.replace(frozen(place), harness=there)
    monkeypatch.setattr("harness.config.frozen.__version__", here)
    with pytest.raises(VersionError, match=told) if told else nullcontext():
        assert thaw(encoded(plan)) == plan


def test_the_bytes_are_sorted_and_end_with_a_newline(place: Path) -> None:
    data = encoded(frozen(place))
    keys = list(json.loads(data))
    assert keys == sorted(keys)
    assert data.startswith(b'{\n  "bots": [')
    assert data.endswith(b"}\n")
    assert digest(frozen(place)) == sha256(data).hexdigest()


def test_the_record_does_not_depend_on_workers(place: Path) -> None:
    assert encoded(frozen(place, workers=1)) == encoded(frozen(place, workers=2, at_once=3))


def test_a_seed_is_the_plans_own_or_the_one_drawn(place: Path) -> None:
    assert freeze(planned(place), 5).seed == 5
    assert freeze(planned(place, seed=3), 5).seed == 3


def test_a_long_seed_is_on_record_as_text_for_readers_that_know_only_doubles(place: Path) -> None:
    seed = 2**127 + 1
    data = encoded(freeze(planned(place), seed))
    assert json.loads(data)["seed"] == f"8{'0' * 30}1"
    assert thaw(data).seed == seed
    assert encoded(thaw(data)) == data
    for short in (0, 2**63 - 1):
        assert json.loads(encoded(freeze(planned(place), short)))["seed"] == short


def test_a_seed_on_record_that_is_no_seed_is_an_error(place: Path) -> None:
    data = encoded(freeze(planned(place), 2**127))
    for wrong in (b"8" * 31, b"G" * 32):
        with pytest.raises(InputError, match="this is not a plan on record, or it is damaged"):
            thaw(data.replace(b"8" + b"0" * 31, wrong))


def test_options_on_record_are_the_games_options_again(place: Path) -> None:
    plan = planned(place)
    assert msgspec.convert(freeze(plan, 1).options, plan.rules.options) == plan.options


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"a": 1}', b"[" * 100_000, b"null"])
def test_a_damaged_record_is_told(data: bytes) -> None:
    with pytest.raises(
        InputError, match=r"^logs/plan\.json: this is not a plan on record, or it is damaged: "
    ):
        thaw(data, "logs/plan.json")


@given(at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_a_record_with_one_byte_changed_is_another_or_a_complaint(
    tmp_path_factory: pytest.TempPathFactory, at: float, byte: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "one-byte"
    if not folder.exists():
        folder.mkdir()
        (folder / "tiny.py").write_text(GAME)
        (folder / "a.py").write_text("")
        (folder / "demo.toml").write_text(
            'game = "tiny.py"\nseats = 2\nbots = ["a.py", {path="a.py", name="b"}]'
        )
    data = bytearray(encoded(freeze(read_plan(folder / "demo.toml"), 1)))
    whole = bytes(data)
    data[int(at * len(data))] = byte
    try:
        read = encoded(thaw(bytes(data)))
    except InputError:
        return
    assert read != whole or b"".join(data.split()) == b"".join(whole.split())


# -- what has changed ------------------------------------------------------------------------------


def test_nothing_differs_where_nothing_that_counts_has_changed(place: Path) -> None:
    old = frozen(place)
    (place / "built" / "bot").write_text("built")
    assert differences(old, frozen(place, lambda text: f"# a remark\nworkers = 3\n{text}")) == ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("move_ms = 1000", "move_ms = 500", "limits.move_ms: 1000 -> 500"),
        ("[1, 2]", "[1, 3]", "options.weights.A: [1, 2] -> [1, 3]"),
        ("weights.A = [1, 2]", 'board = "large"', 'options.board: "small" -> "large"'),
        ('"c2", "c0"', '"c0", "c2"', 'chance.deal: ["c2", "c0", "c1"] -> ["c0", "c2", "c1"]'),
        ("seats = 2", "seats = 3", "seats: 2 -> 3"),
        ("seats = 2", "seats = 2\nrounds = 4", "rounds: nothing -> 4"),
        ("seats = 2", 'seats = 2\nname = "x"', 'name: "demo" -> "x"'),
        ("seats = 2", "seats = 2\nponder = true", "ponder: false -> true"),
        ("seats = 2", 'seats = 2\norder = "wins"', 'order: nothing -> "wins"'),
        ("seats = 2", "seats = 2\nseed = 8", "seed: 7 -> 8"),
        ('"b.py"', '{path = "b.py", name = "c"}', "bot b: is no longer in the plan"),
        ('"b.py"', '{path = "b.py", name = "c"}', "bot c: is new in the plan"),
        ('"a.py", "b.py"', '"b.py", "a.py"', "bots: their order changed"),
    ],
)
def test_what_has_changed_in_a_plan_is_told(place: Path, old: str, new: str, told: str) -> None:
    before = frozen(place)
    assert told in differences(before, freeze(planned(place, swapped(old, new)), before.seed))


def test_only_what_has_changed_is_told(place: Path) -> None:
    before = frozen(place)
    after = frozen(place, swapped("move_ms = 1000", "move_ms = 500"))
    assert differences(before, after) == ("limits.move_ms: 1000 -> 500",)


def test_a_seed_that_the_plan_does_not_name_is_no_difference(place: Path) -> None:
    before = freeze(planned(place, seed=3), 0)
    assert differences(before, freeze(planned(place), before.seed)) == ()


def test_a_bot_whose_files_changed_is_told(place: Path) -> None:
    before = frozen(place)
    (place / "a.py").write_text("better")
    (place / "built" / "bot.c").write_text("better")
    assert differences(before, frozen(place)) == (
        "bot a: its files changed",
        "bot built: its files changed; if the build made these files, name them in `products` in bot.toml",
    )


def test_another_version_of_a_team_is_told_by_its_path(place: Path) -> None:
    before = frozen(place)
    bots = tuple(replace(bot, path="x/4/files", digest="other") if bot.build else bot for bot in before.bots)
    old = next(bot.path for bot in before.bots if bot.build)
    assert differences(before, replace(before, bots=bots)) == (f"bot built: {old} -> x/4/files",)


def test_a_bot_that_is_run_in_another_way_is_told(place: Path) -> None:
    before = frozen(place)
    (place / "built" / "bot.toml").write_text('run = "python3 bot.py"')
    told = differences(before, frozen(place))
    assert "bot built: run: ./bot -> python3 bot.py" in told
    assert "bot built: build: make -> nothing" in told


def test_a_game_whose_rules_changed_is_told(place: Path) -> None:
    before = frozen(place)
    (place / "tiny.py").write_text(GAME + "# a remark\n")
    assert differences(before, frozen(place)) == ("game tiny: its files changed",)


def test_the_order_that_the_game_names_is_on_record(place: Path) -> None:
    assert "order" not in json.loads(encoded(frozen(place)))["game"]
    (place / "tiny.py").write_text(GAME.replace("    seats = ", '    order = "wins"\n    seats = '))
    ordered = frozen(place)
    assert (ordered.order, ordered.game.order) == (None, "wins")
    assert thaw(encoded(ordered)) == ordered


def test_a_game_that_is_a_package_is_all_that_lies_in_it_but_its_page(place: Path) -> None:
    (place / "tiny").mkdir()
    (place / "tiny" / "__init__.py").write_text(GAME)
    package = swapped('"tiny.py"', '"./tiny"')
    before = frozen(place, package)
    (place / "tiny" / "tiny.md").write_text("# Tiny")
    assert differences(before, frozen(place, package)) == ()
    for name in ("board.py", "board.json"):
        (place / "tiny" / name).write_text("{}")
        assert differences(before, frozen(place, package)) == ("game tiny: its files changed",)
        (place / "tiny" / name).unlink()


def test_a_package_counts_whole_if_its_game_is_defined_in_an_inner_file(place: Path) -> None:
    (place / "tiny").mkdir()
    (place / "tiny" / "__init__.py").write_text("from .rules import GAME\n")
    (place / "tiny" / "rules.py").write_text(GAME)
    package = swapped('"tiny.py"', '"./tiny"')
    before = frozen(place, package)
    (place / "tiny" / "board.json").write_text("{}")
    assert differences(before, frozen(place, package)) == ("game tiny: its files changed",)


def test_another_version_of_a_game_is_told(place: Path) -> None:
    before = frozen(place)
    (place / "tiny.py").write_text(GAME.replace('name = "tiny"', 'name = "tiny"\n    version = 2'))
    assert differences(before, frozen(place)) == ("game tiny: version 1 -> 2",)
    (place / "tiny.py").write_text(GAME.replace('name = "tiny"', 'name = "huge"'))
    assert differences(before, frozen(place)) == ("game: tiny -> huge",)


def test_another_version_of_the_harness_is_told(place: Path) -> None:
    before = msgspec.structs.replace(frozen(place), harness="0.0.1")
    assert differences(before, frozen(place)) == (f'harness: "0.0.1" -> "{__version__}"',)


def test_a_bot_that_was_left_out_is_told(place: Path) -> None:
    plan = planned(place)
    assert differences(freeze(plan, 1), freeze(without(plan, ["b"]), 1)) == (
        "bot b: is no longer in the plan",
    )
