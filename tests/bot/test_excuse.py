"""Tests which part of a bot's time is excused, with invented schedules of one core; starts no process.

In each step of a schedule the core belongs to one of those that are ready: the loop, a thread of the bot, or
a neighbour (another process). The host may steal the step from the owner. So the test knows the truth: when
the answer came, and for how long the bot had waited for others until then. The account of the bot knows only
what it can know in a tournament.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.bot import excuse
from harness.bot.excuse import STOLEN_STEP_US, Account, Turns, Waits, most_waited_us
from harness.bot.stolen import Lost

STEP_US = 1_000
"""The length of a step in microseconds."""
STEP_NS = STEP_US * 1_000
TICK = 10
"""Steps between two ticks of the watchdog."""
LIMIT = 40
"""The time limit of the answer, in steps."""
LONGEST = 4_000
"""The greatest number of steps in a schedule."""
HIDDEN = 3 * (STOLEN_STEP_US // STEP_US - 1)
"""The largest number of stolen steps that the kernel can fail to report for one answer. The kernel reports
only whole multiples of STOLEN_STEP_US, and it is read for three times: until the first tick, after the first
tick, and in the last turn of the loop."""


@dataclass
class Thread:
    """A thread of the bot: it runs for `parts[0]` steps, sleeps for `parts[1]` steps, and so on."""

    parts: list[int]
    answers_after: int = -1
    """The number of parts after which the thread writes the answer."""
    done: int = 0
    step: int = 0

    def ready(self) -> bool:
        return self.done < len(self.parts) and self.done % 2 == 0

    def move(self, ran: bool) -> bool:
        """Lives one step; returns whether it wrote the answer at the end of the step."""
        if self.done >= len(self.parts) or (self.ready() and not ran):
            return False
        self.step += 1
        if self.step < self.parts[self.done]:
            return False
        self.done, self.step = self.done + 1, 0
        return self.done == self.answers_after


@dataclass
class World:
    """One core with a loop, a bot of one or more threads, and neighbours that always want the core."""

    chance: random.Random
    threads: list[Thread]
    neighbours: int
    busy: float
    """The share of the loop's turns in which the loop also has other work, from 0 to 1."""
    asked: int
    """The step in which the question is asked; the bot may already run before it."""
    exact: bool = True
    """Whether a wait is counted while it lasts, as by a control group. Otherwise it is counted at its end."""
    host: float = 0
    """The share of all steps in which the host begins to steal the core, from 0 to 1."""
    counter: bool = True
    """Whether the kernel can count for how long the bot had the core."""
    counts_from: int = 0
    """The steps for which the bot had had the core when the counter began; -1 if it does not count now."""
    uncounted: int = 0
    """Steps since the question in which the counter of the bot's time on the core was off."""
    hides: bool = False
    """Whether the neighbours are child processes of the bot that end between two readings. Then nobody knows
    their CPU time, but the kernel tells that child processes have started."""
    told: bool = True
    """Whether the account of the bot learns that child processes have started."""
    lost: Lost = field(default_factory=Lost)
    had_core: int = 0
    stolen: int = 0
    steals: int = 0
    counted: int = 0
    ran: int = 0
    """Steps for which the bot ran; counted only if `exact` is false."""
    ran_since_asked: int = 0
    ran_since_it_came: int = 0
    now: int = 0
    waited: int = 0
    """Steps for which no thread of the bot ran although one was ready."""
    known: int = 0
    """The steps of `waited` in which somebody else had the core. The other steps were stolen from the bot."""
    delayed: int = 0
    before: int = 0
    slept: int = 0
    woke: int = 0
    rested: int = 0
    ticked: int = 0
    work: int = 0
    awake: bool = False
    came: int = -1
    waited_when_asked: int = -1
    waited_when_it_came: int = -1
    robbed_when_asked: int = 0
    stolen_when_asked: int = 0
    delays: list[tuple[int, int, int]] = field(default_factory=lambda: [(0, 0, 0), (0, 0, 0)])
    """For each of the last two ticks: the step in which its turn of the loop began, how many steps the loop
    had waited for the core by then, and the stolen microseconds that the kernel had reported by then."""

    def waits(self) -> Waits:
        ran, now = self.had_core - (self.waited - self.known), self.now * STEP_NS
        counts = self.counter and self.counts_from >= 0
        on_core_us = (self.had_core - self.counts_from) * STEP_US if counts else -1
        self.lost.read(on_core_us, ran * STEP_US, (ran + self.counted) * STEP_US, self.is_awake, now)
        changes = self.now if self.hides and self.told else 0
        return Waits(self.counted * STEP_US, self.ran * STEP_US, self.lost.us, changes=changes)

    def stolen_us(self, now: int) -> int:
        return self.stolen * STEP_US // STOLEN_STEP_US * STOLEN_STEP_US

    def count_on_core(self, wanted: bool) -> None:
        if wanted != (self.counts_from >= 0):
            self.counts_from = self.had_core if wanted else -1

    def look(self) -> None:
        pass

    def is_ready(self) -> bool:
        return not self.exact and self.is_awake()

    def is_awake(self) -> bool:
        return any(each.ready() and self.now >= self.begins(each) for each in self.threads)

    def turns(self) -> Turns:
        _, delayed, stolen_us = self.delays[self.delays[1][0] != self.woke]
        before, slept, woke = (each * STEP_NS for each in (self.before, self.slept, self.woke))
        return Turns(before, slept, woke, (self.delayed - delayed) * STEP_NS, self.stolen_us(0) - stolen_us)

    def live(self) -> None:
        """Plays one step: one of those who are ready has the core, and the others wait."""
        loop = self.awake or self.now >= self.ticked + TICK or (0 <= self.came <= self.now)
        ready = [
            number
            for number, each in enumerate(self.threads)
            if each.ready() and self.now >= self.begins(each)
        ]
        runs = self.chance.choice(
            ["loop"] * loop + ["bot"] * len(ready) + ["other"] * self.neighbours or [""]
        )
        if self.chance.random() < self.host:
            self.steals = self.chance.randrange(1, 60)
        if runs and self.steals:
            self.steals -= 1
            self.steal(runs, loop, bool(ready))
            runs = ""
        runner = self.chance.choice(ready) if runs == "bot" else -1
        self.had_core += runs == "bot"
        self.uncounted += self.now >= self.asked and self.counts_from < 0
        if ready and runs not in ("", "bot"):
            self.waited, self.known = self.waited + 1, self.known + 1
        if runs == "bot" or self.exact:
            self.counted = self.known
        if runs == "bot" and not self.exact:
            self.ran += 1
        if runs == "bot" and self.now >= self.asked:
            self.ran_since_asked += 1
            self.ran_since_it_came += self.came >= 0
        if loop and runs not in ("", "loop"):
            self.delayed += not self.awake
        if runs == "loop":
            self.turn()
        for number, each in enumerate(self.threads):
            if self.now >= self.begins(each) and each.move(number == runner):
                self.came, self.waited_when_it_came = self.now + 1, self.waited
        self.now += 1
        if self.now == self.asked:
            self.waited_when_asked, self.robbed_when_asked = self.waited, self.waited - self.known
            self.stolen_when_asked = self.stolen

    def steal(self, robbed: str, loop: bool, ready: bool) -> None:
        """The host takes the step from `robbed`. The kernel counts the step as a wait only for those
        that did not have the core."""
        self.stolen += 1
        self.waited += ready
        self.known += ready and robbed != "bot"
        self.had_core += robbed == "bot"
        self.delayed += loop and robbed != "loop" and not self.awake

    def begins(self, thread: Thread) -> int:
        return self.asked if thread.answers_after >= 0 else 0

    def turn(self) -> None:
        """The loop has the core: the loop wakes, or goes on with other work."""
        if not self.awake:
            self.awake = True
            self.before, self.slept, self.woke = self.woke, self.rested, self.now
            self.work = self.chance.randrange(1, 30) if self.chance.random() < self.busy else 0
        if self.work:
            self.work -= 1
        if not self.work:
            self.awake, self.rested = False, self.now + 1

    def looks(self) -> bool:
        """Whether the loop is at the end of a turn. Then all tasks that wait for the pipe have run."""
        return not self.awake and self.rested == self.now and self.now > 0


@dataclass
class Judged:
    """How the answer in a schedule was judged, and what really happened."""

    in_time: bool
    truly_own: int
    """Own steps of the bot until the answer came. Without an answer: until the judgement, plus 1."""
    went_on: int
    """Steps for which other threads of the bot had the core between the answer and its reading."""
    gap: int
    """Steps since the loop's previous look for an answer, or since the question if that came later."""
    before_the_question: int
    """Steps for which the bot waited between the last reading of its waits and the question."""
    lasted: int
    stolen: int
    """Steps that the host stole since the question, from the bot, from the loop or from others."""
    told: int
    """Stolen steps that the kernel has reported since the last reading of its report before the question."""
    lost_before: int
    """Steps that the host stole from the bot between the last reading of its waits and the question."""
    uncounted: int
    """Steps since the question in which nobody counted the bot's time on the core."""


def judged(world: World) -> Judged:
    """Plays the schedule and judges the answer as a Player does."""
    account = Account(world, world, lambda: 0)
    limit_us = LIMIT * STEP_US
    read_waits = read_stolen = read_robbed = 0
    while world.now < LONGEST:
        world.live()
        asked = world.asked * STEP_NS
        if world.now < world.asked and world.chance.random() < 0.05:
            account.rest(world.now * STEP_NS)
            read_waits, read_stolen = world.counted, world.stolen_us(0)
            read_robbed = world.waited - world.known
        if not world.looks() or world.woke < world.asked:
            if world.looks() and world.woke >= world.ticked + TICK:
                tick(world)
            continue
        stale = world.waited_when_asked - read_waits
        lost = world.robbed_when_asked - read_robbed
        now = world.now * STEP_NS
        lasted, stolen = world.now - world.asked, world.stolen - world.stolen_when_asked
        told = (world.stolen_us(0) - read_stolen) // STEP_US
        if 0 <= world.came <= world.woke:
            found = account.excused(asked, now, limit_us, world.ran_since_asked * STEP_US)
            own_us = lasted * STEP_US - sum(found)
            waited = world.waited_when_it_came - world.waited_when_asked
            truly_own = world.came - world.asked - waited
            gap = world.now - max(world.before, world.asked)
            assert own_us >= world.ran_since_asked * STEP_US, "the time for which it ran is its own"
            went_on = world.ran_since_it_came
            in_time, rest = own_us <= limit_us, (stale, lasted, stolen, told, lost, world.uncounted)
            return Judged(in_time, truly_own, went_on, gap, *rest)
        if world.woke >= world.ticked + TICK:
            tick(world)
            account.tick(asked, now)
            if not account.has_time(asked, now, limit_us) and not 0 <= world.came <= world.now:
                truly_own = lasted - (world.waited - world.waited_when_asked)
                truly_own += world.came < 0
                rest = (stale, lasted, stolen, told, lost, world.uncounted)
                return Judged(False, truly_own, 0, 0, *rest)
    raise AssertionError(f"not judged after {LONGEST} steps")


def tick(world: World) -> None:
    world.ticked = world.woke
    world.delays = [world.delays[1], (world.woke, world.delayed, world.stolen_us(0))]


PARTS = st.lists(st.integers(1, 30), min_size=1, max_size=5)


@st.composite
def worlds(draw: st.DrawFn, silent: bool = False) -> World:
    parts = draw(PARTS)
    answering = Thread(parts + draw(PARTS), 99 if silent else len(parts))
    if silent:
        answering.parts.append(LONGEST)
    siblings = [Thread(draw(PARTS)) for _ in range(draw(st.integers(0, 3)))]
    return World(
        random.Random(draw(st.integers(0, 1 << 30))),
        [answering, *siblings],
        neighbours=draw(st.integers(0, 4)),
        busy=draw(st.sampled_from((0.0, 0.1, 0.5))),
        asked=draw(st.integers(1, 40)),
        exact=draw(st.booleans()),
        host=draw(st.sampled_from((0.0, 0.0, 0.003, 0.01))),
        counter=draw(st.booleans()),
    )


@settings(max_examples=500)
@given(worlds())
def test_no_bot_that_was_in_time_by_its_own_doing_is_charged(world: World) -> None:
    found = judged(world)
    assert found.in_time or found.truly_own + found.went_on > LIMIT - min(found.stolen, HIDDEN)


def test_no_bot_is_charged_for_the_time_that_the_host_stole() -> None:
    for seed in range(1500):
        chance = random.Random(seed)
        computes = Thread([chance.randrange(25, LIMIT)], 1)
        found = judged(World(chance, [computes], seed % 4, busy=0, asked=20, exact=seed % 2 == 0, host=0.01))
        assert found.in_time or found.truly_own + found.went_on > LIMIT - min(found.stolen, HIDDEN)


@settings(max_examples=500)
@given(worlds())
def test_no_bot_gains_more_than_the_last_gap_and_what_it_waited_before_the_question(world: World) -> None:
    found = judged(world)
    told = found.told + HIDDEN + 2 if found.told else 0
    lost = found.lost_before + min(told, found.uncounted) if world.counter else told
    if found.in_time:
        assert found.truly_own <= LIMIT + found.gap + found.before_the_question + lost


def test_before_the_first_tick_a_bot_gains_no_more_than_what_was_stolen_meanwhile() -> None:
    """The bot sleeps for too long, while the host steals time from the bot's neighbours."""
    gains = [0]
    for seed in range(600):
        sleeps = Thread([1, LIMIT + 1 + seed % 20, 1], 3)
        world = World(
            random.Random(seed), [sleeps], neighbours=2, busy=0, asked=20, host=0.01, counts_from=-1
        )
        found = judged(world)
        if found.in_time:
            gains.append(found.truly_own - LIMIT - found.gap)
            assert gains[-1] <= found.before_the_question + min(found.told + HIDDEN, found.uncounted)
    assert max(gains) > 0, "otherwise this test shows nothing"


def hiding(seed: int, told: bool) -> tuple[bool, int]:
    """A bot computes in hidden child processes. Returns whether it is in time, and how many more steps it
    took than the limit and the last gap allow together."""
    answers = Thread([LIMIT + seed % 60], 1)
    chance, exact = random.Random(seed), seed % 2 == 0
    world = World(chance, [answers], 1 + seed % 3, busy=0.1, asked=20, exact=exact, hides=True, told=told)
    found = judged(world)
    return found.in_time, found.lasted - LIMIT - found.gap


def test_a_bot_that_hides_cpu_time_in_children_gains_no_more_than_the_last_gap() -> None:
    for seed in range(300):
        in_time, too_long = hiding(seed, told=True)
        assert not in_time or too_long <= 0
    gains = [too_long for seed in range(300) for in_time, too_long in [hiding(seed, told=False)] if in_time]
    assert max(gains) > LIMIT, "otherwise this test shows nothing"


@given(worlds(silent=True))
def test_a_silent_bot_is_late_when_its_limit_and_its_waits_are_spent(world: World) -> None:
    found = judged(world)
    assert not found.in_time
    assert found.truly_own > LIMIT - min(found.stolen, HIDDEN)


def test_the_bound_of_what_a_bot_gains_is_printed() -> None:
    """A thousand bots sleep for too long, on quiet and busy machines; `pytest -s` prints what they gain."""
    for neighbours, busy in ((0, 0.0), (2, 0.0), (4, 0.0), (0, 0.5), (4, 0.5)):
        gains, gaps = [0], [0]
        for seed in range(200):
            sleeps = Thread([1, LIMIT + 1 + seed % 20, 1], 3)
            world = World(random.Random(seed), [sleeps], neighbours, busy, asked=20)
            found = judged(world)
            if found.in_time:
                gains.append(found.truly_own - LIMIT)
                gaps.append(found.gap)
        print(f"{neighbours} neighbours, loop busy in {busy:.0%} of its turns: of 200 bots that overslept")
        print(f"{len(gains) - 1} were excused, by at most {max(gains)} ms, with gaps up to {max(gaps)} ms")
        assert all(gain <= gap for gain, gap in zip(gains, gaps, strict=True))
        assert neighbours or busy or max(gains) <= 1


@pytest.mark.parametrize(
    ("turns", "unseen"),
    [
        pytest.param(Turns(0, 5, 90, 0), 10, id="it slept, and the answer woke it: only its own work counts"),
        pytest.param(Turns(0, 5, 90, 30), 40, id="it slept, and had no CPU when it was to wake"),
        pytest.param(Turns(60, 90, 90, 0), 40, id="it did not sleep: the look before counts"),
        pytest.param(Turns(60, 70, 90, 20), 40, id="it slept for no longer than it had no CPU"),
        pytest.param(Turns(0, 5, 90, 30, 10), 60, id="the host had the core when it was to wake"),
        pytest.param(Turns(60, 70, 90, 0, 10), 40, id="it slept for no longer than the host had the core"),
        pytest.param(Turns(5, 90, 90, 0), 70, id="the question came after the look before"),
        pytest.param(Turns(2, 5, 20, 0), 70, id="it has not turned since the question"),
    ],
)
def test_only_the_last_gap_counts_as_unseen(turns: Turns, unseen: int) -> None:
    before, slept, woke, delayed, stolen = turns
    in_ns = Turns(before * STEP_NS, slept * STEP_NS, woke * STEP_NS, delayed * STEP_NS, stolen * STEP_US)
    assert excuse.unseen_us(30 * STEP_NS, 100 * STEP_NS, in_ns) == unseen * STEP_US


TIMES = st.integers(0, 10**9)


@given(TIMES, TIMES, TIMES, TIMES)
def test_never_more_is_excused_than_passed(
    passed_us: int, ran_us: int, waited_us: int, unseen_us: int
) -> None:
    found = excuse.excused(passed_us, ran_us, waited_us, unseen_us)
    assert min(found) >= 0
    assert sum(found) <= passed_us


@given(TIMES, TIMES, TIMES, TIMES)
def test_time_for_which_the_bot_ran_is_never_excused(
    idle_us: int, ran_us: int, waited_us: int, unseen_us: int
) -> None:
    found = excuse.excused(idle_us + ran_us, ran_us, waited_us, unseen_us)
    assert sum(found) == min(waited_us + unseen_us, idle_us)


def test_time_for_which_its_own_processes_ran_is_no_wait() -> None:
    noted = excuse.note(0, 10 * STEP_NS, Waits(0, 0), Waits(0, 0))
    assert excuse.waited_us(100 * STEP_US, noted, Waits(90 * STEP_US, 80 * STEP_US)) == 20 * STEP_US


@pytest.mark.parametrize(
    ("before", "first", "last", "excused_us"),
    [
        pytest.param(5, 5, 5, 60 * STEP_US, id="no process began or ended"),
        pytest.param(4, 5, 5, 0, id="between the reading before the question and the first tick"),
        pytest.param(5, 5, 6, 0, id="after the first tick"),
    ],
)
def test_no_wait_is_excused_if_unknown_processes_may_have_run(
    before: int, first: int, last: int, excused_us: int
) -> None:
    waits = [Waits(each * STEP_US, 0, changes=changes) for each, changes in ((0, before), (0, first))]
    noted = excuse.note(0, 10 * STEP_NS, *waits)
    now = Waits(60 * STEP_US, 0, changes=last)
    assert excuse.waited_us(100 * STEP_US, noted, now) == excused_us


def test_an_answer_is_not_awaited_forever() -> None:
    assert most_waited_us(20_000) == 10_000_000
    assert most_waited_us(60_000_000) == 540_000_000


@pytest.mark.parametrize(
    ("stolen_us", "lost_us", "excused_us"),
    [
        pytest.param(0, 9_000, 0, id="nothing was stolen"),
        pytest.param(10_000, 60_000, 20_000, id="one step was told, and another one may be hidden"),
        pytest.param(40_000, 60_000, 50_000, id="the kernel tells nearly all of a long time"),
        pytest.param(40_000, 3_000, 3_000, id="others lost most of it"),
        pytest.param(40_000, -9, 0, id="others lost all of it, and the two counters were not read at once"),
        pytest.param(90_000, 100_000, 80_000, id="the bot ran for the rest of the time"),
    ],
)
def test_time_that_the_host_stole_is_excused(stolen_us: int, lost_us: int, excused_us: int) -> None:
    noted = excuse.note(0, 10 * STEP_NS, Waits(0, 0, 700, 30_000), Waits(0, 0, 700, 30_000))
    now = Waits(0, 20_000, 700 + lost_us, 30_000 + stolen_us)
    assert excuse.waited_us(100 * STEP_US, noted, now) == excused_us


# -- the counter of the time on a core -------------------------------------------------------------


class Counted:
    """Stands for a bot and its loop: remembers whether time on the core is counted, and counts the looks."""

    counts = True
    looks = 0

    def waits(self) -> Waits:
        return Waits(0, 0)

    def look(self) -> None:
        self.looks += 1

    def is_ready(self) -> bool:
        return False

    def count_on_core(self, wanted: bool) -> None:
        self.counts = wanted

    def turns(self) -> Turns:
        return Turns(0, 0, 0, 0)

    def stolen_us(self, now: int) -> int:
        return 0


def counting(banked: bool, happens: str) -> list[bool]:
    """Whether time on the core is counted after each letter: r is a rest, t is a tick without an answer."""
    bot, found = Counted(), []
    account = Account(bot, bot, lambda: 0, banked)
    for now, letter in enumerate(happens, start=1):
        if letter == "r":
            account.rest(now)
        else:
            account.tick(0, now)
        found.append(bot.counts)
    return found


def test_a_bot_that_is_silent_at_a_tick_is_counted_until_it_rests_twice() -> None:
    assert counting(False, "rrtrrtt") == [False, False, True, True, False, True, True]


def test_a_bot_that_is_not_asked_is_looked_at_too() -> None:
    """If nobody looked, a bot that answers fast could compute between its answers: in child processes that
    the counter does not see and that end before the next reading."""
    bot = Counted()
    account = Account(bot, bot, iter((0, 1_000_000)).__next__)
    account.rest(1)
    # The second rest reads no CPU times, because SHARE times the cost of the first reading must pass before
    # that.
    account.rest(2)
    assert bot.looks == 2


def test_with_a_bank_the_time_on_the_core_is_always_counted() -> None:
    assert counting(True, "rrtrr") == [True] * 5
