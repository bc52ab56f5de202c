"""Plays on nodes that are functions. If a node fails, freezes, ends or is late, no sitting is lost."""

from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from harness.cluster import node as remote
from harness.cluster.bundles import FAILURES, LATE, SILENT
from harness.cluster.connection import Connection, Present
from harness.cluster.dask_settings import FROZEN
from harness.cluster.desk import MOST_AHEAD, MOST_TOGETHER, MOST_WAITING, Speed
from harness.cluster.errand import Errand, ErrandResult, Session, errands_in, packed
from harness.cluster.host import facts
from harness.cluster.members import LOOK, PATIENCE, Members
from harness.cluster.node_log import NodeLog
from harness.cluster.runner import LOST, ClusterRunner
from harness.errors import cause
from harness.events import Brief
from harness.job import Done, Job, PlainRules

pytestmark = pytest.mark.virtual

Answer = Callable[["Node", tuple[Errand, ...]], Awaitable[bytes | None]]
RULES = PlainRules("sevens", {})
SESSION = Session("1", "cup", RULES, "", "", "none", (), 1, (), ())
HERE = facts(1)
UNANSWERED = "its node did not answer"


def results(errands: tuple[Errand, ...]) -> bytes:
    return packed([ErrandResult(b"{}\n", (), (), "", "group") for _ in errands])


async def well(node: "Node", errands: tuple[Errand, ...]) -> bytes | None:
    """Answers as a good node: each errand takes one second."""
    await trio.sleep(len(errands))
    return results(errands)


def a_job(encounter: int, attempt: int = 1) -> Job:
    return Job(1, 1, encounter, 1, attempt, RULES, (), (), (), ())


class Node:
    """A node with one worker. Each of `answers` makes one answer; the last one makes all later answers
    too."""

    def __init__(self, address: str, *answers: Answer) -> None:
        self.address = address
        self._answers = list(answers)
        self.beats = True
        self.clock_stands = False
        """True if the clock of the node was moved back. Then its heartbeats look old, but it answers."""
        self.lies: Any = None
        """If not None: what the node sends instead of the facts about its machine."""
        self.is_there = True

    async def play(self, errands: tuple[Errand, ...]) -> bytes | None:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return await answer(self, errands)


class Nodes(Connection):
    """A connection to a scheduler that knows these nodes."""

    def __init__(self, nodes: list[Node]) -> None:
        self._nodes = {each.address: each for each in nodes}
        self.played: list[tuple[str, int, int]] = []
        """The address of the node, the encounter and the attempt, for each errand that was sent."""

    def check(self) -> None:
        """The scheduler is there."""

    async def present(self) -> list[Present]:
        now = trio.current_time()
        there = [each for each in self._nodes.values() if each.is_there]
        return [Present(each.address, now if each.beats and not each.clock_stands else 0.0) for each in there]

    async def run(self, worker: str, function: Callable[..., Any], *args: Any) -> Any:
        if function is remote.play:
            errands = errands_in(args[1])
            self.played += [(worker, each.encounter, each.attempt) for each in errands]
            return await self._nodes[worker].play(errands)
        if not self._nodes[worker].beats:
            await trio.sleep_forever()
        told = HERE._replace(host=worker)._asdict() | {"tournament": "", "load": 0.5}
        told = self._nodes[worker].lies or told
        return {remote.tell_facts: told, remote.lacking: [], remote.open_session: ""}[function]

    async def submit(self, worker: str, key: str, function: Callable[..., Any], *args: Any) -> Any:
        assert function is remote.hold
        await trio.sleep_forever()


class Table:
    """A tournament of some encounters. An encounter whose result is void is played again."""

    def __init__(self, encounters: int) -> None:
        self._left = [(number, 1) for number in range(1, encounters + 1)]
        self._more = trio.Event()
        self._missing = encounters
        self.good: Counter[int] = Counter()
        """The number of good results of each encounter."""
        self.void: list[tuple[int, int, str]] = []

    def feed(self) -> Job | trio.Event | None:
        if self._left:
            encounter, attempt = self._left.pop(0)
            return a_job(encounter, attempt)
        return self._more if self._missing else None

    def take(self, done: Done) -> None:
        job = done.job
        if done.void:
            self.void.append((job.encounter, job.attempt, done.void))
            self._left.append((job.encounter, job.attempt + 1))
        else:
            self.good[job.encounter] += 1
            self._missing -= 1
        self._more.set()
        self._more = trio.Event()


async def play(table: Table, folder: Path, *nodes: Node) -> Nodes:
    """Plays the tournament to its end on these nodes."""
    connection = Nodes(list(nodes))
    await play_on(connection, table, folder)
    return connection


async def play_on(
    connection: Nodes,
    table: Table,
    folder: Path,
    recorded: Callable[[], Awaitable[object]] = trio.lowlevel.checkpoint,
) -> None:
    """Plays the tournament to its end, and calls and awaits `recorded` after each result."""
    with trio.fail_after(20 * FROZEN), NodeLog(folder, lambda said: None) as log:
        members = Members(connection, SESSION, {}, HERE, True, log)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(members.watch)
            runner = ClusterRunner(connection, members, lambda said: None)
            async with runner.play(table.feed) as channel:
                async for done in channel:
                    table.take(done)
                    await recorded()
            nursery.cancel_scope.cancel()


# -- how a node fails ------------------------------------------------------------------------------


async def cut_off(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The node plays, but the connection closes before its answer has come."""
    await trio.sleep(1)
    raise OSError("the connection was closed")


async def forgets(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The node runs, but does not know the session of the tournament."""
    return None


async def freezes(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The node freezes while it plays, and goes on when it already counts as lost."""
    node.beats = False
    await trio.sleep(2 * FROZEN)
    return results(errands)


async def arrives_late(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The node freezes too, and its late answer comes although nobody waits for it any more."""
    with trio.CancelScope(shield=True):
        await freezes(node, errands)
    return results(errands)


async def ends(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The process of the node ends, so the connection fails at once."""
    node.is_there = False
    raise OSError("the connection was closed")


@pytest.mark.parametrize(
    ("answer", "cause"), [(cut_off, f"{UNANSWERED}: the connection was closed"), (forgets, UNANSWERED)]
)
async def test_what_a_node_never_answers_is_void_and_played_again(
    tmp_path: Path, autojump_clock: MockClock, answer: Answer, cause: str
) -> None:
    table, began = Table(4), trio.current_time()
    connection = await play(table, tmp_path, Node("tls://a:1", answer, well))
    [(encounter, attempt, why)] = table.void
    assert (attempt, why) == (1, cause)
    assert table.good == Counter([1, 2, 3, 4])
    assert ("tls://a:1", encounter, 2) in connection.played
    assert FROZEN < trio.current_time() - began < FROZEN + 10


async def sends_no_bytes(node: "Node", errands: tuple[Errand, ...]) -> Any:
    await trio.sleep(1)
    return {"no": "bytes"}


def sends(*told: Any) -> Answer:
    async def answer(node: "Node", errands: tuple[Errand, ...]) -> bytes | None:
        await trio.sleep(1)
        return packed(told)

    return answer


RESULT = ErrandResult(b"{}\n", (), (), "", "group")
ONE_TOO_MANY = RESULT._replace(matches=(Brief((1, 2), (1, 0)),))


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (sends(), "its node sent no result: the number of sittings is 0, not 1"),
        (sends(RESULT, RESULT), "its node sent no result: the number of sittings is 2, not 1"),
        (sends_no_bytes, "its node sent no result: "),
        (sends("made up"), "its node sent no result: Expected `array`"),
        (sends([b"{}\n", [], [["../x", b""]], "", "group"]), "its node sent no result: Expected `int`"),
        (sends(ONE_TOO_MANY), "its node sent no result: the number of matches is 1, not 0"),
    ],
)
async def test_what_is_no_result_is_void_and_the_tournament_goes_on(
    tmp_path: Path, autojump_clock: MockClock, answer: Answer, cause: str
) -> None:
    table = Table(4)
    await play(table, tmp_path, Node("tls://a:1", answer, well))
    [(_, attempt, why)] = table.void
    assert attempt == 1
    assert why.startswith(cause)
    assert table.good == Counter([1, 2, 3, 4])


FACTS = HERE._asdict() | {"tournament": "", "load": 0.5}


@pytest.mark.parametrize(
    "lies",
    [
        "facts",
        {"host": "a"},
        *(FACTS | {key: value} for key, value in (("workers", -1), ("workers", 10**9), ("workers", "many"))),
        FACTS | {"host": None},
    ],
)
async def test_a_node_that_sends_no_facts_is_not_used(
    tmp_path: Path, autojump_clock: MockClock, lies: object
) -> None:
    table, liar = Table(4), Node("tls://a:1", well)
    liar.lies = lies
    connection = await play(table, tmp_path, liar, Node("tls://b:1", well))
    assert table.good == Counter([1, 2, 3, 4])
    assert {node for node, _, _ in connection.played} == {"tls://b:1"}
    assert "it sends no facts about its machine" in (tmp_path / "nodes.jsonl").read_text()


async def test_what_fails_on_one_node_is_tried_on_another(tmp_path: Path, autojump_clock: MockClock) -> None:
    """In a small tournament a broken node has too few sittings to be dismissed."""
    # At first each of the three nodes gets two encounters, in any order.
    table = Table(6)
    nodes = [Node("tls://a:1", sends("made up")), Node("tls://b:1", well), Node("tls://c:1", well)]
    connection = await play(table, tmp_path, *nodes)
    assert table.good == Counter(range(1, 7))
    assert {attempt for _, attempt, _ in table.void} == {1}
    assert "tls://a:1" not in {node for node, _, attempt in connection.played if attempt > 1}


@pytest.mark.parametrize("seconds", [0.01, 1, 5])
async def test_a_node_that_sends_no_results_again_and_again_is_dismissed(
    tmp_path: Path, autojump_clock: MockClock, seconds: float
) -> None:
    """It is also dismissed if it has failed with all its errands before another node has a result."""

    async def fails(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        await trio.sleep(seconds)
        return b"made up"

    table = Table(20)
    await play(table, tmp_path, Node("tls://a:1", fails), Node("tls://b:1", well))
    assert table.void == []
    assert table.good == Counter(range(1, 21))
    assert "is dismissed" in (tmp_path / "nodes.jsonl").read_text()


async def test_the_fastest_node_has_a_bounded_number_of_sittings(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    has = most = 0

    async def very_fast(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        nonlocal has, most
        has += len(errands)
        most = max(most, has)
        await trio.sleep(0.01)
        has -= len(errands)
        return results(errands)

    await play(Table(20_000), tmp_path, Node("tls://a:1", very_fast))
    assert MOST_TOGETHER < most <= MOST_AHEAD + MOST_TOGETHER


@pytest.mark.parametrize(
    ("answer", "voids", "noticed"),
    [(freezes, [LOST], FROZEN), (arrives_late, [], 2 * FROZEN), (ends, [LOST], LOOK)],
)
async def test_a_lost_node_costs_one_attempt_and_no_result_is_taken_twice(
    tmp_path: Path, autojump_clock: MockClock, answer: Answer, voids: list[str], noticed: float
) -> None:
    table, began = Table(8), trio.current_time()
    connection = await play(table, tmp_path, Node("tls://a:1", answer), Node("tls://b:1", well))
    assert [why for _, _, why in table.void] == voids
    assert table.good == Counter(range(1, 9))
    elsewhere = [
        (encounter, attempt) for node, encounter, attempt in connection.played if node != "tls://a:1"
    ]
    assert len(elsewhere) == len(set(elsewhere))
    assert trio.current_time() - began < noticed + 15


async def test_a_node_that_is_there_and_never_answers_is_dismissed(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    table = Table(200)
    await play(table, tmp_path, Node("tls://a:1", cut_off), Node("tls://b:1", well))
    assert table.void == []
    assert table.good == Counter(range(1, 201))
    assert "is dismissed" in (tmp_path / "nodes.jsonl").read_text()


async def is_silent(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The node sends heartbeats, but never answers."""
    await trio.sleep_forever()


async def is_slow(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
    """The node answers, but needs much longer than other nodes."""
    await trio.sleep(3 * LATE)
    return results(errands)


async def test_idle_nodes_play_what_a_silent_node_never_plays(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    table, began = Table(40), trio.current_time()
    connection = await play(table, tmp_path, Node("tls://a:1", is_silent), Node("tls://b:1", well))
    assert table.void == []
    assert table.good == Counter(range(1, 41))
    assert trio.current_time() - began < 40 + LATE + 10
    of_silent = [encounter for node, encounter, _ in connection.played if node == "tls://a:1"]
    twice = Counter((encounter, attempt) for _, encounter, attempt in connection.played)
    assert sorted(encounter for (encounter, _), times in twice.items() if times > 1) == sorted(of_silent)
    assert "is late; node tls://b:1 plays its sittings too" in (tmp_path / "nodes.jsonl").read_text()


async def test_a_silent_node_delays_only_one_round(tmp_path: Path, autojump_clock: MockClock) -> None:
    class Rounds(Table):
        """Four encounters at a time: the next four begin when the first four have results."""

        def take(self, done: Done) -> None:
            super().take(done)
            if self.good.total() % 4 == 0 and self.good.total() < 40:
                self._left += [(self.good.total() + number, 1) for number in range(1, 5)]
                self._missing += 4

    table, began = Rounds(4), trio.current_time()
    await play(table, tmp_path, Node("tls://a:1", is_silent), Node("tls://b:1", well))
    assert table.good == Counter(range(1, 41))
    assert trio.current_time() - began < 40 + LATE + 10


async def test_a_slow_node_plays_on_after_its_late_answer_and_nothing_counts_twice(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    class Later(Table):
        """The last encounters can be played only when the slow node has answered."""

        async def more(self) -> None:
            await trio.sleep(4 * LATE)
            self._left += [(number, 1) for number in range(11, 31)]
            self._more.set()

    table, connection = Later(10), Nodes([Node("tls://a:1", is_slow, well), Node("tls://b:1", well)])
    table._missing += 20
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.more)
        await play_on(connection, table, tmp_path)
    assert table.void == []
    assert table.good == Counter(range(1, 31))
    assert {node for node, encounter, _ in connection.played if encounter > 10} == {"tls://a:1", "tls://b:1"}


async def test_the_result_of_a_slow_node_counts_if_it_is_the_first(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def slower_still(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        """Plays at once the errands that no other node has. Never answers errands that another node has."""
        both = Counter(connection.played)[("tls://a:1", errands[0].encounter, 1)]
        return await (is_silent if both else well)(node, errands)

    table, began = Table(10), trio.current_time()
    connection = Nodes([Node("tls://a:1", is_slow), Node("tls://b:1", slower_still)])
    await play_on(connection, table, tmp_path)
    assert table.void == []
    assert table.good == Counter(range(1, 11))
    assert 3 * LATE <= trio.current_time() - began < 3 * LATE + 5


async def test_idle_nodes_that_fail_at_what_a_silent_node_has_do_not_try_for_ever(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def fails(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        """Plays only errands that no other node has, and fails with all others."""
        await trio.sleep(1)
        if ("tls://a:1", errands[0].encounter, errands[0].attempt) in connection.played:
            raise RuntimeError("its disk is full")
        return results(errands)

    table, began = Table(10), trio.current_time()
    connection = Nodes([Node("tls://a:1", is_silent), Node("tls://b:1", fails)])
    await play_on(connection, table, tmp_path)
    assert table.good == Counter(range(1, 11))
    of_silent = {encounter for node, encounter, _ in connection.played if node == "tls://a:1"}
    assert {encounter for encounter, _, _ in table.void} == of_silent
    assert {why for _, _, why in table.void} == {"its node failed: its disk is full"}
    tried = Counter(encounter for node, encounter, attempt in connection.played if attempt == 1)
    assert {tried[encounter] for encounter in of_silent} == {1 + FAILURES}
    assert trio.current_time() - began < FAILURES * LATE + 20


async def test_a_late_node_that_is_lost_makes_nothing_void_that_another_plays(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def vanishes(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        await trio.sleep(LATE + 10)
        node.is_there = False
        await trio.sleep_forever()

    async def busy_then(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        await trio.sleep(12)
        return results(errands)

    table = Table(4)
    await play(table, tmp_path, Node("tls://a:1", vanishes), Node("tls://b:1", well, well, busy_then))
    assert table.void == []
    assert table.good == Counter(range(1, 5))


async def test_a_node_that_is_alone_and_silent_is_named(tmp_path: Path, autojump_clock: MockClock) -> None:
    with trio.move_on_after(SILENT + 10):
        await play(Table(4), tmp_path, Node("tls://a:1", is_silent))
    said = [line for line in (tmp_path / "nodes.jsonl").read_text().splitlines() if "sent no result" in line]
    assert said == ['{"node":"tls://a:1","said":"has sent no result for 1 sitting in 300 s"}']


async def test_a_node_without_heartbeats_that_answers_is_not_lost(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    table, node = Table(5 * FROZEN), Node("tls://a:1", well)
    node.clock_stands = True
    await play(table, tmp_path, node)
    assert table.void == []
    assert table.good.total() == 5 * FROZEN
    assert (tmp_path / "nodes.jsonl").read_text().count('"said"') == 1, "it has joined once"


async def test_a_tournament_ends_if_its_only_node_stays_frozen(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def stays_frozen(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        node.beats = False
        await trio.sleep_forever()

    began = trio.current_time()
    with pytest.raises(BaseExceptionGroup) as failed:
        await play(Table(4), tmp_path, Node("tls://a:1", stays_frozen))
    assert str(cause(failed.value)) == "no node can play; 1 node: it does not answer"
    assert trio.current_time() - began < FROZEN + PATIENCE + 10


async def test_who_waits_for_an_answer_is_cancelled_with_the_tournament(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    table, began = Table(4), trio.current_time()
    with trio.move_on_after(10) as stopped:
        await play(table, tmp_path, Node("tls://a:1", cut_off))
    assert stopped.cancelled_caught
    assert trio.current_time() - began == 10
    assert not table.void
    assert not table.good


async def test_nodes_wait_while_results_are_recorded_slowly(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async def at_once(node: Node, errands: tuple[Errand, ...]) -> bytes | None:
        await trio.sleep(0.01)
        return results(errands)

    class SlowTable(Table):
        most = 0

        async def recorded(self) -> None:
            await trio.sleep(0.005)
            self.most = max(self.most, len(connection.played) - self.good.total())

    table, connection = SlowTable(8 * MOST_WAITING), Nodes([Node("tls://a:1", at_once)])
    await play_on(connection, table, tmp_path, table.recorded)
    assert table.good.total() == 8 * MOST_WAITING
    assert table.most < 3 * MOST_WAITING


async def test_void_sittings_do_not_make_a_node_look_fast(autojump_clock: MockClock) -> None:
    speed = Speed()
    await trio.sleep(1)
    speed.add([Done(a_job(number), void="" if number < 3 else LOST) for number in range(10)])
    assert speed.per_second == 3
