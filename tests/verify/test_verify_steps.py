"""Owns the tests that `verify` accepts the steps of each true record, even if attempts or runs fail.

The runner of these tests invents matches, without processes and bots. So `verify` judges only the steps here.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness import config
from harness.chance import derived
from harness.config import FrozenPlan
from harness.events import Ended, RunBegan
from harness.job import Done, Job
from harness.verify import verify
from harness.verify.chunk import Chunk
from tests.play.scripted import (
    AnyOrder,
    Killed,
    World,
    a_plan,
    carried_on,
    of,
    on_record,
)

pytestmark = pytest.mark.virtual

Fails = Callable[[Job], bool]


class Failing(World):
    """A machine on which an attempt fails if `fails` says so."""

    def __init__(self, fails: Fails, cheats: dict[str, int] | None = None) -> None:
        super().__init__(cheats)
        self.fails = fails

    def play(self, job: Job) -> Done:
        return Done(job, void="the lights went out") if self.fails(job) else super().play(job)


class TrustingJudges:
    """Judges that accept every match, because these tests invent the lines of the matches."""

    matches = 0

    def __init__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass

    def judge(self, chunk: Chunk) -> None:
        self.matches += chunk.matches

    def finish(self) -> None:
        pass


@pytest.fixture(autouse=True, scope="module")
def _no_judging() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[verify.__module__], "Judges", TrustingJudges)
        yield


def session(plan: FrozenPlan, folder: Path, runner: AnyOrder) -> Ended | None:
    """Runs one command, which can be killed, and asserts that `verify` accepts the record after it."""
    (folder / "plan.json").write_bytes(config.encoded(plan))
    ended = None
    try:
        ended = carried_on(plan, folder, runner)
    except* Killed:
        pass
    if any(folder.glob("run-*")):
        verify(folder, workers=1)
    return ended


def at(run: int, encounter: int, sitting: int, most: int) -> Fails:
    """A rule by which the first `most` attempts at this sitting fail."""
    return lambda job: (
        (job.run, job.encounter, job.sitting) == (run, encounter, sitting) and (job.attempt <= most)
    )


def test_what_was_given_up_in_one_run_is_tried_in_the_next(tmp_path: Path) -> None:
    ended = session(a_plan(), tmp_path, AnyOrder(Failing(at(1, 1, 1, most=3), {"c": 2})))
    assert len(of(RunBegan, on_record(tmp_path))) == 2
    assert ended is not None
    assert ended.unplayed == 0


def check_all_ends(
    folder: Path, luck: int, one_in: int, hands: int, lives: list[int], cheats: dict[str, int], rerun: str
) -> None:
    """Plays a tournament to its end, although attempts fail and each command but the last is killed."""
    plan = a_plan("abcdef", 3, rerun=rerun)

    def fails(job: Job) -> bool:
        return derived(luck, job.run, job.encounter, job.sitting, job.attempt) % one_in == 0

    for life in lives:
        session(plan, folder, AnyOrder(Failing(fails, cheats), luck + life, hands, life))
    ended = session(plan, folder, AnyOrder(World(cheats), luck, hands))
    assert ended is not None
    assert ended.unplayed == 0


CASES: dict[str, Any] = {
    "luck": st.integers(0, 10_000),
    "one_in": st.integers(2, 6),
    "hands": st.integers(1, 8),
    "lives": st.lists(st.integers(0, 40), max_size=8),
    "cheats": st.dictionaries(st.sampled_from("abcdef"), st.integers(2, 9), max_size=3),
    "rerun": st.sampled_from(("fresh", "keep")),
}


# In the example, a command gives up a sitting while it tries an earlier sitting again, which an earlier
# command had given up.
@settings(max_examples=20, deadline=None)
@given(**CASES)
@example(luck=0, one_in=2, hands=2, lives=[3, 4, 15], cheats={}, rerun="fresh")
def test_every_true_record_verifies_at_each_of_its_ends(
    tmp_path_factory: pytest.TempPathFactory, **case: Any
) -> None:
    check_all_ends(tmp_path_factory.mktemp("true"), **case)


@pytest.mark.soak
@settings(max_examples=2_000, deadline=None)
@given(**CASES)
def test_very_many_true_records_verify_at_each_of_their_ends(
    tmp_path_factory: pytest.TempPathFactory, **case: Any
) -> None:
    check_all_ends(tmp_path_factory.mktemp("true"), **case)
