"""Tests which undecided claims of a grading scheme make a tournament go on."""

import re
from pathlib import Path
from random import Random

import pytest

from harness.config.document import parsed
from harness.config.frozen import encoded, freeze, thaw
from harness.errors import InputError
from harness.grading import by_team, of_facts
from harness.results.statistics.comparison import Deal
from harness.schedule.open_grades import open_of, scheme_for
from harness.schedule.plan import read_plan
from studies.course import add, facts, played

SCHEME = """
staff = ["e", "f"]
[letters]
A = 6
B = 0
[[item]]
kind = "beats"
bots = ["e", "f"]
points = 3
"""


def the_pairs(strengths: dict[str, float], matches: int, scheme: str = SCHEME) -> list[tuple[str, str]]:
    field: dict[str, dict[str, object]] = {bot: {} for bot in "abef"}
    blocks = [(bot, house) for bot in "ab" for house in "ef"]
    add(field, played(blocks, matches, strengths, Random(1)))  # type: ignore[arg-type]
    made = of_facts(facts(field), scheme_for(parsed(scheme, "scheme"), "abef", ()))  # type: ignore[arg-type]
    return list(open_of(made).pairs)


def test_a_team_without_a_result_against_a_bot_has_an_open_claim() -> None:
    assert the_pairs({"a": 0, "b": 0, "e": 0, "f": 0}, 1) == [("a", "e"), ("a", "f"), ("b", "e"), ("b", "f")]


def test_a_claim_that_can_no_longer_change_the_letter_is_not_open() -> None:
    """Team `a` surely loses to `e`, so it gets the letter B, whether or not it beats team `f`, its equal."""
    found = the_pairs({"a": 0, "b": 9, "e": 9, "f": 0}, 40)
    assert ("a", "f") not in found
    assert ("b", "e") in found, "b beats f, so its letter depends on its equal e"


def test_the_team_that_needs_the_fewest_matches_comes_first() -> None:
    found = the_pairs({"a": 0, "b": 1.2, "e": 0, "f": 0}, 6)
    assert {team for team, _ in found} == {"a", "b"}
    assert found[0][0] == "b"


def test_a_team_with_two_even_matches_plays_before_one_with_a_small_lead_in_many() -> None:
    field: dict[str, dict[str, Deal]] = {bot: {} for bot in "abe"}
    orders = [("e", "a"), ("a", "e"), *[("b", "e"), ("e", "b")] * 46, *[("b", "e")] * 9]
    add(field, ((str(number), order) for number, order in enumerate(orders)))
    text = SCHEME.replace('["e", "f"]', '["e"]').replace("A = 6", "A = 3")
    made = of_facts(facts(field), scheme_for(parsed(text, "scheme"), "abe", ()))
    assert by_team(made)["a"].more > by_team(made)["b"].more
    assert open_of(made).teams == ("a", "b")


@pytest.mark.parametrize(
    ("scheme", "said"),
    [
        ('looks = "once"\n' + SCHEME, "scheme:1: looks: a tournament looks at its results after each round"),
        (
            SCHEME + '[[item]]\nkind = "rank"\npoints = [3, 2]\n',
            "kind: [stop] needs a scheme without places",
        ),
        ('[[item]]\nkind = "start"\npoints = 1\n', "item: [stop] needs a scheme with an item of the kind"),
    ],
)
def test_a_scheme_that_can_end_no_tournament_is_refused(scheme: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        scheme_for(parsed(scheme, "scheme"), "abef", ())
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("house", "bots", "said"),
    [
        ((), '["a"]', 'item.bots: [stop] needs bots that get no grade here: add "a" to staff'),
        (
            ("f",),
            '["f", "e"]',
            'item.bots: in a gauntlet teams meet only house bots, and "e" is no house bot',
        ),
    ],
)
def test_a_team_cannot_be_told_to_beat_a_team(house: tuple[str, ...], bots: str, said: str) -> None:
    scheme = SCHEME.replace('bots = ["e", "f"]', f"bots = {bots}")
    with pytest.raises(InputError) as caught:
        scheme_for(parsed(scheme, "scheme"), "abef", house)
    assert said in re.sub(r"\[\d+\]|\.\d+", "", str(caught.value))


def test_a_plan_on_record_has_the_text_of_the_scheme(tmp_path: Path) -> None:
    (tmp_path / "scheme.toml").write_text(
        'looks = "any"\n[[item]]\nkind = "beats"\nbots = ["h"]\npoints = 1\n'
    )
    for bot in "abh":
        (tmp_path / f"{bot}.py").write_text("print()\n")
    (tmp_path / "final.toml").write_text(
        'game = "sevens"\nseats = 2\nformat = "gauntlet"\nhouse = ["h"]\nbots = ["a.py", "b.py", "h.py"]\n'
        '[stop]\nsettled = "grades"\nscheme = "scheme.toml"\nbudget = 90\n'
    )
    frozen = freeze(read_plan(tmp_path / "final.toml"), 1)
    again = thaw(encoded(frozen))
    assert again.stop == frozen.stop
    assert again.stop is not None
    assert again.stop.scheme.startswith('looks = "any"')


def test_a_plan_on_record_leaves_out_the_keys_that_it_does_not_use(tmp_path: Path) -> None:
    for bot in "ab":
        (tmp_path / f"{bot}.py").write_text("print()\n")
    (tmp_path / "final.toml").write_text(
        'game = "sevens"\nseats = 2\nbots = ["a.py", "b.py"]\n[stop]\nsettled = "places 1-1"\n'
    )
    text = encoded(freeze(read_plan(tmp_path / "final.toml"), 1)).decode()
    assert '"settled": "places 1-1"' in text
    assert "scheme" not in text.partition('"stop"')[2].partition("}")[0]
