"""Tests that the scales of plots have round numbers, and that all parts of a plot are inside its drawing."""

import re
from itertools import pairwise
from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.svg import MOST_WIDE, Drawing, LinearScale, LogScale, axis_below, cut, shape, width_of


@pytest.mark.parametrize(
    "low, high, count, wanted",
    [
        (0, 1, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0, 4_608, 5, ["0", "1,000", "2,000", "3,000", "4,000"]),
        (-3, 3, 5, ["-3", "-2", "-1", "0", "1", "2", "3"]),
        (1.97, 2.03, 3, ["1.98", "2.00", "2.02"]),
        (7, 7, 4, ["7.0"]),
    ],
)
def test_the_numbers_of_an_axis_are_round(low: float, high: float, count: int, wanted: list[str]) -> None:
    assert [words for _, words in LinearScale(low, high, 0, 100).ticks(count)] == wanted


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 10))
def test_about_as_many_numbers_are_on_an_axis_as_wanted(low: float, size: float, count: int) -> None:
    ticks = LinearScale(low, low + size, 0, 100).ticks(count)
    assert count / 2 - 1 <= len(ticks) <= 2 * count + 1
    assert all(low - size / 1e6 <= value <= low + size * (1 + 1e-6) for value, _ in ticks)


@given(st.integers(1, 3_000_000), st.sampled_from([230, 430, 1000]))
def test_whole_numbers_below_a_plot_have_space_between_them(high: int, wide: int) -> None:
    scale = LinearScale(1, high, 0, wide)
    ticks = scale.whole_ticks(50)
    assert ticks
    assert all(value == round(value) for value, _ in ticks)
    halves = [width_of(words) / 2 for _, words in ticks]
    edges = [
        (scale(value) - half, scale(value) + half) for (value, _), half in zip(ticks, halves, strict=True)
    ]
    assert all(after - end >= 10 for (_, end), (after, _) in pairwise(edges))


def test_a_drawing_has_room_for_the_end_of_an_axis_without_a_number() -> None:
    drawing, scale = Drawing(), LinearScale(1, 2_400, 0, 430)
    axis_below(drawing, scale, 100, scale.whole_ticks(50), "")
    left, _, wide, _ = map(int, re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', drawing.svg("matches"))[0])
    assert left <= 0
    assert left + wide >= 430


def test_equal_factors_have_equal_lengths_on_a_logarithmic_scale() -> None:
    scale = LogScale(0.05, 1_000, 0, 430.103)
    assert scale(10) - scale(1) == pytest.approx(scale(1) - scale(0.1)) == pytest.approx(100)
    assert [words for _, words in scale.ticks()] == ["0.1", "1", "10", "100", "1,000"]
    few = [value for value, _ in LogScale(1, 50, 0, 300).ticks()]
    assert few == pytest.approx([1, 2, 5, 10, 20, 50])
    narrow = LogScale(0.001, 1_000, 0, 210).ticks()
    assert [words for _, words in narrow] == ["0.001", "0.1", "10", "1,000"], "there is no space for seven"
    assert log10(scale.low) < 0


def test_a_drawing_has_room_for_its_texts_and_escapes_them() -> None:
    drawing = Drawing()
    drawing.text(-10, 0, "<b>", "end")
    drawing.text(50, -5, "upwards", turn=-90)
    svg = drawing.svg('a "plot"')
    left, top, wide, high = map(int, re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', svg)[0])
    assert left <= -10 - width_of("<b>")
    assert top <= -5 - width_of("upwards")
    assert left + wide >= 50
    assert top + high >= 0
    assert "&lt;b&gt;" in svg
    assert "<b>" not in svg
    assert 'aria-label="a &#34;plot&#34;"' in svg


def test_a_name_that_is_too_long_is_cut() -> None:
    assert cut("short") == "short"
    long = cut("m" * 100)
    assert long.endswith("m…")
    assert width_of(long) <= MOST_WIDE
    drawing = Drawing()
    drawing.name(0, 0, "m" * 100)
    assert f"{long}<title>{'m' * 100}</title>" in drawing.svg("The pointer shows the whole name")


@pytest.mark.parametrize(
    "name", ["\u0641\u0631\u064a\u0642 \u0627\u0644\u0646\u062c\u0648\u0645@1", "Zoe\u0308 " * 4]
)
def test_letters_from_right_to_left_and_accents_are_not_taken_for_wide_signs(name: str) -> None:
    assert cut(name) == name


def test_attributes_are_escaped_and_short() -> None:
    assert shape("a", href='x"y', stroke_width=1.25) == '<a href="x&#34;y" stroke-width="1.2"></a>'


def test_a_screen_reader_reaches_the_links_of_a_drawing() -> None:
    drawing = Drawing()
    drawing.cover(0, 0, 9, 9)
    drawing.add(shape("rect", x=0, y=0))
    assert '<svg role="img"' in drawing.svg("Plain")
    drawing.add(shape("a", href="#there"))
    assert '<svg role="group"' in drawing.svg("With a link")
