"""Owns the proof that a bot's process plays one sitting only, and that nothing leaks between matches."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from harness.errors import leaves
from harness.events import Fault, Match, SittingBegan, Stderr, Turn
from harness.games import find
from harness.job import Done, Entrant
from harness.judge.rules import Rules
from harness.play.sitting import play_together, seated
from tests.play.live_sittings import HANG, PATIENT, job, kept, played, processes_with, script
from tests.play.seated import BOTS, entrant, records

pytestmark = pytest.mark.real

SEVENS = find("sevens")
RULES = Rules(SEVENS, SEVENS.options(), PATIENT, ponder=True)
NOWHERE = Entrant("nowhere", ("/nowhere/bot",), "/usr")
"""A bot whose program is outside its folder and does not exist. So the machine is to blame, not the bot."""


def bot(folder: Path, name: str = "bot", *, ready: str = ":", play: str = ":", start: str = ":") -> Entrant:
    """A bot in shell that plays the last legal move. It also runs the command `start` when it starts, `ready`
    before it answers `new`, and `play` before each move."""
    text = f"""#!/bin/sh
{start}
while read -r word rest; do
    case $word in
        hello) echo "hello 1 legal" ;;
        new) {ready}; echo "ready" ;;
        move) move=$rest ;;
        play) {play}; echo "$move" ;;
        bye) exit ;;
    esac
done
"""
    return script(folder, name, text)


def told(done: Done, seat: int) -> list[list[str]]:
    """The comments of the bot in this seat, match by match."""
    comments: list[list[str]] = []
    for record in records(done):
        if isinstance(record, Match):
            comments.append([])
        elif isinstance(record, Turn) and record.seat == seat:
            comments[-1].extend(record.comments)
    return comments


def names(done: Done) -> list[list[str]]:
    """The names of the faults, match by match."""
    return [[fault.name for fault in match.faults] for match in done.matches]


# -- one process, one sitting ----------------------------------------------------------------------


async def test_one_process_plays_all_matches_of_a_sitting(tmp_path: Path) -> None:
    teller = bot(tmp_path, ready='echo "# $$"')
    done = await played(job([teller, teller], deals=(1, 2, 3)))
    first, second = told(done, 1), told(done, 2)
    assert first == [first[0]] * 3
    assert second == [second[0]] * 3
    assert first != second


async def test_the_next_sitting_gets_new_processes(tmp_path: Path) -> None:
    wanted = job([bot(tmp_path, ready='echo "# $$"')] * 2)
    assert told(await played(wanted), 1) != told(await played(wanted), 1)


async def test_after_a_fault_the_next_match_gets_a_new_process_of_that_bot_alone(tmp_path: Path) -> None:
    teller = bot(tmp_path, "teller", ready='echo "# $$"')
    crashes = bot(tmp_path, "crashes", ready='echo "# $$"; new=$rest', play="case $new in 2*) exit 1; esac")
    done = await played(job([crashes, teller], deals=(1, 2, 3)))
    assert names(done) == [[], ["crash"], []]
    first, second, third = told(done, 1)
    assert first == second != third
    assert told(done, 2) == [told(done, 2)[0]] * 3


async def test_the_other_bots_play_on_in_the_next_match_with_the_same_process(tmp_path: Path) -> None:
    done = await played(job([bot(tmp_path, play="exit 1"), bot(tmp_path, "other")], deals=(1, 2)))
    assert names(done) == [["crash"], ["crash"]]
    assert [match.ranks for match in done.matches] == [(2, 1), (2, 1)]


async def test_matches_are_numbered_within_the_process(tmp_path: Path) -> None:
    numbers = bot(tmp_path, ready='echo "# $rest"')
    done = await played(job([numbers, numbers], deals=(1, 2)))
    assert told(done, 2) == [["# 1 2 2 2"], ["# 2 2 2 2"]]


async def test_a_process_is_told_its_seat_in_each_match(tmp_path: Path) -> None:
    teller = bot(tmp_path, ready='echo "# $$ $rest"')
    done = await played(job([teller, teller], deals=(1, 2, 3), orders=[(1, 2), (2, 1), (1, 2)]))
    first, second = (f"# {process}" for process in _processes(done))
    assert told(done, 1) == [
        [f"{first} 1 1 2 1"],
        [f"{second} 2 1 2 1"],
        [f"{first} 3 1 2 1"],
    ]
    assert told(done, 2) == [
        [f"{second} 1 2 2 2"],
        [f"{first} 2 2 2 2"],
        [f"{second} 3 2 2 2"],
    ]


def _processes(done: Done) -> list[str]:
    """The process ids that the two bots have written in comments in the first match."""
    return [told(done, seat)[0][0].split()[1] for seat in (1, 2)]


async def test_the_log_of_a_match_has_its_bots_by_seat(tmp_path: Path) -> None:
    bots = [bot(tmp_path, name) for name in ("anna", "bert", "carl")]
    done = await played(job(bots, deals=(1, 2), orders=[(2, 3, 1), (3, 1, 2)]))
    assert [sitting.bots for sitting in kept(done, SittingBegan)] == [("anna", "bert", "carl")]
    assert [each.bots for each in kept(done, Match)] == [("bert", "carl", "anna"), ("carl", "anna", "bert")]


async def test_a_fault_ends_the_process_of_the_bot_that_sat_there(tmp_path: Path) -> None:
    """The bot crashes in its second match, in seat 2. A new process then plays its next match."""
    teller = bot(tmp_path, "teller", ready='echo "# $$"')
    crashes = bot(tmp_path, "crashes", ready='echo "# $$"; new=$rest', play="case $new in 2*) exit 1; esac")
    done = await played(job([crashes, teller], deals=(1, 2, 3), orders=[(1, 2), (2, 1), (2, 1)]))
    assert [[(fault.seat, fault.name) for fault in match.faults] for match in done.matches] == [
        [],
        [(2, "crash")],
        [],
    ]
    own, others = told(done, 1)[0], told(done, 2)[0]
    assert told(done, 1) == [own, others, others]
    assert told(done, 2)[:2] == [others, own]
    assert told(done, 2)[2] not in (own, others)


async def test_a_bot_that_did_not_start_is_charged_in_its_seat(tmp_path: Path) -> None:
    broken = script(tmp_path, "broken", "#!/bin/sh\necho 'where is my library?' >&2\nexit 1\n")
    done = await played(job([broken, bot(tmp_path)], deals=(1, 2), orders=[(2, 1), (1, 2)]))
    assert [(fault.seat, fault.name) for fault in kept(done, Fault)] == [(2, "no-start"), (1, "no-start")]
    assert [line.seat for line in kept(done, Stderr)] == [2, 1]
    assert [place for place, _ in done.stderr] == [1]


async def test_cpu_time_is_counted_for_the_bot_and_not_for_the_seat(tmp_path: Path) -> None:
    """A bot that uses the CPU while the other bot is asked has the fault `pondered` in each of its seats."""
    burns = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
    busy = bot(tmp_path, "busy", start=f"({burns}; {burns}; {burns}; {burns}) &")
    calm = bot(tmp_path, "calm", play="sleep 0.2")
    wanted = job([busy, calm], deals=(1, 2), orders=[(2, 1), (1, 2)], ponder=False)
    done = await played(wanted)
    assert [[(fault.seat, fault.name) for fault in match.faults] for match in done.matches] == [
        [(2, "pondered")],
        [(1, "pondered")],
    ]


async def test_sittings_played_at_once_come_back_in_their_order(tmp_path: Path) -> None:
    jobs = [job([bot(tmp_path)] * 2, deals=(deal, deal + 1), encounter=deal) for deal in range(5)]
    with trio.fail_after(HANG):
        together = await play_together(jobs)
    assert [done.job for done in together] == jobs
    alone = [await played(each) for each in jobs]
    assert [done.matches for done in together] == [done.matches for done in alone]


# -- nothing leaks ---------------------------------------------------------------------------------


async def test_a_match_tells_a_bot_the_same_whatever_was_played_before(tmp_path: Path) -> None:
    """The lines are the same, except for the number of the match and its seed."""
    listener = bot(tmp_path).argv[0]
    listens = script(tmp_path, "listens", f"#!/bin/sh\ntee /dev/stderr | {listener}\n")
    deals = (1, 2, 3)
    [(_, together)] = (await played(job([listens, bot(tmp_path)], deals=deals))).stderr
    apart = b""
    for deal in deals:
        [(_, alone)] = (await played(job([listens, bot(tmp_path)], deals=(deal,)))).stderr
        apart += alone.removeprefix(b"hello 1 sevens\n").removesuffix(b"bye\n")
    assert re.sub(rb"new \d", b"new 1", together) == b"hello 1 sevens\n" + apart + b"bye\n"


async def test_a_scratch_directory_is_empty_at_first_and_private(tmp_path: Path) -> None:
    notes = 'echo "# $SCRATCH" $(ls -A "$SCRATCH"); touch "$SCRATCH/note"'
    done = await played(job([bot(tmp_path, ready=notes)] * 2, deals=(1, 2)))
    [[mine], [mine_again]], [[other], _] = told(done, 1), told(done, 2)
    assert mine_again == f"{mine} note"
    assert mine != other
    assert not Path(mine.removeprefix("# ")).exists()


async def test_a_new_process_gets_a_new_scratch_directory(tmp_path: Path) -> None:
    notes = 'echo "# $SCRATCH" $(ls -A "$SCRATCH"); touch "$SCRATCH/note"'
    done = await played(job([bot(tmp_path, ready=notes, play="exit"), bot(tmp_path, "b")], deals=(1, 2)))
    [[first], [second]] = told(done, 1)
    assert len(second.split()) == 2
    assert first != second


async def test_a_bot_that_remembers_earlier_matches_meets_no_deal_again(tmp_path: Path) -> None:
    """The same deals are played in every sitting, but each sitting has processes of its own."""
    deals = tuple(range(12))
    remembers = entrant(BOTS / "rogues" / "remembers.py")
    for seats in ([remembers, bot(tmp_path)], [bot(tmp_path), remembers]):
        done = await played(job(seats, deals=deals))
        assert told(done, seats.index(remembers) + 1) == [[]] * 12


async def test_a_bot_that_remembers_would_say_so_if_it_met_a_deal_again(tmp_path: Path) -> None:
    done = await played(job([entrant(BOTS / "rogues" / "remembers.py"), bot(tmp_path)], deals=(1, 2, 1)))
    assert told(done, 1) == [[], [], ["# I know who holds what!"]]


# -- void ------------------------------------------------------------------------------------------


async def test_a_sitting_is_void_when_a_bot_cannot_be_spawned(tmp_path: Path, scratch: Path) -> None:
    [done] = await play_together([job([bot(tmp_path), NOWHERE])])
    assert done.void == "/nowhere/bot could not be started: No such file or directory"
    assert (done.log, done.matches, done.stderr) == (b"", (), ())
    assert processes_with(str(scratch)) == []
    assert list(scratch.iterdir()) == []


async def test_a_sitting_is_void_when_there_is_no_room_for_scratch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    [done] = await play_together([job([bot(tmp_path)] * 2)])
    assert done.void.startswith(f"a scratch folder could not be made: {tmp_path}/missing/harness-")
    assert done.void.endswith(": No such file or directory")


async def test_a_void_sitting_leaves_those_beside_it_alone(tmp_path: Path) -> None:
    with trio.fail_after(HANG):
        void, fine = await play_together([job([bot(tmp_path), NOWHERE]), job([bot(tmp_path)] * 2)])
    assert void.void
    assert not fine.void
    assert names(fine) == [[]]


async def test_a_sitting_that_is_cancelled_ends_its_bots_at_once(tmp_path: Path, scratch: Path) -> None:
    """The bots neither answer nor end when they are asked to."""
    deaf = bot(tmp_path, start="trap '' TERM", play="sleep 1000")
    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_together, [job([deaf] * 2, limits=PATIENT)])
            # These are the two bots and the `sleep` of the bot that was asked.
            while len(processes_with(str(scratch))) < 3:
                await trio.sleep(0.001)
            nursery.cancel_scope.cancel()
    assert processes_with(str(scratch)) == []
    assert list(scratch.iterdir()) == []


# -- the bots around a match -----------------------------------------------------------------------


async def test_seats_are_empty_until_they_are_filled_and_told_bye_at_the_end(
    tmp_path: Path, scratch: Path
) -> None:
    listens = script(tmp_path, "listens", f"#!/bin/sh\ntee /dev/stderr | {bot(tmp_path).argv[0]}\n")
    with trio.fail_after(HANG):
        async with seated([(listens, RULES), (bot(tmp_path), RULES)]) as [seat, empty]:
            assert (seat.occupant, empty.occupant) == (None, None)
            await seat.fill()
            assert seat.occupant
            assert seat.occupant.wants.legal
    assert seat.stderr == b"hello 1 sevens\nbye\n"
    assert processes_with(str(scratch)) == []
    assert list(scratch.iterdir()) == []


async def test_an_exception_kills_seated_bots_at_once(tmp_path: Path, scratch: Path) -> None:
    deaf = bot(tmp_path, start="trap '' TERM")
    rules = RULES._replace(limits=replace(PATIENT, shutdown_ms=60_000))

    async def fails_around_a_match() -> None:
        async with seated([(deaf, rules)] * 2) as seats:
            for seat in seats:
                await seat.fill()
            raise LookupError

    with trio.fail_after(HANG / 2), pytest.raises(ExceptionGroup) as caught:
        await fails_around_a_match()
    assert [type(error) for error in leaves(caught.value)] == [LookupError]
    assert processes_with(str(scratch)) == []
    assert list(scratch.iterdir()) == []


# -- the evidence ----------------------------------------------------------------------------------


async def test_the_last_words_of_a_bot_that_did_not_start_are_in_the_log(tmp_path: Path) -> None:
    broken = script(tmp_path, "broken", "#!/bin/sh\necho 'where is my library?' >&2\nexit 1\n")
    done = await played(job([broken, bot(tmp_path)]))
    assert [fault.name for fault in kept(done, Fault)] == ["no-start"]
    assert kept(done, Stderr) == [Stderr(1, "where is my library?\n")]


async def test_the_reason_names_the_question_that_a_bot_did_not_survive(tmp_path: Path) -> None:
    at_hello = script(tmp_path, "at-hello", "#!/bin/sh\nread -r hello\nexit 3\n")
    at_new = bot(tmp_path, "at-new", ready="exit 3")
    done = await played(job([at_hello, at_new]))
    assert [fault.reason for fault in kept(done, Fault)] == [
        "at `hello`: ended with exit status 3",
        "ended with exit status 3",
    ]


async def test_what_all_processes_of_a_seat_wrote_to_stderr_is_kept(tmp_path: Path) -> None:
    crashes = bot(tmp_path, start="echo started >&2", play="echo asked >&2; exit 1")
    done = await played(job([crashes, bot(tmp_path, "quiet")], deals=(1, 2)))
    assert done.stderr == ((1, b"started\nasked\n" * 2),)
