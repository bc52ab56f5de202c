"""Tests that an installed package has all its files, and tells which dependency is missing."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from configparser import ConfigParser
from email import message_from_bytes
from functools import cache
from pathlib import Path

import pytest

import harness
from tests.play.seated import needs

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "harness"
TEMPLATES = PACKAGE / "cli" / "templates"
PAGE = "https://example.org/people/harness"


def test_every_folder_with_code_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py") if TEMPLATES not in path.parents}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


# -- the wheel -------------------------------------------------------------------------------------


@cache
def known_to_git() -> list[str]:
    """The files of the checkout that git knows, also links."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [file for file in done.stdout.split("\0") if file and os.path.lexists(ROOT / file)]


def followed(files: Iterable[str]) -> set[str]:
    """The paths of these files, and of all files in folders to which links among these files lead."""
    found = set()
    for file in files:
        path = ROOT / file
        if path.is_dir():
            target = path.resolve().relative_to(ROOT)
            inside = (each for each in known_to_git() if Path(each).is_relative_to(target))
            found |= {str(Path(file, Path(each).relative_to(target))) for each in followed(inside)}
        else:
            found.add(file)
    return found


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, for building a release. It also has files that builds of bots leave."""
    copy = tmp_path_factory.mktemp("checkout")
    for file in known_to_git():
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, copy / file, follow_symlinks=False)
    for left in ("starters/c/bot", "starters/c/.built", "starters/java/Main.class", "sevens/random/x.pyc"):
        (copy / "bots" / left).write_text("")
    assert addresses(copy, "git@example.org:people/harness.git") == f"addresses: those of {PAGE}\n"
    return copy


def addresses(folder: Path, origin: str) -> str:
    """Writes the addresses of a repository into this copy of the checkout, as `make release` does."""
    command = [sys.executable, str(ROOT / ".ci" / "addresses"), str(folder), origin]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    offline = ("--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check")
    pip(checkout, "wheel", *offline, "-w", str(folder), str(checkout))
    [made] = folder.glob("*.whl")
    return made


def pip(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr


def files_in(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("harness/")}


def test_a_wheel_has_every_file_of_the_package_and_nothing_that_builds_left(wheel: Path) -> None:
    assert files_in(wheel) == {file for file in followed(known_to_git()) if file.startswith("harness/")}
    assert wheel.stat().st_size < 1_500_000


def test_a_wheel_has_the_page_that_man_shows(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        [page] = [name for name in packed.namelist() if name.endswith(".data/data/share/man/man1/harness.1")]
        assert packed.read(page) == (ROOT / "docs" / "harness.1").read_bytes()


def test_a_release_leads_to_its_repository(checkout: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        [name] = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
        told = message_from_bytes(packed.read(name))
    files = f"{PAGE}/blob/v{harness.__version__}"
    assert told["Home-page"] == PAGE
    assert told.get_all("Project-URL") == [
        f"Source, {PAGE}",
        f"Documentation, {files}/docs/index.md",
        f"Issues, {PAGE}/issues",
        f"Changelog, {files}/CHANGELOG.md",
        f"Security, {files}/SECURITY.md",
    ]
    page = str(told.get_payload())
    assert f"[First steps]({files}/docs/start.md)" in page
    assert f'<img src="{PAGE}/raw/v{harness.__version__}/docs/pictures/match-light.webp"' in page
    assert not re.findall(r"\]\((?!https:|#)", page)
    assert f"\nrepository-code: {PAGE}\n" in (checkout / "CITATION.cff").read_text()


@pytest.mark.parametrize(
    ("origin", "page"),
    [
        ("https://example.org/people/harness", PAGE),
        ("https://somebody:password@example.org:8443/people/harness.git/", PAGE.replace("org", "org:8443")),
        ("ssh://git@example.org:2222/people/group/harness.git", PAGE.replace("people", "people/group")),
        ("https://example.org/people/harness.git?token=secret", ""),
        (r"https://example.org/people/\1harness", ""),
        ("../harness", ""),
        ("file:///home/me/harness.git", ""),
        ("", ""),
    ],
)
def test_a_release_knows_its_repository_by_each_address_of_git(
    origin: str, page: str, tmp_path: Path
) -> None:
    for file in ("setup.cfg", "CITATION.cff", "README.md", "harness/__init__.py"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    told = addresses(tmp_path, origin)
    assert page in told
    written = re.findall(r"^    Source = (.*)$", (tmp_path / "setup.cfg").read_text(), re.M)
    assert written == ([page] if page else [])
    assert ("no address on the web" in told) == (not page)


def test_a_source_archive_has_every_file_and_makes_the_same_wheel(
    checkout: Path, wheel: Path, tmp_path: Path
) -> None:
    make = "import sys; from setuptools import build_meta as made; getattr(made, sys.argv[1])(sys.argv[2])"

    def build(kind: str, folder: Path) -> None:
        subprocess.run(
            [sys.executable, "-c", make, kind, str(tmp_path)], cwd=folder, check=True, capture_output=True
        )

    build("build_sdist", checkout)
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        # Python in Debian 12 has no `data_filter`.
        packed.extraction_filter = getattr(tarfile, "data_filter", lambda info, _: info)
        packed.extractall(tmp_path)
        inside = {name.partition("/")[2] for name in packed.getnames() if packed.getmember(name).isfile()}
    made = {name for name in inside if name == "PKG-INFO" or ".egg-info/" in name}
    assert inside - made == followed(known_to_git())
    build("build_wheel", tmp_path / archive.name.removesuffix(".tar.gz"))
    [again] = tmp_path.glob("*.whl")
    assert files_in(again) == files_in(wheel)


def test_an_installed_package_makes_a_workspace_that_plays(wheel: Path, tmp_path: Path) -> None:
    needs("cc")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    place = tmp_path / "away" / "new"
    place.parent.mkdir()

    # If coverage were measured here, the installed copy would count as a second package.
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}

    def harness(folder: Path, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *arguments],
            cwd=folder,
            env=unmeasured | {"PYTHONPATH": str(tmp_path / "site")},
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "Made a workspace for Evil Squash" in harness(
        place.parent, "init", "new", "--game", "squash", "--language", "c"
    )
    plan = place / "tournaments" / "first.toml"
    plan.write_text(plan.read_text().replace("deals = 10", "deals = 1"))
    assert " my-bot " in harness(place, "run", "tournaments/first.toml")
    harness(place, "report", "logs/first")
    assert (place / "logs" / "first" / "report" / "index.html").is_file()
    assert "plays squash as it should" in harness(place, "check", "bot", "bots/my-bot", "--game", "squash")


def test_the_distribution_has_a_name_of_its_own(wheel: Path) -> None:
    """On the Python Package Index, `harness` is another project. So no page may say to install `harness`."""
    assert wheel.name.startswith("tournament_harness-")
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert setup["metadata"]["name"] == harness.DISTRIBUTION
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *PACKAGE.rglob("*.py")]
    named = re.compile(r"(?:pip|pipx) (?:install|inject) (?:-\S+ )*'?harness\b")
    assert not [str(page) for page in pages if named.search(page.read_text())]


# -- what it depends on ----------------------------------------------------------------------------


def test_the_command_that_installs_a_package_is_right_in_each_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    elsewhere = f"{tmp_path}/.venv/bin/python -m pip install --upgrade pyarrow"
    assert harness.install_command("pyarrow") == elsewhere
    monkeypatch.chdir(tmp_path)
    here = ".venv/bin/python -m pip install --upgrade pyarrow"
    assert harness.install_command("pyarrow") == here
    (tmp_path / "pipx_metadata.json").write_text("{}")
    injected = "pipx inject --force tournament-harness pyarrow"
    assert harness.install_command("pyarrow") == injected


@pytest.mark.parametrize(
    ("module", "package", "argument"),
    [
        ("click", "click", "--version"),
        ("jinja2", "jinja2", "report"),
        ("trio_parallel", "trio-parallel", "run"),
    ],
)
def test_a_dependency_that_is_missing_is_told_with_what_installs_it(
    module: str, package: str, argument: str
) -> None:
    gone = f"import sys; sys.modules[{module!r}] = None\nfrom harness.__main__ import main; main()"
    said = subprocess.run(
        [sys.executable, "-c", gone, argument], capture_output=True, text=True, check=False, timeout=60
    )
    told = f"Error: {package} is not installed, or too old: run `{harness.install_command(package)}`\n"
    assert (said.returncode, said.stdout, said.stderr) == (3, "", told)


@pytest.mark.parametrize(
    ("failing", "told"),
    [
        (
            "harness.cli.main.Main.invoke = lambda *_: bytearray(1 << 62)",
            "there is not enough memory (`ulimit -v` says how much a process may use)",
        ),
        (
            "harness.cli.main.Main.invoke = lambda *_: bytearray(1 << 62)\n"
            "sys.modules['harness.cli.error_for'] = None",
            "there is not enough memory (`ulimit -v` says how much a process may use)",
        ),
        (
            "sys.meta_path.insert(0, type('No', (), {'find_spec': find_spec}))",
            "libssl.so.3 cannot be loaded: there is not enough memory (`ulimit -v`), or its disk is mounted "
            "with `noexec`",
        ),
    ],
)
def test_too_little_memory_for_a_file_is_told(failing: str, told: str) -> None:
    code = f"""import sys
import harness.cli.main
def find_spec(name, *_):
    if name.startswith("harness.cli.commands."):
        raise ImportError("libssl.so.3: failed to map segment from shared object", name=name)
{failing}
from harness.__main__ import main
main()"""
    said = subprocess.run(
        [sys.executable, "-c", code, "games"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (said.returncode, said.stdout, said.stderr) == (3, "", f"Error: {told}\n")


def test_a_command_imports_no_file_of_another_command() -> None:
    code = "import sys; from harness.cli.main import main; main(['games'], standalone_mode=False)"
    said = subprocess.run(
        [sys.executable, "-c", f"{code}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    loaded = set(said.stdout.split())
    assert "harness.cli.commands.games" in loaded
    assert not loaded & {"harness.cli.commands.run", "harness.cli.commands.verify", "harness.play", "trio"}


def test_a_room_of_our_own_that_is_missing_is_no_dependency() -> None:
    gone = "import sys; sys.modules['harness.record.log'] = None\nfrom harness.__main__ import main; main()"
    said = subprocess.run(
        [sys.executable, "-c", gone, "status", "."], capture_output=True, text=True, check=False, timeout=60
    )
    assert "ModuleNotFoundError: import of harness.record.log halted" in said.stderr


def test_the_command_begins_where_a_missing_dependency_is_told() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    scripts = setup["options.entry_points"]["console_scripts"].strip().splitlines()
    assert set(scripts) == {f"{name} = harness.__main__:main" for name in ("harness", harness.DISTRIBUTION)}
