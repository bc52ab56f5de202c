"""Tests which tests `make test-near` runs after a change."""

import pytest

from tests.mirror import ROOT
from tests.near import ALWAYS, near


def names(*files: str) -> set[str]:
    """The tests that run after a change of these files, without the tests that always run."""
    return {str(path.relative_to(ROOT)) for path in near(ROOT / file for file in files) - ALWAYS}


def test_a_source_brings_its_tests_and_those_of_the_sources_that_import_it() -> None:
    found = names("harness/judge/rejudge.py")
    assert {"tests/judge/test_rejudge.py", "tests/report/test_replays.py"} <= found
    assert "tests/play/test_tournament.py" not in found


def test_a_source_without_a_test_of_its_name_brings_the_tests_that_import_it() -> None:
    assert "tests/checking/test_hints.py" in names("harness/checking/traces.py")


@pytest.mark.parametrize(
    ("file", "test"),
    [
        ("tests/test_model.py", "tests/test_model.py"),
        ("tests/record/recorded.py", "tests/results/test_standings.py"),
        ("tests/report/conftest.py", "tests/report"),
        ("harness/games/squash/squash.md", "tests/games/squash/test_squash_page.py"),
        ("harness/report/web/boards/sevens.js", "tests/report/web/test_web_browser.py"),
        ("bots/bridges/http/agent.py", "tests/bots/bridges/test_http.py"),
        ("bots/sevens/greedy/main.py", "tests/bots/test_sevens.py"),
        ("harness/config/languages.toml", "tests/config/test_manifest.py"),
        ("docs/export.md", "tests/docs/test_export.py"),
    ],
)
def test_a_file_brings_a_test(file: str, test: str) -> None:
    assert test in names(file)


@pytest.mark.parametrize(
    "file", ["README.md", "Makefile", ".ci/run", "harness/attic.py", "tests/test_gone.py"]
)
def test_other_files_bring_only_the_tests_that_always_run(file: str) -> None:
    assert names(file) == set()


def test_the_tests_that_always_run_exist() -> None:
    assert all(path.is_file() for path in ALWAYS)
