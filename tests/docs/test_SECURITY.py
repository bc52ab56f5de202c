"""Checks the files for people from outside the project: SECURITY.md, the forms for issues, the citation."""

from pathlib import Path

import pytest
import yaml

import harness

ROOT = Path(__file__).parents[2]
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
PARTS = {"markdown": {"value"}, "textarea": {"label"}, "input": {"label"}, "dropdown": {"label", "options"}}
"""The kinds of parts of a form for issues, and the attributes that each kind must have."""


@pytest.mark.parametrize("form", sorted(FORMS.glob("[!c]*.yml")), ids=lambda path: path.stem)
def test_a_form_for_issues_has_what_its_host_demands(form: Path) -> None:
    written = yaml.safe_load(form.read_text())
    assert {"name", "description", "body"} <= written.keys()
    for part in written["body"]:
        assert part["attributes"].keys() >= PARTS[part["type"]]
    ids = [part["id"] for part in written["body"] if part["type"] != "markdown"]
    assert ids
    assert len(set(ids)) == len(ids)


def test_the_form_for_wishes_has_the_doors_of_the_first_page() -> None:
    [door, *_] = yaml.safe_load((FORMS / "wish.yml").read_text())["body"]
    *doors, _else = door["attributes"]["options"]
    readme = (ROOT / "README.md").read_text()
    assert len(doors) == 4
    assert all(f"\n## {title}\n" in readme for title in doors)


def test_the_citation_names_the_package_and_its_licence() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["license"] in (ROOT / "LICENSE").read_text()
    assert harness.__version__.startswith(citation["version"])


def test_the_policy_of_security_names_the_rogues_as_its_model() -> None:
    page = (ROOT / "SECURITY.md").read_text()
    assert "](bots/rogues/README.md)" in page
    assert "## What is not covered" in page
