"""Owns a controller that a test may kill: a local runner whose bots hold on for ever; judges nothing.

`python -m tests.real.controller FOLDER BOT ARGUMENT...`, with two workers, each of which plays one seating.
"""

import sys

import trio

from harness.job import Entrant
from harness.runners.local import open_local_runner
from tests.real.seatings import job


async def main(folder: str, argv: tuple[str, ...]) -> None:
    bot = Entrant("bot", argv, "/")
    jobs = iter([job([bot, bot], encounter=1), job([bot, bot], encounter=2)])
    async with (
        open_local_runner(workers=2, folder=folder) as runner,
        runner.play(lambda: next(jobs, None)) as results,
    ):
        async for _ in results:
            pass


if __name__ == "__main__":
    trio.run(main, sys.argv[1], tuple(sys.argv[2:]))
