"""Tests file names of hand-ins on platforms: late, repeated, anonymous, of student groups, with odd names."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from harness.league.exports import HandIn, hand_ins
from harness.league.teams import Teams, Untold, read_teams
from tests.league.handed import BOT, a_folder, a_zip

ROSTER = """team,student,id,participant,id_number,email,github
Owls,"Müller, Jürgen",101,4711,s101,jm@x.org,jmueller
Owls,Sinéad O'Brien,102,4712,s102,so@x.org,j
Elks,Jay de la Cruz,103,4713,s103,jc@x.org,jay-j
Hens,Anna_Lena Weiß,104,101,s104,aw@x.org,AnnaLena
"""


@pytest.fixture
def teams(tmp_path: Path) -> Teams:
    (tmp_path / "roster.csv").write_text(ROSTER)
    return read_teams(tmp_path / "roster.csv")


def found_in(folder: Path, names: list[str]) -> list[HandIn]:
    """The hand-ins of an export with these files."""
    export = folder / "export"
    for name in names:
        path = export / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>typed</p>") if name.endswith(".html") else a_zip(path)
    return hand_ins(export, folder / "room")


def team(teams: Teams, hand_in: HandIn) -> str:
    try:
        return teams.of(hand_in)
    except Untold:
        return "?"


@pytest.mark.parametrize(
    ("name", "whose", "late"),
    [
        ("müllerjürgen_101_9001_bot.zip", "Owls", False),
        ("müllerjürgen_LATE_101_9001_bot_v2_final.zip", "Owls", True),
        (
            "owls_101_9001_12_34_bot.zip",
            "Owls",
            False,
        ),  # the name of a group, and numbers in that of the file
        ("weißanna_lena_LATE_104_9001_bot-1.zip", "Hens", True),
        ("weißanna_lena_999_9001_bot.zip", "Hens", False),  # a number that no roster has
        ("7_103_9001_bot.zip", "Elks", False),  # a group that is called 7
        ("anon_x7Gw2_9001_bot.zip", "?", False),
        ("LATE_anon_x7Gw2_9001_bot.zip", "?", True),
    ],
)
def test_a_file_of_canvas(tmp_path: Path, teams: Teams, name: str, whose: str, late: bool) -> None:
    [one] = found_in(tmp_path, [name])
    assert (team(teams, one), one.late, one.label) == (whose, late, name)


def test_a_text_that_was_typed_into_canvas_is_no_hand_in(tmp_path: Path) -> None:
    names = ["doejane_101_text.html", "roejim_LATE_102_link.html", "roejim_LATE_102_9001_bot.zip"]
    assert [each.label for each in found_in(tmp_path, names)] == names[2:]


def test_files_of_canvas_are_versions_in_the_order_of_their_numbers(tmp_path: Path, teams: Teams) -> None:
    names = ["a_103_9010_bot-1.zip", "a_103_9002_bot.zip", "a_103_11000_bot-2.zip"]
    assert [each.label for each in found_in(tmp_path, names)] == [names[1], names[0], names[2]]


@pytest.mark.parametrize(
    ("folder", "whose"),
    [
        ("Jürgen Müller_4711_assignsubmission_file_", "Owls"),
        ("Sinéad OBrien_9999_assignsubmission_file", "Owls"),
        ("Anna Lena Weiß_9999_assignsubmission_file", "Hens"),
        ("Participant_4713_assignsubmission_file", "Elks"),
        ("Teilnehmer_101_assignsubmission_file", "Hens"),  # it is the participant, not the `id` of Canvas
        ("Elks_12_assignsubmission_file", "Elks"),
        ("Participant_9999_assignsubmission_file", "?"),
        ("Default group_assignsubmission_file", "?"),
    ],
)
def test_a_folder_of_moodle(tmp_path: Path, teams: Teams, folder: str, whose: str) -> None:
    [one] = found_in(tmp_path, [f"{folder}/bot.zip", f"{folder.replace('file', 'onlinetext')}/text.html"])
    assert (team(teams, one), one.label) == (whose, folder)


def test_an_anonymous_hand_in_without_a_roster_is_asked_for(tmp_path: Path) -> None:
    for name in ("anon_x7Gw2_9001_bot.zip", "Participant_7_assignsubmission_file_bot.zip"):
        [one] = found_in(tmp_path / name, [name])
        with pytest.raises(Untold, match="anonymous, so it does not say whose this is; say whose"):
            Teams(None).of(one)


METADATA = """---
submission_5:
  :submitters:
  - :name: Jürgen Müller
    :sid: s101
    :email: jm@x.org
  - :name: 'Sinéad O''Brien'
    :sid: s102
    :email:
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-01-02 03:04:05.123456000 Z
    zone: &1 !ruby/object:ActiveSupport::TimeZone
      name: Etc/UTC
    time: 2026-01-02 04:04:05.123456000 Z
  :score: 12.0
  :results:
    output: |
      my bot says
        - :name: Anna_Lena Weiß
          :sid: s104
  :history:
  - :id: 4
    :created_at: 2026-01-01 00:00:00 Z
submission_6:
  :submitters:
  - :name: Jay de la Cruz
    :sid: 's103'
  :created_at: 2026-01-02 03:04:05.123456000 Z
submission_7:
  :submitters: []
../../etc:
  :submitters:
  - :name: Jay de la Cruz
"""


def test_an_export_of_gradescope_is_read_as_yaml(tmp_path: Path, teams: Teams) -> None:
    home = tmp_path / "assignment_1_export"
    for number in (5, 6, 7):
        a_folder(home / f"submission_{number}")
    (home / "submission_metadata.yml").write_text(METADATA)
    found = hand_ins(home, tmp_path / "room")
    assert [team(teams, each) for each in found] == ["Owls", "Elks", "?"]
    assert [each.handed for each in found] == [*["2026-01-02T03:04:05.123456+00:00"] * 2, ""]


def test_metadata_that_is_broken_is_told(tmp_path: Path) -> None:
    a_zip(tmp_path / "export.zip", {"submission_5/bot.toml": "x", "submission_metadata.yml": "a: [b"})
    [one] = hand_ins(tmp_path / "export.zip", tmp_path / "room")
    assert one.trouble.startswith("submission_metadata.yml cannot be read: ")


@pytest.mark.parametrize(
    ("repository", "whose"),
    [
        ("sevens-2-jay-j", "Elks"),  # not j, who is another student
        ("sevens-2-annalena", "Hens"),
        ("sevens-2-annalena-1", "Hens"),
        ("sevens-2-owls", "Owls"),
        ("sevens-2-mole", "?"),
    ],
)
@pytest.mark.parametrize("parent", ["sevens-2-submissions", "mine"])
def test_a_repository_of_classroom(
    tmp_path: Path, teams: Teams, parent: str, repository: str, whose: str
) -> None:
    for name in (repository, "sevens-2-other"):
        a_folder(tmp_path / parent / name)
        a_folder(tmp_path / parent / name / ".git", {"config": ""})
    [one] = [each for each in hand_ins(tmp_path / parent, tmp_path / "room") if each.label == repository]
    expected = "?" if parent == "mine" and repository.endswith("-1") else whose
    assert team(teams, one) == expected


def test_a_folder_of_clones_without_a_roster_has_the_names_of_users(tmp_path: Path) -> None:
    a_folder(tmp_path / "sevens-submissions" / "sevens-jay-j", {"README.md": "no bot"})
    [one] = hand_ins(tmp_path / "sevens-submissions", tmp_path / "room")
    assert Teams(None).of(one) == "jay-j"


def test_one_bad_hand_in_in_an_export_spoils_no_other(tmp_path: Path) -> None:
    good = {f"export/submission_1/{name}": text for name, text in BOT.items()}
    bad = {
        "export/submission_2/bot.toml": "",
        "export/submission_2/aux.c": "",
        "export/submission_3/a": "",
        "export/submission_3/A": "",
        "export/submission_4/../../../../evil": "",
    }
    people = "".join(f"submission_{n}:\n  :submitters:\n  - :name: S{n}\n" for n in range(1, 5))
    a_zip(tmp_path / "x.zip", {**good, **bad, "export/submission_metadata.yml": people})
    found = hand_ins(tmp_path / "x.zip", tmp_path / "room")
    assert [(each.names[0], each.trouble) for each in found] == [
        ("S1", ""),
        ("S2", "the name 'export/submission_2/aux.c' is a device on some systems"),
        ("S3", "two files have the name 'export/submission_3/A', or names that look alike"),
        ("S4", "the path 'export/submission_4/../../../../evil' leaves the folder"),
    ]
    assert {path.name for path in found[0].path.iterdir()} == set(BOT)
    assert not any(path.name == "evil" for path in tmp_path.rglob("*"))


def test_an_export_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = a_zip(tmp_path / "export.zip", {f"doejane_{n}_{n}_bot.zip": "x" * 400 for n in range(9)})
    with zipfile.ZipFile(path) as file:
        at = file.infolist()[3].header_offset + 60
    data = bytearray(path.read_bytes())
    data[at : at + 5] = b"\xff" * 5
    path.write_bytes(bytes(data))
    [one] = hand_ins(path, tmp_path / "room")
    assert one.trouble.startswith("the zip archive is broken")


def test_the_only_repository_of_a_folder_is_of_the_user_in_its_name(tmp_path: Path, teams: Teams) -> None:
    clone = a_folder(tmp_path / "clones" / "sevens-jay-j")
    a_folder(clone / ".git", {"config": "[core]\n"})
    [found] = hand_ins(tmp_path / "clones", tmp_path / "room")
    assert (found.label, team(teams, found)) == ("sevens-jay-j", "Elks")
