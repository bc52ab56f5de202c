"""Owns the tests that an installed package has its rooms, its templates and what it depends on."""

import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "harness"
TEMPLATES = PACKAGE / "cli" / "templates"


def test_every_folder_with_code_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py") if TEMPLATES not in path.parents}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


def test_every_file_beside_the_code_is_package_data() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    patterns = setup["options.package_data"]["harness"].split()
    packed = {path for pattern in patterns for path in PACKAGE.glob(pattern.replace("**", "**/*"))}
    packed |= {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    others = {
        path
        for path in PACKAGE.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and (path.suffix != ".py" or TEMPLATES in path.parents)
    }
    assert sorted(map(str, others - packed)) == []


@pytest.mark.parametrize(("module", "package"), [("jinja2", "jinja2"), ("trio_parallel", "trio-parallel")])
def test_a_dependency_that_is_missing_is_told_with_what_installs_it(module: str, package: str) -> None:
    gone = f"import sys; sys.modules[{module!r}] = None\nfrom harness.__main__ import main; main()"
    said = subprocess.run(
        [sys.executable, "-c", gone, "--help"], capture_output=True, text=True, check=False, timeout=60
    )
    told = f"Error: {package} is not installed, or too old: run `make setup`, or `pip install -U {package}`\n"
    assert (said.returncode, said.stdout, said.stderr) == (3, "", told)


def test_a_room_of_our_own_that_is_missing_is_no_dependency() -> None:
    gone = "import sys; sys.modules['harness.record.log'] = None\nfrom harness.__main__ import main; main()"
    said = subprocess.run(
        [sys.executable, "-c", gone], capture_output=True, text=True, check=False, timeout=60
    )
    assert "ModuleNotFoundError: import of harness.record.log halted" in said.stderr


def test_the_command_begins_where_a_missing_dependency_is_told() -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    assert setup["options.entry_points"]["console_scripts"].strip() == "harness = harness.__main__:main"
