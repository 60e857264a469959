"""Walks through a graph, breadth first, within a budget. Pure: names the next edges to read, takes in the results."""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from functions.systems.graph.entity import Direction, GraphEdge, NodeId

# The least number of items worth a request: with fewer items left for each, fewer reads are sent at once.
SMALLEST_PAGE = 25


@dataclass
class Budget:
    """The requests and items that a walk may consume. `kept` items are reserved for later phases."""

    requests: int
    items: int
    spent_requests: int = 0
    spent_items: int = 0
    kept: int = 0

    @property
    def requests_left(self) -> int:
        """How many requests may still be sent."""
        return self.requests - self.spent_requests

    @property
    def items_left(self) -> int:
        """How many items may still be read."""
        return self.items - self.spent_items - self.kept

    def keep(self, divisor: int) -> None:
        """Reserve a half, a third, a quarter ... of the remaining items for the next phases of a walk."""
        self.kept = 0
        self.kept = self.items_left // divisor

    def spend(self, requests: int = 0, items: int = 0) -> None:
        """Record what was consumed."""
        self.spent_requests += requests
        self.spent_items += items

    def share(self, wanted: int) -> tuple[int, int]:
        """How many of these reads may be sent at once, and how many items each may bring; (0, 0): none."""
        if self.items_left <= 0:
            return 0, 0
        reads = min(wanted, self.requests_left, max(1, self.items_left // SMALLEST_PAGE))
        return reads, self.items_left // reads if reads else 0


class Way(NamedTuple):
    """The edges to follow: those that leave or enter a node, of one label or of all (None)."""

    direction: Direction
    label: str | None


class Read(NamedTuple):
    """The edges of a node that go one way; may take several pages."""

    node: NodeId
    way: Way


class Step(NamedTuple):
    """One step of a path: along an edge, or against it (in)."""

    label: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Reached:
    """A node reached: how far it is from the start, and the last step of a shortest path to it."""

    depth: int
    before: NodeId | None = None
    step: Step | None = None


class Walk:
    """A walk from some nodes along some ways, `depth` steps far (None: as far as it goes).

    Each node is expanded once. Nodes are reached in an order that depends on the graph alone: by distance, then by the
    order of the preceding nodes, then by step and name. So of several shortest paths, always the same one is returned.
    """

    def __init__(self, starts: Iterable[NodeId], ways: Sequence[Way], depth: int | None, budget: Budget) -> None:
        self.ways, self.budget = ways, budget
        self.reached: dict[NodeId, Reached] = {start: Reached(0) for start in starts}
        self.edges: dict[tuple[NodeId, str, NodeId], Decimal] = {}
        self.neighbours: dict[NodeId, dict[NodeId, Step]] = {}
        self.level = -1
        self._last = depth
        self._frontier: list[NodeId] = []
        self._pending: deque[Read] = deque()

    def descend(self) -> Sequence[NodeId]:
        """Advance to the nodes one step further, and return them; none at the end, or if the budget is exhausted."""
        found = list(self.reached) if self.level < 0 else self._settled()
        if self._pending or not found or self.level + 1 == self._last:
            return ()
        self.level += 1
        self._frontier = found
        self._pending.extend(Read(node, way) for node in found for way in self.ways)
        return found

    def pass_over(self, nodes: Collection[NodeId]) -> None:
        """Skip nodes of this level, which are known to have no edges that way."""
        self._pending = deque(read for read in self._pending if read.node not in nodes)

    def wave(self, at_most: int) -> tuple[Sequence[Read], int]:
        """The next reads, all to be sent at once, and the items for each; none when the level or the budget ends."""
        reads, limit = self.budget.share(min(at_most, len(self._pending)))
        self.budget.spend(requests=reads)
        return [self._pending.popleft() for _ in range(reads)], limit

    def learn(self, read: Read, edges: Sequence[GraphEdge], more: bool) -> None:
        """Take in a page of edges. Further pages are read after the other nodes: a hub must not starve them."""
        self.budget.spend(items=len(edges))
        known = self.neighbours.setdefault(read.node, {})
        for edge in edges:
            self.edges[edge.source, edge.label, edge.target] = edge.weight
            step, other = Step(edge.label, read.way.direction), edge.other(read.way.direction)
            known[other] = min(step, known.get(other, step))
        if more:
            self._pending.append(read)

    @property
    def unexpanded(self) -> Sequence[NodeId]:
        """The nodes of the last level whose edges were not all read, because the budget was exhausted."""
        waiting = {read.node for read in self._pending}
        return [node for node in self._frontier if node in waiting]

    def path(self, node: NodeId) -> Sequence[tuple[Step, NodeId]]:
        """A shortest path to a reached node: each step, and the node to which it leads."""
        steps: list[tuple[Step, NodeId]] = []
        at = self.reached[node]
        while at.before is not None and at.step is not None:
            steps.append((at.step, node))
            node, at = at.before, self.reached[at.before]
        return steps[::-1]

    def _settled(self) -> list[NodeId]:
        found: list[NodeId] = []
        for node in self._frontier:
            neighbours = self.neighbours.get(node, {})
            for other in sorted(neighbours, key=lambda each: (neighbours[each], each)):
                if other not in self.reached:
                    self.reached[other] = Reached(self.level + 1, node, neighbours[other])
                    found.append(other)
        return found
