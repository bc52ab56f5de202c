"""Owns the tests that an installed package has all that a checkout has: its rooms and its templates."""

from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "harness"
TEMPLATES = PACKAGE / "templates"


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
