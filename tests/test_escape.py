"""Owns the tests of how foreign text is shown: it controls no terminal or page, and stays readable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.escape import (
    WIDTH,
    count_of,
    count_on_record,
    fitted,
    fitted_name,
    grouped,
    in_csv,
    in_markdown,
    in_order,
    isolated,
    last_lines,
    shown,
    text_table,
    width_of,
)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("", ""),
        ("plain-bot 2", "plain-bot 2"),
        ("Ünïcödé 棋", "Ünïcödé 棋"),
        ("red\x1b[31m", r"red\x1b[31m"),
        ("two\nlines\ttab\r", r"two\nlines\ttab\r"),
        ("c1 \x9b31m", r"c1 \x9b31m"),
        ("\u202edrawkcab", r"\u202edrawkcab"),
        ("half \ud83d", r"half \ud83d"),
        ("wide\u2003space\x00", r"wide\u2003space\x00"),
        ("back\\slash", "back\\slash"),
    ],
)
def test_what_is_no_visible_character_is_shown_as_an_escape(text: str, seen: str) -> None:
    assert shown(text) == seen


@given(st.text())
def test_what_is_shown_is_visible_and_shown_again_the_same(text: str) -> None:
    assert shown(text).isprintable()
    assert shown(shown(text)) == shown(text)


@given(st.text(), st.integers(3, 30))
def test_what_is_fitted_fits_and_says_so_when_it_was_cut(text: str, width: int) -> None:
    cut = fitted(text, width)
    assert len(cut) <= width
    assert width_of(cut) <= width
    assert cut == shown(text) or (cut.endswith("...") and shown(text).startswith(cut[:-3]))


def test_markdown_takes_nothing_of_it_for_its_own() -> None:
    assert in_markdown("a|b *c* <d> [e](f)\n") == r"a\|b \*c\* \<d\> \[e\](f)\\n"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1"])
def test_a_spreadsheet_runs_no_formula(text: str) -> None:
    assert in_csv(text) == f"'{text}"


def test_a_spreadsheet_shows_other_text_as_it_is() -> None:
    assert in_csv("a-b=c") == "a-b=c"
    assert in_csv("\t=1") == r"\t=1"


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(1, "bot", "1 bot"), (0, "bot", "0 bots"), (1, "match", "1 match"), (3, "more match", "3 more matches")],
)
def test_a_number_has_its_noun_in_the_singular_or_the_plural(number: int, noun: str, text: str) -> None:
    assert count_of(number, noun) == count_on_record(number, noun) == text


def test_digits_are_in_groups_for_people_but_not_in_a_text_that_verify_compares() -> None:
    assert (grouped(999), grouped(2_568), grouped(1_234_567.125)) == ("999", "2,568", "1,234,567.12")
    assert count_of(4_608, "match") == "4,608 matches"
    assert count_on_record(1_225, "claim") == "1225 claims"


@pytest.mark.parametrize("version", ["@1", "@12", "@@3"])
def test_a_name_is_cut_before_its_version(version: str) -> None:
    cut = fitted_name(f"Sieben auf einen Streich{version}", 20)
    assert (len(cut), cut.startswith("Sieben auf"), cut.endswith(f"...{version}")) == (20, True, True)
    assert fitted_name(f"red{version}", 20) == f"red{version}"
    assert fitted_name("red\x1b@2", 20) == "red\\x1b@2"


def test_a_long_line_of_stderr_is_cut_and_says_how_long_it_was() -> None:
    seen = last_lines(f"begins\n{'x' * 9_000}\nKeyError: 'x'\n")
    assert seen == f"begins\n{'x' * 177} ... (9,000 characters)\nKeyError: 'x'\n"
    assert last_lines(seen) == seen


def test_of_many_lines_of_stderr_the_last_are_shown() -> None:
    assert last_lines("a line\n" * 1_000, 14) == "a line\na line\n"


NAMES = (
    "anna",
    "\U0001f916 bot",
    "\u68cb\u58eb",
    "\U0001f1e9\U0001f1ea",
    "\U0001f44d\U0001f3fd",
    "e\u0301mile",
)
"""Names with letters that take two columns of a terminal, or none."""
PADDED = ("anna  ", "\U0001f916 bot", "\u68cb\u58eb  ", f"{NAMES[3]}    ", f"{NAMES[4]}    ", "e\u0301mile ")


def test_wide_letters_move_no_column_of_a_table() -> None:
    rows = [(name, number, "x") for number, name in enumerate(NAMES, 7)]
    head, dashes, *lines = text_table(("bot", "sum", "end"), rows, {"sum"}).splitlines()
    assert (head, dashes) == ("bot     sum  end", "------  ---  ---")
    assert lines == [f"{name}  {number:>3}  x" for number, name in enumerate(PADDED, 7)]


def test_a_last_column_of_wide_letters_is_broken_at_the_edge_of_the_screen() -> None:
    _, dashes, *lines = text_table(("a", "b"), [("1", "\u68cb" * 100)]).splitlines()
    assert WIDTH - 1 <= len(dashes) <= WIDTH
    assert WIDTH - 2 <= max(map(width_of, lines)) <= WIDTH
    assert "".join(lines).replace(" ", "") == "1" + "\u68cb" * 100


def test_a_table_may_have_more_wide_letters_than_unicode_has_private_characters() -> None:
    head, _, *lines = text_table(("a", "b"), [("\u68cb" * 300, "x")] * 500).splitlines()
    assert (head, {*lines}) == (f"a{' ' * 599}  b", {"\u68cb" * 300 + "  x"})


@pytest.mark.parametrize("text", ["\u68cb" * 9, "\U0001f916" * 9, "a\u68cb" * 9])
def test_wide_letters_are_cut_by_their_columns(text: str) -> None:
    assert width_of(fitted(text, 12)) in (11, 12)
    assert fitted(text, 40) == text


ALEF, BET = "\u05d0\u05dc\u05d5\u05e3", "\u05d1\u05d5\u05d8"
KEPT_ALEF, KEPT_BET = f"\u2068{ALEF}\u2069", f"\u2068{BET}\u2069"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (f"{ALEF} 7, {BET} 9", f"{KEPT_ALEF} 7, {KEPT_BET} 9"),
        (f"{ALEF}-7 beat {BET}@2", f"{KEPT_ALEF}-7 beat {KEPT_BET}@2"),
        (f"{ALEF} {BET}: 7", f"\u2068{ALEF} {BET}\u2069: 7"),
        (f"{ALEF}  {BET}  7", f"{KEPT_ALEF}  {KEPT_BET}  7"),
        (f"{ALEF}'s 7, anna's {BET}", f"{KEPT_ALEF}'s 7, anna's {KEPT_BET}"),
        ("anna 7, \u68cb 9", "anna 7, \u68cb 9"),
    ],
)
def test_words_from_right_to_left_leave_all_other_words_of_a_line_in_their_order(
    text: str, seen: str
) -> None:
    assert in_order(text) == seen


@pytest.mark.parametrize(
    "text", [f"'{ALEF}' is not there", f"write `check {BET}`", f"bots/{ALEF}/x:7: wrong"]
)
def test_text_that_a_user_may_copy_gets_no_marks(text: str) -> None:
    assert in_order(text) == text


@pytest.mark.parametrize("name", ["\u05d1\u05d5\u05d8", "\u0628\u0637\u0644", "a \u05d0"])
def test_only_a_name_from_right_to_left_is_isolated(name: str) -> None:
    assert isolated(name) == f"\u2068{name}\u2069"
    assert isolated("anna 7") == "anna 7"
