"""Tests that harness can read the exports of `studies.term` like the exports of the course platforms."""

from pathlib import Path

from harness.league.exports import hand_ins
from studies.term_exports import Person, Submission, canvas, gradescope, moodle

ADA = Person("Ada Antson", 1000, "Ants")
BEN = Person("Ben Beeson", 1001, "Bees")
FILES = {"bot.toml": 'run = ["python3", "main.py"]\n', "main.py": "print()\n"}


def test_canvas_names_the_person_the_file_and_who_was_late(tmp_path: Path) -> None:
    submissions = [Submission(ADA, FILES), Submission(BEN, FILES, late=True)]
    found = hand_ins(canvas(tmp_path / "submissions.zip", submissions, 9001), tmp_path / "room")
    assert [(each.label, each.ids, each.late) for each in found] == [
        ("antsonada_1000_9001_bot.zip", ("1000",), False),
        ("beesonben_LATE_1001_9002_bot.zip", ("1001",), True),
    ]


def test_moodle_has_a_folder_for_each_participant(tmp_path: Path) -> None:
    [one] = hand_ins(moodle(tmp_path / "SEV26-Sevens-4711.zip", [Submission(ADA, FILES)]), tmp_path / "room")
    assert (one.label, one.ids, one.names) == (
        "Ada Antson_1000_assignsubmission_file_",
        ("1000",),
        ("Ada Antson",),
    )


def test_gradescope_tells_the_people_and_the_time(tmp_path: Path) -> None:
    submission = Submission(BEN, FILES, "2026-05-10 08:00:00.000000000 Z")
    export = gradescope(tmp_path / "assignment_815_export.zip", [submission], 501)
    [one] = hand_ins(export, tmp_path / "room")
    assert (one.label, one.ids) == ("submission_501", ("1001", "s1001@example.org"))
    assert one.handed == "2026-05-10T08:00:00+00:00"
    assert {path.name for path in one.path.iterdir()} == set(FILES)
