"""Checks that the documentation is true: its links, paths, commands, keys, limits and faults exist, and all
that exist are documented."""

import ast
import importlib
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args, get_origin

import msgspec
import pytest

from harness.cli.command import Command
from harness.config.entries import Entry
from harness.config.manifest import _Written as manifest_keys
from harness.config.scheme import KINDS, Curve, Gradescope
from harness.config.scheme import _Written as scheme_keys
from harness.model import FAULTS, Limits
from harness.schedule.plan import _Written as plan_keys
from tests.docs import commands_page, formats_page, manual_page, mistakes_page
from tests.play.seated import needs

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "harness" / "cli" / "templates"
IN_A_WORKSPACE = (TEMPLATES / "workspace", TEMPLATES / "house")
"""`harness init` puts the files of both folders into a workspace."""
COMMENT = re.compile(r"(?:^|\s)(?:#|//|/\*| \* )(.*)")
PATH = re.compile(
    r"(?<![\w./-])(?:\.ci|harness|tests|docs|bots|tournaments|benchmarks|studies)/[\w./*-]*[\w/*]"
)
PAGE = re.compile(r"(?<![\w./-])[\w/-]+\.md\b")
MODULE = re.compile(r"(?<![\w./-])(?:harness|benchmarks|studies)(?:\.(?!md\b)[A-Za-z_]\w*)+")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)

NUMBERS = r"\d+(?:(?:, | and | to )\d+)*"
CITED = re.compile(rf"([\w/]+\.md)(?:\)|`)*, (?:section|ruling)s? ({NUMBERS})")

EXAMPLES = re.compile(
    r"(?:^|/)(?:x|NAME|ROOM|test_x|mine|my-bot|auction|test_auction|new|old|demo|first|friday(?:-grading)?)(?:[/.]|$)"
)
"""Names in examples. They stand for the reader's own files, so these files need not exist."""


# -- the files -------------------------------------------------------------------------------------


@cache
def files() -> tuple[Path, ...]:
    """All files of the checkout that git knows or would add; without git, all files. Symbolic links are left
    out, and so are their copies in a source archive."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    git = subprocess.run(command, cwd=ROOT, capture_output=True, text=True) if shutil.which("git") else None
    if git is not None and git.returncode == 0:
        found = [ROOT / name for name in git.stdout.splitlines()]
    else:
        found = [path for path in ROOT.rglob("*") if not {".venv", "build"} & set(path.parts)]
    copies = TEMPLATES / "house"
    own = (path for path in found if path.is_file() and not path.is_symlink())
    return tuple(path for path in own if copies not in path.parents)


def pages() -> list[Path]:
    return [path for path in files() if path.suffix == ".md"]


def sources() -> list[Path]:
    """Files with code or settings, whose comments may name other files."""
    endings = (".py", ".sh", ".c", ".h", ".js", ".toml", ".cfg", ".pl", ".java", ".rs", ".cpp")
    return [p for p in files() if p.suffix in endings or p.parent.name == ".ci" or p.name == "Makefile"]


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def prose(path: Path) -> str:
    """The text of a file for people: of a page all, of code only the comments and docstrings."""
    if path.suffix == ".md":
        return path.read_text()
    if path.suffix == ".py":
        return "\n".join(comments_of_python(path.read_text()))
    return "\n".join(found[1] for line in path.read_text().splitlines() if (found := COMMENT.search(line)))


def comments_of_python(text: str) -> Iterator[str]:
    yield from re.findall(r"(?:^|\s)#\s(.*)", text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def expect_none(rule: Callable[[Path], Iterable[str]], paths: Iterable[Path]) -> None:
    """Assert that the rule finds nothing wrong in these files."""
    found = [f"{short(path)}: {wrong}" for path in paths for wrong in rule(path)]
    assert not found, "\n" + "\n".join(found)


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes from a page's headings."""
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


# -- links and paths -------------------------------------------------------------------------------


def broken_links(page: Path) -> Iterator[str]:
    for target in LINK.findall(FENCED.sub("", page.read_text())):
        # An address of the web, or a placeholder that a template replaces later.
        if re.match(r"\w+:|\$", target):
            continue
        name, _, anchor = target.partition("#")
        places = [page.parent, *IN_A_WORKSPACE] if TEMPLATES in page.parents else [page.parent]
        # `harness init` copies this page into a workspace, where the manuals are in the folder above.
        if IN_A_WORKSPACE[0] in page.parents:
            places += [tree / page.parent.relative_to(IN_A_WORKSPACE[0]) for tree in IN_A_WORKSPACE]
        file = next((file for place in places if (file := (place / name).resolve()).exists()), None)
        file = file if name else page
        if file is None:
            yield f"{target}: no such file"
        elif anchor and anchor not in anchors(file):
            yield f"{target}: {short(file)} has no such heading"


@cache
def is_there(root: Path, name: str) -> bool:
    return any(True for _ in root.glob(name))


def missing_files(path: Path) -> Iterator[str]:
    """Paths and pages that this file names, but that do not exist."""
    roots = [ROOT, *IN_A_WORKSPACE] if TEMPLATES in path.parents else [ROOT]
    for name in PATH.findall(prose(path)):
        if not EXAMPLES.search(name) and not any(is_there(root, name.rstrip("/")) for root in roots):
            yield name
    named = {page.name for page in pages()}
    for name in PAGE.findall(prose(path)):
        if not EXAMPLES.search(name) and Path(name).name not in named:
            yield name


def missing_modules(path: Path) -> Iterator[str]:
    return (name for name in MODULE.findall(prose(path)) if not importable(name))


def test_every_link_of_a_page_leads_somewhere() -> None:
    expect_none(broken_links, pages())


def test_every_path_in_a_page_a_comment_or_a_docstring_exists() -> None:
    expect_none(missing_files, [*pages(), *sources()])


def test_every_module_in_a_page_a_comment_or_a_docstring_exists() -> None:
    # The changelog may name modules that no longer exist.
    told = [page for page in pages() if page.name != "CHANGELOG.md"]
    expect_none(missing_modules, [*told, *sources()])


@cache
def importable(name: str) -> bool:
    """Whether this name is a module, or an object in a module."""
    try:
        importlib.import_module(name)
    except ImportError:
        module, _, rest = name.rpartition(".")
        return importable(module) and hasattr(importlib.import_module(module), rest)
    return True


# -- sections and rulings --------------------------------------------------------------------------


def numbered(text: str) -> set[str]:
    """The numbers of all numbered sections and list items of a text."""
    return set(re.findall(r"^(?:## )?(\d+)\. ", text, re.M))


def wrong_citations(path: Path) -> Iterator[str]:
    """Sections and rulings that this file cites with their page, but that the page does not have."""
    for name, list_of_them in CITED.findall(prose(path)):
        page = ROOT / name if (ROOT / name).exists() else path.parent / name
        there = numbered(page.read_text())
        yield from (f"{name}: {number}" for number in re.findall(r"\d+", list_of_them) if number not in there)


def wrong_rulings(path: Path) -> Iterator[str]:
    """Rulings that this file of a game cites, but that the game's page does not have."""
    _, _, rulings = (path.parent / f"{path.parent.name}.md").read_text().partition("## Rulings")
    for list_of_them in re.findall(rf"rulings? ({NUMBERS})", CITED.sub("", prose(path))):
        there = numbered(rulings)
        yield from (number for number in re.findall(r"\d+", list_of_them) if number not in there)


def test_every_section_and_ruling_that_is_cited_exists() -> None:
    expect_none(wrong_citations, [*pages(), *sources()])


def test_a_game_cites_rulings_of_its_own_page() -> None:
    games = ROOT / "harness" / "games"
    of_games = [path for path in sources() if path.parent.parent == games]
    expect_none(wrong_rulings, of_games)


def test_no_text_cites_a_document_from_outside() -> None:
    outside = re.compile(r"rules/README|\(design[):]|\bdesign: section")
    expect_none(lambda path: outside.findall(prose(path)), [*pages(), *sources()])


# -- commands --------------------------------------------------------------------------------------


def test_the_page_of_commands_is_what_the_commands_say_of_themselves() -> None:
    assert commands_page.PAGE.read_text() == commands_page.page(), "`make docs` writes it anew"


def test_the_page_of_man_is_what_the_commands_say_of_themselves() -> None:
    assert manual_page.PAGE.read_text() == manual_page.page(), "`make docs` writes it anew"


@pytest.mark.parametrize(
    "check",
    [("groff", "-man", "-Tascii", "-ww", "-z"), ("mandoc", "-T", "lint", "-W", "warning")],
    ids=["groff", "mandoc"],
)
def test_programs_that_show_the_page_of_man_find_nothing_wrong(check: tuple[str, ...]) -> None:
    needs(check[0])
    done = subprocess.run((*check, manual_page.PAGE), capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).splitlines()
    # The page has no date, because the same help texts must always give the same page.
    assert [line for line in said if "missing date" not in line] == []


def test_the_page_of_man_shows_each_command_and_each_option() -> None:
    needs("groff")
    lines = ("groff", "-man", "-Tascii", "-P-cbou", "-rLL=200n", manual_page.PAGE)
    done = subprocess.run(lines, capture_output=True, text=True, check=True)
    shown = " ".join(done.stdout.split())
    for name, command in COMMANDS.items():
        assert f" {commands_page.usage(name, command)} " in shown
        for option in commands_page.options(command):
            assert f" {', '.join((*option.opts, *option.secondary_opts))} " in shown
        assert isinstance(command, Command)
        assert all(f" {example} " in shown for example in command.examples)


def test_the_page_of_man_escapes_what_groff_would_obey() -> None:
    assert manual_page.roff(".br") == "\\&.br"
    assert manual_page.roff("--seed 'a\\b'") == "\\-\\-seed \\(aqa\\eb\\(aq"


def test_the_page_of_formats_is_what_the_formats_say_of_themselves() -> None:
    assert formats_page.PAGE.read_text() == formats_page.page(), "`make docs` writes it anew"


def test_the_page_of_mistakes_is_what_the_catalogue_of_hints_says() -> None:
    assert mistakes_page.PAGE.read_text() == mistakes_page.page(), "`make docs` writes it anew"


COMMANDS = dict(commands_page.commands())


def called(page: Path) -> Iterator[list[str]]:
    """The words of each `harness ...` that a page shows, in a block or in a line."""
    text = page.read_text()
    blocks = "\n".join(FENCED.findall(text)) + "\n" + "\n".join(re.findall(r"^    .*$", text, re.M))
    spans = re.findall(r"`(harness [^`\n]+)`", FENCED.sub("", text))
    lines = re.findall(r"^\s*(harness [^#\n]+)", blocks, re.M)
    yield from (re.findall(r"'[^']*'|\S+", call) for call in (*spans, *lines))


def wrong_calls(page: Path) -> Iterator[str]:
    """Commands and options that a page shows, but that do not exist."""
    for words in called(page):
        known = [name for size in (3, 2) if (name := " ".join(words[:size])) in COMMANDS]
        if not known:
            if words[1] not in ("COMMAND", "--help", "--version"):
                yield " ".join(words)
            continue
        there = {"--help"}.union(
            *((*o.opts, *o.secondary_opts) for o in commands_page.options(COMMANDS[known[0]]))
        )
        for word in re.findall(r"--[a-z-]+", " ".join(words)):
            if word not in there:
                yield f"{known[0]}: {word}"


def test_every_command_that_a_page_shows_exists_with_its_options() -> None:
    expect_none(wrong_calls, pages())


def test_every_target_of_make_that_a_page_shows_exists() -> None:
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.M))
    named = {
        name
        for page in pages()
        for name in re.findall(r"(?:^|`)make ([a-z][a-z-]*)\b", page.read_text(), re.M)
    }
    assert named <= targets


def test_the_help_of_make_names_every_command_for_developers() -> None:
    makefile = (ROOT / "Makefile").read_text()
    help_text = makefile.partition("\nhelp:\n")[2].partition("\n\n")[0]
    named = set(re.findall(r"make ([a-z-]+)", help_text))
    [phony] = re.findall(r"^\.PHONY: (.*)$", makefile, re.M)
    assert named == set(phony.split()) - {"help", "FORCE"}


# -- keys ------------------------------------------------------------------------------------------


class Row(NamedTuple):
    key: str
    default: str
    rest: list[str]


def table(page: Path, title: str) -> list[Row]:
    """The rows of the tables below a heading."""
    lines = page.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if re.fullmatch(rf"#+ {re.escape(title)}", line))
    end = next(
        (number for number, line in enumerate(lines) if number > start and line.startswith("## ")), len(lines)
    )
    found = []
    for line in lines[start:end]:
        if line.startswith("| `"):
            key, default, *rest = [cell.strip().replace("`", "") for cell in line.strip("| ").split(" | ")]
            found.append(Row(key, default, rest))
    return found


PLAN = ROOT / "docs" / "plan.md"
SCHEME = ROOT / "docs" / "grading.md"
PARTS_OF_A_PLAN = ("Game, bots and size", "Rules of the tournament", "Machine", "Tables")


def plain(value: object) -> str:
    """The text of a default, in the form that pages use."""
    if value == ():
        return "[]"
    return f"{value:,}" if type(value) is int else json.dumps(value)


def default_of(kind: type[msgspec.Struct], key: str) -> object:
    [field] = [field for field in msgspec.structs.fields(kind) if field.name == key]
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()


WORDS = {
    "none",
    "drawn",
    "name of the file",
    "one per core",
    "as the game allows",
    "as the game or the schedule says",
}
"""The words that pages may use as the default of a key whose default is None."""


def test_the_page_of_plans_has_every_key_and_no_other() -> None:
    rows = [row for part in PARTS_OF_A_PLAN for row in table(PLAN, part)]
    assert sorted(row.key for row in rows) == sorted(plan_keys.__struct_fields__)


def test_the_page_of_plans_has_the_default_of_every_key() -> None:
    rows = {row.key: row for part in PARTS_OF_A_PLAN for row in table(PLAN, part)}
    assert rows.pop("meet").default == "1"
    assert rows.pop("deal").default == "as the game says"
    for key in ("limits", "options", "chance"):
        assert rows.pop(key).default == "{}"
    for key, row in rows.items():
        default = default_of(plan_keys, key)
        if default is msgspec.NODEFAULT:
            assert row.default == "-", key
        else:
            assert row.default in (WORDS if default is None else {plain(default)}), key


def test_the_page_of_plans_has_every_choice_of_a_key() -> None:
    rows = {row.key: row for part in PARTS_OF_A_PLAN for row in table(PLAN, part)}
    for field in msgspec.structs.fields(plan_keys):
        if get_origin(field.type) is Literal:
            assert rows[field.name].rest[0] == ", ".join(f'"{choice}"' for choice in get_args(field.type))


def test_the_page_of_plans_has_every_limit_with_its_default_and_bounds() -> None:
    told = {row.key: (row.default, row.rest[0]) for row in table(PLAN, "Limits")}
    limits = {}
    for field in msgspec.structs.fields(Limits):
        bounds = field.type.__metadata__[0]
        limits[field.name] = (plain(field.default), f"{bounds.ge:,} to {bounds.le:,}")
    assert told == limits


def test_the_page_of_plans_has_every_key_of_a_bot_in_it() -> None:
    assert {row.key for row in table(PLAN, "Bots")} == set(Entry.__struct_fields__)


def test_the_page_of_grading_has_every_key_of_a_scheme() -> None:
    assert {row.key for row in table(SCHEME, "The scheme")} == set(scheme_keys.__struct_fields__)
    assert {row.key for row in table(SCHEME, "Curve")} == set(Curve.__struct_fields__)
    assert {row.key for row in table(SCHEME, "Gradescope")} == set(Gradescope.__struct_fields__)


def test_the_page_of_grading_has_every_kind_of_item_with_its_keys() -> None:
    text = SCHEME.read_text()
    rows = {row.key: " ".join(row.rest) for row in table(SCHEME, "Items")}
    assert rows.keys() == KINDS.keys()
    for kind, item in KINDS.items():
        for key in set(item.__struct_fields__) - {"kind", "name", "points"}:
            assert re.search(rf"\b{key}\b", rows[kind]), f"{kind}: {key}"
    assert "`kind`, `points`, and optionally `name`" in text


def test_the_readme_of_bots_has_every_key_of_a_manifest() -> None:
    readme = (ROOT / "bots" / "README.md").read_text().partition("## bot.toml")[2]
    for key in manifest_keys.__struct_fields__:
        assert re.search(rf"^{key} = |`{key}`", readme, re.M), key


def written_keys(page: Path) -> Iterator[str]:
    """Keys in the TOML blocks of a page that no plan, manifest or scheme has."""
    blocks = re.findall(r"^```toml\n(.*?)^```$", page.read_text(), re.M | re.S)
    for written in map(tomllib.loads, blocks):
        if written.keys() & {"item", "late"}:
            known = scheme_keys.__struct_fields__
        elif "run" in written:
            known = manifest_keys.__struct_fields__
        else:
            known = plan_keys.__struct_fields__
        yield from (key for key in written if key not in known and not options_of_a_game(page, written))
        yield from (key for key in written.get("limits", ()) if key not in Limits.__struct_fields__)


def options_of_a_game(page: Path, written: dict[str, object]) -> bool:
    """Whether these are options of a game on the game's page, which may show them without a plan."""
    return page.parent.parent.name == "games" and "game" not in written


def test_every_key_that_a_page_shows_in_toml_exists() -> None:
    expect_none(written_keys, pages())


# -- faults ----------------------------------------------------------------------------------------


def wrong_faults(page: Path) -> Iterator[str]:
    named = re.findall(r"[Ff]aults? `([a-z-]+)`(?:(?:, | and )`([a-z-]+)`)*", page.read_text())
    yield from (name for group in named for name in group if name and name not in FAULTS)


def test_every_fault_that_a_page_names_exists() -> None:
    expect_none(wrong_faults, pages())


def test_the_manual_describes_every_fault() -> None:
    rows = [row.key for row in table(ROOT / "protocol.md", "Faults")]
    assert rows == list(FAULTS)
