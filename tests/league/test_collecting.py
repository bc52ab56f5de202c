"""Tests what `collect` keeps of hand-ins, with a check that starts no bot."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli.main import main
from harness.config import Bot
from harness.league.collecting import Checked, Collected, Collecting, collect
from harness.league.delivery import for_canvas, team_page
from harness.league.entries import Entries
from harness.league.league import read_league
from tests.league.handed import BOT, a_folder, a_tar, a_zip
from tests.tables import cells, rows_in_text

ROOT = Path(__file__).parents[2]
LEAGUE = f'game = "sevens"\nseats = 2\nhouse = ["{ROOT}/bots/sevens/random"]\nisolation = "none"\n'
NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    (tmp_path / "league").mkdir()
    (tmp_path / "league" / "league.toml").write_text('game = "sevens"\n')
    return tmp_path / "league"


def collected(league: Path, *sources: Path) -> list[Collected]:
    wanted = Collecting(read_league(league), backwards, NOW, {}, False)
    return collect(wanted, sources)


def backwards(bots: Sequence[Bot]) -> Iterator[tuple[int, Checked]]:
    """A check that every bot passes. The result of the last bot comes first."""
    for number in reversed(range(len(bots))):
        yield number, Checked("", "it was looked at")


def test_the_versions_of_a_team_keep_their_order_whichever_check_ends_first(
    tmp_path: Path, league: Path
) -> None:
    sources = [
        a_zip(tmp_path / number / f"{team}.zip", {**BOT, "number": number})
        for team, number in (("Ants", "1"), ("Bees", "1"), ("Ants", "2"), ("Ants", "3"), ("Bees", "2"))
    ]
    rows = [(row.team, row.receipt and row.receipt.version) for row in collected(league, *sources)]
    assert rows == [("Ants", 1), ("Bees", 1), ("Ants", 2), ("Ants", 3), ("Bees", 2)]
    for team, version in rows:
        assert (league / f"entries/{team}/{version}/files/number").read_text() == str(version)


@pytest.mark.parametrize("stride", [53, pytest.param(1, marks=pytest.mark.soak)])
def test_a_killed_collect_leaves_no_half_version_and_the_next_one_goes_on(
    tmp_path: Path, stride: int
) -> None:
    sources = [
        a_zip(tmp_path / "Ants.zip", {**BOT, "lib/a.py": "x"}),
        a_tar(tmp_path / "Bees.tar.gz"),
        a_zip(tmp_path / "Dogs.zip", {"../evil": "x"}),
    ]
    done = subprocess.run(
        (sys.executable, "-m", "tests.league.killed", tmp_path, str(stride), *sources),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50


def test_an_older_archive_that_is_handed_in_again_plays_only_if_it_is_pinned(
    tmp_path: Path, league: Path
) -> None:
    first = a_zip(tmp_path / "1" / "Ants.zip")
    second = a_zip(tmp_path / "2" / "Ants.zip", {**BOT, "new.py": ""})
    collected(league, first)
    collected(league, second)
    [row] = collected(league, first)
    assert (row.new, row.plays, row.receipt and row.receipt.version) == (False, 2, 1)
    assert row.notes[0] == (
        f"this is version 1 again, and version 2 plays; to let version 1 play: "
        f"harness entries {league} --pin Ants=1"
    )
    [old, new] = collected(league, first, second)
    assert [old.notes, new.notes] == [("it was looked at",), ("it was looked at",)]


def test_files_that_come_again_through_a_platform_keep_the_name_that_the_platform_gave_them(
    tmp_path: Path, league: Path
) -> None:
    collected(league, a_zip(tmp_path / "Bears.zip"))
    (league / "roster.csv").write_text("team,student,id\nBears,Dee Andora,104\n")
    for number in (98766, 98770, 98766):
        a_zip(tmp_path / str(number) / f"deandora_104_{number}_bears.zip")
        [row] = collected(league, tmp_path / str(number))
        assert (row.new, row.receipt and row.receipt.version) == (False, 1)
    [receipt] = Entries(league).team("Bears").receipts
    assert receipt.labels == ["deandora_104_98770_bears.zip", "deandora_104_98766_bears.zip", "Bears.zip"]
    page = team_page(Entries(league).team("Bears"), read_league(league).teams, b"page")
    packed = for_canvas([page], "feedback.html")
    assert packed.left_out == {}
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.namelist() == ["deandora_104_98770_feedback.html"]


def test_a_hand_in_stays_with_the_team_in_which_the_student_was(tmp_path: Path, league: Path) -> None:
    def roster(team_of_bob: str) -> None:
        lines = ("team,student,id", "Ants,Ann A,1", "Bees,Cy C,3", f"{team_of_bob},Bob B,2")
        (league / "roster.csv").write_text("\n".join(lines) + "\n")

    def export(**of_bob: str) -> Path:
        a_zip(tmp_path / "c" / "cc_3_7_bot.zip", {**BOT, "own": ""})
        a_zip(tmp_path / "c" / "bb_2_8_bot.zip", {**BOT, **of_bob})
        return tmp_path / "c"

    roster("Ants")
    assert [(row.team, row.plays) for row in collected(league, export())] == [("Ants", 1), ("Bees", 1)]
    roster("Bees")
    again = [(row.team, row.new, row.plays) for row in collected(league, export())]
    assert again == [("Ants", False, 1), ("Bees", False, 1)]
    assert [(row.team, row.plays) for row in collected(league, export(more=""))] == [("Bees", 2), ("Bees", 2)]


@pytest.mark.parametrize("deep", [1, 2])
def test_an_archive_in_an_archive_is_unpacked(tmp_path: Path, league: Path, deep: int) -> None:
    packed = a_zip(tmp_path / "0" / "bot.zip")
    for number in range(1, deep + 1):
        packed = a_zip(tmp_path / str(number) / "Ants.zip", {"Ants/bot.zip": packed.read_bytes()})
    [row] = collected(league, packed)
    assert row.receipt is not None
    assert row.receipt.good, row
    assert {path.name for path in (league / "entries/Ants/1/files").iterdir()} == set(BOT)


def test_archives_that_are_packed_into_each_other_again_and_again_are_refused(
    tmp_path: Path, league: Path
) -> None:
    packed = a_zip(tmp_path / "0" / "Ants.zip")
    for number in range(1, 4):
        packed = a_zip(tmp_path / str(number) / "Ants.zip", {"bot.zip": packed.read_bytes()})
    [row] = collected(league, packed)
    assert row.trouble == "archives are packed into each other more than 3 times"


def test_a_report_beside_the_archive_does_not_matter_and_two_archives_do(
    tmp_path: Path, league: Path
) -> None:
    folder = tmp_path / "x" / "Ants_7_assignsubmission_file_"
    a_zip(folder / "bot.zip")
    (folder / "report.pdf").write_text("%PDF")
    [row] = collected(league, folder)
    assert (row.team, row.trouble) == ("Ants", "")
    a_zip(folder / "bot2.zip")
    [row] = collected(league, folder)
    assert row.trouble == "there are 2 archives in it; hand in only one archive"


def test_a_bot_may_have_archives_of_its_own(tmp_path: Path, league: Path) -> None:
    folder = a_folder(tmp_path / "Ants", {**BOT, "book.gz": "x", "net.xz": "y"})
    [row] = collected(league, folder)
    assert row.trouble == ""
    assert (league / "entries/Ants/1/files/book.gz").is_file()


def test_a_hand_in_that_an_export_cannot_unpack_is_kept_with_its_trouble(
    tmp_path: Path, league: Path
) -> None:
    people = "".join(f"submission_{n}:\n  :submitters:\n  - :name: Team {n}\n" for n in (1, 2))
    files = {f"x/submission_1/{name}": text for name, text in BOT.items()}
    a_zip(tmp_path / "x.zip", {**files, "x/submission_2/NUL": "", "x/submission_metadata.yml": people})
    for new in (True, False):
        rows = collected(league, tmp_path / "x.zip")
        assert [(row.team, row.new, row.trouble) for row in rows] == [
            ("Team 1", new, ""),
            ("Team 2", new, "the name 'x/submission_2/NUL' is a device on some systems"),
        ]


FORGED = {
    "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Ants\n",
    "submission_1/bot.toml": BOT["bot.toml"],
    "submission_1/main.py": "",
}
OTHERS = {f"{team}/{name}": text for team in ("Ants", "Cats") for name, text in BOT.items()}


@pytest.mark.parametrize("roster", [True, False])
@pytest.mark.parametrize("packed", [FORGED, OTHERS, {"Ants_1_2_bot.py": "", "x_3_4_bot.py": ""}])
@pytest.mark.parametrize("make", [a_zip, a_folder])
def test_a_hand_in_that_looks_like_an_export_is_no_hand_in_of_others(
    tmp_path: Path, league: Path, make: Callable[..., Path], packed: dict[str, str], roster: bool
) -> None:
    """Otherwise a student could hand in a new version for another team, and that version would play."""
    if roster:
        (league / "roster.csv").write_text("team,student\nAnts,Ann\nBees,Bob\nCats,Cleo\n")
    honest, mallory = a_zip(tmp_path / "all" / "Ants.zip"), make(tmp_path / "all" / "Bees", packed)
    rows = {row.team: row for row in collected(league, honest, mallory)}
    assert set(rows) == {"Ants", "Bees"}
    assert rows["Ants"].receipt is not None
    assert rows["Ants"].receipt.version == 1
    if roster:
        assert [row.team for row in collected(league, mallory)] == ["Bees"]


def test_two_exports_beside_each_other_are_told_apart_with_a_roster(tmp_path: Path, league: Path) -> None:
    (league / "roster.csv").write_text("team,student\nAnts,Ann\nBees,Bob\nCats,Cleo\n")
    one, two = a_zip(tmp_path / "one.zip", OTHERS), a_zip(tmp_path / "two.zip", FORGED)
    assert [row.team for row in collected(league, one, two)] == ["Ants", "Cats", "Ants"]


def test_a_folder_that_is_too_large_is_refused_without_being_read(tmp_path: Path, league: Path) -> None:
    huge, junk = a_folder(tmp_path / "Ants"), a_folder(tmp_path / "Bees", {**BOT, ".git/pack": ""})
    for path in (huge / "huge", junk / ".git" / "pack"):
        path.touch()
        os.truncate(path, 40 << 30)
    [refused, kept] = collected(league, huge, junk)
    assert refused.trouble == "its files have 40960 MB; at most 256 are allowed"
    assert kept.receipt is not None
    assert kept.receipt.good


@pytest.mark.parametrize(
    ("name", "head", "trouble"),
    [
        ("Ants.py", b"#!/usr/bin/env python3\n", "it has more than 256 MB, and no more are allowed"),
        ("Ants.tar", b"", "it has 40960 MB; at most 4096 are read"),
    ],
)
def test_a_file_that_is_too_large_is_refused_without_being_read(
    name: str, head: bytes, trouble: str, tmp_path: Path, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = tmp_path / name
    huge.write_bytes(head)
    os.truncate(huge, 40 << 30)
    monkeypatch.setattr("harness.league.collecting.file_digest", None)
    [row] = collected(league, huge)
    assert row.trouble == trouble


def test_what_version_control_keeps_beside_a_bot_makes_no_other_hand_in(tmp_path: Path, league: Path) -> None:
    bot = a_folder(tmp_path / "Ants")
    assert [row.new for row in collected(league, bot)] == [True]
    a_folder(bot / ".git", {"config": "", "objects/ab": "x"})
    assert [row.new for row in collected(league, bot)] == [False]


def test_a_stray_file_makes_no_team(tmp_path: Path, league: Path) -> None:
    stray, bot = tmp_path / "notes.txt", tmp_path / "Bees.py"
    for path in (stray, bot):
        path.write_text("print('hello 1')\n")
    broken = tmp_path / "Cats.zip"
    broken.write_text("no archive")
    rows = collected(league, a_zip(tmp_path / "Ants.zip"), bot, broken, stray)
    assert [row.team for row in rows] == ["Ants", "Bees", "Cats", ""]
    assert [row.plays for row in rows] == [1, 1, 0, 0]
    assert {path.name for path in (league / "entries/Bees/1/files").iterdir()} == {"Bees.py", "bot.toml"}
    assert rows[-1].trouble == (
        "this is no archive, no folder and no script, so it makes no team; "
        "say whose it is: --team 'notes.txt=TEAM'"
    )
    assert sorted(path.name for path in (league / "entries").iterdir()) == ["Ants", "Bees", "Cats"]


@pytest.mark.parametrize("make", [a_zip, a_folder])
def test_a_folder_of_scripts_has_hand_ins_if_the_roster_knows_one(
    tmp_path: Path, league: Path, make: Callable[..., Path]
) -> None:
    scripts = {f"{name}.py": "print('hello 1')\n" for name in ("ants", "bees", "nobody")}
    all_ = make(
        tmp_path / ("all.zip" if make is a_zip else "all"), {f"scripts/{k}": v for k, v in scripts.items()}
    )
    # Without a roster, the three files may be parts of one bot.
    [one] = collected(league, all_)
    assert one.team == "all"
    assert "that says which script starts the bot: ants.py or bees.py" in one.trouble
    (league / "roster.csv").write_text("team,student\nAnts,Ann\nBees,Bob\n")
    assert [(row.team, row.plays) for row in collected(league, all_)] == [("Ants", 1), ("Bees", 1), ("", 0)]
    own = make(tmp_path / ("Ants.zip" if make is a_zip else "Ants"), {"main.py": "", "bees.py": ""})
    [row] = collected(league, own)
    assert (row.team, row.plays) == ("Ants", 1), "the name of the source says whose it is"


def test_a_script_that_is_too_large_is_refused(tmp_path: Path, league: Path) -> None:
    (league / "league.toml").write_text('game = "sevens"\nfolder_mb = 1\n')
    script = tmp_path / "Ants.py"
    script.write_bytes(b"#" * 2_000_001)
    [row] = collected(league, script)
    assert row.trouble == "it has more than 1 MB, and no more are allowed"


def test_a_team_that_handed_in_before_is_told_from_one_that_never_did(tmp_path: Path, league: Path) -> None:
    (league / "league.toml").write_text(LEAGUE)
    (league / "roster.csv").write_text("team,student\nAnts,Ann\nBees,Bob\nCats,Cleo\n")
    collected(league, a_zip(tmp_path / "Ants.zip"))
    late = a_zip(tmp_path / ("a long name of a file " * 4) / "Bees.zip", {"x": ""})
    table = CliRunner().invoke(main, ["collect", str(league), str(late)]).output
    rows = cells(rows_in_text(table), "team", "version", "plays", "hand-in")
    assert [row for row in rows if row[0] in ("Ants", "Cats")] == [
        ("Ants", "1", "1", "none now"),
        ("Cats", "-", "-", "none"),
    ]


def test_bytes_that_move_from_one_file_to_the_next_make_another_hand_in(tmp_path: Path, league: Path) -> None:
    first = a_folder(tmp_path / "1" / "Ants", {**BOT, "a": "xy", "b": "z"})
    second = a_folder(tmp_path / "2" / "Ants", {**BOT, "a": "x", "b": "yz"})
    assert [row.new for row in collected(league, first, second)] == [True, True]


def test_a_hand_in_of_nobody_is_told_with_an_option_that_can_be_copied(tmp_path: Path, league: Path) -> None:
    (league / "league.toml").write_text(LEAGUE)
    (league / "roster.csv").write_text("team,student\nAnts,Ann Adams\n")
    source = a_zip(
        tmp_path / "x" / "Maria Alejandra Fernandez Quintana_4711_assignsubmission_file_" / "bot.zip"
    )
    done = CliRunner().invoke(main, ["collect", str(league), str(source.parents[1])])
    assert f"--team '{source.parent.name}=TEAM'" in done.output
    assert "nobody in the roster is 'Maria Alejandra Fernandez Quintana, 4711'" in done.output
    assert done.exit_code == 1


def test_names_that_look_alike_are_asked_for(league: Path, tmp_path: Path) -> None:
    """No tournament can have both names, so these two teams would stop all other teams."""
    collected(league, a_zip(tmp_path / "Ants.zip"))
    rows = collected(league, a_zip(tmp_path / "ANTS.zip"), a_zip(tmp_path / "Bees.zip"))
    assert [row.team for row in rows] == ["", "Bees"]
    assert rows[0].trouble.startswith("the names 'ANTS' and 'Ants' look alike; say whose it is: --team")
    wanted = Collecting(read_league(league), backwards, NOW, {}, False, {"random"})
    [row] = collect(wanted, [a_zip(tmp_path / "random.zip")])
    assert row.trouble.startswith("'random' is the name of a house bot; say whose it is: --team")


def test_what_is_no_file_in_a_folder_of_hand_ins_stops_no_other(league: Path, tmp_path: Path) -> None:
    source = a_folder(tmp_path / "in" / "Bees").parent
    a_zip(source / "Ants.zip")
    os.mkfifo(source / "Cats.zip")
    rows = {row.source: row for row in collected(league, source)}
    assert rows["in: Cats.zip"].trouble == "this is a named pipe"
    assert [row.plays for row in rows.values()] == [1, 1, 0]
    (source / "Cats.zip").rename(source / "catscat_1_2_main.py")
    a_zip(source / "dogsdan_3_4_bot.zip")
    rows = {row.source: row for row in collected(league, source)}
    assert rows["in: catscat_1_2_main.py"].trouble == "this is a named pipe"
    assert rows["in: dogsdan_3_4_bot.zip"].plays == 1


def test_a_program_that_came_along_with_its_source_is_built_again(tmp_path: Path, league: Path) -> None:
    built: dict[str, str | bytes] = {
        "bot.toml": "run = './bot'\nbuild = 'cc -o bot main.c'\n",
        "main.c": "int main() {}\n",
    }
    files = {**built, "bot": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01" + bytes(200)}
    [row] = collected(league, a_zip(tmp_path / "Ants.zip", files))
    assert row.trouble == ""
    assert row.notes[0] == "./bot was handed in with its source; harness builds it again from the source"
    assert not (league / "entries/Ants/1/files/bot").exists()
    script = {**built, "bot": "#!/bin/sh\nexec ./main\n"}
    [row] = collected(league, a_zip(tmp_path / "Bees.zip", script))
    assert (league / "entries/Bees/1/files/bot").is_file()


STUDENTS = """First Name,Last Name,SID,Email,Role
Ann,Adams,1,a@x,Student
Bob,Baker,2,b@x,Student
Cat,Cole,3,c@x,Student
"""


def test_students_who_hand_in_together_on_gradescope_are_a_team_from_then_on(
    tmp_path: Path, league: Path
) -> None:
    (league / "roster.csv").write_text(STUDENTS)

    def export(week: str, *people: str) -> Path:
        who = "".join(f"  - :name: {name}\n    :email: {name[0].lower()}@x\n" for name in people)
        text = f"submission_1:\n  :submitters:\n{who}"
        a_folder(tmp_path / week, {"submission_metadata.yml": text})
        a_folder(tmp_path / week / "submission_1", {**BOT, "week": week})
        return tmp_path / week

    [row] = collected(league, export("one", "Ann Adams", "Bob Baker"))
    assert (row.team, row.trouble) == ("Ann Adams & Bob Baker", "")
    assert read_league(league).teams.names == ("Ann Adams & Bob Baker", "Cat Cole")
    [row] = collected(league, export("two", "Bob Baker"))
    assert (row.team, row.plays) == ("Ann Adams & Bob Baker", 2)
    [row] = collected(league, export("three", "Ann Adams", "Bob Baker", "Cat Cole"))
    assert (row.team, row.plays) == ("Ann Adams & Bob Baker", 3)
    assert read_league(league).teams.names == ("Ann Adams & Bob Baker",)


def test_people_of_two_teams_are_still_asked_about(tmp_path: Path, league: Path) -> None:
    (league / "roster.csv").write_text("team,student,email\nOwls,Ann,a@x\nBats,Bob,b@x\n")
    text = "submission_1:\n  :submitters:\n  - :name: Ann\n    :email: a@x\n  - :name: Bob\n    :email: b@x\n"
    a_folder(tmp_path / "x", {"submission_metadata.yml": text})
    a_folder(tmp_path / "x" / "submission_1")
    [row] = collected(league, tmp_path / "x")
    assert row.trouble.startswith("it could be the hand-in of Bats or Owls")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bot.ipynb", "bot.ipynb is a notebook, not a program; save its code as a script"),
        ("Report.PDF", "Report.PDF is a document, not a program; hand in the files of the bot"),
        ("notes.txt", "there is no bot.toml; write one with the command that starts the bot"),
    ],
)
def test_what_is_no_program_is_told_by_its_kind(tmp_path: Path, league: Path, name: str, told: str) -> None:
    [row] = collected(league, a_zip(tmp_path / "Ants.zip", {name: "x"}))
    assert row.trouble.startswith(told)


@pytest.mark.parametrize("files", [{}, {"bot/": ""}, {"__MACOSX/bot/._main.py": "x"}])
def test_an_archive_without_files_is_told_to_be_empty(
    tmp_path: Path, league: Path, files: dict[str, str | bytes]
) -> None:
    [row] = collected(league, a_zip(tmp_path / "Ants.zip", files))
    assert row.trouble == "it is empty; hand in the files of the bot"
