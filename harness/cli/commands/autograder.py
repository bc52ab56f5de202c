"""The command `autograder`: makes the files with which Gradescope or GitHub marks each hand-in as soon as the
hand-in comes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import click

import harness
from harness.checking.marking import document_of, scheme_of
from harness.checking.marks_reach import REMEDY, out_of_reach
from harness.cli.arguments import FILE
from harness.cli.command import Command
from harness.cli.leagues import opponents
from harness.cli.output import tell
from harness.cli.settings import scheme_of_marks
from harness.cli.workspace import STARTER, TEMPLATES
from harness.config import Bot
from harness.config.toml_text import toml
from harness.config.workspace import LEAGUE
from harness.errors import InputError, MachineError, naming
from harness.escape import shown
from harness.games import is_path
from harness.league.league import League, gauntlet
from harness.league.marks_seed import MARKS_SEED, marks_seed, one_way, write_marks_seed
from harness.sandbox.builds.copies import private_copy


@click.command(
    cls=Command,
    examples=(
        "harness autograder my-course --out autograder.zip",
        "harness autograder tournaments/first.toml --github template",
    ),
)
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--out", metavar="FILE.zip", type=FILE, help="Write the zip that Gradescope takes.")
@click.option("--github", metavar="DIR", type=FILE, help="Write a workflow into this folder of a repository.")
@scheme_of_marks
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    show_default="compilers of the usual languages",
    help="A package of Debian to install; may be repeated.",
)
def autograder(
    plan_file: Path, out: Path | None, github: Path | None, scheme: Path | None, packages: tuple[str, ...]
) -> None:
    """Make an autograder for Gradescope or GitHub.

    The autograder checks each hand-in as soon as it comes, and plays it against the bots of a plan. PLAN is
    the file of a plan, or a league. If PLAN is a league, the house bots of the league play, and the scheme of
    the league says what earns points. The marks have no points for places, because these points depend on the
    other teams. An autograder has harness, the programs of the bots, and some scripts. Bots that are being
    marked cannot read or write these files.
    """
    if out is None and github is None:
        raise InputError("say what to make: --out FILE.zip for Gradescope, or --github DIR", "autograder")
    if out is not None and out.suffix != ".zip":
        raise InputError(f"expected a name that ends with .zip, not {shown(out.name)!r}", "--out")
    league, bots = opponents(plan_file, scheme)
    with tempfile.TemporaryDirectory(prefix="harness-autograder-") as room:
        plan = gauntlet(league, Path(STARTER))
        read = scheme_of(league, plan, Path(room, "scheme.toml"))  # Raises InputError if the scheme is wrong.
        seed = marks_seed(league.folder)
        names = ", ".join(shown(bot.name) for bot in bots)
        if out is not None:
            made = Path(room, "gradescope")
            fill(made, league, bots, packages, seed)
            with naming(Path(room, "made.zip")):
                packed = shutil.make_archive(str(Path(room, "made")), "zip", made)
            shutil.copyfile(packed, out)
            tell(f"Made {shown(str(out))}: upload it to Gradescope as the autograder of an assignment.")
        if github is not None:
            made = Path(room, "github")
            # Students can read this seed. So this seed must not reveal the seed of the marks.
            fill(made, league, bots, packages, one_way(seed, "github"))
            write_workflow(github, made)
            paths = f"{shown(str(github / WORKFLOW))} and {shown(str(github / BESIDE))}"
            tell(f"Made {paths}: push both to the template repository.")
    tell(f"Each hand-in is checked, and plays against {names}.")
    for sentence in out_of_reach(plan, read):
        tell(f"No hand-in can get all points: {shown(sentence)}; {REMEDY}.")
    secret = shown(str(league.folder / MARKS_SEED))
    tell(
        f"The deals of a hand-in follow from its files and from {secret}: keep this file, and keep it secret."
    )
    tell(f"To mark a bot here in the same way: harness mark {shown(str(plan_file))} BOT")


# -- the files of an autograder --------------------------------------------------------------------
#
# setup.sh            installs languages and the packages that harness needs; the platform runs it once
# run_autograder      marks one hand-in with `harness mark`
# packages.txt        the packages of Debian or Ubuntu to install
# requirements.txt    the Python packages to install
# harness/            this version of harness, so that no other version is installed
# course/             a league: league.toml, the bots to play against, the scheme, the game, the secret
#                     seed of the marks


SCRIPTS = TEMPLATES / "autograder"
PACKAGES = ("bubblewrap", "python3", "python3-venv")
USUAL = ("gcc", "g++", "libc6-dev", "make", "default-jdk-headless", "nodejs", "perl")
"""The packages of the languages that students use in most courses."""
LEFT_OUT = frozenset(
    ("bots", "house", "name", "roster", "scheme", "deadline", "seed", "visible", "isolation")
)
"""The keys of a plan or a league that are not copied into an autograder. Either an autograder sets these keys
itself, or they name something on this machine."""
MACHINE = frozenset(("workers", "at_once", "missing"))
WORKFLOW = ".github/workflows/autograding.yml"
BESIDE = ".github/autograder"


def fill(folder: Path, league: League, bots: Collection[Bot], packages: Collection[str], seed: int) -> None:
    """Writes an autograder for the game of this league into a new folder. `bots` are the opponents of each
    hand-in. The deals that hand-ins play follow from `seed`."""
    folder.mkdir()
    shutil.copy(SCRIPTS / "setup.sh", folder / "setup.sh")
    shutil.copy(SCRIPTS / "run_autograder.sh", folder / "run_autograder")
    for script in ("setup.sh", "run_autograder"):
        (folder / script).chmod(0o755)
    lists = {"packages.txt": (*PACKAGES, *(packages or USUAL)), "requirements.txt": _requirements()}
    for name, lines in lists.items():
        with naming(folder / name):
            (folder / name).write_text("\n".join(lines) + "\n")
    _copy_tree(Path(harness.__file__).parent, folder / "harness")
    _write_course(folder / "course", league, bots)
    write_marks_seed(folder / "course", seed)


def _requirements() -> list[str]:
    """Returns the packages that pip must install besides harness. Raises MachineError if harness itself is
    not installed."""
    try:
        found = requires(harness.DISTRIBUTION) or []
    except PackageNotFoundError:
        raise MachineError(
            f"{harness.DISTRIBUTION} is not installed, so nothing says which packages it needs"
        ) from None
    return [each for each in found if "extra ==" not in each]


def _write_course(course: Path, league: League, bots: Collection[Bot]) -> None:
    """Writes a league that needs no files outside its own folder."""
    course.mkdir()
    table = {key: value for key, value in league.document.table.items() if key not in LEFT_OUT | MACHINE}
    if is_path(game := str(table["game"])):
        table["game"] = _copied_game(course, league.folder / game)
    house = []
    for number, bot in enumerate(bots, start=1):
        path = bot.home
        if not bot.play_outs:
            place = course / "bots" / str(number)
            place.parent.mkdir(exist_ok=True)
            private_copy(bot, place)
            path = str((place / bot.alone).relative_to(course))
        house.append({"path": path, "name": bot.name})
    table["house"] = house
    if league.scheme is not None:
        with naming(course / "scheme.toml"):
            (course / "scheme.toml").write_text(toml(document_of(league.scheme).table), encoding="utf-8")
        table["scheme"] = "scheme.toml"
    with naming(course / LEAGUE):
        (course / LEAGUE).write_text(toml(table), encoding="utf-8")


def _copied_game(course: Path, game: Path) -> str:
    target = course / "games" / game.name
    if game.is_dir():
        _copy_tree(game, target)
    else:
        target.parent.mkdir()
        shutil.copy(game, target)
    return str(target.relative_to(course))


def _copy_tree(source: Path, target: Path, hidden: bool = False) -> None:
    """Copies a folder. Leaves out caches, and also hidden files unless `hidden` is set.

    `shutil.copytree` is not used: on a full disk it would still try to copy every file, and then raise one
    error with a list of all files.
    """
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.name == "__pycache__" or (path.name.startswith(".") and not hidden):
            continue
        if path.is_dir():
            _copy_tree(path, target / path.name, hidden)
        else:
            shutil.copy2(path, target / path.name)


def write_workflow(folder: Path, made: Path) -> None:
    """Puts an autograder, and the workflow that runs it, into the folder of a template repository."""
    beside, workflow = folder / BESIDE, folder / WORKFLOW
    if beside.exists():
        shutil.rmtree(beside)
    _copy_tree(made, beside, hidden=True)
    workflow.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SCRIPTS / "autograding.yml", workflow)
