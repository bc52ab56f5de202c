"""Tests ten kinds of tampering: `verify` finds and names each, even if the tamperer computes the digests
again. If the rules cannot find a change, a published digest finds it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.errors import InputError, RecordError
from harness.record.log import encounter_path, whole
from harness.verify import verify
from tests.cli.workshop import harness
from tests.verify import forger

pytestmark = pytest.mark.whole

HASTY, THOROUGH = False, True


def refused(logs: Path) -> RecordError:
    """The error with which `verify` refuses the record."""
    with pytest.raises(RecordError) as caught:
        verify(logs)
    return caught.value


@pytest.fixture
def encounter(copy: Path) -> Path:
    """The file of the encounter that the tamperer changes."""
    return encounter_path(copy, 2, 1)


@pytest.fixture(params=[HASTY, THOROUGH], ids=["hasty", "thorough"])
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether the tamperer computes the digests again."""
    return bool(request.param)


def seal(logs: Path, thorough: bool) -> None:
    if thorough:
        forger.seal(logs)


def test_sealed_again_an_honest_record_still_holds(copy: Path) -> None:
    before = whole(copy)
    forger.seal(copy)
    assert verify(copy).digest == before


def test_a_changed_move_is_found(copy: Path, encounter: Path, thorough: bool) -> None:
    number = forger.change(encounter, lambda line: line.get("said") == "bid 0", said="bid 1")
    seal(copy, thorough)
    error = refused(copy)
    # `verify` takes answers as true. So it names the first line that does not follow from the answers.
    assert number < int(error.place.removeprefix(f"{encounter}:")) <= number + 3
    assert "`line` of `event` is 'bids 0 0', but the rules say 'bids 0 1'" in error.message


def test_a_changed_chance_outcome_is_found(copy: Path, encounter: Path, thorough: bool) -> None:
    number = forger.change(encounter, lambda line: line["is"] == "chance", value=7)
    seal(copy, thorough)
    error = refused(copy)
    assert error.place == f"{encounter}:{number}"
    assert "chance 'throw 1' is 7 on record, but the seed yields " in error.message


def test_a_chance_outcome_that_could_be_is_held_against_the_seed(copy: Path, encounter: Path) -> None:
    lines = forger.read(encounter)
    old = [line["value"] for line in lines if line["is"] == "chance"][-1]
    number = forger.change(encounter, lambda line: line["is"] == "chance", value=old % 6 + 1)
    forger.seal(copy)
    error = refused(copy)
    assert error.place == f"{encounter}:{number}"
    assert f"is {old % 6 + 1} on record, but the seed yields {old}" in error.message


def test_a_throw_that_is_written_as_another_kind_of_number_is_found(copy: Path, encounter: Path) -> None:
    lines = forger.read(encounter)
    old = [line["value"] for line in lines if line["is"] == "chance"][-1]
    number = forger.change(encounter, lambda line: line["is"] == "chance", value=float(old))
    forger.seal(copy)
    error = refused(copy)
    assert error.place == f"{encounter}:{number}"
    assert f"is {old}.0 on record, but the seed yields {old}" in error.message


def test_a_time_stamp_that_makes_an_answer_late_is_found(copy: Path, encounter: Path, thorough: bool) -> None:
    number = forger.change(encounter, lambda line: line.get("said") == "bid 0", us=2_000_000)
    seal(copy, thorough)
    error = refused(copy)
    assert error.place.startswith(f"{encounter}:")
    assert number < int(error.place.rpartition(":")[2]) <= number + 2
    assert "`fault` is expected" in error.message


def test_a_time_stamp_that_makes_an_answer_punctual_is_found(copy: Path) -> None:
    """The test changes the fault of the violator, as if its answer had only been late."""
    paths = sorted((copy / "run-1" / "000").glob("*.jsonl"))
    path = next(path for path in paths if b'"is":"fault"' in path.read_bytes())
    forger.change(path, lambda line: line["is"] == "fault", name="late", reason="answered after 2000.0 ms")
    forger.seal(copy)
    assert "but the rules say 'malformed'" in refused(copy).message


def test_time_stamps_that_overlap_are_found(copy: Path, encounter: Path, thorough: bool) -> None:
    number = forger.change(encounter, lambda line: line.get("said") == "bid 0", at=0)
    seal(copy, thorough)
    error = refused(copy)
    assert error.place == f"{encounter}:{number}"
    assert "`at` of `turn` is 0" in error.message


def test_time_that_is_less_than_none_is_found(copy: Path, encounter: Path) -> None:
    number = forger.change(encounter, lambda line: line.get("said") == "bid 0", us=-5_000)
    forger.seal(copy)
    assert refused(copy).place == f"{encounter}:{number}"


def test_an_audit_that_was_taken_out_is_found(copy: Path, encounter: Path) -> None:
    lines = forger.read(encounter)
    forger.write(encounter, [line for line in lines if line["is"] != "usage"])
    forger.seal(copy)
    assert "`usage` must come before" in refused(copy).message


def test_a_changed_rank_is_found_where_the_match_tells_it(
    copy: Path, encounter: Path, thorough: bool
) -> None:
    first = next(line for line in forger.read(encounter) if line["is"] == "result")
    other = [2, 1] if first["ranks"] != [2, 1] else [1, 2]
    number = forger.change(encounter, lambda line: line == first, ranks=other)
    seal(copy, thorough)
    error = refused(copy)
    assert error.place == f"{encounter}:{number}"
    assert "`ranks` of `result` is" in error.message


def test_a_changed_rank_is_found_where_the_journal_tells_it(copy: Path, thorough: bool) -> None:
    journal = copy / "tournament.jsonl"
    lines = forger.read(journal)
    number = max(place for place, line in enumerate(lines, 1) if line["is"] == "played")
    lines[number - 1]["matches"][0]["ranks"] = [1, 1]
    forger.write(journal, lines)
    seal(copy, thorough)
    error = refused(copy)
    assert error.place == f"{journal}:{number}"
    assert ("but the log says" in error.message) is thorough


def test_a_deleted_match_is_found(copy: Path, thorough: bool) -> None:
    """The test deletes the last sitting of an encounter from every file."""
    journal = copy / "tournament.jsonl"
    lines = forger.read(journal)
    number = max(place for place, line in enumerate(lines, 1) if line["is"] == "played")
    gone = lines.pop(number - 1)
    forger.write(journal, lines)
    path = encounter_path(copy, gone["run"], gone["encounter"])
    told = forger.read(path)
    cut = max(place for place, line in enumerate(told) if line["is"] == "seating")
    forger.write(path, told[:cut])
    for errors in path.parent.glob(f"{path.stem}.{gone['seating']}.*"):
        errors.unlink()
    seal(copy, thorough)
    error = refused(copy)
    assert error.place == f"{journal}:{number}"
    assert ("there are more matches to play" in error.message) is thorough


def test_a_match_deleted_from_its_file_alone_is_found(copy: Path, encounter: Path, thorough: bool) -> None:
    lines = forger.read(encounter)
    start = max(place for place, line in enumerate(lines) if line["is"] == "match")
    forger.write(encounter, lines[:start])
    seal(copy, thorough)
    error = refused(copy)
    assert error.place.startswith(str(encounter))
    assert ("`match` is expected" in error.message) is thorough


def test_a_swapped_pair_of_matches_is_found(copy: Path, encounter: Path, thorough: bool) -> None:
    lines = forger.read(encounter)
    second = max(place for place, line in enumerate(lines) if line["is"] == "seating")
    forger.write(encounter, lines[second:] + lines[:second])
    seal(copy, thorough)
    error = refused(copy)
    assert error.place == f"{encounter}:1"
    assert "`seating` of `seating` is 2, but the rules say 1" in error.message


def test_encounters_that_changed_places_under_each_others_names_are_found(copy: Path) -> None:
    """The test swaps two encounters and gives them new numbers and digests. The deals reveal the swap."""
    paths = [encounter_path(copy, 2, number) for number in (1, 2)]
    told = [path.read_bytes() for path in paths]
    for path, other, old, new in zip(paths, told[::-1], (2, 1), (1, 2), strict=True):
        renamed = other.replace(f'"encounter":{old}'.encode(), f'"encounter":{new}'.encode())
        path.write_bytes(renamed.replace(f'"2.{old}.'.encode(), f'"2.{new}.'.encode()))
    forger.seal(copy)
    assert refused(copy).place == f"{paths[0]}:1"


@pytest.mark.parametrize("kind", ["event", "turn", "chance", "stderr", "result"])
def test_a_line_added_to_a_match_is_found(copy: Path, encounter: Path, thorough: bool, kind: str) -> None:
    lines = forger.read(encounter)
    fake = {"is": "stderr", "seat": 1, "tail": "I give up"}
    extra = next((dict(line) for line in lines if line["is"] == kind), fake)
    place = max(place for place, line in enumerate(lines) if line["is"] == "result")
    forger.write(encounter, [*lines[:place], extra, *lines[place:]])
    seal(copy, thorough)
    assert refused(copy).place.startswith(f"{encounter}:")


def test_a_line_added_to_the_journal_is_found(copy: Path, thorough: bool) -> None:
    journal = copy / "tournament.jsonl"
    lines = forger.read(journal)
    number = max(place for place, line in enumerate(lines, 1) if line["is"] == "played")
    forger.write(journal, [*lines[:number], lines[number - 1], *lines[number:]])
    seal(copy, thorough)
    assert refused(copy).place == f"{journal}:{number + 1}"


def test_a_void_attempt_that_was_added_for_other_bots_is_found(copy: Path) -> None:
    """A void attempt is not the fault of a bot, but a bot with many void attempts looks suspicious."""
    journal = copy / "tournament.jsonl"
    lines = forger.read(journal)
    place = min(place for place, line in enumerate(lines) if line["is"] == "played")
    keys = ("run", "round", "encounter", "seating")
    void = {"is": "void"} | {key: lines[place][key] for key in keys}
    strangers = sorted({"anna", "bert", "carl", "violator"}.difference(lines[place]["bots"]))
    void |= {"bots": strangers, "attempt": 1, "note": "a worker was lost", "digest": ""}
    forger.write(journal, [*lines[:place], void, *lines[place:]])
    forger.seal(copy)
    error = refused(copy)
    assert error.place == f"{journal}:{place + 2}"
    assert "`bots` is" in error.message


def test_a_disqualification_that_was_added_is_found(copy: Path) -> None:
    journal = copy / "tournament.jsonl"
    lines = forger.read(journal)
    place = max(place for place, line in enumerate(lines) if line["is"] == "ended")
    out = next(line for line in lines if line["is"] == "disqualified")
    forger.write(journal, [*lines[:place], out | {"bot": "anna", "run": 2}, *lines[place:]])
    forger.seal(copy)
    assert refused(copy).place == f"{journal}:{place + 1}"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", 6),
        ("policy", "forfeit"),
        ("deals", 2),
        ("limits", {"move_ms": 1}),
        ("options", {"coins": 9}),
        ("options", {"coins": "many"}),
        ("new", "key"),
        ("seats", 3),
        ("seats", 0),
        ("bots", []),
    ],
)
def test_an_edited_plan_is_found(copy: Path, thorough: bool, key: str, value: object) -> None:
    path = copy / "plan.json"
    plan = json.loads(path.read_text())
    plan[key] = plan[key] | value if isinstance(value, dict) else value
    path.write_text(json.dumps(plan, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    seal(copy, thorough)
    error = refused(copy)
    if not thorough:
        assert error.place == str(path)
        assert "not as it was written" in error.message
    else:
        assert error.place.partition(":")[0].endswith((".jsonl", "plan.json"))


@pytest.mark.parametrize("key", ["file", "digest", "plan", "standings"])
def test_an_edited_digest_is_found(copy: Path, key: str) -> None:
    journal = copy / "tournament.jsonl"
    number = forger.change(journal, lambda line: key in line, **{key: "0" * 32})
    error = refused(copy)
    assert error.place == (f"{journal}:{number}" if key != "plan" else f"{journal}:1")


def test_an_edited_digest_of_the_standings_is_found_though_the_chain_is_whole(copy: Path) -> None:
    journal = copy / "tournament.jsonl"
    number = forger.change(journal, lambda line: line["is"] == "ended", standings="0" * 32)
    forger.seal(copy)
    error = refused(copy)
    assert error.place == f"{journal}:{number}"
    assert "`standings` of `ended` is '0000" in error.message


def test_a_truncated_file_is_found(copy: Path, encounter: Path, thorough: bool) -> None:
    data = encounter.read_bytes()
    encounter.write_bytes(data[: len(data) // 2])
    seal(copy, thorough)
    assert refused(copy).place.startswith(str(encounter))


def test_a_truncated_journal_is_found_by_the_files_it_does_not_speak_of(copy: Path, thorough: bool) -> None:
    journal = copy / "tournament.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-2]))
    seal(copy, thorough)
    assert "longer than the journal says" in refused(copy).message


@pytest.mark.parametrize("where", ["run-2/000/000001.2.9.stderr", "run-2/note.txt", "run-2/000/x/y.jsonl"])
def test_a_file_that_was_slipped_in_is_found(copy: Path, where: str) -> None:
    extra = copy / where
    extra.parent.mkdir(exist_ok=True)
    extra.write_text("it was me\n")
    assert refused(copy).place == str(extra)


def test_what_a_bot_wrote_to_stderr_cannot_be_changed(copy: Path, thorough: bool) -> None:
    path = min(copy.rglob("*.stderr"))
    path.write_text("it was me\n")
    seal(copy, thorough)
    if thorough:  # No rule says what a bot wrote to stderr, so only a published digest finds this.
        verify(copy)
    else:
        assert refused(copy).place == str(path)


# -- what follows from the rules, and yet is not what was played -----------------------------------


def test_a_forgery_that_follows_from_the_rules_is_found_by_the_published_digest(
    copy: Path, encounter: Path
) -> None:
    published = whole(copy)
    forger.change(encounter, lambda line: line.get("said") == "bid 0", us=1)
    forger.seal(copy)
    assert verify(copy).digest != published
    told = harness("verify", str(copy), "--digest", published)
    assert told.returncode == 1
    assert "not the published one" in told.stderr


def change_isolation(copy: Path, encounter: Path) -> None:
    """Changes the record as if the bots had played in sandboxes, which they did not."""
    for path in (*copy.glob("run-*/*/*.jsonl"), copy / "tournament.jsonl"):
        lines = forger.read(path)
        for line in lines:
            if line["is"] in ("seating", "played"):
                line["isolation"] = "bwrap"
        forger.write(path, lines)


def change_account(copy: Path, encounter: Path, account: str = "group") -> None:
    """Changes the record as if the time of the bots had been counted in this way, which it was not."""
    for path in (*copy.glob("run-*/*/*.jsonl"), copy / "tournament.jsonl"):
        lines = forger.read(path)
        for line in lines:
            if line["is"] in ("seating", "played"):
                line["account"] = account
        forger.write(path, lines)


def test_an_account_that_differs_in_both_files_is_found(copy: Path, encounter: Path) -> None:
    forger.change(encounter, lambda line: line["is"] == "seating", account="group")
    forger.seal(copy)
    assert "`account` of `seating` is 'group', but the rules say 'incomplete'" in refused(copy).message


def test_an_account_that_does_not_exist_is_found(copy: Path, encounter: Path) -> None:
    change_account(copy, encounter, "made up")
    forger.seal(copy)
    error = refused(copy)
    assert "has the unknown account 'made up'" in error.message
    assert "tournament.jsonl:" in error.place


def change_bot(key: str, value: Any) -> Callable[[Path, Path], None]:
    def change(copy: Path, encounter: Path) -> None:
        plan = json.loads((copy / "plan.json").read_bytes())
        assert plan["bots"][0][key] != value
        plan["bots"][0][key] = value
        (copy / "plan.json").write_text(json.dumps(plan, indent=2, sort_keys=True, ensure_ascii=False) + "\n")

    return change


def change_answer(copy: Path, encounter: Path) -> None:
    forger.forge_answer(copy, encounter, "bid 0", "bid 1")


FORGERIES = {
    "an answer with all its consequences": change_answer,
    "the isolation": change_isolation,
    "the account of time": change_account,
    "the digest of a bot": change_bot("digest", "0" * 64),
    "the command of a bot": change_bot("run", ["./other"]),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_without_the_published_digest_a_forgery_may_pass_as_the_page_of_logs_says(
    copy: Path, encounter: Path, forge: Callable[[Path, Path], None]
) -> None:
    published = whole(copy)
    forge(copy, encounter)
    forger.seal(copy)
    assert verify(copy).digest != published
    assert harness("verify", str(copy), "--digest", published).returncode == 1


def test_a_record_whose_end_was_cut_off_cleanly_is_found_by_the_published_digest(copy: Path) -> None:
    published = whole(copy)
    journal = copy / "tournament.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    found = verify(copy)
    assert found.ended is None
    assert found.digest != published


def test_the_published_digest_is_confirmed_and_told(record: Path) -> None:
    published = whole(record)
    told = harness("verify", str(record), "--digest", f" {published.upper()} ")
    assert told.returncode == 0
    assert f"Digest of the whole:     {published}" in told.stdout
    assert "by version 1 of tiny, whose files have not changed since" in told.stdout


# -- what cannot be judged -------------------------------------------------------------------------


def planned(logs: Path, **changes: object) -> None:
    """Changes the plan of a record, and computes every digest again."""
    path = logs / "plan.json"
    plan = json.loads(path.read_text()) | changes
    path.write_text(json.dumps(plan, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    forger.seal(logs)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"game": {"find": "bridge"}}, "no game is called 'bridge'"),
        ({"game": {"version": 7}}, "this was played with version 7 of tiny, but version 1 is here"),
        ({"harness": "0.8.3"}, "version 0.8.3 of harness wrote this record, and this is"),
        ({"harness": "0.8.3", "new": "key"}, "version 0.8.3 of harness wrote this record, and this is"),
    ],
)
def test_a_game_or_a_version_that_is_not_here_is_refused_and_not_judged(
    copy: Path, changes: dict[str, object], told: str
) -> None:
    game = json.loads((copy / "plan.json").read_text())["game"]
    planned(
        copy, **{key: game | value if isinstance(value, dict) else value for key, value in changes.items()}
    )
    with pytest.raises(InputError, match=told):
        verify(copy)


# -- many cores ------------------------------------------------------------------------------------


def test_two_processes_judge_as_one_does(record: Path, copy: Path) -> None:
    seen: list[int] = []
    found = verify(record, seen.append, workers=2)
    assert found.matches == seen[-1] == verify(record, workers=1).matches
    paths = [encounter_path(copy, 2, number) for number in (1, 3)]
    for path in paths:
        forger.change(path, lambda line: line["is"] == "result", reason="peace")
    forger.seal(copy)
    with pytest.raises(RecordError) as caught:
        verify(copy, workers=2)
    assert caught.value.place.startswith(str(paths[0]))


def test_a_long_encounter_is_judged_in_pieces_and_trouble_is_found_in_each(
    record: Path, copy: Path, encounter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[verify.__module__], "CHUNK_BYTES", 0)
    assert verify(record).digest == whole(record)
    number = forger.change(encounter, lambda line: line["is"] == "result", reason="peace")
    forger.seal(copy)
    assert refused(copy).place == f"{encounter}:{number}"
