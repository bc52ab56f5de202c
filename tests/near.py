"""Runs only the tests of the files that a change touches, which is faster than `make test`: `make test-near`.

A change is all that differs from the last commit that the main branch has too. A change touches the files
that changed, and the sources that import one of these. The tests of these files run, and the tests of the
architecture and of the documentation. Arguments go to pytest; `--list` only prints the test files.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.mirror import BESIDE, PACKAGE, ROOT, TESTS, files_with_tests, source_of, sources, tests_of

PACKAGES = frozenset(("harness", "tests", "benchmarks", "studies"))
ALWAYS = frozenset(
    (TESTS / "test_architecture.py", TESTS / "test_mirror.py", TESTS / "docs" / "test_docs.py")
)


def changed() -> set[Path]:
    """The files that differ from the last common commit with the main branch, also new and deleted ones."""
    main = next(ref for ref in ("origin/main", "main", "HEAD") if _git("rev-parse", "-q", "--verify", ref))
    [common] = _git("merge-base", main, "HEAD")
    differ = _git("diff", "--name-only", "--no-renames", common)
    return {ROOT / name for name in (*differ, *_git("ls-files", "--others", "--exclude-standard"))}


def _git(*arguments: str) -> list[str]:
    return subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


def near(files: Iterable[Path]) -> set[Path]:
    """The test files, and folders of test files, that must run after a change of these files."""
    found = set(ALWAYS)
    for file in files:
        if file.name == "conftest.py":
            found.add(file.parent)
        elif file.suffix == ".py" and file.relative_to(ROOT).parts[0] in PACKAGES:
            for touched in (file, *importers(file)):
                found.update(_tests(touched))
        else:
            found.update(_beside(file))
    return found


def _tests(file: Path) -> list[Path]:
    """A test file itself; for a source the tests with its name or else the tests that import it."""
    return [file] if file in files_with_tests() else tests_of(file) or _import(file, files_with_tests())


def _beside(file: Path) -> list[Path]:
    """For a file that no Python file imports (a page, a script, a bot): the tests that have its name or that
    of a folder above it. If there are none: the tests in the folder that mirrors the folder of the file."""
    inner = file.relative_to(PACKAGE if PACKAGE in file.parents else ROOT)
    if PACKAGE not in file.parents and inner.parts[0] not in BESIDE:
        return []
    folder = next(folder for each in inner.parents if (folder := TESTS / each).is_dir())
    found = [test for test in files_with_tests() if test.parent == folder != TESTS]
    named = {test: source for test in found if (source := source_of(test))}
    over = {file, *file.parents, *(each / "__init__.py" for each in file.parents)}
    return [test for test, source in named.items() if source in over] or found


def importers(file: Path) -> list[Path]:
    """The sources that import this file; if this file belongs to the tests, the test files that import it.
    Test files that import a source are left out, because they are too many."""
    return _import(file, files_with_tests() if TESTS in file.parents else sources())


def _import(file: Path, others: Iterable[Path]) -> list[Path]:
    module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    name = module.rpartition(".")[2]
    return [other for other in others if name in text(other) and module in imported(other)]


@cache
def text(file: Path) -> str:
    return file.read_text()


@cache
def imported(file: Path) -> frozenset[str]:
    """The names of all modules that a file imports, and of the objects that it imports from them."""
    return frozenset(_imported(ast.parse(text(file))))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def main(arguments: list[str]) -> None:
    files = sorted(str(file.relative_to(ROOT)) for file in near(changed()))
    if arguments == ["--list"]:
        print("\n".join(files))
    else:
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *arguments, *files])


if __name__ == "__main__":
    main(sys.argv[1:])
