"""Tests `check game`: which games pass, and which law the others break."""

import json
from pathlib import Path

from tests.cli.door import TINY, harness

PLANTED = Path(TINY).read_text().replace("coins > self.coins[seat - 1]", "coins > 100")


def test_a_game_that_keeps_the_laws_passes() -> None:
    told = harness("check", "game", TINY, "--matches", "3")
    assert told.exit_code == 0
    assert "✓ hidden: " in told.stdout
    assert "✓ elsewhere: " in told.stdout
    assert "\\n" not in told.stdout
    assert told.stdout.endswith("\ntiny keeps every law, in 3 matches.\n")


def test_a_game_whose_secrets_cannot_be_tested_passes_with_a_word_about_it(tmp_path: Path) -> None:
    blind = "    def alike(self, seat, chance):\n        return None\n\n    def unlike("
    (tmp_path / "tiny.py").write_text(Path(TINY).read_text().replace("    def alike(", blind))
    told = harness("check", "game", tmp_path / "tiny.py", "--matches", "3")
    assert told.exit_code == 0
    assert "\n- hidden: not tested: `alike` draws no other position for seat 1" in told.stdout
    assert told.stdout.endswith("\ntiny keeps every law that was tested, in 3 matches.\n")


def test_a_game_that_breaks_a_law_is_told_which_and_where(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(PLANTED)
    told = harness("check", "game", tmp_path / "tiny.py", "--matches", "3")
    assert told.exit_code == 1
    assert "✗ others: `check` rejects all texts that are not in a complete list of moves" in told.stdout
    assert "\n  but      " in told.stdout
    assert "- elsewhere: not checked" in told.stdout
    assert told.stdout.endswith("\ntiny breaks laws.\n")


def test_findings_can_be_json(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(PLANTED)
    told = json.loads(harness("check", "game", tmp_path / "tiny.py", "--matches", "3", "--json").stdout)
    assert not told["passed"]
    assert told["findings"][0]["law"] == "others"


def test_what_comes_before_the_other_laws_leaves_them_open(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(Path(TINY).read_text().replace('name = "tiny"', 'name = "Tiny!"'))
    told = harness("check", "game", tmp_path / "tiny.py", "--matches", "3").stdout
    assert told.count("✗") == 1
    assert "✗ game: " in told
    assert "✓" not in told


def test_a_page_that_leaves_out_an_option_or_a_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(Path(TINY).read_text())
    told = harness("check", "game", tmp_path / "tiny.py", "--matches", "1")
    assert told.exit_code == 0
    assert "- page: not tested: there is no page tiny.md beside the game" in told.stdout
    page = Path(TINY).with_suffix(".md").read_text().replace("rounds", "turns").replace("secrets", "numbers")
    (tmp_path / "tiny.md").write_text(page)
    told = harness("check", "game", tmp_path / "tiny.py", "--matches", "1")
    assert told.exit_code == 1
    assert "✗ page: The page names every option" in told.stdout
    assert "tiny.md does not name the option `rounds`, the line `secrets ...`" in told.stdout
    assert "✓ elsewhere: " in told.stdout
