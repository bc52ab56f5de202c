"""Tests the rows of languages.toml, and that the starters and the pages follow from them."""

from pathlib import Path, PurePosixPath

import pytest

from benchmarks.languages import PAGE, kept, with_table
from harness.config.languages import (
    Language,
    alone,
    endings_alone,
    language_named,
    language_of_file,
    language_of_program,
    languages,
    programs,
    with_starter,
)
from tests.docs.languages_page import STARTERS, manifest, page

EACH = pytest.mark.parametrize("language", with_starter(), ids=lambda language: language.folder)


@EACH
def test_a_starter_is_one_program_and_the_manifest_of_its_row(language: Language) -> None:
    assert (STARTERS / language.starter).is_file()
    text = (STARTERS / language.folder / "bot.toml").read_text()
    assert text == manifest(language), "`make docs` writes it from the row"
    assert PurePosixPath(language.starter).suffix == language.endings[0]


def test_there_is_no_starter_without_a_row() -> None:
    assert {path.name for path in STARTERS.iterdir()} == {language.folder for language in with_starter()}


def test_the_page_has_the_table_of_the_rows() -> None:
    assert PAGE.read_text() == page(), "`make docs` writes it from the rows"


def test_a_language_without_figures_has_empty_cells_and_the_others_keep_theirs() -> None:
    figures = kept(PAGE.read_text())
    again = with_table(PAGE.read_text(), {name: cells for name, cells in figures.items() if name != "Lua"})
    assert "| Lua | lua5.4 |  |  |  |  |  |\n" in again
    assert kept(again) == figures | {"Lua": [""] * len(figures["Lua"])}


def test_a_name_an_ending_and_a_program_belong_to_one_language() -> None:
    rows = languages().values()
    named = [{row.name, *row.also, row.folder, *(each[1:] for each in row.endings)} for row in rows]
    names = [name for each in named for name in {name.casefold() for name in each} if name]
    endings = [ending for row in rows for ending in {*row.endings, *row.alone}]
    known = [program for row in rows for program in row.programs]
    assert len(names) == len(set(names))
    assert len(known) == len(set(known))
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize(
    ("said", "language"),
    [("C++", "C++"), ("cpp", "C++"), ("golang", "Go"), ("TS", "TypeScript"), ("node", "JavaScript")],
)
def test_a_language_has_other_names(said: str, language: str) -> None:
    assert (found := language_named(said))
    assert found.name == language


def test_a_program_may_have_a_version_in_its_name() -> None:
    assert language_of_program("ghc-9.4.7") is languages()["Haskell"]
    assert language_of_program("lua5.4") is languages()["Lua"]
    assert language_of_program("greedy") is None
    assert {"lua", "pypy", "zig", "gcc"} <= programs()


def test_a_file_runs_alone_if_its_language_needs_no_build() -> None:
    assert alone("a b.lua") == ("lua", "a b.lua")
    assert alone("Main.java") == ("java", "Main.java")
    assert alone("main.rs") == ()
    assert alone("notes.txt") == ()
    assert ".jar" in endings_alone()
    assert language_of_file("x.JAR") is languages()["Java"]


def test_a_language_shares_the_snippets_of_the_one_it_is_like() -> None:
    kotlin, java = languages()["Kotlin"].snippets, languages()["Java"].snippets
    assert kotlin["flush"] == java["flush"]
    assert kotlin["read"] != java["read"]


def test_the_commands_name_the_file_of_the_program() -> None:
    assert languages()["Java"].commands("Solver.java").build == ("javac", "Solver.java")
    assert languages()["Java"].commands("Solver.java").run[-1] == "Solver"
    assert languages()["TypeScript"].commands("x.ts").run == ("node", "x.js")


def test_every_row_is_a_program_or_a_file_that_somebody_may_meet() -> None:
    assert not [row.name for row in languages().values() if not (row.programs or row.endings)]


@pytest.mark.parametrize("name", ["README.md", "protocol.md", "docs/languages.md", "bots/README.md"])
def test_no_page_counts_the_languages(name: str) -> None:
    assert f"{len(with_starter())} languages" not in (Path(__file__).parent.parent.parent / name).read_text()
