"""Measures how fast the harness is and how much memory it needs.

`python -m benchmarks` (`make bench`) measures everything in rounds and prints three tables:

    __main__ rounds sample results    the command, its rounds, a sample of time, the file of results
    rows figures                      the rows, and the table of their ratios to each other
    gauges                            the figures with units of their own, and their table
    peers fastchess                   other programs that play matches, and their table

What rows and gauges measure:

    yardsticks    moves without the harness: only the pipes, or the same work in plain Python
    playing       matches played as in a tournament, and starts of bots
    judging       matches judged again from their records
    memory        the memory of workers
    record        `verify`, `standings` and `report` of a recorded tournament
    growth        a tournament that grows to 100,000 matches
    instructions  instructions of a move, counted by valgrind
    entrants      the bots that play: bots/, floor.c, and the game games/four.py

These modules are separate commands, because they take longer or need a quiet machine: million, sizes,
cluster, batches, engines (chess against fastchess), openspiel, pages (reports in a browser), and languages
(for the table in docs/languages.md).
"""
