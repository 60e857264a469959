"""What changes of states cost on their way to the neighbours, level by level: write units, and CPU.

Hosts run services, services are part of businesses, and derive their states of that (declared.py). Here, businesses
belong to companies, too, so that there is a third level.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import chain, count, product, repeat
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks import engine, report
from benchmarks.deployment import working_on
from benchmarks.stream import AT, window_event
from delivery import Source, make_record
from delivery.context import Context
from edgewise.aggregates.alerts import ALERT
from edgewise.dynamodb import units
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Put, Replacement, Reply, Write
from edgewise.stream import windows
from functions.handlers import cascade, edge_aggregator
from functions.settings import NO_OUTLET, NO_PUSH, NO_SEARCH, NO_TOPIC, CascadeSettings
from functions.systems.graph import codec, declared, store
from functions.systems.graph.entity import GraphEdge, Node, NodeId, State
from functions.systems.graph.passes import PASSES
from functions.systems.graph.rules import Derived, worst_of
from functions.systems.graph.states import told_by
from functions.systems.graph.system import ADJACENT

# Records, as the cascade gets them. The consumer gets the same here.
BATCH = 100
DEGREES, HUB, MOST = (10, 1_000), 100_000, 1.1
LABELS = {**declared.LABELS, "OWNED_BY": declared.Label(ends=("business", "company"), tells=("in",))}
DERIVED = {**declared.DERIVED, "company": Derived("OWNED_BY", "in", worst_of("down", "degraded"), "up")}
_NOTE = (
    "To copy one: CPU of the cascade for each copy; it also finds those whom a derived state concerns. To count it: "
    "CPU of the consumer. The first time that an extreme of a node goes, all its edges are read again, by the "
    "consumer, or by the cascade if they are more than 1,000; the node then keeps candidates for its next extremes."
)
_SEQUENCE = count(111_100_000_000_014_281_012_345)


class Shape(NamedTuple):
    """A graph, as edges, and the nodes whose state changes, so many times in a row. `told`: copies that this takes.

    `changed`: the nodes whose state changes before that, unmeasured.
    """

    name: str
    edges: Sequence[GraphEdge]
    changing: Sequence[NodeId]
    told: int
    times: int = 1
    changed: Sequence[NodeId] = ()


class Cost(NamedTuple):
    """What a change of states took: write units by what they are for; seconds of CPU to copy, and to count."""

    shape: Shape
    copies: int
    aggregates: int
    passes: int
    alerts: int
    copying: float
    counting: float

    @property
    def ratio(self) -> float:
        """The units in relation to one for each copy that is needed and one for each aggregate and batch.

        An alert is declared apart, and costs the same however many edges there are.
        """
        return (self.copies + self.aggregates + self.passes) / (self.shape.told + self.aggregates)


def shapes(degree: int) -> Iterator[Shape]:
    """A service run by so many hosts, for a business; and a host that runs so many services, each for a business."""
    hosts, services, shops, companies = (_nodes(kind, degree) for kind in ("host", "service", "business", "company"))
    yield from hub(degree)
    star_in = [*_edges(hosts, "RUNS", services[:1] * degree), *_edges(services[:1], "PART_OF", shops[:1])]
    yield Shape(f"star in, {degree:,}: two thirds of the hosts", star_in, hosts[: degree * 2 // 3], degree * 2 // 3 + 1)
    star_out = _edges(hosts[:1] * degree, "RUNS", services)
    two = [*star_out, *_edges(services, "PART_OF", shops)]
    yield Shape(f"star out, {degree:,}: two levels", two, hosts[:1], 2 * degree)
    three = [*two, *_edges(shops, "OWNED_BY", companies)]
    yield Shape(f"star out, {degree:,}: three levels", three, hosts[:1], 3 * degree)


def hub(degree: int) -> Iterator[Shape]:
    """One of the many hosts of a service changes, and another one; one host, and one supplier, of many services do."""
    hosts, services, shops, companies = (_nodes(kind, degree) for kind in ("host", "service", "business", "company"))
    beyond = [*_edges(services[:1], "PART_OF", shops[:1]), *_edges(shops[:1], "OWNED_BY", companies[:1])]
    star_in = [*_edges(hosts, "RUNS", services[:1] * degree), *beyond]
    yield Shape(f"star in, {degree:,}: one host, three levels", star_in, hosts[:1], 3)
    yield Shape(f"star in, {degree:,}: the next host, three levels", star_in, hosts[1:2], 3, changed=hosts[:1])
    yield Shape(f"star out, {degree:,}: one level", _edges(hosts[:1] * degree, "RUNS", services), hosts[:1], degree)
    suppliers = _nodes("supplier", 1)
    needs = _edges(services, "NEEDS", suppliers * degree)
    yield Shape(f"star of needs, {degree:,}: one level, ten changes in a row", needs, suppliers, degree, 10)


def ladder() -> Shape:
    """Two hosts, two services, two businesses, each tied to both of the next level."""
    hosts, services, shops = (_nodes(kind, 2) for kind in ("host", "service", "business"))
    edges = [_edge(a, "RUNS", b) for a in hosts for b in services]
    return Shape("ladder: two levels", edges + [_edge(a, "PART_OF", b) for a in services for b in shops], hosts[:1], 6)


class Recorded(Table):
    """A table that keeps what is written to it as stream records, and its write units by the type of the items.

    `recording`: the seconds of CPU that this takes.
    """

    images: dict[Key, Item]
    pending: list[Any]
    spent: Counter[str]
    recording: float

    def put_many(self, items: Sequence[Item]) -> None:
        """Recorded item by item."""
        super().put_many(items)
        for item in items:
            self._taken(key_of(item), item)

    def write(self, write: Write) -> None:
        """Recorded if it is not refused."""
        super().write(write)
        self._taken(*((key_of(write.item), write.item) if isinstance(write, Put) else (write.key, None)))

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """Recorded as far as they are taken."""
        found = super().replace_many(replacements)
        if self.statements and len(replacements) > 1:  # one alone is a put
            for each, reply in zip(replacements, found, strict=True):
                if reply is Reply.TAKEN:
                    self._taken(key_of(each.item), each.item)
        return found

    def _taken(self, key: Key, item: Item | None) -> None:
        began = time.thread_time()
        old = self.images.pop(key, None)
        self.spent[string((item or old or {})["Type"])] += units.of_put(old, item) if item else 1
        if item:
            self.images[key] = item
        self.pending.append(make_record(Source(), old, item, next(_SEQUENCE), AT).form)
        self.recording += time.thread_time() - began


def measure(degrees: Sequence[int] = DEGREES, hubs: Sequence[int] = ()) -> Sequence[Cost]:
    """What all shapes cost; those of hubs take minutes, most of them to store the graph."""
    wanted = [ladder(), *chain.from_iterable(map(shapes, degrees)), *chain.from_iterable(map(hub, hubs))]
    return [cost(shape, f"levels-{number}") for number, shape in enumerate(wanted)]


def cost(shape: Shape, name: str) -> Cost:
    """Store a graph, change states at once, and let both readers take all that follows."""
    with _working(name) as table:
        nodes = dict.fromkeys(chain.from_iterable(edge.ends for edge in shape.edges))
        up = State(1, "up", (("load", Decimal(1)),))
        there = {of: Node(of, 1, up if of.type == "host" else State(1)) for of in nodes}
        table.put_many([codec.node_item(node) for node in there.values()])
        table.put_many([told_by(there, item) for edge in shape.edges for item in codec.edge_items(edge)])
        _settle(table, windows.BATCH, edge_aggregator.handler)
        _change(table, shape.changed, 1)
        _settle(table, BATCH, cascade.handler, edge_aggregator.handler)
        _change(table, shape.changing, shape.times)
        table.spent.clear()
        cpu, spent = _settle(table, BATCH, cascade.handler, edge_aggregator.handler), table.spent
        copies = spent[codec.EDGE] + spent[codec.MIRROR]
        return Cost(shape, copies, spent[ADJACENT.name], spent[PASSES], spent[ALERT], *cpu)


def table(costs: Sequence[Cost]) -> report.Table:
    """What is measured, as a table; it fails if a change costs a tenth more than it must."""
    rows = [
        [
            each.shape.name,
            f"{each.copies:,}",
            f"{each.aggregates:,}",
            f"{each.passes:,}",
            f"{each.alerts:,}",
            f"{each.ratio:.3f}",
            f"{each.copying / each.copies * 1e6:,.0f}",
            f"{each.counting / each.copies * 1e6:,.0f}",
        ]
        for each in costs
    ]
    columns = (
        "a change",
        "copies",
        "aggregates",
        "passes",
        "alerts",
        "of what is needed",
        "to copy one, µs",
        "to count it, µs",
    )
    failed = any(each.ratio > MOST for each in costs)
    return report.Table("Changes of states, in write units", columns, rows, (_NOTE,), failed=failed)


@contextmanager
def _working(name: str) -> Iterator[Recorded]:
    table = Recorded(engine.create(name).name, engine.client(), statements=True)
    table.images, table.pending, table.spent, table.recording = {}, [], Counter(), 0.0
    with (
        working_on(name),
        patch.dict(declared.DERIVED, DERIVED),
        patch.dict(declared.LABELS, LABELS),
        patch.dict(declared.TELLING, declared.telling(LABELS)),
        patch.object(edge_aggregator, "table", lambda: table),
        patch.object(cascade, "table", lambda: table),
        patch.object(
            cascade,
            "settings",
            lambda: CascadeSettings(name, NO_PUSH, NO_TOPIC, NO_SEARCH, NO_OUTLET, NO_OUTLET, "statements"),
        ),
        engine.silenced(),
    ):
        yield table


def _change(table: Table, nodes: Sequence[NodeId], times: int) -> None:
    for node, number in product(nodes, range(times)):
        store.put_state(table, node, "down", {"load" if node.type == "host" else "delay": Decimal(2 + number)})


def _settle(table: Recorded, batch: int, *readers: Callable[[Any, Any], Any]) -> list[float]:
    """Deliver until nothing is left, so many records at a time; returns the CPU that each of the readers took."""
    cpu = [0.0] * len(readers)
    while records := table.pending[:batch]:
        del table.pending[:batch]
        for number, read in enumerate(readers):
            began = time.process_time() - table.recording
            read(window_event(records), Context())
            cpu[number] += time.process_time() - table.recording - began
    return cpu


def _nodes(kind: str, count: int) -> list[NodeId]:
    return [NodeId(kind, f"{number:06}") for number in range(count)]


def _edges(sources: Sequence[NodeId], label: str, targets: Sequence[NodeId]) -> list[GraphEdge]:
    """One edge from each source."""
    return [_edge(*ends) for ends in zip(sources, repeat(label), targets)]


def _edge(source: NodeId, label: str, target: NodeId) -> GraphEdge:
    return GraphEdge(source, label, target, Decimal(1))
