"""Constructs designs from lines of finite geometries: two points are on exactly one line."""

from __future__ import annotations

from itertools import product

from harness.schedule.blocks import Block, Round
from harness.schedule.fields import Field, has_field


def affine_dimension(n: int, k: int) -> int:
    """The dimension of the affine space with n points and k points on each line; 0 if there is none here."""
    dimension = next(power for power in range(1, n + 1) if k**power >= n)
    return dimension if k**dimension == n and dimension > 1 and has_field(k) else 0


def projective_dimension(n: int, k: int) -> int:
    """The dimension of the projective space with n points and k on each line; 0 if there is none here."""
    points, dimension = 1, 0
    while points < n:
        dimension += 1
        points += (k - 1) ** dimension
    return dimension if points == n and dimension > 1 and has_field(k - 1) else 0


def affine_lines(k: int, dimension: int) -> list[tuple[Block, ...]]:
    """The lines of an affine space, direction by direction. The lines of a direction contain each point once.

    A point is a vector over the field of k elements, and its number has the elements as digits.
    """
    field = Field(k)
    scaled = [[field.product(one, other) for other in range(k)] for one in range(k)]
    added = [[field.sum(one, other) for other in range(k)] for one in range(k)]
    classes = []
    for direction in _directions(k, dimension):
        first = direction.index(1)
        lines = []
        for point in product(range(k), repeat=dimension):
            if point[first] == 0:
                steps = (zip(point, direction, strict=True) for _ in range(k))
                lines.append(
                    tuple(
                        _number(k, [added[digit][scaled[way][step]] for digit, way in line])
                        for step, line in enumerate(steps)
                    )
                )
        classes.append(tuple(lines))
    return classes


def spread_lines(k: int, dimension: int) -> tuple[Round, ...]:
    """The lines of an affine space, one round for each direction.

    The first directions are points (1, x, x^2, ...) of a curve. Any of them, as many as there are dimensions,
    are independent, so already the first rounds connect all bots.
    """
    field = Field(k)
    curve = {(*[0] * (dimension - 1), 1)}
    for element in range(k):
        point = [1]
        while len(point) < dimension:
            point.append(field.product(point[-1], element))
        curve.add(tuple(point))
    directions = _directions(k, dimension)
    lines = zip(directions, affine_lines(k, dimension), strict=True)
    return tuple(parallel for _, parallel in sorted(lines, key=lambda each: each[0] not in curve))


def projective_lines(k: int, dimension: int) -> list[Block]:
    """The lines of a projective space with k points on each line.

    It is an affine space with a point at infinity for each direction, which is on all lines of this
    direction. The points at infinity are a projective space too, of one dimension less.
    """
    if dimension == 1:
        return [tuple(range(k))]
    order = k - 1
    points = order**dimension
    lines = [
        (*line, points + number)
        for number, parallel in enumerate(affine_lines(order, dimension))
        for line in parallel
    ]
    at_infinity = projective_lines(k, dimension - 1)
    return lines + [tuple(points + point for point in line) for line in at_infinity]


def _directions(k: int, dimension: int) -> list[tuple[int, ...]]:
    """One vector for each direction, in the order of the points of the projective space at infinity."""
    if dimension == 0:
        return []
    first = [(1, *rest) for rest in product(range(k), repeat=dimension - 1)]
    return first + [(0, *rest) for rest in _directions(k, dimension - 1)]


def _number(k: int, digits: list[int]) -> int:
    number = 0
    for digit in digits:
        number = number * k + digit
    return number
