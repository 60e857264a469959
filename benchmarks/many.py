"""What the same requests cost where there is a lot already: in a room, in a list, at a hub."""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

from benchmarks import engine, http
from benchmarks.consumer import feed
from benchmarks.deployment import working_on
from benchmarks.http import Answer, Request
from benchmarks.report import Table
from benchmarks.workloads import FLEET_START
from edgewise.dynamodb import table as store
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import chunks
from edgewise.times import SECOND, rfc_3339
from functions.systems.chat import codec as chat
from functions.systems.chat.entity import Message
from functions.systems.graph import codec as graph
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER

FEW, MANY, MOST = 1_000, 100_000, 1_000_000
# Items that are stored one after the other, by so many writers at once; how often each request is made.
CHUNK, WRITERS, REPEATS, NEW = 1_000, 2, 9, 100
ROOM, HUB = "hall", NodeId("service", "mail")
COLUMNS = ("", "holds", "request", "requests", "write units", "read units", "ms")


@dataclass(frozen=True)
class Collection:
    """Something that grows: its items by number, and the requests made to it by how much it holds and the turn.

    `most`: how much it holds at most, if all is measured.
    """

    name: str
    most: int
    items: Callable[[int], Sequence[Item]]
    requests: Callable[[int, int], Sequence[Request]]
    besides: Sequence[Item] = ()


def _message(number: int) -> Sequence[Item]:
    at = FLEET_START + number * SECOND
    return [chat.message_item(Message(ROOM, 1, f"user-{number % 1_000:03d}", at, f"m{number}", "Is anybody there?"))]


def _order(number: int) -> Sequence[Item]:
    return [ORDER.encode(Order(f"c{number % 10_000}", f"o{number}", FLEET_START + number * SECOND, Decimal("9.50")))]


def _edge(number: int) -> Sequence[Item]:
    return graph.edge_items(GraphEdge(NodeId("host", f"h{number:07d}"), "RUNS", HUB, Decimal(1)))


def _in_room(holds: int, turn: int) -> Sequence[Request]:
    path = {"room": ROOM}
    return (
        Request("POST /rooms/{room}/messages", path, body={"messages": [{"text": f"Turn {turn}"}]}),
        Request("GET /rooms/{room}/messages", path, {"order": "desc"}),
        Request("GET /rooms/{room}/messages", path, {"from": _middle(holds)}),
        Request("GET /rooms/{room}/messages", path, {"user": "user-500"}),
    )


def _in_list(holds: int, turn: int) -> Sequence[Request]:
    return (
        Request("POST /customers/{customer}/orders", {"customer": "c1"}, body={"amount": turn}),
        Request("GET /orders/open"),
        Request("GET /orders/open", query={"from": _middle(holds)}),
    )


def _at_hub(_: int, turn: int) -> Sequence[Request]:
    hub, edge = (
        HUB._asdict(),
        {"type": "host", "id": "h", "label": "RUNS", "target_type": HUB.type, "target_id": HUB.id},
    )
    return (
        Request("PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}", edge, body={"weight": turn + 1}),
        Request("GET /graph/nodes/{type}/{id}/edges", hub, {"direction": "in"}),
        Request("GET /graph/nodes/{type}/{id}/aggregates", hub),
    )


COLLECTIONS = (
    Collection("a room's messages", MOST, _message, _in_room),
    Collection("open orders", MOST, _order, _in_list),
    Collection(
        "edges at a hub",
        MANY,
        _edge,
        _at_hub,
        [graph.node_item(Node(HUB, 1)), graph.node_item(Node(NodeId("host", "h"), 1))],
    ),
)


def sizes(collection: Collection, *, whole: bool) -> tuple[int, ...]:
    """How much a collection holds when it is measured; `whole`: up to its most, which takes a quarter of an hour."""
    return FEW, collection.most if whole else min(MANY, collection.most)


def steps(*, whole: bool) -> int:
    """How many items are stored in all."""
    return sum(holds for collection in COLLECTIONS for holds in sizes(collection, whole=whole))


def measure(done: Callable[[int], None], *, whole: bool = False) -> Table:
    """Fill a table for each size, and make the requests; calls `done` with how many items more are stored."""
    rows = [
        row
        for collection in COLLECTIONS
        for holds in sizes(collection, whole=whole)
        for row in _rows(collection, holds, done)
    ]
    return Table(
        "Growth: the same requests where there is a lot already",
        COLUMNS,
        rows,
        (
            f"requests, units and ms of a request: by the answers' headers, and the median of {REPEATS} calls of the "
            "handler. Lists have their default limit of 100.",
            f"the stream: what each of {NEW} more of them costs the consumer, in one batch.",
        ),
    )


def _rows(collection: Collection, holds: int, done: Callable[[int], None]) -> Iterator[tuple[str, ...]]:
    table = engine.create(f"{collection.name.replace(' ', '-').replace(chr(39), '')}-{holds}")
    table.put_many(collection.besides)
    with ThreadPoolExecutor(WRITERS) as pool:
        for _ in pool.map(lambda some: table.put_many(_items(collection, some)), chunks(range(holds), CHUNK)):
            done(CHUNK)
    with working_on(table.name):
        for requests in zip(*(collection.requests(holds, turn) for turn in range(REPEATS)), strict=True):
            yield collection.name, f"{holds:,}", *_asked(requests)
    new = _items(collection, range(holds, holds + NEW))
    yield collection.name, f"{holds:,}", "the stream", *_absorbed(table, new)


def _items(collection: Collection, numbers: Iterable[int]) -> list[Item]:
    """All items of these things."""
    return list(chain.from_iterable(map(collection.items, numbers)))


def _asked(requests: Sequence[Request]) -> tuple[str, ...]:
    """What one of these requests takes: they differ only in what is not stored yet."""
    times, answers = list[float](), list[Answer]()
    for request in requests:
        began = time.perf_counter()
        answers.append(http.call(request))
        times.append(time.perf_counter() - began)
        if answers[-1].status >= 300:
            raise RuntimeError(f"{request.route}: {answers[-1]}")
    last, shown = answers[-1], " ".join(requests[0].query)
    name = f"{requests[0].route.replace('{type}/{id}/{label}/{target_type}/{target_id}', '…')} {shown}".strip()
    units = f"{last.write_units:g}", f"{last.read_units:g}"
    return name, str(last.requests), *units, f"{statistics.median(times) * 1e3:.1f}"


def _absorbed(table: store.Table, items: Sequence[Item]) -> tuple[str, ...]:
    spent = feed(table, [items], len(items)).spent
    each = (spent.requests, spent.billed, spent.read_units, spent.cpu * 1e3)
    return tuple(f"{number / NEW:.2f}" for number in each)


def _middle(holds: int) -> str:
    return rfc_3339(FLEET_START + holds // 2 * SECOND)
