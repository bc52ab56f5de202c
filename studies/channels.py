"""Measures how much information a bot in one sandbox can still send to a bot in another sandbox, or to itself
in a later match.

    python -m studies.channels

Each channel has a program that sends random bits and one that receives them; both run in sandboxes, on one
core. A row says how many bits arrived wrong, and how many bits of information a second arrived: the capacity
of a binary symmetric channel with this share of wrong bits. On a busy machine, run it with `nice -n -20`.
docs/design.md, section 10, says why these channels stay open.
"""

from __future__ import annotations

import math
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from harness.model import Limits
from harness.sandbox import Sandbox, launch_in
from harness.sandbox.spawn import Spawned

BITS = 200
APART = 1 << 20
"""The number of bytes from one page that carries a bit to the next such page. The kernel reads fewer bytes
ahead than this, so one read page never brings the next into memory."""
QUICK_S = 0.000_03
"""If a page is in memory, reading it takes less than this number of seconds."""
AHEAD = 1.0
"""The seconds from the start of the two programs until both begin to send and to receive. By then both have
started."""

# Every program gets three arguments: the time at which to begin, the seconds of a slot, and the bits. The
# receiver gets only the number of bits. It prints the bits that it received, and the seconds.
BEGIN = """
import mmap, os, sys, time
begin, slot, bits = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
def told(values, seconds):
    middle = sorted(values)[len(values) // 2]
    print("".join(str(int(each > middle)) for each in values), seconds)
def wait(number):
    while (left := begin + number * slot - time.monotonic()) > 0:
        time.sleep(left / 2)
"""
PAGES_SEND = """
file = os.open("/bot/pages", os.O_RDONLY)
for number, bit in enumerate(bits):
    if bit == "1":
        os.pread(file, 1, number * APART)
"""
PAGES_RECEIVE = """
file = os.open("/bot/pages", os.O_RDONLY)
took = []
for number in range(int(bits)):
    before = time.perf_counter()
    os.pread(file, 1, number * APART)
    took.append(time.perf_counter() - before)
print("".join(str(int(each < QUICK)) for each in took), 2 * sum(took))
"""
SEEN_RECEIVE = """
file = open("/bot/pages", "rb")
pages = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
pages.madvise(mmap.MADV_RANDOM)
before = time.perf_counter()
for number in range(int(bits)):
    pages[number * APART + 4096]  # The kernel maps the pages around that are in memory, too.
with open("/proc/self/maps") as maps:
    [start] = [int(line.split("-")[0], 16) for line in maps if line.endswith("/bot/pages\\n")]
with open("/proc/self/pagemap", "rb", buffering=0) as table:
    entries = [(start + number * APART) // 4096 * 8 for number in range(int(bits))]
    there = [os.pread(table.fileno(), 8, entry)[7] >> 7 for entry in entries]
print("".join(map(str, there)), 2 * (time.perf_counter() - before))
"""
SHARED_SEND = """
file = open("/bot/pages", "rb")
pages = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
for number, bit in enumerate(bits):
    if bit == "1":
        pages[number * APART]
wait(2)
"""
SHARED_RECEIVE = """
file = open("/bot/pages", "rb")
pages = mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
wait(1)
before = time.perf_counter()
for number in range(int(bits)):
    pages[number * APART]
with open("/proc/self/maps") as maps:
    [start] = [int(line.split("-")[0], 16) for line in maps if line.endswith("/bot/pages\\n")]
with open("/proc/self/pagemap", "rb", buffering=0) as table:
    entries = [(start + number * APART) // 4096 * 8 for number in range(int(bits))]
    alone = [os.pread(table.fileno(), 8, entry)[7] & 1 for entry in entries]
print("".join(str(1 - each) for each in alone), 2 * (time.perf_counter() - before))
"""
LOAD_SEND = """
for number, bit in enumerate(bits):
    wait(number)
    while bit == "1" and time.monotonic() < begin + (number + 0.8) * slot:
        pass
"""
LOAD_RECEIVE = """
had = []
for number in range(int(bits)):
    wait(number + 0.1)
    before, until = time.process_time(), begin + (number + 0.7) * slot
    while time.monotonic() < until:
        pass
    had.append(before - time.process_time())
told(had, slot * int(bits))
"""
MEMORY_SEND = """
for number, bit in enumerate(bits):
    wait(number)
    held = bytes(1) * 40_000_000 if bit == "1" else b""
    wait(number + 0.9)
    held = b""
"""
MEMORY_RECEIVE = """
free = []
def now():
    with open("/proc/meminfo", "rb") as file:
        return int(file.read().split()[4])
for number in range(int(bits)):
    wait(number - 0.05)
    before = now()
    wait(number + 0.8)
    free.append(before - now())
told(free, slot * int(bits))
"""


class Channel(NamedTuple):
    """A way to send bits from one sandbox to another."""

    name: str
    sends: str
    receives: str
    slot: float
    """The seconds for each bit, if the bits are sent one after the other."""
    later: bool = False
    """True if the receiver starts only after the sender has ended."""


CHANNELS = (
    Channel("pages in memory, to a later match", PAGES_SEND, PAGES_RECEIVE, 0.1, later=True),
    Channel("pages in memory, by pagemap, later", PAGES_SEND, SEEN_RECEIVE, 0.1, later=True),
    Channel("pages that both map", SHARED_SEND, SHARED_RECEIVE, 0.2),
    Channel("load of the processor", LOAD_SEND, LOAD_RECEIVE, 0.03),
    Channel("free memory of the machine", MEMORY_SEND, MEMORY_RECEIVE, 0.06),
)


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for channel in CHANNELS:
        bits = "".join(random.choices("01", k=BITS))
        with home() as folder:
            got, seconds = sent(channel, bits, folder)
        wrong = sum(one != other for one, other in zip(bits, got, strict=True)) / BITS
        print(f"{channel.name:35} {wrong:6.1%} wrong {capacity(wrong) * BITS / seconds:10.0f} bits/s")


@contextmanager
def home() -> Iterator[Path]:
    """Makes the folder of a bot. It has a file, and no page of this file is in memory."""
    with tempfile.TemporaryDirectory(prefix="harness-", dir=".") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        with (folder / "pages").open("wb") as file:
            file.write(os.urandom(BITS * APART))
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        yield folder


def sent(channel: Channel, bits: str, folder: Path) -> tuple[str, float]:
    """Sends these bits through the channel. Returns the bits that arrived, and the seconds to send and to
    receive them."""
    begin = time.monotonic() + AHEAD
    sender = started(folder, channel.sends, begin, channel.slot, bits)
    if channel.later:
        sender.popen.wait()
    receiver = started(folder, channel.receives, begin, channel.slot, str(BITS))
    out, _ = receiver.popen.communicate()
    for each in (sender, receiver):
        each.end()
    got, seconds = out.decode().split()
    return got, float(seconds)


def started(folder: Path, program: str, begin: float, slot: float, bits: str) -> Spawned:
    text = f"APART, QUICK = {APART}, {QUICK_S}\n{BEGIN}{program}"
    argv = (
        os.path.realpath(sys.executable),
        "-I",
        "-c",
        text,
        str(time.monotonic() + AHEAD),
        str(slot),
        bits,
    )
    return Spawned(launch_in(Sandbox(str(folder)), argv, Limits()))


def capacity(wrong: float) -> float:
    """Returns how much information (in bits) one sent bit carries, if this share of the bits arrives
    wrong."""
    if wrong in (0, 1):
        return 1.0
    return 1 + wrong * math.log2(wrong) + (1 - wrong) * math.log2(1 - wrong)


if __name__ == "__main__":
    main()
