"""Packs the pages of all teams, one page for each team, into a zip that a learning platform accepts.

    Canvas      "Upload submissions as feedback": doejane_1234_98765_feedback.html, with the numbers of the
                person and of the file that the person handed in
    Moodle      "Upload multiple feedback files in a zip": Jane Doe_4711_assignsubmission_file_/feedback.html,
                with the number of the participant
    Gradescope  an autograder that hands out the results; Gradescope takes no feedback in any other way

Each student gets only the file of the student's own team.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from harness.grading.roster import Student
from harness.league.entries import Versions
from harness.league.exports import CANVAS, MOODLE, owner
from harness.league.teams import Teams, Untold

RUN_AUTOGRADER = '''#!/usr/bin/env python3
"""Hands out the results that harness has computed for the people of this submission."""
import json
import shutil

HOME = "/autograder"
with open(HOME + "/source/people.json") as file:
    people = json.load(file)
with open(HOME + "/submission_metadata.json") as file:
    users = json.load(file).get("users", [])
known = [str(user.get(key, "")).casefold() for user in users for key in ("email", "sid")]
found = sorted({people[each] for each in known if each in people})
target = HOME + "/results/results.json"
if len(found) == 1:
    shutil.copy(HOME + "/source/results/" + found[0] + ".json", target)
else:
    with open(target, "w") as file:
        json.dump({"score": 0, "output": "There is no result for this submission."}, file)
'''
SETUP = "#!/bin/sh\napt-get update && apt-get install -y python3\n"
EPOCH = (1980, 1, 1, 0, 0, 0)


class TeamPage(NamedTuple):
    """A page for one team, and what is known about the people who get this page."""

    team: str
    students: tuple[Student, ...]
    labels: tuple[str, ...]
    """The labels of this team's hand-ins, those of the newest version first. The hand-ins of students who are
    in another team now are left out."""
    content: bytes


class Packed(NamedTuple):
    """A zip for a platform. `left_out` names the teams whose page is not in the zip, each with the reason."""

    content: bytes
    left_out: Mapping[str, str]


def team_page(versions: Versions, teams: Teams, content: bytes) -> TeamPage:
    """Returns the page for the team with these versions."""
    own = tuple(each for each in teams.students if each.team == versions.name)
    handed = (label for each in reversed(versions.receipts) for label in each.labels)
    labels = tuple(label for label in handed if not _has_left(versions.name, teams, label))
    return TeamPage(versions.name, own, labels, content)


def _has_left(team: str, teams: Teams, label: str) -> bool:
    """Tells whether the student who handed in for this team is in another team now. `label` is the label of
    the hand-in."""
    student = owner(label)
    if student is None or not teams.names:
        return False
    try:
        return teams.of(student) != team
    except Untold:
        return False


def for_canvas(pages: Iterable[TeamPage], name: str) -> Packed:
    """Packs the pages for Canvas. Students see each page under the file name `name`."""
    files, left_out = {}, {}
    for each in pages:
        handed = map(CANVAS.fullmatch, each.labels)
        named = (match for match in handed if match and match["order"] and match["person"])
        # Canvas gives higher numbers to later hand-ins.
        found = max(named, key=lambda match: int(match["order"]), default=None)
        if found is None:
            left_out[each.team] = "no student of this team has handed in through Canvas"
        else:
            who = f"{found['name']}_{found['late'] or ''}{found['person']}_{found['order']}"
            files[f"{who}_{name}"] = each.content
    return Packed(zipped(files), left_out)


def for_moodle(pages: Iterable[TeamPage], name: str) -> Packed:
    """Packs the pages for Moodle: a file for each student whose participant number is known."""
    files, left_out = {}, {}
    for each in pages:
        people = {
            one.participant: one.student or each.team for one in each.students if one.participant.isdecimal()
        }
        handed = map(MOODLE.fullmatch, each.labels)
        if not people and (found := next((match for match in handed if match and match["person"]), None)):
            people = {found["person"]: found["name"]}
        if not people:
            left_out[each.team] = "the roster has no numbers of participants; use the grading worksheet"
        for number, who in people.items():
            plain = who.replace("_", " ").replace("/", " ")
            files[f"{plain}_{number}_assignsubmission_file_/{name}"] = each.content
    return Packed(zipped(files), left_out)


def for_gradescope(pages: Iterable[TeamPage]) -> Packed:
    """Packs the results.json of each team into one autograder. For each submission, this autograder hands out
    the results of the team that submitted."""
    people: dict[str, str] = {}
    files: dict[str, bytes] = {}
    left_out = {}
    for number, each in enumerate(pages, start=1):
        known = [key.casefold() for one in each.students for key in (one.email, one.id_number) if key]
        if not known:
            left_out[each.team] = "the roster has no mail address and no number of its students"
            continue
        people |= dict.fromkeys(known, str(number))
        files[f"results/{number}.json"] = each.content
    files["people.json"] = json.dumps(people, indent=2).encode()
    files["run_autograder"], files["setup.sh"] = RUN_AUTOGRADER.encode(), SETUP.encode()
    return Packed(zipped(files, runs=("run_autograder", "setup.sh")), left_out)


def zipped(files: Mapping[str, bytes], runs: Collection[str] = ()) -> bytes:
    """Returns a zip with these files. The same files always give the same bytes. The files in `runs` get the
    permission to be executed."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, EPOCH)
            info.create_system = 3
            info.external_attr = (0o100755 if name in runs else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return target.getvalue()


def addresses(students: Sequence[Student]) -> list[str]:
    """Returns the mail addresses of these students, without repetitions."""
    return [*dict.fromkeys(each.email for each in students if each.email)]
