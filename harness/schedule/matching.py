"""Finds the perfect matching of least weight in a graph, by the algorithm of Edmonds with integers only.

Each vertex has a price, and an edge is tight if its weight is the sum of the prices of its ends. Trees of
tight edges grow from the vertices without a partner. When no tree can grow, the prices change until another
edge is tight. The nodes of an odd cycle of tight edges become one node, which is called a blossom and has a
price too. At the end, the prices prove that no matching weighs less.

Prices change steadily with time. So when a vertex joins a tree, the times at which its edges become tight are
known, and these times wait in a heap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

NONE = -1
FREE, EVEN, ODD = 0, 1, -1
"""The marks of a node. A node is in no tree (FREE), or at an even or odd distance from the root of its tree.
The sign of a node's mark says whether the prices of its vertices rise or fall."""


def least_matching(edges: Sequence[Mapping[int, int]]) -> list[int] | None:
    """Returns the partner of each vertex in a perfect matching of least weight, or None if there is no
    perfect matching.

    For each neighbour of v, `edges[v]` has the weight of the edge to this neighbour. Weights are whole
    numbers. Each edge is listed at both its ends.
    """
    search = _Search(edges)
    while NONE in search.mate:
        if not search.extend():
            return None
    return search.mate


class _Search:
    """The prices, the partners and the blossoms. Nodes with numbers below n are vertices, and nodes with
    larger numbers are blossoms.

    Weights are multiplied by 4, so that all prices and times remain whole numbers.
    """

    def __init__(self, edges: Sequence[Mapping[int, int]]) -> None:
        n = len(edges)
        self.n = n
        self.edges = [{other: 4 * weight for other, weight in mine.items()} for mine in edges]
        self.price = [2 * min(mine.values(), default=0) for mine in edges]
        self.mate = [NONE] * n
        self.top = list(range(n))
        """For each vertex, the outermost node that contains it."""
        self.base = list(range(n))
        """For each node, the vertex in it that has a partner outside the node, or has no partner."""
        self.kids: dict[int, list[int]] = {}
        """For each blossom, its nodes in the order of its cycle. The node with the base comes first."""
        self.links: dict[int, list[tuple[int, int]]] = {}
        """For each blossom, the edges from each node of its cycle to the next node."""
        self.worth: dict[int, int] = {}
        """The price of each blossom."""
        self.mark: dict[int, int] = {}
        self.since: dict[int, int] = {}
        """The time at which an outermost node got its mark."""
        self.came: dict[int, tuple[int, int]] = {}
        """The edge by which a marked node joined its tree: first its vertex that was already in the tree,
        then its vertex in the node."""
        self.time = 0
        self.heap: list[tuple[int, int, int]] = []
        self._next = n
        for v in range(n):
            if self.mate[v] == NONE:
                self._match_at_once(v)

    def _match_at_once(self, v: int) -> None:
        for other, weight in self.edges[v].items():
            if self.mate[other] == NONE and weight == self.price[v] + self.price[other]:
                self.mate[v], self.mate[other] = other, v
                return

    def leaves(self, node: int) -> Iterator[int]:
        """Yields the vertices of a node."""
        if node < self.n:
            yield node
        else:
            for kid in self.kids[node]:
                yield from self.leaves(kid)

    # -- one more pair

    def extend(self) -> bool:
        """Makes one more pair. Returns False if this is impossible."""
        self.time = 0
        self.heap.clear()
        self.mark.clear()
        self.came.clear()
        for v in range(self.n):
            if self.mate[v] == NONE:
                self._make_even(self.top[v])
        while self.heap:
            self.time, u, v = heappop(self.heap)
            if u == NONE:
                self._open_if_worthless(v)
            elif self._use(u, v):
                for node in list(self.mark):
                    self._settle(node)
                return True
        return False

    def _use(self, u: int, v: int) -> bool:
        """The vertex u is in a tree. If the edge from u to v is tight, uses this edge. Returns whether this
        made one more pair."""
        mine, other = self.top[u], self.top[v]
        mark = self.mark.get(other, FREE)
        if mine == other or mark == ODD or self._slack(u, v):
            return False
        if mark == FREE:
            self._grow(u, v)
            return False
        here, there = self._path(mine), self._path(other)
        if here[-1] != there[-1]:
            self._pair(u, v)
            self._pair(v, u)
            return True
        self._shrink(u, v, here, there)
        return False

    def _slack(self, u: int, v: int) -> int:
        return self.edges[u][v] - self._price(u) - self._price(v)

    def _price(self, v: int) -> int:
        node = self.top[v]
        mark = self.mark.get(node, FREE)
        return self.price[v] + mark * (self.time - self.since[node]) if mark else self.price[v]

    def _worth(self, node: int) -> int:
        mark = self.mark.get(node, FREE)
        return self.worth[node] + 2 * mark * (self.time - self.since[node]) if mark else self.worth[node]

    # -- trees

    def _settle(self, node: int) -> None:
        """Stores the present prices of a node's vertices, and removes the mark of the node."""
        mark = self.mark.pop(node, FREE)
        if mark:
            change = mark * (self.time - self.since[node])
            for v in self.leaves(node):
                self.price[v] += change
            if node >= self.n:
                self.worth[node] += 2 * change

    def _make_even(self, node: int) -> None:
        self.mark[node], self.since[node] = EVEN, self.time
        self._scan(list(self.leaves(node)))

    def _scan(self, vertices: Sequence[int]) -> None:
        """Puts the edges of vertices in an even node into the heap."""
        for u in vertices:
            mine, price = self.top[u], self._price(u)
            for v, weight in self.edges[u].items():
                other = self.top[v]
                mark = self.mark.get(other, FREE)
                if other == mine or mark == ODD:
                    continue
                slack = weight - price - self._price(v)
                heappush(self.heap, (self.time + (slack // 2 if mark else slack), u, v))

    def _make_odd(self, node: int, edge: tuple[int, int]) -> None:
        self.mark[node], self.since[node], self.came[node] = ODD, self.time, edge
        if node >= self.n:
            heappush(self.heap, (self.time + self.worth[node] // 2, NONE, node))

    def _grow(self, u: int, v: int) -> None:
        """Adds two nodes to the tree of u: the node of v, which is in no tree, and the node of its
        partner."""
        node = self.top[v]
        self._make_odd(node, (u, v))
        end = self.base[node]
        partner = self.mate[end]
        self.came[self.top[partner]] = (end, partner)
        self._make_even(self.top[partner])

    def _path(self, node: int) -> list[int]:
        """Returns the nodes from an even node to the root of its tree."""
        path = [node]
        while path[-1] in self.came:
            path.append(self.top[self.came[path[-1]][0]])
        return path

    # -- blossoms

    def _shrink(self, u: int, v: int, here: list[int], there: list[int]) -> None:
        """Makes a blossom of the cycle that the edge from u to v closes."""
        known = set(there)
        common = next(node for node in here if node in known)
        here, there = here[: here.index(common)], there[: there.index(common)]
        kids = [common, *reversed(here), *there]
        links = [self.came[node] for node in reversed(here)]
        links.append((u, v))
        links += [self.came[node][::-1] for node in there]
        fresh = [vertex for node in (*here, *there) if self.mark[node] == ODD for vertex in self.leaves(node)]
        new = self._next
        self._next += 1
        self.base.append(self.base[common])
        self.kids[new], self.links[new], self.worth[new] = kids, links, 0
        if common in self.came:
            self.came[new] = self.came[common]
        for kid in kids:
            self._settle(kid)
            for vertex in self.leaves(kid):
                self.top[vertex] = new
        self.mark[new], self.since[new] = EVEN, self.time
        self._scan(fresh)

    def _open_if_worthless(self, node: int) -> None:
        """Divides an odd blossom into its nodes if its price has fallen to 0."""
        if self.mark.get(node, FREE) != ODD or self._worth(node):
            return
        edge = self.came[node]
        self._settle(node)
        kids, links = self.kids.pop(node), self.links.pop(node)
        del self.worth[node], self.came[node]
        for kid in kids:
            for vertex in self.leaves(kid):
                self.top[vertex] = kid
        place = kids.index(self.top[edge[1]])
        size = len(kids)
        forward = place % 2 == 1
        inside = [place]
        while inside[-1] % size:
            inside.append(inside[-1] + 1 if forward else inside[-1] - 1)
        in_tree = {kids[step % size] for step in inside}
        for count, step in enumerate(inside):
            kid = kids[step % size]
            if count:
                before = inside[count - 1]
                edge = links[before % size] if forward else links[step % size][::-1]
            if count % 2 == 0:
                self._make_odd(kid, edge)
            else:
                self.came[kid] = edge
                self._make_even(kid)
        for kid in kids:
            if kid not in in_tree:
                self._offer(kid)

    def _offer(self, node: int) -> None:
        """Puts the edges from the trees to this node into the heap, because the node is no longer in a
        tree."""
        for v in self.leaves(node):
            for u, weight in self.edges[v].items():
                if self.mark.get(self.top[u], FREE) == EVEN:
                    heappush(self.heap, (self.time + weight - self._price(u) - self.price[v], u, v))

    # -- partners

    def _pair(self, own: int, other: int) -> None:
        """Gives `own` the partner `other`, and exchanges the partners on the path to the root."""
        while True:
            node = self.top[own]
            self._rebase(node, own)
            self.mate[own] = other
            if node not in self.came:
                return
            before, _ = self.came[node]
            odd = self.top[before]
            other, own_end = self.came[odd]
            self._rebase(odd, own_end)
            self.mate[own_end] = other
            own, other = other, own_end

    def _rebase(self, node: int, v: int) -> None:
        """Exchanges the partners in a node, so that v becomes the vertex with a partner outside the node."""
        self.base[node] = v
        if node < self.n:
            return
        kids, links = self.kids[node], self.links[node]
        place = next(place for place, kid in enumerate(kids) if v in self.leaves(kid))
        kids[:], links[:] = kids[place:] + kids[:place], links[place:] + links[:place]
        self._rebase(kids[0], v)
        for first in range(1, len(kids), 2):
            one, two = links[first]
            self._rebase(kids[first], one)
            self._rebase(kids[first + 1], two)
            self.mate[one], self.mate[two] = two, one
