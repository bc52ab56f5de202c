"""Tests which names bots, tournaments and files may have, and which names look the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.config.names import ALIKE, is_device, looks, strange, unfit
from harness.errors import InputError
from harness.grading.grade_folder import stems
from harness.schedule.plan import read_plan

ALPHABETS = (
    "Анна",
    "Αννα",
    "アンナ",
    "日本のチーム",
    "佐々木",
    "安娜",
    "안나",
    "Zoë",
    "Zoe\u0308",
    "אנה",
    "آنا",
    "अन्ना",
    "ᏣᎳᎩ",
)


@pytest.mark.parametrize(
    "name", [*ALPHABETS, "anna 2", "Team Ω", "β-bot", "a" * 40, "../..", "CON", "x.", "愛 love", "❤\ufe0f"]
)
def test_a_name_of_one_alphabet_in_each_word_is_allowed(name: str) -> None:
    assert unfit(name) == ""


@pytest.mark.parametrize(
    "name", ["", "a" * 41, " a", "a ", "a\n", "a\u200bb", "a\u202eb", "\u00a0", "a\x1b[31m"]
)
def test_a_name_with_characters_that_cannot_be_printed_is_refused(name: str) -> None:
    assert unfit(name).startswith("expected a name of 1 to 40 printable characters, not ")


@pytest.mark.parametrize(
    ("name", "alphabets"),
    [
        ("ann\u0430", "Cyrillic and Latin"),
        ("gr\u0435edy", "Cyrillic and Latin"),
        ("team \u0391nna", "Greek and Latin"),
        ("bo\u0585", "Armenian and Latin"),
        ("\u13aannа".replace("а", "a"), "Cherokee and Latin"),
        ("\uff41\u0430", "Cyrillic and Latin"),
    ],
)
def test_a_word_of_two_alphabets_is_refused(name: str, alphabets: str) -> None:
    assert f"mixes letters of {alphabets}, which look alike; use one alphabet" in unfit(name)


@pytest.mark.parametrize("name", ["\u3164", "\u2800 \u2800", "\ufe0f", "\u115f\u1160"])
def test_a_name_that_shows_nothing_is_refused(name: str) -> None:
    assert "shows nothing" in unfit(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "Anna"),
        ("STRASSE", "straße"),
        ("Zoë", "Zoe\u0308"),
        ("anna", "\uff41nna"),
        ("coco", "\u0441\u043e\u0441\u043e"),
        ("PAX", "\u0420\u0410\u0425"),
        ("Team A", "Team \u0391"),
        ("bot1", "botl"),
        ("I", "l"),
        ("O", "0"),
        ("ma\u017f", "mas"),
        ("an\ufe0fna", "anna"),
        ("a  b", "a b"),
        ("a\u115fb", "ab"),
    ],
)
def test_names_that_look_alike_have_a_form_in_common(one: str, other: str) -> None:
    assert any(mine == other_s for mine, other_s in zip(looks(one), looks(other), strict=True))


@pytest.mark.parametrize(
    ("one", "other"),
    [("anna", "bert"), ("bot1", "bot2"), ("i", "l"), ("bot-i", "bot-l"), ("Mila", "Mlla"), ("a b", "ab")],
)
def test_other_names_have_none(one: str, other: str) -> None:
    assert not any(mine == other_s for mine, other_s in zip(looks(one), looks(other), strict=True))


@given(st.text(max_size=40))
def test_what_looks_alike_stays_so(name: str) -> None:
    """If `looks` gets one of its forms of a name, it returns this form again. So no chain of similar names
    can lead past the check."""
    folded, shape = looks(name)
    assert looks(folded)[0] == folded
    assert looks(shape)[1] == shape


def test_each_letter_of_the_table_is_one_that_looks_like_ascii() -> None:
    assert all(not chr(sign).isascii() and chr(letter).isascii() for sign, letter in ALIKE.items())


@pytest.mark.parametrize(
    "name", ["CON", "con", "Nul", "com1", "LPT9", "aux.txt", "PRN .tar.gz", "com\u00b9", "CONIN$"]
)
def test_the_names_of_devices_are_known(name: str) -> None:
    assert is_device(name)


@pytest.mark.parametrize("name", ["CONS", "com", "com10", "con-1", "my con", "LPT", "anna"])
def test_other_names_are_no_devices(name: str) -> None:
    assert not is_device(name)


def test_strange_characters_are_told_by_number() -> None:
    assert strange("ann\u0430 \U0001f600") == "U+0430 U+1F600"
    assert strange("anna") == ""


# -- plans -----------------------------------------------------------------------------------------


def complaint(folder: Path, *bots: str, name: str = "demo") -> str:
    """The error message for a plan with these bots. The first bot is in line 4 of the plan."""
    for number in range(len(bots)):
        (folder / f"{number}.py").write_text("")
    listed = "\n".join(f'  {{ path = "{number}.py", name = "{bot}" }},' for number, bot in enumerate(bots))
    plan = folder / "plan.toml"
    plan.write_text(f'game = "squash"\nname = "{name}"\nbots = [\n{listed}\n]\nseats = 2\n')
    with pytest.raises(InputError) as caught:
        read_plan(plan)
    return str(caught.value).replace(str(folder) + "/", "")


def test_two_bots_of_a_plan_may_not_look_alike(tmp_path: Path) -> None:
    assert complaint(tmp_path, "coco", "\u0441\u043e\u0441\u043e") == (
        'plan.toml:5: bots: two names look alike, "coco" and "\u0441\u043e\u0441\u043e" '
        "(with U+0441 U+043E U+0441 U+043E): "
        '0.py (line 4) and 1.py; give one of them another name: {path = "...", name = "..."}'
    )
    assert 'two names look alike, "Anna" and "anna": ' in complaint(tmp_path, "Anna", "bert", "anna")


def test_a_bot_of_a_plan_may_not_mix_alphabets(tmp_path: Path) -> None:
    assert 'plan.toml:5: bots.name: the word "ann\u0430" mixes letters of Cyrillic' in complaint(
        tmp_path, "b", "ann\u0430"
    )


@pytest.mark.parametrize("name", ["CON", "nul", "com3"])
def test_a_tournament_may_not_have_the_name_of_a_device(tmp_path: Path, name: str) -> None:
    said = complaint(tmp_path, "a", "b", name=name)
    device = f'"{name}" is a device on some systems and cannot be a folder; choose another name'
    assert said == f"plan.toml:2: name: {device}"


# -- names of files --------------------------------------------------------------------------------


def test_the_names_of_files_stay_in_their_folder_and_are_no_devices() -> None:
    assert stems(["../..", "CON", "nul.txt", "a/b", "a b", "A-B", "com1", "-", "..", "anna", "x."]) == {
        "../..": "team",
        "CON": "team-CON",
        "nul.txt": "nul-txt",
        "a/b": "a-b",
        "a b": "a-b-2",
        "A-B": "A-B-3",
        "com1": "team-com1",
        "-": "team-2",
        "..": "team-3",
        "anna": "anna",
        "x.": "x",
    }


def test_a_name_with_umlauts_and_accents_stays_readable_as_the_name_of_a_file() -> None:
    found = stems(["Größe 7", "Groesse-7", "Zoë", "Łódź", "Smørrebrød", "e\u0301cole", "日本"])
    assert list(found.values()) == [
        "Groesse-7",
        "Groesse-7-2",
        "Zoe",
        "Lodz",
        "Smoerrebroed",
        "ecole",
        "team",
    ]


@given(st.lists(st.text(min_size=1, max_size=40), unique=True, max_size=8))
def test_any_names_become_names_of_files_that_differ_on_every_system(names: list[str]) -> None:
    found = list(stems(names).values())
    assert len({stem.lower() for stem in found}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]*", stem) for stem in found)
    assert not any(map(is_device, found))
