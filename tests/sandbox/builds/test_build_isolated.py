"""Tests that a build is isolated as its bot is, and that harness checks the files that a build made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.config import Bot, read_bot
from harness.errors import InputError
from harness.sandbox.builds.build import BuildSettings, built
from harness.sandbox.builds.copies import folder_of_copies, private_copy
from harness.sandbox.isolation import entrant, missing
from tests.cli.door import harness
from tests.play.live_sittings import job, played
from tests.play.seated import BOTS, needs

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(missing()), reason=f"no sandbox here: {missing()}")]


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "secret"
    path.write_text("secret\n")
    yield path
    assert path.read_text() == "secret\n"


def a_bot(folder: Path, script: str) -> Bot:
    """A bot whose build command is this shell script."""
    home = folder / "bot"
    home.mkdir()
    (home / "source").write_text("#!/bin/sh\n")
    (home / "bot.toml").write_text(f"run = './made'\nbuild = ['sh', '-c', '''{script}''']\n")
    return read_bot(home)


def test_what_an_isolated_build_makes_is_there_afterwards_and_nothing_else(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "mkdir -p out; cp source made; chmod 4755 made; echo x >out/data")
    made = built(bot, tmp_path / "1", BuildSettings("bwrap"))
    assert made.ran
    assert not built(bot, tmp_path / "2", BuildSettings("bwrap")).ran
    bot = made.bot
    assert (bot.folder / "made").read_text() == "#!/bin/sh\n"
    assert (bot.folder / "made").stat().st_mode & 0o7777 == 0o755
    assert (bot.folder / "out" / "data").read_text() == "x\n"
    assert sorted(os.listdir(bot.folder)) == ["bot.toml", "made", "out", "source"]
    assert sorted(os.listdir(tmp_path / "bot")) == ["bot.toml", "source"]


def test_an_isolated_build_sees_neither_other_files_nor_a_network(tmp_path: Path, secret: Path) -> None:
    script = f"cat {secret}; touch {secret}; echo x >/usr/x; ls /sys/class/net; echo $SECRET; exit 1"
    bot = a_bot(tmp_path, script)
    os.environ["SECRET"] = "secret"
    try:
        with pytest.raises(InputError, match="exit status 1") as caught:
            built(bot, tmp_path / "1", BuildSettings("bwrap"))
    finally:
        del os.environ["SECRET"]
    said = Path(str(caught.value).partition("its output is in ")[2].partition(": ")[0]).read_text()
    assert "secret\n" not in said.replace(str(secret), "")
    assert "lo" not in said.split()
    assert not Path("/usr/x").exists()


def test_a_build_reads_what_the_plan_makes_visible_and_runs_again_if_that_changes(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "table").write_text("#!/bin/sh\n# 1\n")
    bot = a_bot(tmp_path, f"cat {shared}/table >made && chmod +x made && ! touch {shared}/x")
    with pytest.raises(InputError, match="No such file"):
        built(bot, tmp_path / "1", BuildSettings("bwrap"))
    then = (shared / "table").stat()
    for number, text in enumerate(("#!/bin/sh\n# 1\n", "#!/bin/sh\n# 2\n"), start=2):
        (shared / "table").write_text(text)
        os.utime(shared / "table", ns=(then.st_atime_ns, then.st_mtime_ns))
        made = built(bot, tmp_path / str(number), BuildSettings("bwrap", visible=(str(shared),)))
        assert (made.ran, (made.bot.folder / "made").read_text()) == (True, text)
        assert not built(
            bot, tmp_path / f"{number}-again", BuildSettings("bwrap", visible=(str(shared),))
        ).ran
    assert os.listdir(shared) == ["table"]


def test_a_check_shows_a_bot_and_its_build_what_a_plan_would(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "start").write_text(f"#!/bin/sh\n. {shared}/play\n")
    (shared / "play").write_text("exec python3 main.py\n")
    bot = a_bot(tmp_path, f"cat {shared}/start >made && chmod +x made")
    shutil.copy(BOTS / "starters" / "python" / "main.py", bot.folder)
    command = ("check", "bot", bot.folder, "--game", "squash", "--seats", "2", "--house", "0")
    alone = harness(*command)
    assert (alone.exit_code, "No such file" in alone.stdout) == (1, True), alone.output
    shown = harness(*command, "--visible", shared)
    assert shown.exit_code == 0, shown.output
    nothing = harness(*command, "--visible", shared / "nothing")
    assert (nothing.exit_code, "--visible: there is nothing at" in nothing.stderr) == (2, True)


def test_collect_shows_a_hand_in_what_its_league_makes_visible(tmp_path: Path) -> None:
    shared, league = tmp_path / "shared", tmp_path / "league"
    for folder in (shared, league):
        folder.mkdir()
    (shared / "play").write_text("exec python3 main.py\n")
    bot = a_bot(tmp_path, f"(echo '#!/bin/sh'; cat {shared}/play) >made && chmod +x made")
    shutil.copy(BOTS / "starters" / "python" / "main.py", bot.folder)
    (league / "league.toml").write_text('game = "squash"\nseats = 2\n')
    alone = harness("collect", league, bot.folder)
    assert "/play: No such" in " ".join(alone.stdout.split())
    assert "0 of 1 team can play" in alone.stdout
    (league / "league.toml").write_text(f'game = "squash"\nseats = 2\nvisible = ["{shared}"]\n')
    shown = harness("collect", league, bot.folder, "--again")
    assert "1 of 1 team can play" in shown.stdout, shown.output


def test_a_build_may_lock_its_files(tmp_path: Path) -> None:
    """Tools such as cargo and go lock files. Bots in matches must not: other bots could see the locks."""
    needs("flock")
    bot = a_bot(tmp_path, "flock lock cp source made")
    bot = built(bot, tmp_path / "1", BuildSettings("bwrap")).bot
    assert (bot.folder / "made").exists()


def test_hard_links_of_a_build_become_files_of_their_own(tmp_path: Path) -> None:
    """No name in the bot's folder may be a second name of a file outside the folder."""
    bot = a_bot(
        tmp_path, "cp source made; chmod 6777 made; ln made twice; ln /etc/alternatives/* /usr/bin/env . ; :"
    )
    bot = built(bot, tmp_path / "1", BuildSettings("bwrap")).bot
    for name in ("made", "twice"):
        found = (bot.folder / name).stat()
        assert (found.st_nlink, found.st_mode & 0o7777, found.st_uid) == (1, 0o755, os.geteuid())
    assert sorted(os.listdir(bot.folder)) == ["bot.toml", "made", "source", "twice"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("ln -s /etc/passwd made", "bot/made: after its build: .*; this link leads to /etc/passwd"),
        (
            "mkdir -p out; ln -s ../.. out/away",
            r"bot/out/away: after its build: .* out of the folder: \.\./\.\.",
        ),
        ("mkfifo made", "bot/made: after its build: .*; this is a named pipe"),
        ("for i in $(seq 1500); do mkdir d; cd d; done", "after its build: .*more than 64 folders deep"),
        ("ln -s made made", "bot/made: after its build: .*; this link leads in a circle"),
        ("truncate -s 257M made", "bot: after its build: the files of the bot have more than 256 MB"),
        ("seq 10001 | xargs touch made", "bot: after its build: the bot has more than 10000 files"),
    ],
)
@pytest.mark.parametrize("isolation", ["bwrap", "none"])
def test_a_build_may_make_nothing_that_a_bot_must_not_have(
    tmp_path: Path, isolation: str, script: str, said: str
) -> None:
    bot = a_bot(tmp_path, script)
    with pytest.raises(InputError, match=said):
        built(bot, tmp_path / "1", BuildSettings(isolation))
    assert sorted(os.listdir(bot.folder)) == ["bot.toml", "source"]


def test_a_build_may_make_links_that_stay_in_the_folder(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "ln -s source same; ln -s nowhere later; cp source made")
    bot = built(bot, tmp_path / "1", BuildSettings("bwrap")).bot
    assert (bot.folder / "same").is_symlink()
    assert (bot.folder / "same").read_text() == "#!/bin/sh\n"


def test_an_isolated_build_that_does_not_end_is_ended_with_all_it_started(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"did not end within 0\.2 s"):
        built(a_bot(tmp_path, "setsid sleep 1000 & sleep 1000"), tmp_path / "1", BuildSettings("bwrap", 0.2))


async def test_a_bot_plays_from_its_copy_though_nobody_else_may_read_its_files(tmp_path: Path) -> None:
    """Bots that root starts run as another user. Still, nobody should have to open a folder to all users."""
    shutil.copytree(BOTS / "starters" / "python", tmp_path / "bot")
    for path in (tmp_path / "bot").iterdir():
        path.chmod(0o600)
    (tmp_path / "bot").chmod(0o700)
    with folder_of_copies() as place:
        shut_in = entrant(private_copy(read_bot(tmp_path / "bot"), place / "1"), "bwrap")
        done = await played(job([shut_in, shut_in]))
    assert done.matches[0].faults == ()
    assert done.stderr == ()
