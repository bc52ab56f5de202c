"""Tests that the colours of the pages have enough contrast in both themes, and that scripts are short."""

import math
import re
from collections.abc import Sequence
from itertools import chain, combinations
from pathlib import Path

import pytest

WEB = Path(__file__).parents[3] / "harness" / "report" / "web"
SHEETS = "".join((WEB / name).read_text() for name in ("style.css", "viewer.css", "boards.css"))
TEXT, LARGE = 4.5, 3.0
"""The least contrast of usual text, and the least contrast of large text and signs."""
DAY, NIGHT = "day", "night"


def _colours(scheme: str) -> dict[str, str]:
    """The colours of the style sheets by name. The colours of the night replace those of the day."""
    blocks = re.findall(
        r"(@media screen and \(prefers-color-scheme: dark\) \{\s*)?:root \{(.*?)\}", SHEETS, re.DOTALL
    )
    found: dict[str, str] = {}
    for dark, block in sorted(blocks, key=lambda pair: bool(pair[0])):
        if scheme == NIGHT or not dark:
            found.update(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", block))
    return found


def _light(colour: str) -> list[float]:
    """The amounts of red, green and blue light in a colour, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def _luminance(colour: str) -> float:
    red, green, blue = _light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
}
"""For each kind of eyes, a matrix that turns the red, green and blue of a colour into those that such eyes
see (Machado, Oliveira and Fernandes, 2009)."""
APART = {"all colours": 21, "no red": 10, "no green": 10}
"""The least distance (CIEDE2000) that our colours may have for these eyes. For comparison: the colours of
Okabe and Ito have a distance of 21.7 for normal sight, but they are fewer, and too light for text."""


def _seen(colour: str, eyes: Sequence[Sequence[float]]) -> list[float]:
    """The colour that somebody with these eyes sees, as coordinates of the colour space CIELAB."""
    red, green, blue = (
        min(1, max(0, sum(part * light for part, light in zip(row, _light(colour), strict=True))))
        for row in eyes
    )
    x, y, z = (
        each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116
        for each in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
        )
    )
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def _distance(one: Sequence[float], other: Sequence[float]) -> float:
    """The difference of two colours in CIELAB by the formula CIEDE2000 (Sharma, Wu and Dalal, 2005)."""
    (light, a, b), (light2, a2, b2) = one, other
    mean = (math.hypot(a, b) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    (chroma, hue), (chroma2, hue2) = (
        (math.hypot(stretch * x, y), math.degrees(math.atan2(y, stretch * x)) % 360)
        for x, y in ((a, b), (a2, b2))
    )
    turn = (hue2 - hue + 180) % 360 - 180 if chroma * chroma2 else 0
    middle, c = (light + light2) / 2, (chroma + chroma2) / 2
    h = hue + turn / 2 if chroma * chroma2 else hue + hue2
    t = 1 - sum(
        part * math.cos(math.radians(times * h + by))
        for part, times, by in ((0.17, 1, -30), (-0.24, 2, 0), (-0.32, 3, 6), (0.2, 4, -63))
    )
    down = (light2 - light) / (1 + 0.015 * (middle - 50) ** 2 / math.sqrt(20 + (middle - 50) ** 2))
    out = (chroma2 - chroma) / (1 + 0.045 * c)
    around = 2 * math.sqrt(chroma * chroma2) * math.sin(math.radians(turn) / 2) / (1 + 0.015 * c * t)
    tilt = 60 * math.exp(-(((h % 360 - 275) / 25) ** 2))
    blue = -2 * math.sqrt(c**7 / (c**7 + 25**7)) * math.sin(math.radians(tilt))
    return math.sqrt(down**2 + out**2 + around**2 + blue * out * around)


def test_the_distance_of_colours_is_that_of_the_published_examples() -> None:
    published = (
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    )
    for one, other, wanted in published:
        assert _distance(one, other) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("scheme", [DAY, NIGHT])
@pytest.mark.parametrize("eyes", EYES)
def test_everybody_can_tell_the_colours_of_seats_apart(eyes: str, scheme: str) -> None:
    colours = _colours(scheme)
    seen = {seat: _seen(colours[f"seat{seat}"], EYES[eyes]) for seat in range(1, 10)}
    for one, other in combinations(seen, 2):
        assert _distance(seen[one], seen[other]) >= APART[eyes], (one, other)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_what_the_norm_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


WANTED = chain(
    ((ink, ground, TEXT) for ink in ("ink", "soft", "accent", "bad", "good") for ground in ("paper", "card")),
    (("ink", f"heat{shade}", TEXT) for shade in range(7)),
    (("ink", f"count{shade}", TEXT) for shade in range(5)),
    (("paper", f"seat{seat}", TEXT) for seat in range(1, 10)),
    (("paper", side, TEXT) for side in ("side1", "side2")),
    ((ink, "table", TEXT) for ink in ("ink", "soft", "good", "bad")),
    (("red", "paper", TEXT), ("black", "paper", TEXT), ("soft", "field", TEXT), ("focus", "paper", LARGE)),
    ((sign, "sky", LARGE) for sign in ("seat1", "seat2", "seat3", "seat4", "orange")),
    ((f"line{place}", "paper", LARGE) for place in range(10)),
)


@pytest.mark.parametrize("scheme", [DAY, NIGHT])
@pytest.mark.parametrize("ink, ground, least", [*WANTED])
def test_it_can_be_read(ink: str, ground: str, least: float, scheme: str) -> None:
    colours = _colours(scheme)
    assert contrast(colours[ink], colours[ground]) >= least


@pytest.mark.parametrize("path", sorted(WEB.rglob("*.js")), ids=lambda path: path.name)
def test_a_script_says_what_it_does_and_is_short(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert re.match(r"// [A-Z]\w+ \w+", lines[0]), "the first line says what the script does"
    assert len(lines) <= 300
