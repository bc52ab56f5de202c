"""Keeps the bundles of a tournament. A bundle is the sittings of one message, with the nodes that have them.

Usually only one node has a bundle. But a node may be connected and send heartbeats, and still never play. So
if a node is late with a bundle, an idle node plays this bundle too. The first result counts, and all others
are dropped. So nothing is lost if a node is only slow, and no sitting counts twice. If idle nodes fail at the
bundle again and again, the last failure counts, so that the tournament does not wait for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

import trio

from harness.cluster.members import NodeMember
from harness.job import Done, Job
from harness.play.workforce import Workforce

LATE = 60.0
"""No node is late with a bundle that it received less than this number of seconds ago."""
SILENT = 300.0
"""Harness tells the user about a node that has had a bundle for this number of seconds without a result."""
TIMES = 4
"""An idle node plays a bundle of another node only after this multiple of the longest time that the idle node
itself has needed for a bundle."""
FAILURES = 3
"""After idle nodes have failed this many times at a bundle of a late node, the attempts in the bundle are
void."""


class Bundle:
    """The sittings of one message."""

    def __init__(self, jobs: list[Job]) -> None:
        self.jobs = jobs
        self.began: dict[NodeMember, float] = {}
        """The nodes that have the bundle, each with the time at which it received the bundle."""
        self.failures: list[float] = []
        """The times at which a node failed at the bundle while another node still had it."""


class Bundles:
    """The bundles that have no result yet, in the order in which they were sent."""

    def __init__(self, workforce: Workforce) -> None:
        """While a node has a bundle, the bundle counts as a busy worker of `workforce`."""
        self._open: list[Bundle] = []
        self._workforce = workforce

    def begin(self, bundle: Bundle, member: NodeMember) -> None:
        """Notes that a node receives this bundle."""
        if not bundle.began:
            self._open.append(bundle)
        bundle.began[member] = trio.current_time()
        member.has.update((key_of(job), job) for job in bundle.jobs)
        member.tasks += 1
        self._workforce.begin()

    def late(self, idle: NodeMember) -> Bundle | None:
        """Returns a bundle that this idle node should play too, because all nodes that have it are late."""
        before = trio.current_time() - max(LATE, TIMES * idle.longest)
        for bundle in self._open:
            if idle not in bundle.began and max((*bundle.began.values(), *bundle.failures)) < before:
                return bundle
        return None

    def silent(self) -> Iterator[tuple[NodeMember, Bundle]]:
        """Yields each node that has had a bundle for SILENT seconds, with this bundle. Does not yield the
        node again before the node has answered."""
        before = trio.current_time() - SILENT
        for bundle in self._open:
            for member, began in bundle.began.items():
                if began < before and not member.silent:
                    member.silent = True
                    yield member, bundle

    def end(self, bundle: Bundle, member: NodeMember, done: list[Done]) -> bool:
        """Notes that a node has sent the results of this bundle. Returns whether these results count."""
        member.late = member.silent = False
        began = bundle.began.pop(member, None)
        if began is None:  # Another node was faster.
            return False
        self._release(bundle, member)
        good = not all(each.void for each in done)
        if good:
            member.longest = max(member.longest, trio.current_time() - began)
        elif bundle.began and len(bundle.failures) < FAILURES - 1:
            bundle.failures.append(trio.current_time())
            return False  # Another node still plays these sittings.
        for other in bundle.began:
            self._release(bundle, other)
        bundle.began.clear()
        self._open.remove(bundle)
        return True

    def lose(self, member: NodeMember) -> list[Job]:
        """Takes all bundles from a lost node. Returns the jobs that no other node has."""
        for bundle in [each for each in self._open if member in each.began]:
            del bundle.began[member]
            if bundle.began:
                self._release(bundle, member)
            else:
                self._open.remove(bundle)
        lost = list(member.has.values())
        member.has.clear()
        for _ in range(member.tasks):
            self._workforce.end()
        member.tasks = 0
        return lost

    def _release(self, bundle: Bundle, member: NodeMember) -> None:
        for job in bundle.jobs:
            member.has.pop(key_of(job), None)
        member.tasks -= 1
        self._workforce.end()


def key_of(job: Job) -> tuple[int, ...]:
    """Returns the numbers that identify the sitting of this job."""
    return job.run, job.encounter, job.sitting
