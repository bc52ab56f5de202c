"""Tests the page of programs that look alike: what it shows, and that code cannot become part of the page."""

from harness.report.similar_page import MOST_LINES, CodeFile, CodeLine, LookHere, similar_page


def a_side(text: str = "x = 1", lines: int = 1) -> list[CodeFile]:
    return [CodeFile("main.py", [CodeLine(number, text, common=True) for number in range(1, lines + 1)])]


def test_a_page_has_the_evidence_and_both_programs() -> None:
    page = similar_page("Alike", [LookHere("ants@1", "bees@2", ["Equal."], (a_side(), a_side("y = 2")))], [])
    for text in ("ants@1 and bees@2", "Equal.", "<mark>x = 1</mark>", "<mark>y = 2</mark>", "no proof"):
        assert text in page
    assert "guilty" not in page


def test_each_line_of_code_is_a_line_of_the_page() -> None:
    side = [CodeFile("main.py", [CodeLine(1, "a = 1", common=True), CodeLine(2, "b", common=False)])]
    page = similar_page("Alike", [LookHere("ants@1", "bees@2", [], (side, side))], [])
    assert "<i>   1 </i><mark>a = 1</mark>\n<i>   2 </i>b\n</pre>" in page


def test_code_and_names_are_escaped() -> None:
    evil = "<script>alert(1)</script>"
    page = similar_page(evil, [LookHere(evil, evil, [evil], (a_side(evil), a_side(evil)))], [evil])
    assert "<script>" not in page


def test_a_page_without_pairs_says_so() -> None:
    assert "No pair is worth a look." in similar_page("Alike", [], [])


def test_a_long_program_is_cut() -> None:
    page = similar_page("Alike", [LookHere("a", "b", [], (a_side(lines=MOST_LINES + 9), a_side()))], [])
    assert f"{MOST_LINES} </i>" in page
    assert f"{MOST_LINES + 1} </i>" not in page
