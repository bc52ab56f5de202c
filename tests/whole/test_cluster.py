"""Plays tournaments on a real scheduler and two nodes: what fails under way does not change the record."""

import signal
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from harness.config import read_plan
from harness.play.conduct import conduct
from harness.verify import verify
from tests.whole.farm import Farm, a_farm, seconds_until_no_bot
from tests.whole.workshop import STEADY, Workshop, timeless

CHEAT = STEADY.replace("print(moves[(count >> 8) % len(moves)], flush=True)", 'print("nonsense", flush=True)')


def a_shop(folder: Path) -> Workshop:
    """Three bots that play at random, and one that cheats: two runs."""
    folder.mkdir(exist_ok=True)
    shop = Workshop(folder, 3)
    shop.bots.append(shop.add_bot("cheat", CHEAT))
    shop.write_plan(deals=4, sitting=2)
    return shop


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The record of one machine."""
    shop = a_shop(tmp_path_factory.mktemp("home"))
    assert conduct(read_plan(shop.plan), shop.logs).ended is not None
    return timeless(shop.logs)


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Farm]:
    with a_farm(tmp_path) as farm:
        yield farm


def ended(process: "Popen[str]") -> tuple[int, str]:
    """The exit code of a run, and what it said."""
    _, said = process.communicate()
    return process.returncode, said


def test_the_client_and_a_node_are_killed_and_the_record_is_that_of_one_machine(
    tmp_path: Path, farm: Farm, at_home: dict[str, list[Any]]
) -> None:
    shop = a_shop(tmp_path / "shop")
    client = shop.start(*farm.options)
    shop.set_fuse(3, signal.SIGKILL, client.pid)
    assert ended(client)[0] == -signal.SIGKILL
    seconds_until_no_bot(shop.folder)
    client = shop.start(*farm.options)
    shop.set_fuse(6, signal.SIGKILL, farm.nodes[0].process.pid)
    code, said = ended(client)
    assert code == 0, said
    assert "was lost" in said
    assert timeless(shop.logs) == at_home
    assert verify(shop.logs, workers=1).ended is not None
