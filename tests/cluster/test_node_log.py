"""Tests the file nodes.jsonl, which says what nodes did."""

from pathlib import Path

import pytest

from harness.cluster.node_log import FILE, NodeLog
from harness.job import Done, Job, PlainRules


def test_what_nodes_did_is_written_after_a_torn_line_too(tmp_path: Path) -> None:
    job = Job(1, 1, 12, 2, 1, PlainRules("sevens", {}), (), (), ())
    told: list[str] = []
    with NodeLog(tmp_path, told.append) as log:
        log.tell("lab3", "plays with 8 workers")
        log.played("lab3", [Done(job), Done(job, void="its node was lost")])
    with (tmp_path / FILE).open("a") as file:
        file.write('{"node":"lab')
    with NodeLog(tmp_path, told.append) as log:
        log.note("lab4", "is dismissed")
    assert told == ["node lab3 plays with 8 workers"]
    played = '{"node":"lab3","run":1,"encounter":12,"seating":2,"attempt":1'
    assert (tmp_path / FILE).read_text().splitlines() == [
        '{"node":"lab3","said":"plays with 8 workers"}',
        played + "}",
        played + ',"void":"its node was lost"}',
        '{"node":"lab4","said":"is dismissed"}',
    ]


def test_a_message_of_a_node_cannot_control_the_terminal(tmp_path: Path) -> None:
    told: list[str] = []
    with NodeLog(tmp_path, told.append) as log:
        log.tell("lab3", "is lost: \x1b[31m\x07")
    assert told == [r"node lab3 is lost: \x1b[31m\x07"]


def test_no_link_redirects_what_nodes_did(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    (tmp_path / FILE).symlink_to(elsewhere)
    with pytest.raises(OSError, match=FILE):
        NodeLog(tmp_path, lambda said: None)
    assert elsewhere.read_text() == "mine"
