"""Tests the standard error of a score: 0 without luck, otherwise about the deviation of random scores."""

from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import stdev

from harness.config.scheme import Scheme, read_scheme
from harness.grading import by_team, of_facts
from harness.grading.facts import Facts
from harness.grading.luck import standard_error
from harness.results.statistics.comparison import Deal

SCHEME = 'staff = ["house"]\nlooks = "once"\n[[item]]\nkind = "beats"\nbots = ["house"]\npoints = 50\n'


def scheme(folder: Path) -> Scheme:
    (folder / "scheme.toml").write_text(SCHEME)
    return read_scheme(folder / "scheme.toml", "cup", ["team", "house"])


def known(ranks: list[int]) -> dict[str, Facts]:
    """The facts about a team and a house bot. The team got these ranks, one rank in each deal."""
    own = {str(n): Deal(rank, 1, ("house",)) for n, rank in enumerate(ranks)}
    other = {str(n): Deal(3 - rank, 1, ("team",)) for n, rank in enumerate(ranks)}
    pairs = (("team", own), ("house", other))
    return {bot: Facts(bot, len(ranks), True, (), None, deals, None, key=1.5) for bot, deals in pairs}


def test_a_score_has_no_luck_if_all_deals_end_alike(tmp_path: Path) -> None:
    assert standard_error(known([1] * 20), scheme(tmp_path), "team") == 0


def test_the_error_is_about_that_of_many_hand_ins_with_other_deals(tmp_path: Path) -> None:
    wanted, random = scheme(tmp_path), Random(1).random

    def drawn() -> dict[str, Facts]:
        return known([1 if random() < 0.7 else 2 for _ in range(40)])

    true = stdev(by_team(of_facts(drawn(), wanted))["team"].score for _ in range(200))
    errors = [standard_error(drawn(), wanted, "team") for _ in range(10)]
    assert 0.6 * true < sum(errors) / len(errors) < 1.2 * true


def test_the_same_results_have_the_same_error(tmp_path: Path) -> None:
    facts = known([1, 1, 2] * 8)
    assert standard_error(facts, scheme(tmp_path), "team") == standard_error(facts, scheme(tmp_path), "team")
