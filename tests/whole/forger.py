"""A tamperer that computes every digest again, so that only the rules and a published digest can find it."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.record.log import DIGEST, encounter_path, stderr_path

Line = dict[str, Any]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGEST]


def encoded(line: Line) -> bytes:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()


def read(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def write(path: Path, lines: list[Line]) -> None:
    path.write_bytes(b"".join(encoded(line) + b"\n" for line in lines))


def seal(logs: Path) -> None:
    """Computes every digest in the journal again from the files in the folder."""
    before = ""
    seatings: Counter[tuple[int, int]] = Counter()
    sealed = []
    for line in read(logs / "tournament.jsonl"):
        line.pop("digest")
        if line["is"] == "opened":
            line["plan"] = hashlib.sha256((logs / "plan.json").read_bytes()).hexdigest()
        elif line["is"] == "played":
            _seal_played(logs, line, seatings)
        body = encoded(line)
        before = digest(before.encode() + body)
        sealed.append(body[:-1] + b',"digest":"' + before.encode() + b'"}\n')
    (logs / "tournament.jsonl").write_bytes(b"".join(sealed))


def _seal_played(logs: Path, line: Line, seatings: Counter[tuple[int, int]]) -> None:
    run, encounter = line["run"], line["encounter"]
    seatings[run, encounter] += 1
    path = encounter_path(logs, run, encounter)
    if not path.is_file():
        return
    whole = path.read_bytes()
    begins = [at for at in range(len(whole)) if whole.startswith(b'{"is":"seating"', at)] + [len(whole)]
    data = whole[: begins[min(seatings[run, encounter], len(begins) - 1)]]
    line["size"], line["file"] = len(data), digest(data)
    for seat in line.get("stderr", {}):
        errors = stderr_path(logs, run, encounter, line["seating"], int(seat))
        line["stderr"][seat] = digest(errors.read_bytes())


def change(path: Path, chosen: Callable[[Line], bool], **keys: Any) -> int:
    """Changes the last line for which this is true; returns its number."""
    lines = read(path)
    number = max(place for place, line in enumerate(lines, 1) if chosen(line))
    lines[number - 1] |= keys
    write(path, lines)
    return number
