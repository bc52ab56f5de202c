"""Tests that fingerprints stay the same if a copy is disguised, and that they differ between programs."""

import re
from pathlib import Path

import pytest

from harness.league.fingerprints import GRAM, fingerprints, is_source, tokens

ALIKE = Path(__file__).parent / "alike"
ALPHA = (ALIKE / "alpha.txt").read_text()


def marks(text: str, name: str = "main.py") -> set[int]:
    return set(fingerprints({name: text}))


def share(one: str, two: str) -> float:
    return len(marks(one) & marks(two)) / min(len(marks(one)), len(marks(two)))


def test_names_numbers_texts_comments_and_spaces_do_not_count() -> None:
    dressed = re.sub(r"\b(value|best|total|chosen|highest|worth)\b", r"my_\1", ALPHA)
    dressed = re.sub(r"\b(10007|31|7)\b", "99", dressed).replace('"hello"', "'good day'")
    dressed = "# My own work.\n\n" + dressed.replace("\n\n", "\n\n# Next.\n\n")
    assert dressed != ALPHA
    assert marks(dressed) == marks(ALPHA)


def test_brackets_and_separators_do_not_count() -> None:
    plain = "if (x) y = 2 * x; while (y > f(x, 1)) y--;"
    assert len(marks(plain, "main.c")) == len(tokens("main.c", plain)) - GRAM + 1
    dressed = "if (x) { y = (2 * x); } while ((y > f(x, 1,))) { y--; }"
    assert marks(dressed, "main.c") == marks(plain, "main.c")
    assert marks("texts = [f('a'), 'b', 'c'] + x * y - z") == marks("texts = f(('a'), 'b', 'c',) + x * y - z")
    assert marks("texts = ['a', 'b', 'c'] + x * y - z % 2") != marks("texts = ['abc'] + x * y - z % 2")


def test_a_program_with_other_names_and_another_order_of_functions_is_found() -> None:
    assert share(ALPHA, (ALIKE / "renamed.txt").read_text()) > 0.7


def test_a_program_by_another_hand_shares_little() -> None:
    assert share(ALPHA, (ALIKE / "honest.txt").read_text()) < 0.1


def test_equal_tokens_of_the_promised_length_always_share_a_fingerprint() -> None:
    common = " ".join(f"a {sign} b ;" for sign in ("+", "-", "*", "/"))
    assert len(tokens("main.c", common)) == GRAM
    before, after = "if (x) { y = 1; } " * 3, "while (z) z--; " * 3
    assert marks(before + common, "main.c") & marks(common + after, "main.c")


def test_a_fingerprint_knows_its_lines() -> None:
    found = fingerprints({"main.py": "\n\n" + ALPHA})
    lines = [each for places in found.values() for each in places]
    assert {each.file for each in lines} == {"main.py"}
    assert min(each.first for each in lines) >= 3
    assert all(each.first <= each.last <= 2 + ALPHA.count("\n") for each in lines)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("main.py", True),
        ("Bot.java", True),
        ("BOT.PY", True),
        ("bot.toml", False),
        ("notes.txt", False),
        ("bot", False),
    ],
)
def test_only_files_with_code_are_compared(name: str, source: bool) -> None:
    assert is_source(name) == source
    assert bool(tokens(name, "x = f(1)")) == source


def test_a_file_that_is_not_utf_8_has_fingerprints() -> None:
    latin = "größe = 1\n".encode("latin-1").decode("utf-8", "surrogateescape")
    assert marks(latin + ALPHA) > marks(ALPHA)


def test_a_short_program_has_no_fingerprints() -> None:
    assert marks("print(1)\n") == set()
