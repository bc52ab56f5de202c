"""Owns the tests of the log's format: the schema, the documentation and real logs agree."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from harness import games
from harness.chance import Seeded
from harness.events import (
    Brief,
    Disqualified,
    Ended,
    Entered,
    Fault,
    Match,
    Newcomer,
    Opened,
    Played,
    Record,
    RoundBegan,
    RunBegan,
    SittingBegan,
    Stderr,
    Turn,
    Usage,
    Voided,
)
from harness.record import schema
from harness.testing import play_out

ROOT = Path(__file__).parents[2]
OF_AN_ENCOUNTER: tuple[Record, ...] = (
    SittingBegan(1, 12, 3, ("anna", "bert")),
    Match("1.12.3.1", ("anna", "bert"), (7, 8), ("legal", "")),
    *play_out(games.find("sevens"), chance=Seeded(4)).records,
    Turn(1, "play 1000 -1", None, 5, 6, 7, 8, "late", "no answer", ("# hm",)),
    Usage((1, 2)),
    Fault(1, "illegal", "why", "play 1000 -1", "play", ("total 9",)),
    Stderr(1, "oh"),
)
OF_A_TOURNAMENT: tuple[Record, ...] = (
    Opened("demo", "sevens", "0", "0.1.0"),
    RunBegan(1, ("anna", "bert"), 2, 1, 2, 1, ("1.2",), {"bots": 2}),
    Entered(1, (Newcomer("anna@2", "anna", "0", ("./bot",)),), (("anna@2", "anna"), ("bert",))),
    RoundBegan(1, 1, 1, (("anna", "bert"),)),
    Played(
        1,
        1,
        1,
        1,
        ("anna", "bert"),
        (Brief((1.5, 1.5), (3, 3), (Fault(1, "late", "why"),)),),
        9,
        "0",
        {"1": "2"},
    ),
    Voided(1, 1, 1, 1, ("anna", "bert"), 1, "no room"),
    Disqualified(1, 1, "bert", "1.1.1.1", "late", "why", "play", "5D"),
    Ended("too few", 1, "0"),
)


@pytest.mark.parametrize("file", schema.FILES)
def test_the_schema_on_disk_is_that_of_the_types(file: str) -> None:
    on_disk = (ROOT / "harness" / "record" / file).read_bytes()
    assert on_disk == schema.schema(file), "write it anew with: python -m harness.record.schema"


@pytest.mark.parametrize(
    ("file", "records"),
    [("encounter.schema.json", OF_AN_ENCOUNTER), ("tournament.schema.json", OF_A_TOURNAMENT)],
)
def test_every_kind_of_line_that_is_written_fits_the_schema(file: str, records: tuple[Record, ...]) -> None:
    checked = validator(file)
    lines = [json.loads(line) for line in msgspec.json.Encoder().encode_lines(records).splitlines()]
    for line in lines:
        checked.validate(line)
    kinds = checked.schema["discriminator"]["mapping"]  # type: ignore[index]
    assert {line["is"] for line in lines} == set(kinds)


@pytest.mark.parametrize(
    "line", [{"is": "result"}, {"is": "turn", "seat": "one", "ask": "play"}, {"is": "no"}, {}]
)
def test_what_is_no_line_does_not_fit_the_schema(line: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator("encounter.schema.json").validate(line)


def test_the_page_on_logs_tells_of_every_kind_of_line_with_true_examples() -> None:
    page = (ROOT / "logs" / "README.md").read_text()
    for file in schema.FILES:
        for kind in validator(file).schema["discriminator"]["mapping"]:  # type: ignore[index]
            assert f"| `{kind}` |" in page
    examples = [
        cell.split("`")[1] for row in page.splitlines() if '{"is"' in row for cell in [row.split(" | ")[-1]]
    ]
    assert len(examples) == 9
    for example in examples:
        validator("encounter.schema.json").validate(json.loads(example))


def validator(file: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((ROOT / "harness" / "record" / file).read_bytes()))
