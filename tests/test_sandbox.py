"""Owns the tests of what surrounds a bot's process: its command, its folder, its environment."""

import os
import sys
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.sandbox import launch, resolved


def a_program(folder: Path, content: str = "#!/bin/sh\n", mode: int = 0o755) -> str:
    path = folder / "bot"
    path.write_text(content)
    path.chmod(mode)
    return str(path)


def test_python_is_the_one_that_runs_the_harness_without_its_environment(tmp_path: Path) -> None:
    program, *rest = resolved(["python3", "-I", "main.py"], tmp_path)
    assert rest == ["-I", "main.py"]
    assert program == os.path.realpath(sys.executable)


@pytest.mark.parametrize("name", ["bot", "./bot"])
def test_a_program_in_the_bots_folder_is_taken_from_there(tmp_path: Path, name: str) -> None:
    program = a_program(tmp_path)
    assert resolved([name, "-x"], tmp_path) == (program, "-x")


def test_any_other_program_is_looked_up_on_the_path(tmp_path: Path) -> None:
    assert resolved(["sh", "main.sh"], tmp_path)[0].endswith("/sh")


@pytest.mark.parametrize("name", ["./bot", "no-such-program-anywhere"])
def test_a_program_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"does not exist|not on the PATH"):
        resolved([name], tmp_path)


def test_a_program_that_may_not_be_executed_is_refused_with_the_mend(tmp_path: Path) -> None:
    a_program(tmp_path, mode=0o644)
    with pytest.raises(InputError, match=r"chmod \+x"):
        resolved(["bot"], tmp_path)


def test_a_script_that_does_not_say_what_runs_it_is_refused_with_the_mend(tmp_path: Path) -> None:
    a_program(tmp_path, "print('hello')\n")
    with pytest.raises(InputError, match="first line"):
        resolved(["bot"], tmp_path)


def test_the_environment_is_small_and_says_nothing_of_the_harness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("SECRET", "42")
    environment = launch(["bot"], tmp_path, tmp_path / "scratch").environment
    assert set(environment) == {"PATH", "LANG", "HOME", "TMPDIR", "SCRATCH"}
    assert environment["HOME"] == environment["SCRATCH"] == str(tmp_path / "scratch")
