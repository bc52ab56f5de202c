"""Tests grading schemes, and the error message for each mistake."""

from pathlib import Path

import pytest

from harness.config.scheme import Beats, Scheme, most, read_scheme
from harness.errors import InputError

BOTS = ("anna", "bert", "random")
ITEM = '[[item]]\nkind = "start"\npoints = 10\n'


def scheme(folder: Path, text: str) -> Scheme:
    path = folder / "scheme.toml"
    path.write_text(text)
    return read_scheme(path, "cup", BOTS, house=("random",))


def test_the_least_scheme_has_defaults_for_all_else(tmp_path: Path) -> None:
    found = scheme(tmp_path, ITEM)
    assert (found.title, found.out_of, found.cap, found.disqualified_cap) == ("cup", 10, 10, 10)
    assert found.staff == {"random"}
    assert found.letters == ()
    assert (found.claims, found.looks) == ("each", "any")


def test_a_scheme_says_all_that_there_is_to_say(tmp_path: Path) -> None:
    found = scheme(
        tmp_path,
        """
        title = "Sevens"
        out_of = 100
        cap = 110
        disqualified_cap = 40
        decimals = 0
        claims = "all"
        looks = "once"
        staff = ["bert"]
        item = [
            {kind = "start", points = 10, name = "It lives"},
            {kind = "faultless", points = 20, matches = 50, partial = true},
            {kind = "beats", points = 10, bots = ["random", "bert"], confidence = 0.99, cap = 15},
            {kind = "rank", points = [30, 20, 20, 5]},
            {kind = "percentile", steps = [[90, 20], [50, 10]]},
            {kind = "percentile", points = 7},
        ]
        [curve]
        table = [[0, 0], [50, 60], [100, 100]]
        [letters]
        F = 0
        A = 90
        [gradescope]
        visibility = "after_published"
        leaderboard = false
        """,
    )
    assert sorted(found.staff) == ["bert", "random"]
    assert list(found.letters) == [("A", 90), ("F", 0)]
    assert [most(item) for item in found.items] == [10, 20, 15, 30, 20, 7]
    assert (found.cap, found.disqualified_cap) == (110, 40)
    assert (found.claims, found.looks) == ("all", "once")
    assert not found.gradescope.leaderboard


@pytest.mark.parametrize(
    ("certainty", "looks", "claims", "confidence"),
    [("usual", "once", "each", 0.95), ("strict", "any", "all", 0.99)],
)
def test_certainty_stands_for_looks_claims_and_each_confidence(
    tmp_path: Path, certainty: str, looks: str, claims: str, confidence: float
) -> None:
    beats = '[[item]]\nkind = "beats"\npoints = 1\nbots = ["anna"]\n'
    found = scheme(tmp_path, f'certainty = "{certainty}"\n{ITEM}{beats}')
    assert (found.looks, found.claims) == (looks, claims)
    [_, item] = found.items
    assert isinstance(item, Beats)
    assert item.confidence == confidence


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f'certainty = "usual"\nlooks = "any"\n{ITEM}', "scheme.toml:2: looks"),
        (f'claims = "each"\ncertainty = "strict"\n{ITEM}', "scheme.toml:1: claims"),
        (
            f'certainty = "strict"\n{ITEM}[[item]]\nkind = "rank"\npoints = [1]\nconfidence = 0.9',
            "scheme.toml:8: item.confidence",
        ),
    ],
)
def test_certainty_and_a_key_for_which_it_stands_are_too_much(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(InputError) as caught:
        scheme(tmp_path, text)
    assert str(caught.value).endswith(f"{key}: `certainty` sets this key too; write only one of the two keys")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "item: this key is missing; expected a list of at least 1"),
        ("item = []", "scheme.toml:1: item: expected a list of at least 1"),
        (
            '[[item]]\nkind = "stort"\npoints = 1',
            'scheme.toml:2: item.kind: expected one of "start", "faultless"',
        ),
        ("[[item]]\npoints = 1", 'scheme.toml:1: item.kind: expected one of "start"'),
        ('[[item]]\nkind = "start"', "scheme.toml:1: item.points: this key is missing"),
        ('[[item]]\nkind = "start"\npoints = -1', "scheme.toml:3: item.points: expected a number from 0"),
        ('[[item]]\nkind = "start"\npoint = 1', "item.point: there is no such key; did you mean points?"),
        ('[[item]]\nkind = "start"\npoints = 1\nmatches = 2', "item.matches: there is no such key"),
        (
            '[[item]]\nkind = "beats"\npoints = 1\nbots = ["zoe"]',
            'scheme.toml:4: item.bots: no bot has the name "zoe"',
        ),
        ('[[item]]\nkind = "beats"\npoints = 1\nbots = []', "item.bots: expected a list of at least 1"),
        (
            '[[item]]\nkind = "beats"\npoints = 1\nbots = ["anna"]\nconfidence = 95',
            "scheme.toml:5: item.confidence: expected a number from 0.6 to 0.9999, not 95",
        ),
        (
            '[[item]]\nkind = "rank"\npoints = [1, 2]',
            "a better place must not earn less than a worse one, and 2 comes",
        ),
        ('[[item]]\nkind = "faultless"\npoints = 1', "either `share` or `matches`"),
        ('[[item]]\nkind = "faultless"\npoints = 1\nshare = 1\nmatches = 2', "either `share` or `matches`"),
        (
            '[[item]]\nkind = "faultless"\npoints = 1\nshare = 99',
            "scheme.toml:4: item.share: expected a number from 0.01 to 1, not 99",
        ),
        ('[[item]]\nkind = "percentile"', "this kind needs either `points` or `steps`"),
        ('[[item]]\nkind = "percentile"\nsteps = [[50, 1], [90, 2]]', "the highest step must come first"),
        ('[[item]]\nkind = "start"\npoints = 0', "the sum of all items is 0 points"),
        (f'staff = ["zoe"]\n{ITEM}', 'scheme.toml:1: staff: no bot has the name "zoe"; there are "anna"'),
        (f'staff = ["anna", "bert"]\n{ITEM}', "no bot is left to grade"),
        (f"{ITEM}[curve]\nadd = 5\nroot = true", "curve.root: there is `add` already"),
        (f"{ITEM}[curve]\ntable = [[0, 0], [0, 5]]", "sums must rise from line to line"),
        (f"{ITEM}[late]\npoints = 3", "late.days: this key is missing"),
        (f'{ITEM}[[off]]\nteam = "zoe"\npoints = 3\nwhy = "x"', 'off.team: no bot has the name "zoe"'),
        (f"{ITEM}[letters]\nA = 90\nB = 90", 'scheme.toml:6: letters.B: "A" begins at 90 too'),
        (f'{ITEM}[gradescope]\nvisibility = "secret"', 'gradescope.visibility: expected "after_due_date"'),
        (f"{ITEM}staf = 3", "there is no such key"),
        (f"{ITEM}decimals = 9", "decimals: this key belongs above the first [table]"),
        (f"decimals = 9\n{ITEM}", "scheme.toml:1: decimals: expected a whole number from 0 to 6"),
    ],
)
def test_a_slip_is_told_with_file_line_and_key(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        scheme(tmp_path, text)
    assert told in str(caught.value)


def test_the_sample_scheme_reads() -> None:
    path = Path(__file__).parents[2] / "tournaments" / "sevens-grading.toml"
    bots = ("planner", "greedy", "random", "violator", "starter-python", "greedy 2", "random 2")
    assert read_scheme(path, "sevens-violator", bots).out_of == 100
