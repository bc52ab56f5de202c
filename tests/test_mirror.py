"""Tests that each test file names the source that it tests."""

import pytest

from tests.mirror import PACKAGE, ROOT, TESTS, files_with_tests, source_of


def test_each_test_file_names_a_source_of_its_room() -> None:
    lost = [str(test.relative_to(ROOT)) for test in files_with_tests() if source_of(test) is None]
    assert not lost, (
        f"tests/ROOM/test_FILE.py or test_FILE_ASPECT.py tests harness/ROOM/FILE.py, not so {lost}"
    )


@pytest.mark.parametrize(
    ("test", "source"),
    [
        ("schedule/test_plan.py", "harness/schedule/plan.py"),
        ("cli/commands/test_check_bot.py", "harness/cli/commands/check_bot.py"),
        ("cli/commands/test_check_other.py", "harness/cli/commands/check.py"),
        ("games/test_path.py", "harness/games/_path.py"),
        ("games/test_squash_page.py", "harness/games/squash/__init__.py"),
        ("games/squash/test_squash_page.py", "harness/games/squash/__init__.py"),
        ("report/test_report_speed.py", "harness/report/__init__.py"),
        ("test_harness_installed.py", "harness/__init__.py"),
        ("bots/test_starters_new.py", "bots/starters"),
        ("docs/test_protocol.py", "protocol.md"),
    ],
)
def test_the_source_of_a_test_file_follows_from_its_path(test: str, source: str) -> None:
    assert source_of(TESTS / test) == ROOT / source


@pytest.mark.parametrize(
    "test", ["schedule/test_plans.py", "attic/test_plan.py", "test_plan.py", "play/test_architecture.py"]
)
def test_a_test_file_without_a_source_is_seen(test: str) -> None:
    assert source_of(TESTS / test) is None


def test_no_two_kinds_of_source_have_one_name() -> None:
    """If a file and a folder beside it had the same name, nobody could say which of them a test tests."""
    twice = [path for path in PACKAGE.rglob("*.py") if (path.parent / path.stem).is_dir()]
    assert not twice
