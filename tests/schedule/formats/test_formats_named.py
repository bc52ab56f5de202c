"""Tests that all rules of a format are in its own file: no other file compares the name of a format."""

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

import harness
from harness.schedule.formats import all_formats, find, names

PACKAGE = Path(harness.__file__).parent
HOME = PACKAGE / "schedule" / "formats"


def comparisons(tree: ast.AST) -> Iterator[int]:
    """The lines in which the name of a format is compared, or in which a collection has only such names."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare():
                sides = (parts(side) for side in (node.left, *node.comparators))
                yield from (node.lineno for each in chain.from_iterable(sides) if is_name(each))
            case ast.MatchValue() if is_name(node.value):
                yield node.lineno
            case ast.Tuple() | ast.List() | ast.Set() | ast.Dict():
                if parts(node) and all(map(is_name, parts(node))):
                    yield node.lineno


def parts(node: ast.expr) -> list[ast.expr | None]:
    """The values of a collection, the keys of a dictionary, or the value itself."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [*node.elts]
    return [*node.keys] if isinstance(node, ast.Dict) else [node]


def is_name(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value in names()


def test_no_other_file_compares_a_format_by_its_name() -> None:
    found = [
        f"{path.relative_to(PACKAGE.parent)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if HOME not in path.parents
        for line in comparisons(ast.parse(path.read_text()))
    ]
    assert not found, f"ask the object of the format instead, `find(name)` gives it: {found}"


@pytest.mark.parametrize(
    "code",
    [
        'plan.format == "gauntlet"',
        'if "swiss" != stage.format: pass',
        'stage.format in ("knock-out", "double-elimination")',
        'ALONE = ("sprt", "ladder")',
        'SIZED = {"groups": ("meet",)}',
        'match stage.format:\n    case "swiss":\n        pass',
    ],
)
def test_a_comparison_is_seen(code: str) -> None:
    assert [*comparisons(ast.parse(code))]


@pytest.mark.parametrize("code", ['terms = {"format": "gauntlet"}', 'commands = {"ladder": 1, "run": 2}'])
def test_a_plan_that_chooses_a_format_compares_nothing(code: str) -> None:
    assert not [*comparisons(ast.parse(code))]


@pytest.mark.parametrize("name", names())
def test_the_file_of_a_format_has_its_name_and_its_words(name: str) -> None:
    found = find(name)
    assert found.name == name
    assert found.title
    assert found.meeting
    assert found.use
    assert found.page
    assert set(found.needs) <= set(found.keys)
    assert found.is_whole or found.is_stage


def test_each_format_is_found_once() -> None:
    assert [found.name for found in all_formats()] == sorted({found.name for found in all_formats()})
    with pytest.raises(harness.HarnessError, match="no format is called 'swis': there are double-elim"):
        find("swis")
