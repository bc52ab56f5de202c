"""Owns a controller that a test may kill: a local runner whose bots never answer; asserts nothing.

`python -m tests.play.controller FOLDER WORKERS BOT ARGUMENT...` has two workers. WORKERS of them play a
sitting that never ends. If the other one is idle, the program prints "idle".
"""

import sys

import trio

from harness.job import Entrant
from harness.play.local import open_local_runner
from tests.play.live_sittings import job


async def main(folder: str, busy: int, argv: tuple[str, ...]) -> None:
    bot, none = Entrant("bot", argv, "/"), Entrant("none", ("/bin/false",), "/")
    jobs = iter([job([bot if number <= busy else none] * 2, encounter=number) for number in (1, 2)])
    async with (
        open_local_runner(workers=2, folder=folder) as runner,
        runner.play(lambda: next(jobs, None)) as results,
    ):
        async for _ in results:
            print("idle", flush=True)


if __name__ == "__main__":
    trio.run(main, sys.argv[1], int(sys.argv[2]), tuple(sys.argv[3:]))
