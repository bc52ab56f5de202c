"""Compares the matching of least weight with that of networkx."""

from random import Random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.matching import least_matching

Edges = list[dict[int, int]]


def a_graph(n: int, share: float, most: int, seed: int) -> Edges:
    """A random graph in which this share of all possible edges exists."""
    random = Random(seed)
    edges: Edges = [{} for _ in range(n)]
    for one in range(n):
        for two in range(one):
            if random.random() < share:
                edges[one][two] = edges[two][one] = random.randint(-most, most)
    return edges


def judged(edges: Edges) -> int | None:
    """The weight of the best perfect matching by networkx, or None if no perfect matching exists."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_weighted_edges_from(
        (one, two, -weight) for one, mine in enumerate(edges) for two, weight in mine.items()
    )
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return sum(edges[one][two] for one, two in pairs) if 2 * len(pairs) == len(edges) else None


def weighed(edges: Edges) -> int | None:
    mates = least_matching(edges)
    if mates is None:
        return None
    assert all(mates[mates[v]] == v and mates[v] in edges[v] for v in range(len(edges)))
    return sum(edges[v][mates[v]] for v in range(len(edges))) // 2


@settings(max_examples=300, deadline=None)
@given(
    half=st.integers(0, 10),
    share=st.sampled_from([0.15, 0.3, 0.5, 0.8, 1.0]),
    most=st.sampled_from([0, 1, 3, 10, 1_000, 10**15]),
    seed=st.integers(0, 10**9),
)
def test_a_matching_weighs_as_little_as_that_of_networkx(
    half: int, share: float, most: int, seed: int
) -> None:
    edges = a_graph(2 * half, share, most, seed)
    assert weighed(edges) == judged(edges)


def test_an_odd_number_of_vertices_has_no_perfect_matching() -> None:
    assert least_matching(a_graph(7, 1, 5, 1)) is None


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_a_matching_of_a_hundred_vertices_weighs_as_little_as_that_of_networkx(share: float) -> None:
    edges = a_graph(100, share, 10**6, 3)
    assert weighed(edges) == judged(edges)
