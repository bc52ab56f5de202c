"""Tests which versions of which teams look alike, and how they are exported."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.league import fingerprints as reading
from harness.league import similar
from harness.league.entries import Receipt
from harness.league.fingerprints import fingerprints
from harness.league.similar import (
    Program,
    copies,
    house_program,
    known_marks,
    marked_lines,
    pairs,
    program,
    sources_of,
)
from harness.league.similar_export import export
from tests.league.handed import PLAYS, a_folder

ALIKE = Path(__file__).parent / "alike"
TEXTS = {path.stem: path.read_text() for path in ALIKE.iterdir()}
SHORT = (Path(__file__).parents[2] / "bots" / "sevens" / "greedy" / "main.py").read_text()
"""The program of a bot that is as short as the shortest bots of teams."""
SHORT_RENAMED = """# My own bot.
from random import Random as Dice
from game import Move, Table, converse

def my_choice(state: Table, dice: Dice) -> Move:
    legal = state.moves()
    # The best one.
    top = max((one.claim for one in legal))
    return dice.choice([one for one in legal if one.claim == top])

if __name__ == '__main__': converse(my_choice)
"""
SHORT_HONEST = """from random import Random

from game import Move, Table, converse


def choose(table: Table, random: Random) -> Move:
    return random.choice(table.moves())


if __name__ == "__main__":
    converse(choose)
"""


def a_program(
    home: Path, team: str, text: str, version: int = 1, term: str = "", name: str = "main.py"
) -> Program:
    folder = a_folder(home / f"{term}{team}{version}", {name: text, "bot.toml": "x"})
    receipt = Receipt(team=team, version=version, digest=team, source="", collected="2026-11-28T10:00")
    return program(team, receipt, term, folder)


def found(programs: list[Program], known: frozenset[int] = frozenset()) -> dict[str, bool]:
    return {f"{pair.one.name} {pair.two.name}": pair.looks_alike for pair in pairs(programs, known)}


def test_equal_and_renamed_programs_look_alike_and_an_honest_one_does_not(tmp_path: Path) -> None:
    one = a_program(tmp_path, "ants", TEXTS["alpha"])
    equal = a_program(tmp_path, "bees", TEXTS["alpha"], name="bot.py")
    renamed = a_program(tmp_path, "cats", TEXTS["renamed"])
    honest = a_program(tmp_path, "dogs", TEXTS["honest"])
    assert found([one, equal, renamed, honest]) == {
        "ants@1 bees@1": True,
        "ants@1 cats@1": True,
        "bees@1 cats@1": True,
        "ants@1 dogs@1": False,
        "bees@1 dogs@1": False,
        "cats@1 dogs@1": False,
    }
    [first, *_] = pairs([one, equal, renamed, honest], frozenset())
    assert (first.equal, first.share) == (True, 1.0)


def test_the_most_similar_versions_of_two_teams_are_the_evidence(tmp_path: Path) -> None:
    old = a_program(tmp_path, "ants", TEXTS["alpha"])
    new = a_program(tmp_path, "ants", TEXTS["honest"], version=2)
    other = a_program(tmp_path, "bees", TEXTS["renamed"])
    assert found([old, new, other]) == {"ants@1 bees@1": True}


def test_earlier_terms_are_compared_only_with_this_term(tmp_path: Path) -> None:
    now = a_program(tmp_path, "ants", TEXTS["alpha"])
    before = [a_program(tmp_path, team, TEXTS["renamed"], term="2025") for team in ("bees", "cats")]
    assert found([now, *before]) == {"ants@1 bees@1 (2025)": True, "ants@1 cats@1 (2025)": True}


def test_what_everybody_has_does_not_count(tmp_path: Path) -> None:
    one, two = (a_program(tmp_path, team, TEXTS["alpha"]) for team in ("ants", "bees"))
    known = known_marks([a_folder(tmp_path / "house", {"main.py": TEXTS["alpha"]})])
    assert found([one, two], known) == {"ants@1 bees@1": False}
    given = [a_program(tmp_path, team, TEXTS["renamed"]) for team in "cdefghijkl"]
    assert not any(found(given).values()), "the code of more than half of ten teams comes from the course"
    assert all(found(given[:3]).values())


def test_a_copy_of_a_house_bot_is_found_beside_this_bot(tmp_path: Path) -> None:
    house = [
        house_program(a_folder(tmp_path / "house" / name, {"main.py": TEXTS[text]}))
        for name, text in (("greedy", "alpha"), ("planner", "honest"))
    ]
    teams = [a_program(tmp_path, "ants", TEXTS["renamed"]), a_program(tmp_path, "bees", SHORT)]
    looks = {(pair.one.name, pair.two.name): pair.looks_alike for pair in copies(teams, house, frozenset())}
    assert looks["ants@1", "greedy (house bot)"]
    assert [pair for pair, alike in looks.items() if alike] == [("ants@1", "greedy (house bot)")]
    known = known_marks([tmp_path / "house" / "greedy"])
    assert not any(pair.looks_alike for pair in copies(teams, house, known)), "a starter is nobody's secret"


def test_a_copy_of_a_short_program_is_found_and_another_short_program_is_not(tmp_path: Path) -> None:
    texts = {"ants": SHORT, "bees": SHORT_RENAMED, "cats": SHORT_HONEST}
    teams = [a_program(tmp_path, team, text) for team, text in texts.items()]
    assert found(teams) == {"ants@1 bees@1": True, "ants@1 cats@1": False, "bees@1 cats@1": False}


def test_a_file_that_two_house_bots_share_is_for_everybody(tmp_path: Path) -> None:
    library = {"game.py": TEXTS["honest"]}
    house = [
        house_program(a_folder(tmp_path / "house" / name, {"main.py": text, **library}))
        for name, text in (("greedy", SHORT), ("random", SHORT_HONEST))
    ]
    receipt = Receipt(team="ants", version=1, digest="ants", source="", collected="")
    own = a_folder(tmp_path / "own", {"main.py": TEXTS["alpha"], **library})
    copy = a_folder(tmp_path / "copy", {"main.py": SHORT_RENAMED, **library})
    # A league may name a house bot that its game has already.
    twice = [*house, *house]
    [pair] = copies([program("ants", receipt, "", own)], twice, frozenset())
    assert not pair.looks_alike
    [pair] = copies([program("ants", receipt, "", copy)], twice, frozenset())
    assert pair.looks_alike
    assert pair.two.name == "greedy (house bot)"


def test_hand_ins_without_source_are_equal_if_their_receipts_say_so(tmp_path: Path) -> None:
    receipts = [Receipt(team=team, version=1, digest="same", source="", collected="") for team in "ab"]
    folders = [a_folder(tmp_path / team, {"bot.jar": "x", "bot.toml": "x"}) for team in "ab"]
    made = [program(each.team, each, "", path) for each, path in zip(receipts, folders, strict=True)]
    assert found(made) == {"a@1 b@1": True}


def test_a_long_program_is_compared_without_its_largest_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LONGEST", len(TEXTS["alpha"]) + 10)
    own = a_folder(tmp_path / "own", {"main.py": TEXTS["alpha"], "long.py": TEXTS["alpha"] + "# Padding."})
    made = program("ants", Receipt(team="ants", version=1, digest="a", source="", collected=""), "", own)
    assert made.left_out == ("long.py",)
    assert made.marks == frozenset(fingerprints({"main.py": TEXTS["alpha"]}))
    assert [name for name, _ in marked_lines(made, made.marks)] == ["main.py"]


def test_a_program_that_takes_too_long_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For this text in Java, the time that the library needs grows with the square of the text's length."""
    monkeypatch.setattr(similar, "PATIENCE", 0.05)
    made = a_program(tmp_path, "ants", "a " * 5_000, name="Main.java")
    assert (made.left_out, made.marks) == (("Main.java",), frozenset())


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    folder = a_folder(tmp_path / "bot", {"main.py": PLAYS})
    (folder / "secret.py").symlink_to("/etc/passwd")
    assert sources_of(folder) == {}


def test_the_common_lines_are_marked(tmp_path: Path) -> None:
    one = a_program(tmp_path, "ants", "import os\n\n\n" + TEXTS["alpha"])
    [(name, lines)] = marked_lines(one, frozenset(fingerprints({"x.py": TEXTS["renamed"]})))
    assert name == "main.py"
    assert lines[0] == ("import os", False)
    assert sum(common for _, common in lines) > 20


def test_an_export_has_what_jplag_and_dolos_expect(tmp_path: Path) -> None:
    now = a_program(tmp_path, "ants", TEXTS["alpha"])
    before = a_program(tmp_path, "bees", TEXTS["renamed"], term="2025")
    base = a_folder(tmp_path / "random", {"main.py": PLAYS})
    export([now, before], [base], tmp_path / "out")
    written: Mapping[str, str] = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_text()
        for path in (tmp_path / "out").rglob("*.*")
        if path.is_file()
    }
    assert {*written} == {
        "jplag/submissions/ants-1/main.py",
        "jplag/old/bees-1--2025/main.py",
        "jplag/base/1-random/main.py",
        "dolos/ants-1/main.py",
        "dolos/bees-1--2025/main.py",
        "dolos/info.csv",
    }
    assert written["dolos/info.csv"].splitlines() == [
        "filename,label,created_at,full_name",
        "ants-1/main.py,ants,2026-11-28T10:00,ants@1",
        "bees-1--2025/main.py,2025,2026-11-28T10:00,bees@1 (2025)",
    ]
    with pytest.raises(InputError, match="there is such a folder already"):
        export([now], [], tmp_path / "out")
