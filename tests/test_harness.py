"""Tests the names for notebooks: `import harness` loads no room, and each name exists and is documented."""

import inspect
import subprocess
import sys

import pytest

import harness

NAMES = [name for name in harness.__all__ if name != "__version__"]


def python(code: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    assert python("import sys, harness; print([name for name in sys.modules if 'harness.' in name])") == "[]"


@pytest.mark.parametrize("name", NAMES)
def test_each_name_is_there_and_says_what_it_is(name: str) -> None:
    assert name in dir(harness)
    assert inspect.getdoc(getattr(harness, name))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'verfiy'"):
        harness.verfiy  # type: ignore[attr-defined]  # noqa: B018


def test_verify_is_the_function_whatever_was_imported_before() -> None:
    code = "from harness.verify import Verified; import harness.cli, harness; print(harness.verify.__name__)"
    assert python(code) == "verify"


def test_help_shows_all_names() -> None:
    told = python("import harness; help(harness)")
    assert all(f"{name}(" in told for name in NAMES)
