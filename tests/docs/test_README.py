"""Checks README.md: it is short, it has four "doors" (links to tutorials), and each claim has a proof."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MOST_LINES = 120
MOST_WORDS = 900
DOORS = (
    "I teach a course",
    "I write a bot or an engine",
    "I evaluate programs or models",
    "I make a game",
)
MOST_SENTENCES = 6
HELD = re.compile(r"<!-- held by: (.*?) -->", re.S)
PICTURE = re.compile(r"<picture>.*?</picture>", re.S)


def seen(text: str) -> str:
    """The text that a reader sees: without comments, and without the addresses of links and pictures."""
    text = PICTURE.sub("", re.sub(r"<!--.*?-->", "", text, flags=re.S))
    return re.sub(r"\]\([^)]*\)", "]", text)


def parts() -> dict[str, str]:
    """The sections of the page by their titles."""
    return dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", README, re.M | re.S))


def proofs() -> list[str]:
    return [proof for held in HELD.findall(README) for proof in held.split("; ")]


def missing(proof: str) -> str:
    """Says why this test, study or benchmark does not exist; "" if it exists."""
    name, _, function = proof.partition("::")
    if name.partition("/")[0] not in ("tests", "studies", "benchmarks"):
        return f"{proof}: neither a test nor a study nor a benchmark"
    if not (ROOT / name).is_file():
        return f"{proof}: no such file"
    if name.startswith("tests/") and not re.search(
        rf"^(async )?def {re.escape(function)}\(", (ROOT / name).read_text(), re.M
    ):
        return f"{proof}: no such test"
    return ""


def test_the_first_page_is_short() -> None:
    assert len(README.splitlines()) <= MOST_LINES
    assert len(seen(README).split()) <= MOST_WORDS


def test_the_first_page_has_one_picture() -> None:
    assert len(PICTURE.findall(README)) == 1


@pytest.mark.parametrize("title", DOORS)
def test_a_door_has_few_sentences_one_command_and_a_way_on(title: str) -> None:
    text, command, way = re.fullmatch(r"\n(.*?)\n```sh\n(.*?)```\n\n(.*)", parts()[title], re.S).groups()  # type: ignore[union-attr]
    assert len(text.strip().splitlines()) <= MOST_SENTENCES
    assert len(command.strip().splitlines()) == 1
    assert command.startswith("harness ")
    # In a released source archive, links begin with the address of the repository (see `.ci/addresses`).
    assert re.match(r"\[.*?\]\((https://\S+/)?docs/guides/\w+\.md\)", way), "a door leads to its tutorial"


@pytest.mark.parametrize("title", [*DOORS, "Begin"])
def test_a_part_names_what_holds_its_claims(title: str) -> None:
    assert HELD.search(parts()[title])


def test_each_reason_names_what_holds_it() -> None:
    reasons = re.findall(r"^\*\*Rather than .*?(?=^\*\*|^\[)", parts()["Why harness"], re.M | re.S)
    assert len(reasons) == 3
    assert all(HELD.search(reason) for reason in reasons)


def test_what_holds_a_claim_exists() -> None:
    assert not [wrong for proof in proofs() if (wrong := missing(proof))]


@pytest.mark.parametrize(
    ("proof", "wrong"),
    [
        ("tests/docs/test_README.py::test_the_first_page_is_short", ""),
        ("tests/docs/test_README.py::test_gone", "no such test"),
        ("tests/docs/test_README.py", "no such test"),
        ("studies/gone.py", "no such file"),
        ("docs/plan.md", "neither"),
    ],
)
def test_a_proof_that_does_not_exist_is_found(proof: str, wrong: str) -> None:
    assert wrong in missing(proof)
    assert bool(wrong) == bool(missing(proof))


def test_each_study_that_holds_a_claim_is_told_with_its_findings() -> None:
    page = (ROOT / "docs" / "studies.md").read_text()
    for proof in proofs():
        if proof.startswith("studies/"):
            assert re.search(rf"^## {Path(proof).stem}$", page, re.M), proof


def test_the_numbers_on_the_first_page_are_true() -> None:
    [rogues] = map(int, re.findall(r"More than (\d+) rogues", README))
    assert len(tomllib.loads((ROOT / "bots" / "rogues" / "expected.toml").read_text())) > rogues
    demo = (ROOT / "tournaments" / "sevens-demo.toml").read_text()
    assert "up to eight languages" in README
    assert len(re.findall(r'"../bots/starters/', demo)) == 8


def test_the_plan_of_the_first_steps_is_that_of_a_new_workspace() -> None:
    block = re.search(r"```toml\n(.*?)```", (ROOT / "docs" / "start.md").read_text(), re.S)
    template = ROOT / "harness" / "cli" / "templates" / "workspace" / "tournaments" / "first.toml"
    assert block
    for key in ("meet", "deals"):
        [told] = re.findall(rf"^{key} = (\d+)", block[1], re.M)
        [made] = re.findall(rf"^{key} = (\d+)", template.read_text(), re.M)
        assert told == made
