"""Forges records and computes every digest again, so that only the rules or a published digest reveal it."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from harness.chance import ReadBack
from harness.events import Drawn, InEncounter, Match, Record, Turn, Usage
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.judge.rules import Answer, Ask, Audit, rules_of
from harness.model import Reply
from harness.record.log import DIGEST, encounter_path, stderr_path
from harness.record.run_folder import history_of, plan_of
from harness.results.standings_digest import standings_digest

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
    """Computes every digest in the journal again, from the files in the folder of logs."""
    before = ""
    sittings: Counter[tuple[int, int]] = Counter()
    sealed = []
    for line in read(logs / "tournament.jsonl"):
        line.pop("digest")
        if line["is"] == "opened":
            line["plan"] = hashlib.sha256((logs / "plan.json").read_bytes()).hexdigest()
        elif line["is"] == "played":
            _seal_played(logs, line, sittings)
        body = encoded(line)
        before = digest(before.encode() + body)
        sealed.append(body[:-1] + b',"digest":"' + before.encode() + b'"}\n')
    (logs / "tournament.jsonl").write_bytes(b"".join(sealed))


def _seal_played(logs: Path, line: Line, sittings: Counter[tuple[int, int]]) -> None:
    run, encounter = line["run"], line["encounter"]
    sittings[run, encounter] += 1
    path = encounter_path(logs, run, encounter)
    if not path.is_file():
        return
    whole = path.read_bytes()
    begins = [at for at in range(len(whole)) if whole.startswith(b'{"is":"seating"', at)] + [len(whole)]
    data = whole[: begins[min(sittings[run, encounter], len(begins) - 1)]]
    line["size"], line["file"] = len(data), digest(data)
    for seat in line.get("stderr", {}):
        errors = stderr_path(logs, run, encounter, line["seating"], int(seat))
        line["stderr"][seat] = digest(errors.read_bytes())


def change(path: Path, chosen: Callable[[Line], bool], **keys: Any) -> int:
    """Changes keys of the last line for which `chosen` is true, and returns the number of this line."""
    lines = read(path)
    number = max(place for place, line in enumerate(lines, 1) if chosen(line))
    lines[number - 1] |= keys
    write(path, lines)
    return number


def forge_answer(logs: Path, encounter: Path, old: str, new: str) -> None:
    """Changes the last answer `old` of the last match in a file to `new`, with all that follows from it."""
    lines = read(encounter)
    begin = max(at for at, line in enumerate(lines) if line["is"] == "match")
    records: list[Any] = [msgspec.convert(line, InEncounter) for line in lines[begin:]]
    turns = [record for record in records if isinstance(record, Turn)]
    at = max(place for place, turn in enumerate(turns) if turn.said == old)
    turns[at] = msgspec.structs.replace(turns[at], said=new)
    forged = _judged(logs, records, turns)
    write(encounter, lines[:begin] + msgspec.to_builtins(forged))
    seal(logs)
    journal = logs / "tournament.jsonl"
    told, result = read(journal), msgspec.to_builtins(forged[-1])
    run, number = (int(part) for part in records[0].id.split(".")[:2])
    played = [
        line for line in told if line["is"] == "played" and (line["run"], line["encounter"]) == (run, number)
    ]
    played[-1]["matches"][-1] |= {"ranks": result["ranks"], "scores": result["scores"]}
    write(journal, told)
    seal(logs)
    told = read(journal)
    told[-1]["standings"] = standings_digest(plan_of(logs), history_of(logs))
    write(journal, told)
    seal(logs)


def _judged(logs: Path, records: list[Any], turns: list[Turn]) -> list[Record]:
    """The records that the rules give for a match with these turns."""
    head, rules, forged = records[0], rules_of(plan_of(logs)), list[Record]()
    assert isinstance(head, Match)
    drawn = ReadBack(record for record in records if isinstance(record, Drawn))
    number = int(head.id.rpartition(".")[2])
    steps = Referee(terms_on_record(rules, head, number), drawn, forged.append).questions()
    left = iter(turns)
    answer: Answer = None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Ask):
                turn = next(left)
                answer = Reply(
                    turn.said, turn.us, turn.at, turn.failed, turn.why, turn.excused_us, turn.comments
                )
            elif isinstance(step, Audit):
                answer = next(record for record in records if isinstance(record, Usage))
    except StopIteration:
        return [head, *forged]
