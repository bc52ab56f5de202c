"""Tests the rating of several records: versions of bots, records that do not fit, and the tables."""

import csv
import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from harness.config.frozen import FrozenBot, FrozenGame, FrozenPlan
from harness.errors import InputError
from harness.escape import WIDTH
from harness.events import Brief, Opened, RoundBegan
from harness.model import ranks
from harness.record.history import History
from harness.results import round_robin, season
from harness.results.season import NumberedHandIn, Season, SeasonRecord, season_of
from harness.results.standings import NO_INTERVALS
from tests.record.recorded import began, both, brief, faulty, out, played
from tests.tables import rows_in_markdown, rows_in_text


def a_record(number: int, bots: Mapping[str, str], *records: Any, **keys: Any) -> SeasonRecord:
    """The record with this number. `bots` has the names of its bots and their digests."""
    given = {"seats": 2, "options": {}, "game": FrozenGame("sevens", 1, "sevens", ""), **keys}
    plan = FrozenPlan(
        harness="",
        name=f"week{number}",
        seed=number,
        bots=tuple(FrozenBot(name, name, digest, ("run",), (), "") for name, digest in bots.items()),
        text="",
        **given,
    )
    history = History.of([Opened(f"week{number}", "sevens", f"digest {number}", "0.1.0")])
    for each in records:
        for one in each if isinstance(each, list) else [each]:
            history.add(one)
    return SeasonRecord(f"logs/week{number}", plan, history)


def week(number: int, bots: Mapping[str, str], **keys: Any) -> SeasonRecord:
    """A record in which each bot beats all bots after it."""
    names = "".join(bots)
    pairs = [one + other for place, one in enumerate(names) for other in names[place + 1 :]]
    matches = [
        played(f"1.{place}.1", pair, brief([2, 1]), brief([2, 1]))
        for place, pair in enumerate(pairs, start=1)
    ]
    return a_record(number, bots, began(1, names, sittings=1, deals=2), *matches, **keys)


def labels(found: Season) -> list[tuple[str, tuple[int, ...]]]:
    return [(row.bot, row.records) for row in found.rows]


TWO = brief([2, 1]), brief([1, 2])
"""The results of two matches: each seat wins one."""


def test_a_bot_that_does_not_change_is_one_bot_and_a_changed_one_another_version() -> None:
    found = season_of([
        week(1, {"a": "x", "b": "y"}),
        week(2, {"c": "z", "a": "x2", "b": "y"}),
        week(3, {"a": "x2", "b": "y"}),
        week(4, {"a": "x", "b": "y"}),
    ])  # fmt: skip
    assert dict(labels(found)) == {"a": (1, 4), "a@2": (2, 3), "b": (1, 2, 3, 4), "c": (2,)}
    assert [(row.name, row.version) for row in found.rows if row.bot == "a@2"] == [("a", 2)]
    assert {row.bot: row.last for row in found.rows} == {"a": True, "a@2": False, "b": True, "c": True}
    assert found.played == (2, 6, 2, 2)
    assert found.matches == 12


def test_a_record_that_is_half_played_says_so() -> None:
    two = began(1, "ab", sittings=1, deals=2, encounters=2)
    first, second = (played(f"{number}.{number}.1", "ab", *TWO) for number in (1, 2))
    bots = {"a": "x", "b": "y"}
    whole, half = a_record(1, bots, two, first, replace(second, size=2)), a_record(2, bots, two, first)
    *_, one, other = season.remarks(season_of([whole, half]))
    assert one.endswith(", 4 matches")
    assert other.endswith(", 2 matches; half-played: 2 matches are missing")


def test_other_commands_make_another_version_too() -> None:
    first, second = week(1, {"a": "x", "b": "y"}), week(2, {"a": "x", "b": "y"})
    changed = tuple(
        FrozenBot(bot.name, "elsewhere", bot.digest, ("run", "--fast"), (), "") if bot.name == "a" else bot
        for bot in second.plan.bots
    )
    other = second._replace(plan=replace(second.plan, bots=changed))
    assert sorted(bot for bot, _ in labels(season_of([first, other]))) == ["a", "a@2", "b"]


def test_a_bot_that_has_the_name_of_a_version_is_not_mixed_up_with_it() -> None:
    def record(number: int, digest: str) -> SeasonRecord:
        matches = brief([2, 1]), brief([1, 2])
        bots = ("a", "a@2")
        began_ = began(1, "ab", sittings=1, deals=2)
        return a_record(
            number,
            {"a": digest, "a@2": "y"},
            replace(began_, bots=bots),
            replace(played("1.1.1", "ab", *matches), bots=bots),
        )

    assert sorted(bot for bot, _ in labels(season_of([record(1, "x"), record(2, "x2")]))) == [
        "a",
        "a@2",
        "a@@2",
    ]


def test_the_rating_takes_the_opponents_of_a_week_into_account() -> None:
    # In week 2, b meets only weak bots. It wins as often as a won in week 1, but a beat b.
    found = season_of([
        week(1, {"a": "1", "b": "1", "c": "1", "d": "1"}),
        week(2, {"b": "1", "e": "1", "f": "1", "g": "1"}),
    ])  # fmt: skip
    order = [row.bot for row in found.rows]
    assert order[:2] == ["a", "b"]
    assert order.index("d") < order.index("g")
    assert [row.place for row in found.rows] == list(range(1, 8))
    for row in found.rows:
        assert row.rating_low is not None
        assert row.rating_high is not None
        assert row.rating_low <= row.rating <= row.rating_high
    assert NO_INTERVALS not in season.remarks(found)


def test_a_record_with_pairing_by_results_keeps_the_intervals_of_the_season(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    swiss = began(1, "abcd", sittings=1, deals=2)
    records = [
        week(1, dict.fromkeys("abcd", "1")),
        a_record(
            2,
            dict.fromkeys("abcd", "1"),
            replace(swiss, stages=("swiss",)),
            RoundBegan(1, 1, 1, (("a", "b"), ("c", "d"))),
            played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
            played("1.2.1", "cd", brief([1, 0]), brief([1, 0])),
        ),
    ]  # fmt: skip
    found = season_of(records)
    assert found.adaptive
    assert all(row.rating_low is not None and row.best is not None for row in found.rows)
    assert "95 %" in season.as_text(found)
    assert NO_INTERVALS not in " ".join(season.as_text(found).split())

    monkeypatch.setattr(round_robin, "MOST_BOTS", 3)
    found = season_of(records)
    assert all(row.rating_low is None and row.rating_high is None for row in found.rows)
    for told in (season.as_text(found), season.as_markdown(found)):
        assert "95 %" not in told
        assert NO_INTERVALS in " ".join(told.split())


def test_an_improved_version_is_seen_through_bots_that_stayed() -> None:
    random = Random(3)
    strengths = {"a": 0.0, "b": 0.0, "c": 0.0}

    def record(number: int, digest: str, gain: float) -> SeasonRecord:
        levels = {**strengths, "a": gain}
        matches = []
        for place, pair in enumerate(("ab", "ac", "bc"), start=1):
            briefs = []
            for _ in range(200):
                scores = [round(100 * random.gauss(levels[bot], 1)) for bot in pair]
                briefs.append(Brief(ranks(scores), tuple(scores), ()))
            matches.append(played(f"1.{place}.1", pair, *briefs))
        return a_record(
            number, {"a": digest, "b": "y", "c": "z"}, began(1, "abc", sittings=1, deals=200), *matches
        )

    rows = {row.bot: row for row in season_of([record(1, "x", 0.0), record(2, "x2", 1.2)]).rows}
    better, worse = rows["a@2"].rating_high, rows["a"].rating_low
    assert better is not None
    assert worse is not None
    assert better < worse
    assert rows["b"].matches == 800


def test_disqualified_bots_are_named_with_their_version_and_their_matches_do_not_count() -> None:
    second = a_record(
        2,
        {"a": "x", "b": "y", "c": "new"},
        began(1, "abc", encounters=3),
        faulty("1.1.1", "ac", "c"),
        played("1.1.2", "ca"),
        out("c", "1.1.1.1", 1),
        began(2, "ab", encounters=1),
        both(1, 1, "ab", run=2),
    )
    found = season_of([week(1, {"a": "x", "b": "y", "c": "z"}), second])
    assert [(number, each.bot, each.fault) for number, each in found.disqualified] == [(2, "c@2", "illegal")]
    assert dict(labels(found)) == {"a": (1, 2), "b": (1, 2), "c": (1,)}
    assert "2: week2, 2 matches; disqualified: c@2 (illegal)" in season.as_text(found)


def test_other_seats_are_allowed_and_ratings_have_the_scale_of_the_most() -> None:
    threes = a_record(
        2,
        {"a": "x", "b": "y", "c": "z"},
        began(1, "abc", seats=3, sittings=1),
        played("1.1.1", "abc"),
        seats=3,
    )
    found = season_of([week(1, {"a": "x", "b": "y"}), threes])
    assert found.seats == 3
    assert [row.bot for row in found.rows] == ["a", "b", "c"]
    assert found.rows[0].rating < 2 < found.rows[2].rating


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (week(2, {"a": "x", "b": "y"}, game=FrozenGame("squash", 1, "", "")), "the game is squash, but in "),
        (week(2, {"a": "x", "b": "y"}, game=FrozenGame("sevens", 2, "", "")), "the game has version 2, but "),
        (
            week(2, {"a": "x", "b": "y"}, options={"bet": 3}),
            "the option bet is 3, but in logs/week1 it is not",
        ),
        (week(1, {"a": "x", "b": "y"}), "this is the same tournament as logs/week1"),
        (week(2, {"a": "x2", "b": "y2"}), "no bot of this record played with the same files in logs/week1"),
        (a_record(2, {"a": "x", "b": "y"}), "no match of this record counts"),
    ],
)
def test_records_that_do_not_fit_together_are_refused(other: SeasonRecord, told: str) -> None:
    with pytest.raises(InputError) as error:
        season_of([week(1, {"a": "x", "b": "y"}), other])
    assert str(error.value).startswith(f"{other.where}: {told}")


def test_records_may_be_linked_by_a_third() -> None:
    ends = [week(1, {"a": "x", "b": "y"}), week(2, {"c": "x", "d": "y"})]
    with pytest.raises(InputError, match="nothing compares"):
        season_of(ends)
    assert len(season_of([*ends, week(3, {"b": "y", "c": "x"})]).rows) == 4


def test_the_tables_have_all_versions() -> None:
    found = season_of([week(1, {"a": "x", "b": "y"}), week(2, {"a": "x2", "b": "y"})])
    text = season.as_text(found)
    by_bot = {"a": "1", "a@2": "2", "b": "1-2"}
    assert {row["bot"]: row["records"] for row in rows_in_text(text)} == by_bot
    assert "NAME@2 is the second version of the bot NAME" in text
    told = json.loads(season.as_json(found))
    assert [row["bot"] for row in told["standings"]] == [row.bot for row in found.rows]
    rows = list(csv.DictReader(season.as_csv(found).splitlines()))
    assert {row["bot"]: row["records"] for row in rows} == by_bot
    assert {row["bot"]: row["records"] for row in rows_in_markdown(season.as_markdown(found))} == by_bot


def test_a_table_of_long_names_is_as_wide_as_a_terminal() -> None:
    found = season_of([week(1, {"a": "x", "b": "y"}), week(2, {"a": "x2", "b": "y"})])
    rows = tuple(replace(row, bot="a-team-with-a-very-long-name") for row in found.rows)
    text = season.as_text(replace(found, rows=rows))
    assert {"95 % interval", "faults"} <= rows_in_text(text)[0].keys()
    assert max(map(len, text.splitlines())) <= WIDTH


def test_the_version_of_a_hand_in_has_the_number_of_the_hand_in() -> None:
    first, second = week(1, {"a": "x", "b": "y"}), week(2, {"a": "z", "b": "y"})
    numbers = [{"a": NumberedHandIn("ada", 2)}, {"a": NumberedHandIn("ada", 5)}]
    given = [each._replace(hand_ins=own) for each, own in zip((first, second), numbers, strict=True)]
    assert sorted(labels(season_of(given))) == [("ada@2", (1,)), ("ada@5", (2,)), ("b", (1, 2))]
