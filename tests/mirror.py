"""Finds the source that a test file tests, by its path: tests/ROOM/test_FILE.py tests harness/ROOM/FILE.py.

`python -m tests.mirror` prints how many sources have a test file with their name, and which have none.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS, PACKAGE = ROOT / "tests", ROOT / "harness"
BESIDE = ("benchmarks", "bots", "docs", "fuzz", "studies")
"""The folders of tests that mirror a folder of the checkout and no room; fuzz has its own source."""
OF_THE_CHECKOUT = frozenset(("architecture", "mirror", "near"))
"""The names of the tests that test the whole checkout."""
TEMPLATES = PACKAGE / "cli" / "templates"


def mirrored(folder: Path) -> Path:
    """The folder of the files that the tests in `folder` test. Perhaps this folder does not exist."""
    inner = folder.relative_to(TESTS)
    if inner.parts[:1] == ("fuzz",):
        return folder
    return (ROOT if inner.parts[:1] and inner.parts[0] in BESIDE else PACKAGE) / inner


@cache
def source_of(test: Path) -> Path | None:
    """The source that a test file names, or None if no source has this name.

    Several test files may test one source: test_FILE_ASPECT.py tests FILE if there is no source FILE_ASPECT.
    A test with the name of its folder tests the folder as a whole, above all its `__init__.py`.
    """
    folder = mirrored(test.parent)
    words = test.stem.removeprefix("test_").split("_")
    for many in range(len(words), 0, -1):
        name = "_".join(words[:many])
        if name == folder.name and folder.is_dir():
            return folder / "__init__.py" if (folder / "__init__.py").is_file() else folder
        if found := _named(folder, name):
            return found
    if test.parent == TESTS and "_".join(words) in OF_THE_CHECKOUT:
        return ROOT
    return None


def _named(folder: Path, name: str) -> Path | None:
    """A source in this folder: a Python file, a page, a script or a whole folder."""
    places = [folder, ROOT] if folder == ROOT / "docs" else [folder]  # protocol.md is not in docs/.
    for place in places:
        for file in (f"{name}.py", f"_{name}.py", f"{name}.md", f"{name}.js", f"{name}/__init__.py", name):
            if (place / file).exists() and place / file != folder:
                return place / file
    return None


@cache
def files_with_tests() -> tuple[Path, ...]:
    """All test files."""
    return tuple(sorted(TESTS.rglob("test_*.py")))


@cache
def sources() -> tuple[Path, ...]:
    """The Python files of the package, without the templates that `harness init` copies."""
    return tuple(sorted(set(PACKAGE.rglob("*.py")) - set(TEMPLATES.rglob("*.py"))))


def tests_of(source: Path) -> list[Path]:
    """The test files that name this source."""
    return [test for test in files_with_tests() if source_of(test) == source]


def main() -> None:
    tested = {source_of(test) for test in files_with_tests()}
    without = [str(source.relative_to(ROOT)) for source in sources() if source not in tested]
    for source in without:
        print(source)
    print(f"{len(sources()) - len(without)} of {len(sources())} sources have a test of their name")


if __name__ == "__main__":
    main()
