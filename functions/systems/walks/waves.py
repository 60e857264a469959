"""Reads for walks: edges in waves, as many reads at once as there are connections; degrees a hundred at a time."""

from collections.abc import Sequence
from concurrent.futures import Executor
from itertools import repeat

from edgewise import Position, Table, cells, each
from edgewise.dynamodb.queries import Page
from edgewise.dynamodb.table import CONNECTIONS, KEYS_PER_BATCH, chunks
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import patterns as graph_patterns
from functions.systems.graph.entity import EDGES, Direction, NodeId
from functions.systems.walks.entity import Budget, Read, Walk
from functions.systems.walks.reach import Totals

About = tuple[Direction, str]


class Waves:
    """Reads for walks that share a budget; concurrent reads go through the pool."""

    def __init__(self, table: Table, pool: Executor, budget: Budget) -> None:
        self._table, self._pool, self._budget = table, pool, budget
        self._positions: dict[Read, Position] = {}

    def finish(self, walk: Walk) -> None:
        """Walk to the end, or as far as the budget allows."""
        while walk.descend():
            self.expand(walk)

    def expand(self, walk: Walk) -> None:
        """Read the edges of one level, as far as the budget allows."""
        reads, limit = walk.wave(CONNECTIONS)
        while reads:
            for read, page in zip(reads, self._pool.map(self._page, reads, repeat(limit)), strict=True):
                walk.learn(read, each(self._table, graph_codec.edge, page.items), more=page.next is not None)
                if page.next is not None:
                    self._positions[read] = page.next
            reads, limit = walk.wave(CONNECTIONS)

    def degrees(self, nodes: Sequence[NodeId], about: Sequence[About]) -> dict[NodeId, dict[About, Totals]]:
        """How many edges the aggregates count, by direction and label; of as many nodes as the budget allows."""
        at_once = KEYS_PER_BATCH // len(about)
        affordable = min(self._budget.items_left // len(about), self._budget.requests_left * at_once)
        asked = nodes[:affordable]
        batches = [
            {graph_keys.DEGREE(node, *each): (node, each) for node in batch for each in about}
            for batch in chunks(asked, at_once)
        ]
        self._budget.spend(requests=len(batches))
        degrees: dict[NodeId, dict[About, Totals]] = {node: {} for node in asked}
        for batch, found in zip(batches, self._pool.map(self._table.get_many, map(list, batches)), strict=True):
            self._budget.spend(items=len(found))
            for key, item in found.items():
                if cell := cells(item).get(EDGES):
                    node, each = batch[key]
                    degrees[node][each] = Totals(cell.count, cell.total)
        return degrees

    def _page(self, read: Read, limit: int) -> Page:
        query = graph_patterns.edges(read.node, read.way.direction, read.way.label)
        return self._table.query(query.part(limit, self._positions.get(read)))
