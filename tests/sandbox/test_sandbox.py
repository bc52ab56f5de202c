"""Tests the command, the folder and the environment with which the process of a bot starts."""

import os
import sys
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox import Sandbox, launch, launch_in, launch_of, resolved
from harness.sandbox.places import Toolchain, toolchain


def a_program(folder: Path, content: str = "#!/bin/sh\n", mode: int = 0o755) -> str:
    path = folder / "bot"
    path.write_text(content)
    path.chmod(mode)
    return str(path)


def test_python_is_the_one_that_runs_the_harness_without_its_environment(tmp_path: Path) -> None:
    program, *rest = resolved(["python3", "-I", "main.py"], tmp_path)
    assert rest == ["-I", "main.py"]
    assert program == os.path.realpath(sys.executable)


@pytest.mark.parametrize("name", ["./bot", "./no/../bot", ".//bot"])
def test_a_program_with_a_slash_is_taken_from_the_bots_folder(tmp_path: Path, name: str) -> None:
    program = a_program(tmp_path)
    assert resolved([name, "-x"], tmp_path) == (program, "-x")


@pytest.mark.parametrize("name", ["sh", "bot"])
def test_a_name_without_a_slash_is_never_taken_from_the_bots_folder(tmp_path: Path, name: str) -> None:
    a_program(tmp_path)
    (tmp_path / "sh").write_bytes(b"\x7fELF")
    (tmp_path / "sh").chmod(0o755)
    if name == "sh":
        assert not resolved([name], tmp_path)[0].startswith(str(tmp_path))
    else:
        with pytest.raises(
            InputError, match=r"'bot' is not on the PATH; write \./bot for the file in the bot's"
        ):
            resolved([name], tmp_path)


def test_a_script_in_place_of_a_program_is_refused_with_what_runs_it(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print('hello 1')\n")
    with pytest.raises(InputError, match=r"write python3 main\.py for the file in the bot's folder"):
        resolved(["main.py"], tmp_path)


@pytest.mark.parametrize("target", ["/bin/sh", "../outside"])
def test_a_program_that_is_a_link_out_of_the_folder_is_refused(tmp_path: Path, target: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    Path(a_program(tmp_path)).rename(tmp_path / "outside")
    (home / "tool").symlink_to(target)
    with pytest.raises(InputError, match="does not exist"):
        resolved(["./tool"], home)


def test_a_program_that_is_a_link_in_the_folder_needs_no_place_of_the_machine(tmp_path: Path) -> None:
    a_program(tmp_path)
    (tmp_path / "tool").symlink_to("bot")
    argv = resolved(["./tool"], tmp_path)
    assert argv == (str(tmp_path / "tool"),)
    start = launch_in(Sandbox(str(tmp_path)), argv, Limits())
    assert start.argv == ("/bot/tool",)
    assert str(tmp_path) not in (start.sandbox.places if start.sandbox else ())


def test_any_other_program_is_looked_up_on_the_path(tmp_path: Path) -> None:
    assert resolved(["sh", "main.sh"], tmp_path)[0].endswith("/sh")


@pytest.mark.parametrize("name", ["./bot", "no-such-program-anywhere"])
def test_a_program_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"does not exist|not on the PATH"):
        resolved([name], tmp_path)


def test_a_program_that_may_not_be_executed_is_refused_with_the_mend(tmp_path: Path) -> None:
    a_program(tmp_path, mode=0o644)
    with pytest.raises(InputError, match=r"chmod \+x"):
        resolved(["./bot"], tmp_path)


def test_a_script_that_does_not_say_what_runs_it_is_refused_with_the_mend(tmp_path: Path) -> None:
    a_program(tmp_path, "print('hello')\n")
    with pytest.raises(InputError, match="first line"):
        resolved(["./bot"], tmp_path)


def test_the_environment_is_small_and_says_nothing_of_the_harness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("SECRET", "42")
    environment = launch(["bot"], tmp_path, tmp_path / "scratch").environment
    assert set(environment) == {"PATH", "LANG", "HOME", "TMPDIR", "SCRATCH"}
    assert environment["HOME"] == environment["SCRATCH"] == str(tmp_path / "scratch")


# -- in a sandbox ----------------------------------------------------------------------------------


def a_tool(prefix: Path, name: str = "java") -> str:
    (prefix / "bin").mkdir(parents=True)
    return str(Path(a_program(prefix / "bin")).rename(prefix / "bin" / name))


def test_a_cell_has_names_of_its_own_for_what_is_the_bots(tmp_path: Path) -> None:
    start = launch_in(Sandbox(str(tmp_path)), [str(tmp_path / "bot"), "-x", f"{tmp_path}/book"], Limits())
    assert (start.argv, start.folder) == (("/bot/bot", "-x", "/bot/book"), "/bot")
    assert start.environment["SCRATCH"] == start.environment["HOME"] == "/scratch"
    assert str(tmp_path) not in str(start.environment)


def test_a_bot_that_is_not_isolated_is_started_where_it_lies(tmp_path: Path) -> None:
    bot = Entrant("bot", (str(tmp_path / "bot"),), str(tmp_path))
    assert launch_of(bot, Limits(), "/tmp/x").sandbox is None
    sandbox = launch_of(bot._replace(isolation="bwrap", alone="bot"), Limits(), "").sandbox
    assert sandbox is not None
    assert (sandbox.home, sandbox.alone) == (str(tmp_path), "bot")


def test_a_program_of_the_systems_needs_nothing_to_be_shown() -> None:
    assert toolchain("/bin/sh") == Toolchain()


def test_a_link_to_a_program_of_the_systems_is_shown_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "sh").symlink_to("/bin/sh")
    assert str(tmp_path / "sh") in toolchain(str(tmp_path / "sh")).places


def test_a_program_elsewhere_is_shown_with_all_that_was_installed_with_it(tmp_path: Path) -> None:
    program = a_tool(tmp_path / "jdk")
    assert toolchain(program).places == (str(tmp_path / "jdk"),)
    assert toolchain(program).bins == (str(tmp_path / "jdk" / "bin"),)


def test_a_copied_python_of_our_environment_is_shown_with_the_library_of_its_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m venv --copies` copies the program of Python, but not its library."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    program = a_tool(tmp_path / "venv", "python3")
    assert toolchain(program).places == (sys.base_prefix, program, str(tmp_path / "venv" / "pyvenv.cfg"))


@pytest.mark.parametrize("name", ["lua5.4", "node", "ghc-9.4.7", "pypy3.10"])
def test_a_language_may_have_its_version_in_its_name(tmp_path: Path, name: str) -> None:
    assert toolchain(a_tool(tmp_path / name, name)).places == (str(tmp_path / name),)


@pytest.mark.parametrize("name", ["grade", "solve.sh", "javascript-grader", "7"])
def test_of_another_program_nothing_is_shown_but_itself(tmp_path: Path, name: str) -> None:
    """A bot can name any program on the PATH. The folders around the program can contain secrets."""
    program = a_tool(tmp_path / "course", name)
    assert toolchain(program).places == (program,)
    (tmp_path / "elsewhere").symlink_to(program)
    assert set(toolchain(str(tmp_path / "elsewhere")).places) == {program, str(tmp_path / "elsewhere")}


def test_of_a_home_no_more_is_shown_than_the_folder_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert toolchain(a_tool(tmp_path)).places == (str(tmp_path / "bin"),)
    assert toolchain(a_tool(tmp_path / ".local")).places == (str(tmp_path / ".local" / "bin"),)


def test_a_stand_in_of_rustup_is_shown_with_what_it_stands_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUSTUP_HOME", "/opt/rustup")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rustup").touch()
    (tmp_path / "bin" / "rustc").symlink_to("rustup")
    tools = toolchain(str(tmp_path / "bin" / "rustc"))
    assert tools.places == (str(tmp_path / "bin"), "/opt/rustup")
    assert tools.environment == (("RUSTUP_HOME", "/opt/rustup"),)


def test_what_is_not_there_needs_nothing() -> None:
    assert toolchain("/no/where/at/all") == Toolchain()
