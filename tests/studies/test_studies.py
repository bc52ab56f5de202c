"""Tests that the page on studies has a section for each study."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "studies.md").read_text()
SHARED = ("__init__", "course", "fields", "term_exports", "term_mail")
STUDIES = sorted(path.stem for path in (ROOT / "studies").glob("*.py") if path.stem not in SHARED)


def test_the_page_has_no_study_that_is_gone() -> None:
    assert sorted(re.findall(r"^## (.*)$", PAGE, re.M)) == STUDIES
    assert sorted(re.findall(r"^\| \[(\w+)\]\(#\1\)", PAGE, re.M)) == STUDIES


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_has_a_question_a_truth_a_command_and_dated_findings(study: str) -> None:
    section = PAGE.partition(f"\n## {study}\n")[2].partition("\n## ")[0]
    assert "**Question**" in section
    assert "**Known**" in section
    assert f"`python -m studies.{study}" in section
    found = section.partition("**Found**")[2]
    assert re.search(r"\b2\d{3}-\d\d-\d\d\b", found), "it says when"
    assert re.search(r"\b[0-9a-f]{7}\b", found), "it names the commit"
