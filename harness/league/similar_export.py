"""Writes the source files of all versions in the form that two other programs, JPlag and Dolos, can read.

DIR/jplag/submissions/TEAM@N/...   a folder for each version, for JPlag
          old/...                  the versions of earlier terms
          base/...                 the starters and house bots that everybody has
DIR/dolos/info.csv                 a row for each file, for Dolos
          TEAM@N/...
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.errors import InputError, naming
from harness.escape import shown
from harness.grading.grade_folder import stems
from harness.league.similar import Program, sources_of
from harness.record.run_folder import make


def export(programs: Sequence[Program], base: Iterable[Path], folder: Path) -> None:
    """Writes the folders `jplag` and `dolos`. `base` has the folders of starters and house bots.

    Raises InputError if `folder` exists already.
    """
    if folder.exists():
        raise InputError("there is such a folder already; name a new one", shown(str(folder)))
    names = stems(each.name for each in programs)
    for each in programs:
        kind = "old" if each.term else "submissions"
        _write(folder / "jplag" / kind / names[each.name], each.sources)
        _write(folder / "dolos" / names[each.name], each.sources)
    for number, path in enumerate(base, start=1):
        _write(folder / "jplag" / "base" / f"{number}-{path.name}", sources_of(path))
    table = io.StringIO(newline="")
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("filename", "label", "created_at", "full_name"))
    for each in programs:
        for name in each.sources:
            rows.writerow((f"{names[each.name]}/{name}", each.term or each.team, each.handed, each.name))
    _write(folder / "dolos", {"info.csv": table.getvalue()})


def _write(folder: Path, files: Mapping[str, str]) -> None:
    make(folder)
    for name, text in files.items():
        path = folder / name
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
