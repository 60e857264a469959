"""The skeleton of a graph: its nodes as numbers, and for each node its neighbours and its exact totals.

It takes 8 bytes an edge and about 80 a node, so every process of the job keeps a copy, and works on some of the nodes
alone: nothing is joined or shuffled, however many neighbours a node has. Nodes are numbered in the order of their
names, so the order of numbers is that of (type, id).
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import NamedTuple

from edgewise.aggregates.measures import EXACT, MAX_DECIMALS
from functions.systems.graph import keys
from functions.systems.graph.entity import NodeId

# Exact sums are whole numbers of the smallest unit that a weight may have, kept as digits of this base.
_BASE: int = 10**MAX_DECIMALS


def _numbers(code: str, *first: int) -> "array[int]":
    return array(code, first)


@dataclass(frozen=True)
class Lists:
    """A list of numbers for each node, all in one array: those of node n are between starts[n] and starts[n + 1]."""

    starts: "array[int]" = field(default_factory=lambda: _numbers("q", 0))
    ends: "array[int]" = field(default_factory=lambda: _numbers("i"))

    def append(self, numbers: Iterable[int]) -> None:
        """Add the list of the next node."""
        self.ends.extend(numbers)
        self.starts.append(len(self.ends))

    def __getitem__(self, node: int) -> "array[int]":
        return self.ends[self.starts[node] : self.starts[node + 1]]

    def slices(self, node: int, size: int) -> "Iterator[array[int]]":
        """The list of a node, in slices of this size: whoever has seen enough reads no further."""
        end = self.starts[node + 1]
        for start in range(self.starts[node], end, size):
            yield self.ends[start : min(start + size, end)]

    def lengths(self) -> Iterator[int]:
        """How long the list of each node is."""
        return (end - start for start, end in pairwise(self.starts))


@dataclass(frozen=True)
class Names:
    """The names of the nodes, which are the keys of their partitions, all in one text of UTF-8."""

    starts: "array[int]" = field(default_factory=lambda: _numbers("q", 0))
    text: bytearray = field(default_factory=bytearray)

    def append(self, name: str) -> None:
        """Add the name of the next node."""
        self.text.extend(name.encode())
        self.starts.append(len(self.text))

    def __getitem__(self, node: int) -> NodeId:
        return keys.parse_node(self.text[self.starts[node] : self.starts[node + 1]].decode())


@dataclass(frozen=True)
class Sums:
    """An exact sum of weights for each node, as three digits of a great base.

    A weight has less than two such digits, so the sum of as many as there can be edges has less than three.
    """

    digits: "tuple[array[int], ...]" = field(default_factory=lambda: tuple(_numbers("q") for _ in range(3)))
    # Most sums are short: digits that are 0 at all nodes are not added up.
    used: set[int] = field(default_factory=set)

    def append(self, units: int) -> None:
        """Add the sum of the next node, in units."""
        low, high = units % _BASE, units // _BASE
        for place, digit in enumerate((low, high % _BASE, high // _BASE)):
            self.digits[place].append(digit)
            if digit:
                self.used.add(place)

    def over(self, nodes: Iterable[int]) -> Decimal:
        """The exact sum over some nodes."""
        some = list(nodes)
        units = sum(_BASE**place * sum(map(self.digits[place].__getitem__, some)) for place in self.used)
        return EXACT.scaleb(Decimal(units), -MAX_DECIMALS)


class Row(NamedTuple):
    """What is known of a node: its name, where its edges lead, where edges come from, and the sum of all weights."""

    name: str
    out: Sequence[int]
    back: Sequence[int]
    units: int


@dataclass(frozen=True)
class Graph:
    """A graph of numbered nodes: where the edges lead that leave a node, where those come from that point at it.

    Parallel edges are there as often as they are stored. `edges` and `weights` are what all aggregates of a node count
    together, its edges out and in: an edge from a node to itself counts twice.
    """

    names: Names = field(default_factory=Names)
    out: Lists = field(default_factory=Lists)
    back: Lists = field(default_factory=Lists)
    edges: "array[int]" = field(default_factory=lambda: _numbers("q"))
    weights: Sums = field(default_factory=Sums)

    def append(self, row: Row) -> None:
        """Add the next node; raises OverflowError for sums that no number of edges can have."""
        self.names.append(row.name)
        self.out.append(row.out)
        self.back.append(row.back)
        self.edges.append(len(row.out) + len(row.back))
        self.weights.append(row.units)

    @property
    def nodes(self) -> range:
        """All nodes."""
        return range(len(self.edges))

    def around(self, node: int) -> "array[int]":
        """The neighbours of a node by edges out and in; some more than once."""
        return self.out[node] + self.back[node]

    def cut(self, pieces: int) -> Sequence[range]:
        """The nodes in up to so many ranges, all with about as many edges; those of one node stay together."""
        work = list(accumulate(edges + 1 for edges in self.edges))
        wanted = [work[-1] * piece // pieces for piece in range(1, pieces + 1)] if work else []
        bounds = sorted({0, *(bisect_left(work, each) + 1 for each in wanted)})
        return [range(*each) for each in pairwise(bounds)]


class Read(NamedTuple):
    """The graph of an export, and how many of its items could not be read."""

    graph: Graph
    unreadable: int


def units(weight: Decimal) -> int:
    """A weight as a whole number of the smallest unit that a weight may have."""
    return int(EXACT.scaleb(weight, MAX_DECIMALS))
