"""A bot of connect four that drops discs at random. Its code is like the first bot of a beginner."""

import random
import sys

heights = [0] * 7

for line in sys.stdin:
    word, *rest = line.split()
    if word == "dropped":
        heights[int(rest[1]) - 1] += 1
    elif word == "drop":
        free = [column for column in range(7) if heights[column] < 6]
        print("drop", random.choice(free) + 1, flush=True)
    elif word == "hello":
        print("hello 1", flush=True)
    elif word == "new":
        heights = [0] * 7
        random.seed(int(rest[3]))
        print("ready", flush=True)
