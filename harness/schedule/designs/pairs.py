"""Makes rounds of tables with two seats. Chance decides who meets whom, and only the required rounds are
made."""

from __future__ import annotations

from collections.abc import Sequence

from harness.schedule.designs.blocks import Round, Stream, shuffle


def pair_rounds(n: int, number: int, draw: Stream) -> tuple[Round, ...]:
    """Returns this number of rounds. In each of them all bots play, or all except one if n is odd. No pair
    meets again before all pairs have met equally often.

    The circle method (see `_circle_round`) makes rounds in which each pair meets once. Together these rounds
    are a circle, and they are played in random order. If a tournament had only a few rounds of one circle,
    bots that are far apart in the circle would have no common opponent. So if at most (n + 1) // 2 rounds
    remain to be made, the pairs of these rounds are drawn by lot. If more rounds remain, the rounds of one
    more circle are added, but not more rounds than remain.
    """
    whole = n - 1 + n % 2
    rounds: list[Round] = []
    while number - len(rounds) > (n + 1) // 2:
        turns = list(range(whole))
        shuffle(turns, draw)
        rounds += (_circle_round(n, turn) for turn in turns[: number - len(rounds)])
    return (*rounds, *_rounds_by_lot(n, number - len(rounds), draw))


def _circle_round(n: int, turn: int) -> Round:
    """Returns one round of the circle method for round-robin tournaments.

    One bot (a dummy if n is odd) stays in its place, and all other bots move by one place from round to
    round.
    """
    moving = n - 1 + n % 2
    opposite = (((turn + way) % moving, (turn - way) % moving) for way in range(1, (moving + 1) // 2))
    blocks = tuple(pair if turn % 2 else pair[::-1] for pair in opposite)
    return blocks if n % 2 else ((turn, n - 1), *blocks)


def _rounds_by_lot(n: int, number: int, draw: Stream) -> list[Round]:
    """Returns this number of rounds, at most (n + 1) // 2, in which no pair meets twice.

    All bots are put into a circle in random order. In the first two rounds, neighbours in this circle meet,
    so chains of meetings connect all bots. If n is odd, a dummy takes part, and the bot that would meet the
    dummy does not play.
    """
    size = n + n % 2
    ring = list(range(size))
    shuffle(ring, draw)
    met: list[set[int]] = [set() for _ in ring]
    rounds: list[Round] = []
    for turn in range(number):
        if turn < 2:
            pairs = list(zip(ring[turn::2], [*ring[turn + 1 :: 2], *ring[:turn]], strict=True))
        else:
            pairs = _strangers(met, draw)
        for one, other in pairs:
            met[one].add(other)
            met[other].add(one)
        rounds.append(tuple(pair for pair in pairs if n not in pair))
    return rounds


def _strangers(met: Sequence[set[int]], draw: Stream) -> list[tuple[int, int]]:
    """Returns a random pairing of all bots, in which no pair has met before.

    If the two bots of a pair have met before, the pair exchanges partners with another pair. There is always
    such an exchange: in round r each of the two bots has already met r - 1 bots, and one of these bots is the
    other bot of the pair. So at most 2 (r - 2) of the n - 2 possible exchanges are useless.
    """
    shuffled = list(range(len(met)))
    shuffle(shuffled, draw)
    pairs = list(zip(shuffled[::2], shuffled[1::2], strict=True))
    for number in range(len(pairs)):
        while pairs[number][1] in met[pairs[number][0]]:
            one, other = pairs[number]
            place = int(draw() * len(pairs))
            first, second = pairs[place] if draw() < 0.5 else pairs[place][::-1]
            if place != number and first not in met[one] and second not in met[other]:
                pairs[number], pairs[place] = (one, first), (other, second)
    return pairs
