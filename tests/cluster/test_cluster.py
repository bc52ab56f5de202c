"""Plays tournaments with a real scheduler and two nodes: failures of processes do not change the record."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import msgspec
import pytest

from harness.events import Played
from harness.play.conduct import conduct
from harness.record.log import read_journal
from harness.schedule.plan import read_plan
from harness.verify import verify
from tests.cli.workshop import NODES, STEADY, Workshop, timeless
from tests.cluster.farm import Farm, a_farm, seconds_until_no_bot

pytestmark = pytest.mark.whole

CHEAT = STEADY.replace("print(moves[(count >> 8) % len(moves)], flush=True)", 'print("nonsense", flush=True)')


def a_shop(folder: Path) -> Workshop:
    """A workspace with three bots that play at random and one that cheats. So its tournament has two runs."""
    folder.mkdir(exist_ok=True)
    shop = Workshop(folder, 3)
    shop.bots.append(shop.add_bot("cheat", CHEAT))
    shop.write_plan(deals=2, sitting=2)
    return shop


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The lines of the record that one machine makes without a cluster."""
    shop = a_shop(tmp_path_factory.mktemp("home"))
    assert conduct(read_plan(shop.plan), shop.logs).ended is not None
    return timeless(shop.logs)


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Farm]:
    with a_farm(tmp_path) as farm:
        yield farm


def ended(process: "Popen[str]") -> tuple[int, str]:
    """Waits for the end of a run. Returns its exit code and what it wrote to stderr."""
    _, said = process.communicate()
    return process.returncode, said


def test_a_node_is_killed_and_the_record_is_that_of_one_machine(
    tmp_path: Path, farm: Farm, at_home: dict[str, list[Any]]
) -> None:
    shop = a_shop(tmp_path / "shop")
    shop.set_fuse(6, signal.SIGKILL, farm.nodes[0].process.pid)
    code, said = ended(shop.start(*farm.options))
    assert code == 0, said
    assert "was lost" in said
    assert timeless(shop.logs) == at_home
    said_of_nodes, played = said_and_played(shop.logs)
    assert "was lost" in said_of_nodes
    assert played >= {
        (line.record.run, line.record.encounter, line.record.sitting)
        for line in read_journal(shop.logs)
        if isinstance(line.record, Played)
    }


def said_and_played(folder: Path) -> tuple[set[str], set[tuple[int, int, int]]]:
    """The texts about nodes in nodes.jsonl, and the sittings that were played on nodes."""
    said, played = set(), set()
    for line in map(msgspec.json.decode, (folder / NODES).read_bytes().splitlines()):
        if "said" in line:
            said.add(line["said"])
        elif "void" not in line:
            played.add((line["run"], line["encounter"], line["seating"]))
    return said, played


# -- one failure at a time -------------------------------------------------------------------------

NOTICED = 5.0
"""The largest number of seconds until a lost process is noticed and its bots end: usually 2 s, but more on a
busy machine."""

TOLD = 2.0
"""The largest number of seconds until the command has said that the scheduler was lost, and has ended:
usually 1 s."""


class Disturbed:
    """A tournament on a cluster. Its methods play it with one kind of failure each, and check the result."""

    def __init__(self, folder: Path, farm: Farm) -> None:
        self.farm = farm
        self.shop = a_shop(folder / "shop")

    def run(self) -> tuple[int, str]:
        """Runs the command to its end. Returns its exit code and its stderr."""
        return ended(self.shop.start(*self.farm.options))

    def run_until(self, number: int, whom: int) -> tuple[int, str]:
        """Runs the command to its end. During a match, a bot sends this signal to the process `whom`."""
        self.shop.set_fuse(5, number, whom)
        return self.run()

    def client_killed(self) -> None:
        client = self.shop.start(*self.farm.options)
        self.shop.set_fuse(5, signal.SIGKILL, client.pid)
        assert ended(client)[0] == -signal.SIGKILL
        assert seconds_until_no_bot(self.shop.folder) < NOTICED
        assert self.run()[0] == 0

    def undisturbed(self) -> None:
        code, said = self.run()
        assert code == 0
        assert "was lost" not in said
        assert b'"is":"void"' not in (self.shop.logs / "tournament.jsonl").read_bytes()

    def node_killed(self) -> None:
        code, said = self.run_until(signal.SIGKILL, self.farm.nodes[0].process.pid)
        assert code == 0
        assert "was lost" in said
        assert seconds_until_no_bot(self.shop.folder) < NOTICED

    def node_frozen(self) -> None:
        code, said = self.run_until(signal.SIGSTOP, self.farm.nodes[0].process.pid)
        assert code == 0
        assert "has given no sign of life for 30 s" in said or "was lost" in said

    def scheduler_killed(self) -> None:
        client = self.shop.start(*self.farm.options)
        self.shop.set_fuse(5, signal.SIGKILL, self.farm.scheduler.process.pid)
        self.farm.scheduler.process.wait()
        began = time.monotonic()
        code, said = ended(client)
        assert time.monotonic() - began < TOLD
        assert code == 3
        assert said.splitlines()[-1] == (
            f"Error: the scheduler at {self.farm.address} was lost; run the same command again to continue"
        )
        assert seconds_until_no_bot(self.shop.folder) < NOTICED
        for node in self.farm.nodes:
            assert node.ends() == 3
            assert node.heard[-1] == f"Error: the scheduler at {self.farm.address} was lost"
        assert b'"is":"void"' not in (self.shop.logs / "tournament.jsonl").read_bytes()
        self.farm.start()
        assert self.run()[0] == 0

    def stopped(self) -> None:
        client = self.shop.start(*self.farm.options)
        self.shop.set_fuse(5, signal.SIGINT, client.pid)
        code, said = ended(client)
        assert code == 3
        assert "interrupted: running matches will end" in said
        assert self.run()[0] == 0

    def stopped_twice(self) -> None:
        client = self.shop.start(*self.farm.options)
        self.shop.set_fuse(5, signal.SIGINT, client.pid)
        assert client.stderr is not None
        for line in client.stderr:
            if "interrupted" in line:
                client.send_signal(signal.SIGINT)
        assert ended(client)[0] == 3
        assert seconds_until_no_bot(self.shop.folder) < NOTICED
        assert self.run()[0] == 0


@pytest.mark.soak
@pytest.mark.parametrize(
    "failure",
    [
        Disturbed.undisturbed,
        Disturbed.node_killed,
        Disturbed.client_killed,
        Disturbed.scheduler_killed,
        Disturbed.stopped,
        Disturbed.stopped_twice,
        Disturbed.node_frozen,
    ],
)
def test_the_record_is_that_of_one_machine(
    tmp_path: Path, farm: Farm, at_home: dict[str, list[Any]], failure: Callable[[Disturbed], None]
) -> None:
    disturbed = Disturbed(tmp_path, farm)
    failure(disturbed)
    assert timeless(disturbed.shop.logs) == at_home
    assert verify(disturbed.shop.logs, workers=1).ended is not None
